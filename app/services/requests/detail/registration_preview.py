"""The operator's last look at a request before its name is given."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import takewhile

from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES
from app.registration.records.registry_records import Purpose
from app.registration.submission_findings import SubmissionCheck, SubmissionFinding
from app.services.accounts.actors import Actor
from app.services.experts.independence import first_approvers, may_register
from app.services.policy import ProcedureSettings
from app.services.refusals import NotFound
from app.services.registrations import name_registration
from app.services.registrations.name_registration import RecordNeighbours, neighbours
from app.services.registry.base_version import (
    CompetingRequest,
    requests_competing_with,
    sort_by_first_sent,
)
from app.services.requests.detail import action_offers, request_detail
from app.services.requests.detail.action_offers import ActionOffer
from app.services.requests.text_findings import check_of_sent
from app.store.requests import iteration_rows, request_rows
from app.store.requests.request_cases import case_of
from app.store.tables import Request
from app.workflow.engine import evidence_of
from app.workflow.evidence import Evidence
from app.workflow.states import Action


@dataclass(frozen=True, slots=True)
class RegistrationPreview:
    """The operator's preview of a registration; ``approved_by`` is the approver.

    ``findings`` is what is found in the text, where the operator decides and no expert did.
    ``reference_lacks`` says what to enter if the row can't refer to anything yet. ``hindered_by``
    are the problems in the text, as in one that older software took without a title; with the
    action that sends it back, if the operator may take it.
    """

    offer: ActionOffer
    neighbours: RecordNeighbours
    reference: name_registration.Reference
    may: bool
    competing: tuple[CompetingRequest, ...] = ()
    approved_by: tuple[str, ...] = ()
    sent: Mapping[str, str] = field(default_factory=dict)
    findings: SubmissionCheck | None = None
    reference_lacks: str = ""
    hindered_by: tuple[SubmissionFinding, ...] = ()
    way_back: Action | None = None

    @property
    def texts(self) -> dict[str, str]:
        """What the record will say; of what was sent as it was, for a name may not be drawn yet."""
        said = {name: text for name, text in self.sent.items() if text}
        return dict(self.neighbours.record.fields) | said

    @property
    def is_second(self) -> bool:
        """Whether the very name was asked for by somebody else first."""
        number = self.offer.row.number
        earlier = [one.name for one in takewhile(lambda o: o.number != number, self.competing)]
        return self.offer.row.name in earlier

    @property
    def agrees(self) -> bool:
        """Whether another operator approved it, so that to register it is to agree."""
        return request_detail.waits_for_second(self.offer.row.case)

    @property
    def why_not(self) -> str:
        """What is told to an operator who may not register it; nothing to one who may."""
        return "" if self.may else Evidence.OTHER_PERSON.sentence


def preview_registration(
    number: int,
    actor: Actor,
    at: datetime,
    *,
    base_url: str,
    rules: ProcedureSettings,
    reference: name_registration.Reference | None = None,
) -> RegistrationPreview:
    """How a request's row will stand, with the reference given or a likely one."""
    offer = action_offers.offer_of(number, Action.REGISTER, actor, at, rules)
    request = request_rows.find_request(number)
    sent = iteration_rows.find_iteration(number, request.iterations) if request else None
    if request is None or sent is None:
        raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"There is no request {number}.")
    text = sent.fields.get("documentation", "")
    wanted = reference or name_registration.suggestion_for(request, text)
    lacks = name_registration.missing_in_reference(wanted)
    keeps = request.purpose == Purpose.REVISION and not wanted.data.strip()
    problems = _problems(request)
    return RegistrationPreview(
        offer,
        neighbours(
            request, None if lacks else wanted, at.date().isoformat(), base_url, rules.number_prefix
        ),
        wanted,
        may_register(request, actor, rules.separation, at),
        _competing(request),
        first_approvers(request),
        sent.fields,
        _judged_here(request),
        lacks if REGISTRIES[request.registry_id].has_references and not keeps else "",
        problems,
        _way_back(request, actor, at, rules) if problems else None,
    )


def _problems(request: Request) -> tuple[SubmissionFinding, ...]:
    check = check_of_sent(request)
    return tuple(check.problems) if check else ()


def _way_back(
    request: Request, actor: Actor, at: datetime, rules: ProcedureSettings
) -> Action | None:
    offered = request_detail.show_request(request.number, actor, at, rules).actions
    return next((one for one in (Action.RETURN, Action.REOPEN) if one in offered), None)


def _judged_here(request: Request) -> SubmissionCheck | None:
    decides = Evidence.CHECKS_ANSWERED in evidence_of(case_of(request), Action.REGISTER)
    check = check_of_sent(request) if decides else None
    return check.findings if check else None


def _competing(request: Request) -> tuple[CompetingRequest, ...]:
    if request.purpose != Purpose.NEW:
        return ()
    others = requests_competing_with(request, request.asked_name)
    return tuple(sort_by_first_sent(request, others)) if others else ()
