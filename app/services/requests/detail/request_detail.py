"""A request as its page shows it: frozen values, and what its reader may do."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import takewhile

from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES, DeclaredProcedure, procedure_named
from app.registration.records.registry_records import Purpose
from app.registration.submission_findings import SubmissionCheck, SubmissionFinding
from app.services.accounts.actors import (
    Actor,
    conflicts_with,
    may_see_private,
    roles_for,
    roles_toward,
    sits_on_panel,
)
from app.services.experts.independence import first_approvers, may_register, reads_like_own
from app.services.policy import ProcedureSettings
from app.services.refusals import NotFound
from app.services.registrations import name_registration
from app.services.registrations.disputes import NOTED as DISPUTES
from app.services.registrations.name_registration import RecordNeighbours, neighbours
from app.services.registry.base_version import (
    CompetingRequest,
    is_latest,
    requests_competing_with,
    sort_by_first_sent,
)
from app.services.request_status.request_status import (
    MOST_SHOWN,
    RequestSummary,
    panel_ahead,
    row_of,
)
from app.services.requests import drafts, queues, request_actions, request_evidence
from app.services.requests.comments import DISCUSSED, NOTED
from app.services.requests.detail import action_offers
from app.services.requests.detail.action_offers import ActionOffer, RequestViewer
from app.services.requests.text_findings import TextCheck, check_of_sent
from app.store.accounts import expert_panels
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import name_rows
from app.store.requests import (
    draft_rows,
    iteration_rows,
    request_rows,
    requested_names,
    review_rows,
)
from app.store.requests import operator_notes as desk_rows
from app.store.requests.request_cases import case_of
from app.store.tables import Event, Request
from app.store.tables.desk import RequestLinkKind
from app.workflow.engine import ProcedureCase, evidence_of
from app.workflow.evidence import Evidence, EvidenceInput
from app.workflow.evidence_inputs import inputs_for
from app.workflow.reviews import PanelStatus, Verdict
from app.workflow.separation_of_duties import ConflictOfInterest, SeparationOfDuties
from app.workflow.states import Action, Role, State

# private, for operators, or told elsewhere on the page
UNTOLD = frozenset({NOTED, request_actions.REFUSED}) | DISCUSSED


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewView:
    """A review as everybody sees it."""

    id: int
    at: datetime
    iteration: int
    verdict: Verdict
    leader: bool
    body: str
    own: bool
    answers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventView:
    """An event of a request; ``own`` if the reader caused it, others appear only as a role."""

    at: datetime
    kind: str
    role: str
    iteration: int | None
    reason: str
    edition: int | None = None
    target: str | None = None
    judged: ReviewView | None = None
    own: bool = False
    details: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class IterationView:
    """A text that was sent in."""

    k: int
    at: datetime
    organization: str
    fields: Mapping[str, str]


def events_of(request: Request) -> list[Event]:
    """What happened to a request, and what was noted beside the registration that it led to."""
    own = event_rows.of_request(request.number)
    if not request.assigned_name:
        return own
    given = max(one.n for one in own if one.kind == Action.REGISTER.past)
    name = REGISTRIES[request.registry_id].space.about(request.assigned_name)
    noted = [one for one in event_rows.of_name(name, DISPUTES) if one.n > given]
    return sorted([*own, *noted], key=lambda one: one.n)


def iteration_views(sent: list[iteration_rows.IterationText]) -> tuple[IterationView, ...]:
    """The texts that were sent in."""
    return tuple(
        IterationView(k=text.k, at=text.at, organization=text.organization, fields=text.fields)
        for text in sent
    )


def event_views(
    request: Request, happened: list[Event], reviews: list[ReviewView], actor: Actor | None
) -> list[EventView]:
    """The events of a request for a reader, without private ones and comments."""
    given = {review.id: review for review in reviews}
    edition = edition_rows.number_of(request.edition)
    return [
        EventView(
            at=event.at,
            kind=event.kind,
            role=event.role,
            iteration=event.iteration,
            reason=event.reason,
            edition=edition if event.kind == Action.REGISTER.past else None,
            target=event.target,
            judged=given.get(event.review) if event.review else None,
            own=actor is not None and event.actor == actor.id and event.role != Role.OUTCOME,
            details=event_rows.details_of(event.body),
        )
        for event in happened
        if event.kind not in UNTOLD
    ]


def review_views(request: Request, actor: Actor | None) -> list[ReviewView]:
    """The reviews of a request, oldest first; which of them are the reader's own."""
    return [
        ReviewView(
            id=row.id,
            at=row.at,
            iteration=row.iteration,
            verdict=Verdict(row.verdict),
            leader=row.leader,
            body=row.body,
            own=actor is not None and row.author == actor.id,
            answers=json.loads(row.answers),
        )
        for row in review_rows.reviews_of(request.number)
    ]


@dataclass(frozen=True, slots=True)
class ExpertView:
    """What a request is to the expert who looks at it.

    It ``is_awaited`` where it waits for their review. ``alike`` is the organization they are near
    whose name reads like that of the registrant's. ``back`` is the day on which they return, if
    they are away.
    """

    is_awaited: bool
    conflicts: tuple[ConflictOfInterest, ...]
    alike: str = ""
    back: date | None = None


@dataclass(frozen=True, slots=True)
class LinkedRequest:
    """Another request that one points to, or that points to it."""

    number: int
    kind: RequestLinkKind
    is_source: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestDetail:
    """A request with its story and what its reader may do.

    ``is_barred``: its reader is an operator with a part in it, so that another one decides.
    ``waits_for_second``: one operator approved it, and a second one has to agree.
    ``is_taken``: it waits to be registered, and its name stands in the registry by now.
    ``is_outdated``: it waits so, and changes a version that another has replaced by now.
    ``panel_ahead``: the experts who would get it if its reader passed it to them.
    """

    row: RequestSummary
    iterations: tuple[IterationView, ...]
    story: tuple[EventView, ...]
    reviews: tuple[ReviewView, ...]
    check: TextCheck | None
    actions: tuple[Action, ...]
    roles: frozenset[Role]
    private: Mapping[str, str]
    asks: Mapping[Action, tuple[EvidenceInput, ...]]
    expert: ExpertView | None
    is_barred: bool
    waits_for_second: bool
    competing: tuple[CompetingRequest, ...]
    links: tuple[LinkedRequest, ...]
    lost_to: int | None
    is_taken: bool
    is_outdated: bool
    asked_procedure: DeclaredProcedure | None
    last_appeal: date | None
    panel_ahead: PanelStatus | None = None

    @property
    def rivals(self) -> tuple[CompetingRequest, ...]:
        """The other requests for its name, or for one that reads alike."""
        return tuple(one for one in self.competing if one.number != self.row.number)

    @property
    def findings(self) -> SubmissionCheck:
        """Everything found in its newest text, gravest first."""
        return self.check.findings if self.check else SubmissionCheck()

    @property
    def latest(self) -> IterationView | None:
        """The newest text that was sent in."""
        return self.iterations[-1] if self.iterations else None

    @property
    def on_second(self) -> str:
        """Why an operator who reads it needs a second one, or cannot be that one; else nothing."""
        if Action.ENDORSE in self.actions and not self.is_barred:
            return Evidence.WITHIN_SHARE.sentence
        open_to_others = self.waits_for_second and not (self.is_barred or self.is_taken)
        waits = Role.OPERATOR in self.roles and Action.REGISTER not in self.actions
        return Evidence.SECOND_PERSON.sentence if open_to_others and waits else ""

    @property
    def is_own(self) -> bool:
        """Whether its reader sent it."""
        return Role.REGISTRANT in self.roles

    @property
    def my_review(self) -> ReviewView | None:
        """The reader's own review of the newest text, if they gave one."""
        mine = [r for r in self.reviews if r.own and r.iteration == len(self.iterations)]
        return mine[-1] if mine else None


def show_request(
    number: int,
    actor: Actor | None,
    at: datetime,
    rules: ProcedureSettings | None = None,
) -> RequestDetail:
    """A request for its reader; NotFound for a draft of somebody else's.

    What is found is found in what was sent: a draft of the next text is its author's alone.
    """
    request = action_offers.visible_request(number, actor)
    rules = rules or ProcedureSettings()
    rule = rules.separation
    roles = roles_toward(actor, request, rule)
    happened = events_of(request)
    escalating = roles_for(actor, request, Action.ESCALATE, rule)
    sent = iteration_rows.iterations_of(number)
    barred = action_offers.may_decide_nothing(request, actor, rule)
    looking = RequestViewer(actor, at, rules, barred=barred) if actor else None
    actions = action_offers.offered_actions(request, roles | escalating, looking) if looking else ()
    case, reviews = case_of(request), review_views(request, actor)
    return RequestDetail(
        row=row_of(request, at, rules),
        iterations=iteration_views(sent),
        story=tuple(reversed(event_views(request, happened, reviews, actor))),
        reviews=tuple(reviews),
        check=_check(request, at),
        actions=actions,
        roles=roles,
        private=draft_rows.private_values(number) if may_see_private(roles) else {},
        asks={action: inputs_for(case, action, roles | escalating) for action in actions},
        expert=_expert(request, actor, rule, at),
        is_barred=barred,
        waits_for_second=waits_for_second(case),
        competing=_contending(request),
        links=_links(number),
        lost_to=_lost_to(request),
        is_taken=_is_taken(request),
        is_outdated=request.state == State.MODIFIABLE and not is_latest(request),
        asked_procedure=procedure_named(request.asked_procedure)
        if request.asked_procedure
        else None,
        last_appeal=request_evidence.last_day_left(happened, rules.appeal_months)
        if request_evidence.are_heard(procedure_named(request.procedure))
        else None,
        panel_ahead=panel_ahead(request, at, rules) if Action.PASS in actions else None,
    )


def _expert(
    request: Request, actor: Actor | None, rule: SeparationOfDuties, at: datetime
) -> ExpertView | None:
    if actor is None or not sits_on_panel(actor, request):
        return None
    conflicts, alike = conflicts_with(actor, request, rule), reads_like_own(actor, request)
    back = expert_panels.absent_experts(at).get(actor.id)
    awaited = queues.waits_for(actor, request.number)
    return ExpertView(awaited, conflicts, alike, back.date() if back else None)


def waits_for_second(case: ProcedureCase) -> bool:
    """Whether one operator approved it, so that another one has to agree."""
    return Evidence.SECOND_PERSON in evidence_of(case, Action.REGISTER)


def _contending(request: Request) -> tuple[CompetingRequest, ...]:
    others = (
        requests_competing_with(request, request.asked_name) if case_of(request).is_pending else ()
    )
    return tuple(sort_by_first_sent(request, others[:MOST_SHOWN])) if others else ()


def _is_taken(request: Request) -> bool:
    if request.state != State.ASSIGNABLE or not request.asked_name:
        return False
    return name_rows.is_taken(REGISTRIES[request.registry_id].space.id, request.asked_name)


def _lost_to(request: Request) -> int | None:
    is_new = request.purpose == Purpose.NEW and request.asked_name
    if not (is_new and case_of(request).is_pending):
        return None
    won = requested_names.registered_as(request.asked_name)
    return edition_rows.number_of(won.edition) if won is not None else None


def _links(number: int) -> tuple[LinkedRequest, ...]:
    public = {
        row.number
        for row in request_rows.requests_by_number(
            [one for link in desk_rows.links_of(number) for one in (link.request, link.other)]
        )
        if not State(row.state).is_private
    }
    return tuple(
        LinkedRequest(
            link.other if link.request == number else link.request,
            RequestLinkKind(link.kind),
            link.request == number,
        )
        for link in desk_rows.links_of(number)
        if {link.request, link.other} - {number} <= public
    )


def _check(request: Request, at: datetime) -> TextCheck | None:
    state = State(request.state)
    if state.is_private:
        return drafts.writing_of(request, at.date().isoformat()).check
    return None if state.is_final else check_of_sent(request)


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
        return waits_for_second(self.offer.row.case)

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
    offered = show_request(request.number, actor, at, rules).actions
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
