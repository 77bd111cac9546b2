"""A request as lists show it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from app.registration.declarations.registries import (
    REGISTRIES,
    DeclaredProcedure,
    Registry,
    procedure_named,
)
from app.registration.records.registry_records import Purpose
from app.services.accounts.actors import Actor
from app.services.accounts.parties import accounts_acting_for
from app.services.policy import USUAL_RULES, ProcedureSettings
from app.services.request_status.panel_evidence import PanelEvidence, panel_statuses
from app.store.editions import edition_rows
from app.store.requests import request_rows
from app.store.tables import Request
from app.workflow.engine import ProcedureCase
from app.workflow.reviews import PanelStatus, Review
from app.workflow.states import IanaState, State, Turn

MOST_SHOWN = 100  # rows of one list


def find_registry_of(number: int, reader: Actor | None) -> Registry | None:
    """The registry that a request is made to; None where there is none that the reader may see."""
    request = request_rows.find_request(number)
    if request is None:
        return None
    is_own = reader is not None and reader.id in accounts_acting_for(request)
    is_shown = is_own or not State(request.state).is_private
    return REGISTRIES[request.registry_id] if is_shown else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestSummary:
    """A request as lists show it; ``panel`` is the status of its experts while they review it."""

    number: int
    name: str
    registry: Registry
    procedure: DeclaredProcedure
    state: State
    organization: str
    since: datetime
    started: datetime
    edition: int | None
    lock_version: int
    purpose: Purpose = Purpose.NEW
    due: datetime | None = None
    delayed: datetime | None = None
    returns_to: State | None = None
    body: str = ""
    iana_state: IanaState | None = None
    iana_day: str = ""
    panel: PanelStatus | None = None

    @property
    def case(self) -> ProcedureCase:
        """The request as the tables know it."""
        return ProcedureCase(
            self.procedure, self.purpose, self.state, self.returns_to, self.iana_state
        )

    @property
    def turn(self) -> Turn:
        """Who it waits for."""
        return self.case.turn

    @property
    def turn_since(self) -> datetime:
        """Since when it waits for them: at IANA since the last day on which something happened."""
        if not self.iana_day:
            return self.since
        return datetime.combine(date.fromisoformat(self.iana_day), time(), UTC)

    @property
    def has_ended_at_iana(self) -> bool:
        """Whether IANA registered or refused it, so that nothing is sent on any more."""
        return self.case.has_ended_at_iana

    @property
    def is_registered(self) -> bool:
        """Whether what it asked for is registered, here or at IANA."""
        return self.state.is_registered or self.iana_state is IanaState.REGISTERED

    @property
    def standing(self) -> str:
        """Where it stands, in words: at IANA, where it was sent on."""
        return self.iana_state.label if self.iana_state else self.state.words

    def is_overdue(self, now: datetime) -> bool:
        """Whether the day on which the next step was due is over."""
        return self.due is not None and self.due <= now

    @property
    def is_named(self) -> bool:
        """Whether it asks for, or was given, a name that can be shown."""
        return bool(self.name)


def row_of(
    request: Request,
    at: datetime,
    rules: ProcedureSettings = USUAL_RULES,
    given: Review | None = None,
) -> RequestSummary:
    """A request as lists show it; ``given`` is a review that isn't stored yet."""
    return rows_of_requests([request], at, rules, given)[0]


def rows_of_requests(
    found: Iterable[Request],
    at: datetime,
    rules: ProcedureSettings = USUAL_RULES,
    given: Review | None = None,
) -> tuple[RequestSummary, ...]:
    """Requests as lists show them, with the status of their experts at a moment."""
    listed = list(found)
    numbers = edition_rows.numbers_of({each.edition for each in listed if each.edition})
    in_review = (one for one in listed if _is_in(one, State.EXPERT_REVIEW))
    panels = panel_statuses(in_review, at, rules, given)
    return tuple(_row(each, numbers, panels.get(each.number)) for each in listed)


def panel_ahead(request: Request, at: datetime, rules: ProcedureSettings) -> PanelStatus | None:
    """The status of the experts to whom a request can be passed; None in any other state."""
    if not _is_in(request, State.VALIDATING_REQUEST):
        return None
    return PanelEvidence(request=request, at=at, rules=rules).status()


def _is_in(request: Request, state: State) -> bool:
    return request.state == state and REGISTRIES[request.registry_id].has_experts


def _row(request: Request, numbers: Mapping[int, int], panel: PanelStatus | None) -> RequestSummary:
    return RequestSummary(
        number=request.number,
        name=request.assigned_name or request.asked_name,
        registry=REGISTRIES[request.registry_id],
        procedure=procedure_named(request.procedure),
        state=State(request.state),
        organization=request.organization,
        since=request.since,
        started=request.started,
        edition=numbers.get(request.edition) if request.edition else None,
        lock_version=request.lock_version,
        purpose=Purpose(request.purpose),
        due=request.due,
        delayed=request.delayed,
        returns_to=State(request.returns_to) if request.returns_to else None,
        body=request.body or "",
        iana_state=IanaState(request.iana_state) if request.iana_state else None,
        iana_day=request.iana_day or "",
        panel=panel,
    )
