"""Whole ways through the tables: what is reached, what has a way on, what is never skipped."""

from itertools import product

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from app.registration.declarations.registries import Procedure
from app.registration.records.registry_records import Purpose
from app.workflow.engine import ActionRefused, ProcedureCase, Transition, transition
from app.workflow.states import Action, Role, State
from app.workflow.transitions import (
    STRANDED,
    TABLES,
    Evidence,
    RelativeTarget,
    TransitionRow,
)
from tests.torture.conftest import rounds
from tests.workflow.expected import APPROVED
from tests.workflow.reach import after, moves_from, reachable

S, A = State, Action
KINDS = list(product(Procedure, Purpose))
FINAL = {S.DECLINED, S.WITHDRAWN, S.ASSIGNED, S.MODIFIED}
REGISTERED = {Purpose.NEW: S.ASSIGNED, Purpose.REVISION: S.MODIFIED}
ON_RECORD = (A.CORRECT, A.REPLACE, A.NOTE_DISPUTE, A.NOTE_APPEAL, A.SETTLE)
OUT_OF_FINAL = {
    S.DECLINED: {A.APPEAL: S.IESG_APPEAL_1, A.APPEAL_TO_IAB: S.IESG_APPEAL_2, A.COPY: S.DECLINED},
    S.WITHDRAWN: {A.COPY: S.WITHDRAWN},
    S.ASSIGNED: dict.fromkeys(ON_RECORD, S.ASSIGNED),
    S.MODIFIED: dict.fromkeys(ON_RECORD, S.MODIFIED),
}
ONLY_HERE: dict[State | None, set[Procedure | Purpose]] = {
    S.IESG_RECOGNITION: {Procedure.FAST_TRACK},
    S.IESG_STANDARD: {Procedure.STANDARDS_ACTION},
    S.ASSIGNABLE: {Purpose.NEW},
    S.ASSIGNED: {Purpose.NEW},
    S.MODIFIABLE: {Purpose.REVISION},
    S.MODIFIED: {Purpose.REVISION},
}


def _everywhere() -> set[ProcedureCase]:
    return {case for procedure, purpose in KINDS for case in reachable(procedure, purpose)}


def _can_end_in(goals: set[State], cases: set[ProcedureCase]) -> set[ProcedureCase]:
    """The cases from which one of the goals can be reached."""
    found = {case for case in cases if case.state in goals}
    while True:
        more = {c for c in cases - found if any(after(c, move) in found for move in moves_from(c))}
        if not more:
            return found
        found |= more


def test_every_state_is_reached_from_a_draft() -> None:
    assert {case.state for case in _everywhere()} == {None, *State}


def test_a_state_of_one_procedure_or_purpose_is_reached_by_no_other() -> None:
    for case in _everywhere():
        if case.state in ONLY_HERE:
            assert ONLY_HERE[case.state] & {case.procedure, case.purpose}


def test_every_state_that_is_not_final_has_a_way_on_besides_withdrawing() -> None:
    for case in _everywhere():
        if case.state not in FINAL:
            ways = {move.target for move in moves_from(case) if move.action is not A.WITHDRAW}
            assert ways - {case.state}, case


def test_whatever_is_not_final_can_still_be_registered() -> None:
    for purpose in Purpose:
        cases = {case for case in _everywhere() if case.purpose is purpose}
        hopeful = _can_end_in({REGISTERED[purpose]}, cases)
        stuck = cases - hopeful
        assert {case.state for case in stuck} <= {S.WITHDRAWN}


def test_whatever_was_sent_and_is_not_final_can_end() -> None:
    cases = _everywhere()
    assert _can_end_in(FINAL, cases) == cases


def test_out_of_a_final_state_lead_only_the_ways_that_the_procedures_list() -> None:
    for case in _everywhere():
        if case.state in FINAL:
            ways = {move.action: move.target for move in moves_from(case)}
            assert ways == OUT_OF_FINAL[case.state], case


@pytest.mark.parametrize("procedure", Procedure)
def test_every_state_a_table_names_is_reached_by_its_procedure(procedure: Procedure) -> None:
    reached = {case.state for case in _everywhere() if case.procedure is procedure}
    left = STRANDED.get(procedure, frozenset())
    assert {row.source for row in TABLES[procedure]} - reached == left


def test_what_older_software_left_where_nothing_leads_any_more_goes_on() -> None:
    for (procedure, states), purpose in product(STRANDED.items(), Purpose):
        for case in (ProcedureCase(procedure, purpose, state) for state in states):
            ways = {(move.action, move.target) for move in moves_from(case)}
            assert ways == {
                (A.COMPLETE, APPROVED[purpose]),
                (A.ANSWER, S.EXPERT_REVIEW),
                (A.WITHDRAW, S.WITHDRAWN),
            }


@pytest.mark.parametrize("purpose", Purpose)
def test_on_the_fast_track_no_expert_moves_a_request_and_no_silence_ends_it(
    purpose: Purpose,
) -> None:
    experts = frozenset({Role.EXPERT, Role.LEADER, Role.OUTCOME})
    for case in reachable(Procedure.FAST_TRACK, purpose):
        if case.procedure is Procedure.FAST_TRACK:
            theirs = [row for row in _rows(case) if row.role in experts]
            assert {row.target for row in theirs} <= {RelativeTarget.SAME}, case
            assert A.LAPSE not in {move.action for move in moves_from(case)}


@pytest.mark.parametrize("purpose", Purpose)
def test_no_expert_ends_a_standards_action(purpose: Purpose) -> None:
    case = ProcedureCase(Procedure.STANDARDS_ACTION, purpose, S.EXPERT_REVIEW)
    experts = {Role.EXPERT, Role.LEADER, Role.OUTCOME}
    theirs = {row.target for row in _rows(case) if row.role in experts}
    assert theirs == {RelativeTarget.SAME, S.WITH_REQUESTER, S.IESG_STANDARD, S.IESG_EXPERTS}


def test_every_row_is_on_some_way_but_the_completion_that_no_return_leads_to() -> None:
    taken = {(case.procedure, row) for case in _everywhere() for row in _rows(case)}
    every = {(procedure, row) for procedure in Procedure for row in TABLES[procedure]}
    idle = [row for _, row in every - taken if row.source is not S.IESG_EXPERTS]
    assert [(row.source, row.action, row.kept) for row in idle] == [
        (S.WITH_REQUESTER, A.COMPLETE, S.EXPERT_REVIEW)
    ]


def _rows(case: ProcedureCase) -> list[TransitionRow]:
    return [
        row
        for row in TABLES[case.procedure]
        if row.source is case.state
        and case.purpose in row.purposes
        and row.kept in (None, case.returns_to)
    ]


def test_an_informal_request_never_collides_and_a_revision_never_takes_a_new_name() -> None:
    for case in _everywhere():
        actions = {move.action for move in moves_from(case)}
        informal, revision = case.procedure is Procedure.INFORMAL, case.purpose is Purpose.REVISION
        assert not (A.COLLISION in actions and (informal or revision))
        assert not (A.STALE in actions and not revision)


def test_a_revision_of_an_informal_name_stays_informal() -> None:
    cases = reachable(Procedure.INFORMAL, Purpose.REVISION)
    assert {case.procedure for case in cases} == {Procedure.INFORMAL}


def test_a_revision_of_a_formal_name_stays_formal() -> None:
    for procedure in set(Procedure) - {Procedure.INFORMAL}:
        cases = reachable(procedure, Purpose.REVISION)
        assert Procedure.INFORMAL not in {case.procedure for case in cases}


# An appeal that is won sets aside the rule on which validation failed.
VALIDATES = {A.PASS, A.RECOGNIZE, A.OVERTURN, A.OVERTURN_AND_APPROVE}
UNVALIDATES = {A.SUBMIT, A.CHANGE_PROCEDURE, A.REFUSE_RECOGNITION, A.COLLISION, A.STALE}
GRANTS = {A.APPROVE, A.DIRECT, A.COMPLETE, A.OVERTURN_AND_APPROVE}
TAKES_BACK = {A.REOPEN, A.COLLISION, A.STALE}
NEEDS_VALIDATION = {
    S.EXPERT_REVIEW,
    S.IESG_STANDARD,
    S.IESG_EXPERTS,
    S.ASSIGNABLE,
    S.MODIFIABLE,
    S.ASSIGNED,
    S.MODIFIED,
}
NEEDS_GRANT = {S.ASSIGNABLE, S.MODIFIABLE, S.ASSIGNED, S.MODIFIED}


def _validated(before: bool, move: Transition) -> bool:
    if move.action in UNVALIDATES or move.returns_to is S.VALIDATING_REQUEST:
        return False
    return before or move.action in VALIDATES


def _granted(before: bool, move: Transition) -> bool:
    return move.action not in TAKES_BACK and (before or move.action in GRANTS)


def _is_sound(state: State | None, validated: bool, granted: bool) -> bool:
    return (validated or state not in NEEDS_VALIDATION) and (granted or state not in NEEDS_GRANT)


@pytest.mark.parametrize(("procedure", "purpose"), KINDS)
def test_no_way_at_all_skips_validation_or_registers_what_nobody_granted(
    procedure: Procedure, purpose: Purpose
) -> None:
    waiting, seen = [(ProcedureCase(procedure, purpose, None), False, False)], set()
    while waiting:
        case, validated, granted = place = waiting.pop()
        assert _is_sound(case.state, validated, granted), place
        if place not in seen:
            seen.add(place)
            waiting += [
                (after(case, move), _validated(validated, move), _granted(granted, move))
                for move in moves_from(case)
            ]


class Walk(RuleBasedStateMachine):
    """A request pushed about by anybody, with what must have happened kept beside it."""

    @initialize(procedure=st.sampled_from(Procedure), purpose=st.sampled_from(Purpose))
    def begin(self, procedure: Procedure, purpose: Purpose) -> None:
        """Nothing is written yet."""
        self.case = ProcedureCase(procedure, purpose, None)
        self.validated = self.granted = False

    @rule(picked=st.data())
    def go_on(self, picked: st.DataObject) -> None:
        """Somebody makes one of the moves that are possible; few give up."""
        moves = [move for move in moves_from(self.case) if move.target is not S.WITHDRAWN]
        if moves:
            self._take(picked.draw(st.sampled_from(moves)))

    @rule(
        action=st.sampled_from(Action),
        roles=st.frozensets(st.sampled_from(Role)),
        evidence=st.frozensets(st.sampled_from(Evidence)),
        other=st.none() | st.sampled_from(Procedure),
    )
    def try_anything(
        self,
        action: Action,
        roles: frozenset[Role],
        evidence: frozenset[Evidence],
        other: Procedure | None,
    ) -> None:
        """Somebody tries what comes to mind: it is refused, or it is a move like any other."""
        try:
            move = transition(self.case, action, roles, evidence, procedure=other)
        except ActionRefused as refusal:
            assert (refusal.case, refusal.action) == (self.case, action)
            return
        assert move.row.evidence <= evidence | {Evidence.OTHER_PROCEDURE}
        assert move.row.role in roles
        self._take(move)

    def _take(self, move: Transition) -> None:
        self.validated = _validated(self.validated, move)
        self.granted = _granted(self.granted, move)
        self.case = after(self.case, move)

    @invariant()
    def the_state_is_one_of_its_procedure_and_purpose(self) -> None:
        """No walk leaves the map."""
        allowed = ONLY_HERE.get(self.case.state)
        assert allowed is None or allowed & {self.case.procedure, self.case.purpose}

    @invariant()
    def what_was_returned_before_validation_passes_it_again(self) -> None:
        """And what is registered was approved, directed, completed or won on appeal."""
        assert _is_sound(self.case.state, self.validated, self.granted)


WALKS = rounds(60, 15)  # every way that is possible was gone above
Walk.TestCase.settings = settings(max_examples=WALKS, stateful_step_count=40, deadline=None)
TestWalk = Walk.TestCase
