"""What pages show: requests, queues and the desk, as frozen values and nothing to change."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from app.registration.declarations import REGISTRIES, Procedure, Registry
from app.registration.rules import Finding
from app.services import drafts, moves, registering
from app.services.actors import USUAL, Actor, may_judge, roles_toward
from app.services.checks import PENDING, findings_in_sent
from app.services.evidence import may_register
from app.services.refusals import NotFound
from app.services.rendering import rendered_all
from app.store import editions, events, outbox, requests
from app.store.tables import Request
from app.workflow.engine import actions_for
from app.workflow.people import Separation
from app.workflow.reviews import Verdict
from app.workflow.states import Action, Role, State, Turn

MOST_SHOWN = 100  # rows of one list

# What pages offer; the tables hold more, which has no page yet.
OFFERED = (
    Action.TAKE,
    Action.PASS,
    Action.REVIEW,
    Action.REGISTER,
    Action.RETURN,
    Action.COLLISION,
    Action.DECLINE,
    Action.REOPEN,
    Action.WITHDRAW,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A request as lists show it."""

    number: int
    name: str
    registry: Registry
    procedure: Procedure
    state: State
    organization: str
    since: datetime
    started: datetime
    edition: int | None
    lock_version: int

    @property
    def is_named(self) -> bool:
        """Whether it asks for, or was given, a name that can be shown."""
        return bool(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One thing that happened, as the story tells it: by whom only in a role."""

    at: datetime
    kind: str
    role: str
    iteration: int | None
    reason: str
    edition: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A review as everybody sees it."""

    at: datetime
    iteration: int
    verdict: Verdict
    leader: bool
    body: str
    own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Iterated:
    """A text that was sent in."""

    k: int
    at: datetime
    organization: str
    fields: Mapping[str, str]
    rendered: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A request with its story and what its reader may do."""

    row: Row
    iterations: tuple[Iterated, ...]
    story: tuple[Told, ...]
    reviews: tuple[Judged, ...]
    findings: tuple[Finding, ...]
    actions: tuple[Action, ...]
    roles: frozenset[Role]
    private: Mapping[str, str]

    @property
    def latest(self) -> Iterated | None:
        """The newest text that was sent in."""
        return self.iterations[-1] if self.iterations else None

    @property
    def is_own(self) -> bool:
        """Whether its reader sent it."""
        return Role.REGISTRANT in self.roles

    @property
    def my_review(self) -> Judged | None:
        """The reader's own review of the newest text, if they gave one."""
        mine = [r for r in self.reviews if r.own and r.iteration == len(self.iterations)]
        return mine[-1] if mine else None


def row_of(request: Request) -> Row:
    """A request as lists show it."""
    return Row(
        number=request.number,
        name=request.assigned_name or request.asked_name,
        registry=REGISTRIES[request.registry_id],
        procedure=Procedure(request.procedure),
        state=State(request.state),
        organization=request.organization,
        since=request.since,
        started=request.started,
        edition=request.edition,
        lock_version=request.lock_version,
    )


def show(number: int, actor: Actor | None, at: datetime, rule: Separation = USUAL) -> Page:
    """A request for its reader; NotFound for a draft of somebody else's.

    What is found is found in what was sent: a draft of the next text is its author's alone.
    """
    request = requests.find_request(number)
    own = request is not None and actor is not None and request.registrant == actor.id
    if request is None or (State(request.state).is_private and not own):
        raise NotFound(f"There is no request {number}.")
    roles = roles_toward(actor, request.registrant, rule)
    return Page(
        row=row_of(request),
        iterations=_iterated(requests.iterations_of(number)),
        story=tuple(reversed(_story(request))),
        reviews=tuple(_judged(request, actor)),
        findings=_findings(request, at),
        actions=_offered(request, roles),
        roles=roles,
        private=requests.private_values(number) if _may_see_contact(roles) else {},
    )


def _findings(request: Request, at: datetime) -> tuple[Finding, ...]:
    state = State(request.state)
    if state.is_private:
        return drafts.writing_of(request, at.date().isoformat()).findings
    return () if state.is_final else findings_in_sent(request)


def _may_see_contact(roles: frozenset[Role]) -> bool:
    return bool(roles & {Role.REGISTRANT, Role.OPERATOR, Role.EXPERT})


def _offered(request: Request, roles: frozenset[Role]) -> tuple[Action, ...]:
    possible = actions_for(moves.case_of(request), roles)
    # an expert returns and declines by a review, so that it is on record as one
    by_review = Action.REVIEW in possible
    hidden = {Action.RETURN, Action.DECLINE} if by_review and Role.OPERATOR not in roles else set()
    return tuple(action for action in possible if action in OFFERED and action not in hidden)


def _iterated(sent: list[requests.Sent]) -> tuple[Iterated, ...]:
    html = rendered_all([text.fields for text in sent])
    return tuple(
        Iterated(
            k=text.k, at=text.at, organization=text.organization, fields=text.fields, rendered=made
        )
        for text, made in zip(sent, html, strict=True)
    )


def _story(request: Request) -> list[Told]:
    return [
        Told(
            at=event.at,
            kind=event.kind,
            role=event.role,
            iteration=event.iteration,
            reason=event.reason,
            edition=request.edition if event.kind == Action.REGISTER.past else None,
        )
        for event in events.of_request(request.number)
    ]


def _judged(request: Request, actor: Actor | None) -> list[Judged]:
    return [
        Judged(
            at=row.at,
            iteration=row.iteration,
            verdict=Verdict(row.verdict),
            leader=row.leader,
            body=row.body,
            own=actor is not None and row.author == actor.id,
        )
        for row in requests.reviews_of(request.number)
    ]


_DECIDED = tuple(state for state in State if state.is_final and not state.is_private)
_WITH_EXPERTS = tuple(state for state in State if state.turn is Turn.EXPERTS)
_WITH_OPERATOR = tuple(state for state in State if state.turn is Turn.OPERATOR)
_TO_CHECK = frozenset({State.NEW, State.VALIDATING_REQUEST})


@dataclass(frozen=True, slots=True)
class Lists:
    """Requests, waiting longest first, and the ones that were decided, newest first."""

    pending: tuple[Row, ...]
    decided: tuple[Row, ...]
    own: tuple[Row, ...]


def lists(actor: Actor | None) -> Lists:
    """The first of the requests that are public, and of the reader's own."""
    return Lists(
        _rows(requests.in_states(PENDING, MOST_SHOWN)),
        _rows(requests.last_in_states(_DECIDED, MOST_SHOWN)),
        _own_rows(requests.of_registrant(actor.id, MOST_SHOWN) if actor else []),
    )


def _own_rows(found: list[Request]) -> tuple[Row, ...]:
    """A registrant's own requests; a draft goes by the name that was typed, for them alone."""
    typed = requests.drafts_of([request.number for request in found if not request.asked_name])
    rows = (row_of(request) for request in found)
    return tuple(
        row if row.is_named else replace(row, name=_typed_name(typed.get(row.number, {})))
        for row in rows
    )


def _typed_name(draft: Mapping[str, Any]) -> str:
    return str(draft.get("fields", {}).get("namespace_identifier", ""))


def _rows(found: list[Request]) -> tuple[Row, ...]:
    return tuple(map(row_of, found))


def about(folded: str) -> tuple[Row, ...]:
    """The newest of the public requests for a name, whatever became of them."""
    public = tuple(state for state in State if not state.is_private)
    return _rows(requests.about_name(folded, public, MOST_SHOWN))


@dataclass(frozen=True, slots=True)
class Queue:
    """An expert's view: what waits for them, and what for other experts."""

    mine: tuple[Row, ...]
    others: tuple[Row, ...]


def queue(actor: Actor, rule: Separation = USUAL) -> Queue:
    """What experts have to review, oldest first; nobody reviews what they wrote."""
    mine, others = (
        requests.for_expert(_WITH_EXPERTS, _reader(actor, rule), MOST_SHOWN, done=done)
        for done in (False, True)
    )
    return Queue(_rows(mine), _rows(others))


def _reader(actor: Actor, rule: Separation) -> requests.Reader:
    return requests.Reader(actor.id, reads_own=may_judge(actor, actor.id, rule))


@dataclass(frozen=True, slots=True)
class Desk:
    """What the operator has to do, and what went wrong."""

    to_check: tuple[Row, ...]
    to_register: tuple[Row, ...]
    unsent: tuple[tuple[outbox.Message, str], ...]
    unpublished: tuple[tuple[int, int, str], ...]


def desk() -> Desk:
    """The first of the operator's work, oldest first, and the newest of what went wrong."""
    to_register = [state for state in _WITH_OPERATOR if state not in _TO_CHECK]
    return Desk(
        _rows(requests.in_states(_TO_CHECK, MOST_SHOWN)),
        _rows(requests.in_states(to_register, MOST_SHOWN)),
        tuple(outbox.stuck(MOST_SHOWN)),
        tuple(editions.failures(MOST_SHOWN)),
    )


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many things wait for somebody, for the navigation."""

    review: int
    desk: int


def waiting(actor: Actor, rule: Separation = USUAL) -> Waiting:
    """The numbers beside Review and Desk; each is counted by one query."""
    reader = _reader(actor, rule)
    return Waiting(
        review=requests.count_for_expert(_WITH_EXPERTS, reader) if actor.is_expert else 0,
        desk=requests.count_in(_WITH_OPERATOR) if actor.is_operator else 0,
    )


@dataclass(frozen=True, slots=True)
class Registering:
    """The operator's last look before a name is given."""

    page: Page
    neighbours: registering.Neighbours
    reference: registering.Reference
    may: bool


def registering_of(
    number: int,
    actor: Actor,
    at: datetime,
    *,
    base_url: str,
    separation: Separation,
    reference: registering.Reference | None = None,
) -> Registering:
    """How a request's row will stand, with the reference given or a likely one."""
    page = show(number, actor, at, separation)
    request = requests.find_request(number)
    if request is None or page.latest is None:
        raise NotFound(f"There is no request {number}.")
    text = page.latest.fields.get("documentation", "")
    wanted = reference or registering.suggested_reference(text, request.organization)
    shown = wanted if registering.is_usable(wanted) else registering.PLACEHOLDER
    return Registering(
        page,
        registering.neighbours(request, shown, at.date().isoformat(), base_url),
        wanted,
        may_register(request, actor, separation),
    )
