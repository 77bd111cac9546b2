"""A request as its page shows it: frozen values, and what its reader may do."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import takewhile

from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES, DeclaredProcedure, procedure_named
from app.registration.records.registry_records import Purpose
from app.registration.submission_findings import SubmissionCheck
from app.services.accounts.actors import Actor
from app.services.accounts.parties import (
    acting_for,
    conflicts_with,
    may_see_private,
    roles_for,
    roles_toward,
    sits_on_panel,
)
from app.services.experts.independence import (
    first_approvers,
    may_decide_request,
    may_enter_appeal,
    may_register,
    reads_like_own,
)
from app.services.policy import MailSettings, Policy, ProcedureSettings
from app.services.refusals import NotFound
from app.services.registrations import name_registration
from app.services.registrations.disputes import NOTED as DISPUTES
from app.services.registrations.record_neighbours import RecordNeighbours, neighbours
from app.services.registry.base_version import is_latest
from app.services.registry.competing_requests import (
    CompetingRequest,
    by_first_sent,
    competing_with,
)
from app.services.requests import appeals, drafts, queues, request_actions
from app.services.requests.action_facts import ActionFacts, ActionInput
from app.services.requests.comments import DISCUSSED
from app.services.requests.internal_notes import NOTED
from app.services.requests.request_evidence import is_offered
from app.services.requests.request_summaries import MOST_SHOWN, RequestSummary, row_of
from app.services.requests.text_findings import TextCheck, check_of_sent
from app.services.use_cases import Command
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import record_versions as names
from app.store.requests import operator_notes as desk_rows
from app.store.requests import request_rows
from app.store.requests.request_cases import case_of
from app.store.tables import Event, Request
from app.store.tables.desk import RequestLinkKind
from app.workflow.engine import ProcedureCase, actions_for, evidence_of
from app.workflow.evidence import Evidence, EvidenceInput
from app.workflow.evidence_inputs import inputs_for
from app.workflow.reviews import Verdict
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
    """One thing that happened, as the story tells it: by whom only in a role."""

    at: datetime
    kind: str
    role: str
    iteration: int | None
    reason: str
    edition: int | None = None
    target: str | None = None
    judged: ReviewView | None = None
    details: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class IterationView:
    """A text that was sent in."""

    k: int
    at: datetime
    organization: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ExpertView:
    """What a request is to the expert who looks at it.

    It ``is_awaited`` where it waits for their review. ``alike`` is the organization they are near
    whose name reads like that of the registrant's.
    """

    is_awaited: bool
    conflicts: tuple[ConflictOfInterest, ...]
    alike: str = ""


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


def show(
    number: int,
    actor: Actor | None,
    at: datetime,
    rules: ProcedureSettings | None = None,
) -> RequestDetail:
    """A request for its reader; NotFound for a draft of somebody else's.

    What is found is found in what was sent: a draft of the next text is its author's alone.
    """
    request = _visible(number, actor)
    rules = rules or ProcedureSettings()
    rule = rules.separation
    roles = roles_toward(actor, request, rule)
    happened = _happened(request)
    escalating = roles_for(actor, request, Action.ESCALATE, rule)
    sent = request_rows.iterations_of(number)
    barred = _may_decide_nothing(request, actor, rule)
    looking = _RequestViewer(actor, at, rules, barred=barred) if actor else None
    actions = _offered(request, roles | escalating, looking) if looking else ()
    case, reviews = case_of(request), _review_views(request, actor)
    return RequestDetail(
        row=row_of(request),
        iterations=_iteration_views(sent),
        story=tuple(reversed(_story(request, happened, reviews))),
        reviews=tuple(reviews),
        check=_check(request, at),
        actions=actions,
        roles=roles,
        private=request_rows.private_values(number) if may_see_private(roles) else {},
        asks={action: inputs_for(case, action, roles | escalating) for action in actions},
        expert=_expert(request, actor, rule),
        is_barred=barred,
        waits_for_second=_waits_for_second(case),
        competing=_contending(request),
        links=_links(number),
        lost_to=_lost_to(request),
        is_taken=_is_taken(request),
        is_outdated=request.state == State.MODIFIABLE and not is_latest(request),
        asked_procedure=procedure_named(request.asked_procedure)
        if request.asked_procedure
        else None,
        last_appeal=appeals.last_day_left(happened, rules.appeal_months)
        if appeals.are_heard(procedure_named(request.procedure))
        else None,
    )


def _visible(number: int, actor: Actor | None) -> Request:
    request = request_rows.find_request(number)
    own = request is not None and actor is not None and actor.id in acting_for(request)
    if request is None or (State(request.state).is_private and not own):
        raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"There is no request {number}.")
    return request


@dataclass(frozen=True, slots=True)
class ActionOffer:
    """An action as a page offered it, to read the form that comes in by."""

    row: RequestSummary
    stands: bool
    asks: tuple[EvidenceInput, ...]


def offer_of(
    number: int, action: Action, actor: Actor, at: datetime, rules: ProcedureSettings
) -> ActionOffer:
    """Whether an action is offered to somebody now, and what it asks for; nothing where not.

    NotFound for a draft of somebody else's. Whoever shows the page again reads it whole.
    """
    request, rule = _visible(number, actor), rules.separation
    looking = _RequestViewer(actor, at, rules, barred=_may_decide_nothing(request, actor, rule))
    roles = roles_toward(actor, request, rule) | roles_for(actor, request, Action.ESCALATE, rule)
    stands = action in _offered(request, roles, looking, frozenset({action}))
    asks = inputs_for(case_of(request), action, roles) if stands else ()
    return ActionOffer(row_of(request), stands, asks)


def _happened(request: Request) -> list[Event]:
    """What happened to a request, and what was noted beside the registration that it led to."""
    own = event_rows.of_request(request.number)
    if not request.assigned_name:
        return own
    given = max(one.n for one in own if one.kind == Action.REGISTER.past)
    name = REGISTRIES[request.registry_id].space.about(request.assigned_name)
    noted = [one for one in event_rows.of_name(name, DISPUTES) if one.n > given]
    return sorted([*own, *noted], key=lambda one: one.n)


def _expert(request: Request, actor: Actor | None, rule: SeparationOfDuties) -> ExpertView | None:
    if actor is None or not sits_on_panel(actor, request):
        return None
    conflicts, alike = conflicts_with(actor, request, rule), reads_like_own(actor, request)
    return ExpertView(queues.waits_for(actor, request.number), conflicts, alike)


def _may_decide_nothing(request: Request, actor: Actor | None, rule: SeparationOfDuties) -> bool:
    if actor is None or not actor.is_operator:
        return False
    return not may_decide_request(request, actor, rule) or not _may_enter(request, actor, rule)


def _waits_for_second(case: ProcedureCase) -> bool:
    return Evidence.SECOND_PERSON in evidence_of(case, Action.REGISTER)


def _may_enter(request: Request, actor: Actor, rule: SeparationOfDuties) -> bool:
    """Whoever denied a request does not enter what is decided on the appeal."""
    appealed = request.state in (State.IESG_APPEAL_1, State.IESG_APPEAL_2)
    story = event_rows.of_request(request.number) if appealed else []
    return not appealed or may_enter_appeal(request, actor, rule, story)


def _contending(request: Request) -> tuple[CompetingRequest, ...]:
    """A request and those that ask for its name too, the first that was sent first."""
    others = competing_with(request, request.asked_name) if case_of(request).is_pending else ()
    return tuple(by_first_sent(request, others[:MOST_SHOWN])) if others else ()


def _is_taken(request: Request) -> bool:
    """Whether the name of a request that waits to be registered stands in the registry by now."""
    if request.state != State.ASSIGNABLE or not request.asked_name:
        return False
    return names.is_taken(REGISTRIES[request.registry_id].space.id, request.asked_name)


def _lost_to(request: Request) -> int | None:
    """The edition in which the name was given to somebody else, while it is still asked for."""
    is_new = request.purpose == Purpose.NEW and request.asked_name
    if not (is_new and case_of(request).is_pending):
        return None
    won = request_rows.registered_as(request.asked_name)
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
    """The check of what a request asks for now; of a text that was decided nothing is found."""
    state = State(request.state)
    if state.is_private:
        return drafts.writing_of(request, at.date().isoformat()).check
    return None if state.is_final else check_of_sent(request)


@dataclass(frozen=True, slots=True)
class _RequestViewer:
    """Who looks, when, by which rules, and whether they have a part in the request."""

    actor: Actor
    at: datetime
    rules: ProcedureSettings
    barred: bool

    def at_action(self, request: Request, action: Action) -> ActionFacts:
        """The facts of an action that is not taken yet."""
        policy = Policy(procedures=self.rules, mail=MailSettings("", "", ""), secret="")
        command = Command(actor=self.actor, at=self.at, key="", policy=policy)
        return ActionFacts(request=request, action=action, given=ActionInput(), command=command)

    def roles(self, request: Request, action: Action) -> frozenset[Role]:
        """The roles in which the action would be taken."""
        return roles_for(self.actor, request, action, self.rules.separation)


def _offered(
    request: Request,
    roles: frozenset[Role],
    looking: _RequestViewer,
    wanted: frozenset[Action] = frozenset(Action),
) -> tuple[Action, ...]:
    possible = actions_for(case_of(request), roles)
    return tuple(
        action
        for action in possible
        if action in wanted
        and is_offered(
            looking.at_action(request, action),
            looking.roles(request, action),
            barred=looking.barred,
        )
    )


def _iteration_views(sent: list[request_rows.IterationText]) -> tuple[IterationView, ...]:
    return tuple(
        IterationView(k=text.k, at=text.at, organization=text.organization, fields=text.fields)
        for text in sent
    )


def _story(request: Request, happened: list[Event], reviews: list[ReviewView]) -> list[EventView]:
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
            details=event_rows.details_of(event.body),
        )
        for event in happened
        if event.kind not in UNTOLD
    ]


def _review_views(request: Request, actor: Actor | None) -> list[ReviewView]:
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
        for row in request_rows.reviews_of(request.number)
    ]


@dataclass(frozen=True, slots=True)
class RegistrationPreview:
    """The operator's last look before a name is given; ``approved_by`` tells who approved it.

    ``findings`` is what is found in the text, where the operator decides and no expert did.
    """

    offer: ActionOffer
    neighbours: RecordNeighbours
    reference: name_registration.Reference
    may: bool
    competing: tuple[CompetingRequest, ...] = ()
    approved_by: tuple[str, ...] = ()
    sent: Mapping[str, str] = field(default_factory=dict)
    findings: SubmissionCheck | None = None

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
        return _waits_for_second(self.offer.row.case)

    @property
    def why_not(self) -> str:
        """What is told to an operator who may not register it; nothing to one who may."""
        return "" if self.may else Evidence.OTHER_PERSON.sentence


def registering_of(
    number: int,
    actor: Actor,
    at: datetime,
    *,
    base_url: str,
    rules: ProcedureSettings,
    reference: name_registration.Reference | None = None,
) -> RegistrationPreview:
    """How a request's row will stand, with the reference given or a likely one."""
    offer = offer_of(number, Action.REGISTER, actor, at, rules)
    request = request_rows.find_request(number)
    sent = request_rows.find_iteration(number, request.iterations) if request else None
    if request is None or sent is None:
        raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"There is no request {number}.")
    text = sent.fields.get("documentation", "")
    wanted = reference or name_registration.suggestion_for(request, text)
    shown = wanted if name_registration.is_usable(wanted) else name_registration.PLACEHOLDER
    return RegistrationPreview(
        offer,
        neighbours(request, shown, at.date().isoformat(), base_url, rules.number_prefix),
        wanted,
        may_register(request, actor, rules.separation, at),
        _competing(request),
        first_approvers(request),
        sent.fields,
        _judged_here(request),
    )


def _judged_here(request: Request) -> SubmissionCheck | None:
    """What is found in the text, where whoever registers it decides; None where experts did."""
    decides = Evidence.CHECKS_ANSWERED in evidence_of(case_of(request), Action.REGISTER)
    check = check_of_sent(request) if decides else None
    return check.findings if check else None


def _competing(request: Request) -> tuple[CompetingRequest, ...]:
    """Those who ask for the name of a new registration, if there are several."""
    if request.purpose != Purpose.NEW:
        return ()
    others = competing_with(request, request.asked_name)
    return tuple(by_first_sent(request, others)) if others else ()
