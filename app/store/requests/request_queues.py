"""Requests that wait: by their states, and for experts what each was given; in their order."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, not_, or_, select, true
from sqlalchemy.orm import InstrumentedAttribute

from app.registration.declarations.registries import Procedure
from app.store.accounts import delegate_rows
from app.store.database import db
from app.store.requests.request_cases import has_ended_at_iana, is_open_in, is_turn_of
from app.store.tables import Assignment, Event, Recusal, Request, ReviewRow
from app.workflow.reviews import Verdict
from app.workflow.states import State, Turn

_MOST_DIGITS = 18  # of a number of a request


@dataclass(frozen=True, slots=True)
class RequestCursor:
    """A request's place in a list: since when it is in its state, and its number.

    ``is_ended``: it is in the second part of ``pending_first``.
    """

    since: datetime
    number: int
    is_ended: bool = False


def in_states(
    states: Iterable[State], most: int, after: RequestCursor | None = None
) -> list[Request]:
    """Requests in any of these states, waiting longest first; those that follow a mark."""
    found = _going_on(states)
    if after:
        found = found.where(
            or_(
                Request.since > after.since,
                and_(Request.since == after.since, Request.number > after.number),
            )
        )
    return listed(found.order_by(Request.since, Request.number), most)


def due_in_states(states: Iterable[State], most: int) -> list[Request]:
    """Requests in any of these states, as ``in_states`` lists them, but due first."""
    return _due_first(_going_on(states), most)


def last_in_states(
    states: Iterable[State], most: int, after: RequestCursor | None = None
) -> list[Request]:
    """Requests in any of these states, those that came there last first; what follows a mark."""
    found = select(Request).where(or_(Request.state.in_(list(states)), has_ended_at_iana()))
    if after:
        found = found.where(
            or_(
                Request.since < after.since,
                and_(Request.since == after.since, Request.number < after.number),
            )
        )
    return listed(found.order_by(Request.since.desc(), Request.number.desc()), most)


def of_registrant(account: int, most: int, after: RequestCursor | None = None) -> list[Request]:
    """The requests for whose registrants somebody acts, drafts included, newest first."""
    own = select(Request).where(delegate_rows.acts_for_registrant(account))
    if after:
        own = own.where(Request.number < after.number)
    return listed(own.order_by(Request.number.desc()), most)


def open_requests(
    registry: str, accounts: Collection[int], states: Iterable[State]
) -> list[Request]:
    """The requests of these registrants in any of these states, as far as they go on."""
    own = _going_on(states).where(Request.registry_id == registry, Request.registrant.in_(accounts))
    return list(db.session.scalars(own.order_by(Request.number)))


@dataclass(frozen=True, slots=True)
class ExpertScope:
    """An expert: of which registries, "" for all, and of which single requests; whose leader."""

    account: int
    registries: frozenset[str]
    numbers: frozenset[int]
    leads: frozenset[str]


def for_expert(states: Iterable[State], reader: ExpertScope, most: int) -> list[Request]:
    """Requests that an expert was given and has not yet reviewed; due first."""
    return _due_first(_given_to(states, reader), most)


def on_panel(states: Iterable[State], reader: ExpertScope, most: int) -> list[Request]:
    """All requests in these states that an expert is appointed for; due first."""
    return _due_first(_open_to(states, reader), most)


def _due_first(query: Select[Request], most: int) -> list[Request]:
    ordered = query.order_by(Request.due.is_(None), Request.due, Request.since, Request.number)
    return listed(ordered, most)


def asking_another_procedure(states: Iterable[State], most: int) -> list[Request]:
    """Requests whose registrant asks for another procedure, waiting longest first."""
    asking = _going_on(states).where(Request.asked_procedure.is_not(None))
    return listed(asking.order_by(Request.since, Request.number), most)


def unattended(states: Iterable[State], most: int) -> list[Request]:
    """Requests in any of these states that no expert has to review, or still has to; due first."""
    return _due_first(requests_in(states).where(_is_unattended()), most)


def overdue(states: Iterable[State], now: datetime, most: int) -> list[Request]:
    """Requests in any of these states whose day is over; due first."""
    return _due_first(requests_in(states).where(Request.due <= now), most)


def matching(
    states: Iterable[State],
    *,
    words: str = "",
    procedure: str = "",
    turn: Turn | None = None,
    due_before: datetime | None = None,
) -> Select[Request]:
    """Select the requests in any of these states that match, in no order.

    ``words`` are part of the identifier or the organization, or the number of the request.
    """
    found = requests_in(states)
    if words:
        typed = words.casefold()
        said = [Request.asked_name, Request.assigned_name, Request.organization]
        ways = [func.lower(one).contains(typed, autoescape=True) for one in said]
        if typed.isascii() and typed.isdigit() and len(typed) < _MOST_DIGITS:
            ways.append(Request.number == int(typed))
        found = found.where(or_(*ways))
    if procedure:
        found = found.where(Request.procedure == procedure)
    if turn is Turn.IANA:
        found = found.where(Request.iana_state.is_not(None), not_(has_ended_at_iana()))
    elif turn is not None:
        found = found.where(is_turn_of(turn))
    if due_before is not None:
        found = found.where(Request.due <= due_before)
    return found


def pending_first(
    query: Select[Request], most: int, after: RequestCursor | None = None
) -> list[Request]:
    """List pending requests, waiting longest first, then ended ones, newest first."""
    pending = is_open_in(state for state in State if not state.is_final)
    if after and after.is_ended:
        query = query.where(
            not_(pending),
            or_(
                Request.since < after.since,
                and_(Request.since == after.since, Request.number < after.number),
            ),
        )
    elif after:
        query = query.where(
            or_(
                not_(pending),
                Request.since > after.since,
                and_(Request.since == after.since, Request.number > after.number),
            )
        )
    ordered = query.order_by(
        case((pending, 0), else_=1),
        case((pending, Request.since)),
        case((pending, None), else_=Request.since).desc(),
        case((pending, Request.number), else_=-Request.number),
    )
    return listed(ordered, most)


def is_awaited_of(request: int, states: Iterable[State], reader: ExpertScope) -> bool:
    return count_of(_given_to(states, reader).where(Request.number == request)) > 0


def count_for_expert(states: Iterable[State], reader: ExpertScope) -> int:
    return count_of(_given_to(states, reader))


def count_for_registrant(states: Iterable[State], account: int) -> int:
    """Count the requests in these states for whose registrants an account acts."""
    return count_of(requests_in(states).where(delegate_rows.acts_for_registrant(account)))


def requests_in(states: Iterable[State]) -> Select[Request]:
    """Requests in any of these states, in no order."""
    return select(Request).where(Request.state.in_(list(states)))


def _going_on(states: Iterable[State]) -> Select[Request]:
    return select(Request).where(is_open_in(states))


def _open_to(states: Iterable[State], reader: ExpertScope) -> Select[Request]:
    found = requests_in(states)
    if "" in reader.registries:
        return found
    return found.where(
        or_(Request.registry_id.in_(reader.registries), Request.number.in_(reader.numbers))
    )


def _given_to(states: Iterable[State], reader: ExpertScope) -> Select[Request]:
    given = exists(
        select(Assignment.id)
        .where(
            Assignment.request == Request.number,
            Assignment.account == reader.account,
            Assignment.ended.is_(None),
        )
        .correlate(Request)
    )
    waits = and_(or_(given, _returned_by(reader.account)), ~_reviewed_by(reader.account))
    theirs = _open_to(states, reader).where(is_turn_of(Turn.EXPERTS))
    return theirs.where(or_(waits, and_(_led_by(reader), _is_unattended())))


def _returned_by(account: int) -> ColumnElement[bool]:
    asked = exists(
        select(ReviewRow.id)
        .where(
            ReviewRow.request == Request.number,
            ReviewRow.author == account,
            ReviewRow.iteration < Request.iterations,
            ReviewRow.verdict == Verdict.RETURN,
        )
        .correlate(Request)
    )
    passed_on = exists(
        select(Assignment.id)
        .where(
            Assignment.request == Request.number,
            Assignment.account == account,
            Assignment.ended.is_not(None),
        )
        .correlate(Request)
    )
    recused = exists(
        select(Recusal.account)
        .where(Recusal.request == Request.number, Recusal.account == account)
        .correlate(Request)
    )
    return and_(asked, ~passed_on, ~recused)


def _led_by(reader: ExpertScope) -> ColumnElement[bool]:
    recused = exists(
        select(Recusal.account)
        .where(Recusal.request == Request.number, Recusal.account == reader.account)
        .correlate(Request)
    )
    led = true() if "" in reader.leads else Request.registry_id.in_(reader.leads)
    return and_(led, ~recused)


def _is_unattended() -> ColumnElement[bool]:
    has_it = Assignment.request == Request.number, Assignment.ended.is_(None)
    advised = and_(Request.procedure == Procedure.FAST_TRACK, exists().where(*has_it))
    return and_(~exists().where(*has_it, ~_reviewed_by(Assignment.account)), ~advised)


def _reviewed_by(account: int | InstrumentedAttribute[int]) -> ColumnElement[bool]:
    return exists(
        select(ReviewRow.id)
        .join(Event, Event.review == ReviewRow.id)
        .where(
            ReviewRow.request == Request.number,
            ReviewRow.author == account,
            ReviewRow.iteration == Request.iterations,
            ReviewRow.verdict != Verdict.COMMENT,
            Event.n > Request.counted_from,
        )
        .correlate(Request, Assignment)
    )


def listed(query: Select[Request], most: int) -> list[Request]:
    """The first of the requests that a query finds."""
    return list(db.session.scalars(query.limit(most)))


def count_of(query: Select[Request]) -> int:
    """Return how many requests a query finds."""
    counted = query.with_only_columns(func.count(Request.number))
    return db.session.scalars(counted).one()
