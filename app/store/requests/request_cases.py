"""Requests as the procedures know them: whose turn it is, and what has ended; for rows and in SQL.

What a case says of a row, a query says of many by the same words.
"""

from collections.abc import Iterable

from sqlalchemy import ColumnElement, and_, func, not_, or_

from app.registration.declarations.registries import (
    DeclaredProcedure,
    declared_procedures,
    procedure_named,
)
from app.registration.records.registry_records import Purpose
from app.store.tables import Request
from app.workflow.engine import ProcedureCase
from app.workflow.states import IanaState, State, Turn


def case_of(request: Request) -> ProcedureCase:
    """A request as the tables know it, and how it stands at IANA."""
    return ProcedureCase(
        procedure_named(request.procedure),
        Purpose(request.purpose),
        State(request.state),
        State(request.returns_to) if request.returns_to else None,
        IanaState(request.iana_state) if request.iana_state else None,
    )


def has_ended_at_iana() -> ColumnElement[bool]:
    """Whether a request is one that ``ProcedureCase.has_ended_at_iana`` tells."""
    ends = [state for state in IanaState if state.is_end]
    return func.coalesce(Request.iana_state, "").in_(ends)


def is_open_in(states: Iterable[State]) -> ColumnElement[bool]:
    return and_(Request.state.in_(list(states)), not_(has_ended_at_iana()))


def is_turn_of(turn: Turn) -> ColumnElement[bool]:
    """Whether a request that was not sent on is one whose ``ProcedureCase.turn`` is this."""
    ways: dict[tuple[State, ...], list[DeclaredProcedure]] = {}
    for procedure in declared_procedures():
        ways.setdefault(_waiting(procedure, turn), []).append(procedure)
    of_ways = (
        and_(Request.state.in_(states), Request.procedure.in_(procedures))
        for states, procedures in ways.items()
        if states
    )
    return and_(Request.iana_state.is_(None), or_(*of_ways))


def _waiting(procedure: DeclaredProcedure, turn: Turn) -> tuple[State, ...]:
    kept = {State.WITH_REQUESTER: State.VALIDATING_REQUEST}
    return tuple(
        state
        for state in State
        if ProcedureCase(procedure, Purpose.NEW, state, kept.get(state)).turn is turn
    )
