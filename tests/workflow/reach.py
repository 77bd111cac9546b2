"""Where a request can come to, found by trying every action with every role and evidence."""

from functools import cache

from app.registration.declarations.registries import Procedure
from app.registration.records.registry_records import Purpose
from app.workflow.engine import ActionRefused, ProcedureCase, Transition, actions_for, transition
from app.workflow.states import Action, Role
from app.workflow.transitions import Evidence

ANYBODY = frozenset(Role)


def moves_from(case: ProcedureCase) -> list[Transition]:
    """Every move that anybody can make, each alternative of its evidence aside."""
    return [move for action in actions_for(case, ANYBODY) for move in _moves(case, action)]


def after(case: ProcedureCase, move: Transition) -> ProcedureCase:
    """The request once it has moved."""
    return ProcedureCase(move.procedure, case.purpose, move.target, move.returns_to)


def _moves(case: ProcedureCase, action: Action) -> list[Transition]:
    if action is not Action.CHANGE_PROCEDURE and action is not Action.ASK_PROCEDURE:
        return [transition(case, action, ANYBODY, Evidence)]
    return [move for other in Procedure if (move := _changed(case, action, other))]


def _changed(case: ProcedureCase, action: Action, other: Procedure) -> Transition | None:
    try:
        return transition(case, action, ANYBODY, Evidence, procedure=other)
    except ActionRefused:
        return None


@cache
def reachable(procedure: Procedure, purpose: Purpose) -> frozenset[ProcedureCase]:
    """Every case that a request begun by this procedure can become."""
    waiting, seen = [ProcedureCase(procedure, purpose, None)], set[ProcedureCase]()
    while waiting:
        case = waiting.pop()
        if case not in seen:
            seen.add(case)
            waiting.extend(after(case, move) for move in moves_from(case))
    return frozenset(seen)
