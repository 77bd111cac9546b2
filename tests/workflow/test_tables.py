"""Procedure x purpose x state x action x roles: a move happens where it is told, nowhere else."""

from collections import defaultdict
from itertools import combinations, product

import pytest

from app.registration.declarations.registries import DeclaredProcedure, Procedure
from app.registration.records.registry_records import Purpose
from app.workflow.engine import (
    ActionRefused,
    EvidenceMissing,
    NoSuchTransition,
    ProcedureCase,
    RoleMissing,
    Transition,
    actions_for,
    transition,
)
from app.workflow.states import Action, Role, State
from app.workflow.transitions import TABLES, Effect, Evidence
from tests.workflow.expected import RETURNS, Expected, read
from tests.workflow.reach import reachable

EXPECTED = read()
EVERYTHING = frozenset(Evidence)
ROLE_SETS = [
    *(frozenset(some) for size in range(3) for some in combinations(Role, size)),
    frozenset(Role),
]

Key = tuple[ProcedureCase, Action]


def _case(move: Expected) -> ProcedureCase:
    return ProcedureCase(move.procedure, move.purpose, move.source, move.kept)


def _by_key() -> dict[Key, list[Expected]]:
    found = defaultdict(list)
    for move in EXPECTED:
        found[_case(move), move.action].append(move)
    return dict(found)


BY_KEY = _by_key()


def _cases(procedure: Procedure, purpose: Purpose) -> list[ProcedureCase]:
    places = [(state, None) for state in (None, *State) if state is not State.WITH_REQUESTER]
    returned = [(State.WITH_REQUESTER, back) for back in RETURNS]
    return [ProcedureCase(procedure, purpose, state, back) for state, back in (*places, *returned)]


OTHER: dict[DeclaredProcedure, Procedure] = {
    Procedure.COMMUNITY: Procedure.FAST_TRACK,
    Procedure.STANDARDS_ACTION: Procedure.FAST_TRACK,
    Procedure.FAST_TRACK: Procedure.COMMUNITY,
    Procedure.INFORMAL: Procedure.COMMUNITY,
}


def _try(
    case: ProcedureCase, action: Action, roles: frozenset[Role], evidence: frozenset[Evidence]
) -> Transition | ActionRefused:
    asked = OTHER[case.procedure] if Evidence.OTHER_PROCEDURE in evidence else None
    try:
        return transition(case, action, roles, evidence, procedure=asked)
    except ActionRefused as refusal:
        return refusal


def _procedure_after(move: Expected) -> Procedure:
    if move.becomes == "asked":
        return OTHER[move.procedure]
    return Procedure(move.becomes) if move.becomes else move.procedure


def _agrees(got: Transition | ActionRefused, told: list[Expected], roles: frozenset[Role]) -> bool:
    if not told:
        return type(got) is NoSuchTransition
    theirs = [move for move in told if move.role in roles]
    if not theirs:
        return type(got) is RoleMissing and set(got.roles) == {move.role for move in told}
    return isinstance(got, Transition) and (got.target, got.returns_to, got.procedure) in {
        (move.target, move.returns_to, _procedure_after(move)) for move in theirs
    }


@pytest.mark.parametrize("purpose", Purpose)
@pytest.mark.parametrize("procedure", Procedure)
def test_a_move_happens_exactly_where_the_procedures_tell_it(
    procedure: Procedure, purpose: Purpose
) -> None:
    wrong = [
        f"{case} {action} {set(roles)}: {got}"
        for case, action, roles in product(_cases(procedure, purpose), Action, ROLE_SETS)
        for got in [_try(case, action, roles, EVERYTHING)]
        if not _agrees(got, BY_KEY.get((case, action), []), roles)
    ]
    assert wrong == []


@pytest.mark.parametrize("purpose", Purpose)
@pytest.mark.parametrize("procedure", Procedure)
def test_the_buttons_are_the_moves_that_can_happen(procedure: Procedure, purpose: Purpose) -> None:
    for case, roles in product(_cases(procedure, purpose), ROLE_SETS):
        told = {
            action
            for action in Action
            if any(move.role in roles for move in BY_KEY.get((case, action), []))
        }
        shown = actions_for(case, roles)
        assert set(shown) == told, (case, roles)
        assert len(shown) == len(told), "no button twice"


def test_the_evidence_that_is_told_is_enough() -> None:
    for move in EXPECTED:
        got = _try(_case(move), move.action, frozenset({move.role}), move.evidence)
        assert isinstance(got, Transition), (move, got)
        assert got.row.evidence == move.evidence
        assert got.event == move.action.past
        assert got.source is move.source


def test_each_single_missing_evidence_refuses_and_names_itself() -> None:
    for move in EXPECTED:
        for missing in move.evidence:
            given = move.evidence - {missing}
            got = _try(_case(move), move.action, frozenset({move.role}), given)
            assert isinstance(got, EvidenceMissing), (move, missing)
            assert missing in got.missing
            assert missing.sentence in got.sentence
            assert got.missing.isdisjoint(given)


def test_only_what_is_missing_is_asked_for() -> None:
    for move in EXPECTED:
        told = {other.evidence for other in BY_KEY[_case(move), move.action]}
        if len(told) > 1:
            continue  # alternatives: either would do, and both are named
        for missing in move.evidence:
            given = move.evidence - {missing}
            got = _try(_case(move), move.action, frozenset({move.role}), given)
            assert isinstance(got, EvidenceMissing)
            assert got.ways == ((missing,),)


def test_every_piece_of_evidence_is_asked_for_somewhere() -> None:
    asked = {evidence for table in TABLES.values() for row in table for evidence in row.evidence}
    assert asked == set(Evidence)


def test_every_action_and_every_role_has_a_row() -> None:
    rows = [row for table in TABLES.values() for row in table]
    assert {row.action for row in rows} == set(Action)
    assert {row.role for row in rows} == set(Role)


def test_no_row_stands_twice_in_a_table() -> None:
    for procedure, table in TABLES.items():
        assert len(set(table)) == len(table), procedure


def test_a_withdrawal_is_possible_from_every_state_that_the_procedures_say() -> None:
    never = {
        None,
        State.DRAFT,
        State.DECLINED,
        State.WITHDRAWN,
        State.ASSIGNED,
        State.MODIFIED,
    }
    for procedure, purpose in product(Procedure, Purpose):
        for case in _cases(procedure, purpose):
            shown = Action.WITHDRAW in actions_for(case, frozenset({Role.REGISTRANT}))
            assert not (shown and case.state in never)
            assert shown or case.state in never or not _can_be_reached(case), case


def _can_be_reached(case: ProcedureCase) -> bool:
    return case in reachable(case.procedure, case.purpose)


EFFECTS = {
    Action.DISCARD: Effect.DISCARDS,
    Action.COPY: Effect.OPENS_DRAFT,
    Action.REGISTER: Effect.NEW_VERSION,
    Action.ENDORSE: Effect.KEEPS_DUE,
    Action.CORRECT: Effect.NEW_EDITION,
    Action.REPLACE: Effect.NEW_EDITION,
    Action.NOTE_DISPUTE: Effect.NEW_EDITION,
    Action.NOTE_APPEAL: Effect.NEW_EDITION,
    Action.SETTLE: Effect.NEW_EDITION,
}


def test_what_a_move_does_besides_is_told_by_its_row() -> None:
    for table in TABLES.values():
        for row in table:
            assert row.effect is EFFECTS.get(row.action)


def test_nobody_but_the_counting_of_reviews_approves_or_declines_in_review() -> None:
    for procedure, purpose in product(Procedure, Purpose):
        case = ProcedureCase(procedure, purpose, State.EXPERT_REVIEW)
        people = actions_for(case, frozenset(Role) - {Role.OUTCOME})
        assert {Action.APPROVE, Action.DECLINE}.isdisjoint(people)
