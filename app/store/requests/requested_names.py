"""Which requests ask for a name, were given it, or asked for it once."""

from collections.abc import Iterable

from sqlalchemy import ColumnElement, Select, and_, bindparam, func, not_, or_, select

from app.registration.records.registry_records import Purpose
from app.store.database import built_once, db, read_once
from app.store.requests import request_queues
from app.store.requests.request_cases import has_ended_at_iana
from app.store.tables import Request
from app.workflow.states import IanaState, State


def registered_as(folded: str) -> Request | None:
    """The request for which a name was registered first, where there was one."""
    return db.session.scalars(
        select(Request)
        .where(Request.assigned_name == folded, Request.purpose == Purpose.NEW)
        .limit(1)
    ).one_or_none()


def names_asked(registry: str, states: Iterable[State]) -> list[tuple[int, str]]:
    """The requests of a registry that ask for a name in any of these states: number and name."""
    found = _names(registry, tuple(states))
    return [(number, name) for number, name, is_given in found if not is_given]


def names_at_iana(registry: str, states: Iterable[State]) -> list[tuple[int, str]]:
    """The requests of a registry for which IANA registered a name: number and name.

    They are in any of these states, since IANA's registration changes none; one query reads both.
    """
    found = _names(registry, tuple(states))
    return [(number, name) for number, name, is_given in found if is_given]


@read_once
def _names(registry: str, states: tuple[State, ...]) -> list[tuple[int, str, bool]]:
    rows = db.session.execute(_asking(), {"registry": registry, "states": list(states)})
    return [(number, name, bool(given)) for number, name, given in rows]


@built_once
def _asking() -> Select[int, str, bool]:
    given = and_(
        func.coalesce(Request.iana_state, "") == IanaState.REGISTERED,
        Request.purpose == Purpose.NEW,
    )
    return _named().add_columns(given).where(_in_states(), or_(not_(has_ended_at_iana()), given))


def names_decided(registry: str, states: Iterable[State]) -> list[tuple[int, str]]:
    """The requests of a registry that asked for a name and are in any of these states, or ended
    at IANA: number and name."""
    decided = _named().where(or_(_in_states(), has_ended_at_iana()))
    rows = db.session.execute(decided, {"registry": registry, "states": list(states)})
    return [(number, name) for number, name in rows]


def _named() -> Select[int, str]:
    own = Request.registry_id == bindparam("registry"), Request.asked_name != ""
    return select(Request.number, Request.asked_name).where(*own).order_by(Request.number)


def _in_states() -> ColumnElement[bool]:
    return Request.state.in_(bindparam("states", expanding=True))


def about_name(folded: str, states: Iterable[State], most: int) -> list[Request]:
    """Requests in any of these states that ask for a name or were given it, newest first."""
    named = or_(Request.asked_name == folded, Request.assigned_name == folded)
    return request_queues.listed(
        request_queues.requests_in(states).where(named).order_by(Request.number.desc()), most
    )
