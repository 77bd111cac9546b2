"""Where a request can come to, found by trying every action with every role and evidence."""

from functools import cache

from app.registration.declarations.registries import Procedure
from app.registration.records.registry_records import Purpose
from app.workflow.engine import Case, Move, Refused, actions_for, transition
from app.workflow.states import Action, Role
from app.workflow.transitions import Evidence

ANYBODY = frozenset(Role)


def moves_from(case: Case) -> list[Move]:
    """Every move that anybody can make, each alternative of its evidence aside."""
    return [move for action in actions_for(case, ANYBODY) for move in _moves(case, action)]


def after(case: Case, move: Move) -> Case:
    """The request once it has moved."""
    return Case(move.procedure, case.purpose, move.target, move.returns_to)


def _moves(case: Case, action: Action) -> list[Move]:
    if action is not Action.CHANGE_PROCEDURE and action is not Action.ASK_PROCEDURE:
        return [transition(case, action, ANYBODY, Evidence)]
    return [move for other in Procedure if (move := _changed(case, action, other))]


def _changed(case: Case, action: Action, other: Procedure) -> Move | None:
    try:
        return transition(case, action, ANYBODY, Evidence, procedure=other)
    except Refused:
        return None


@cache
def reachable(procedure: Procedure, purpose: Purpose) -> frozenset[Case]:
    """Every case that a request begun by this procedure can become."""
    waiting, seen = [Case(procedure, purpose, None)], set[Case]()
    while waiting:
        case = waiting.pop()
        if case not in seen:
            seen.add(case)
            waiting.extend(after(case, move) for move in moves_from(case))
    return frozenset(seen)
