"""The moves of a request for a NAAN or a shoulder, written by hand without a look at the table."""

from datetime import date
from itertools import product

import pytest

from app.registration.declarations.naan_registries import NaanProcedure
from app.registration.records.registry_records import Purpose
from app.workflow.deadlines import due_date
from app.workflow.engine import ActionRefused, ProcedureCase, transition
from app.workflow.states import Action, Role, State
from app.workflow.transitions import TABLES, Evidence

BEGUN = {
    Purpose.NEW: """
- | start | registrant | | draft
validating-request | register | operator | {judged} within-share {named} | assigned
validating-request | endorse | operator | {judged} beyond-share {named} | assignable
assignable | register | operator | {judged} second-person {named} | assigned
assignable | return | operator | reason | with-requester
assignable | decline | operator | reason no-party | declined
assignable | withdraw | registrant | | withdrawn
assignable | raise-delay | registrant | overdue not-flagged | assignable
{also}
""",
    Purpose.REVISION: """
- | revise | registrant | authorised fixed-name base-version | draft
validating-request | register | operator | {judged} base-latest authority | modified
validating-request | stale | operator | newer-version | with-requester
""",
}
MOVES = """
draft | submit | registrant | hard-rules posted | new
draft | discard | registrant | | draft
new | take | operator | | validating-request
new | withdraw | registrant | | withdrawn
new | raise-delay | registrant | overdue not-flagged | new
validating-request | return | operator | reason | with-requester
validating-request | decline | operator | reason no-party | declined
validating-request | withdraw | registrant | | withdrawn
validating-request | raise-delay | registrant | overdue not-flagged | validating-request
with-requester | resubmit | registrant | new-iteration hard-rules posted | validating-request
with-requester | remind | operator | silence | with-requester
with-requester | lapse | operator | silence reminders | withdrawn
with-requester | withdraw | registrant | | withdrawn
declined | copy | registrant | | declined
withdrawn | copy | registrant | | withdrawn
"""
NAMED = {NaanProcedure.NAAN: "number", NaanProcedure.SHOULDER: "name-free holder-agrees"}
ALSO = {NaanProcedure.SHOULDER: "assignable | collision | operator | name-taken | with-requester"}
EACH = pytest.mark.parametrize("procedure", NaanProcedure)


def _told(
    procedure: NaanProcedure, purpose: Purpose
) -> dict[tuple[State | None, Action, Role], tuple[set[str], State]]:
    judged = "hard-rules no-party checks-answered"
    said = {"named": NAMED[procedure], "also": ALSO.get(procedure, ""), "judged": judged}
    told = BEGUN[purpose].format(**said).strip() + MOVES
    lines = [line.split("|") for line in told.split("\n") if line]
    found = {}
    for source, action, role, evidence, target in [[part.strip() for part in one] for one in lines]:
        at = None if source == "-" else State(source)
        found[at, Action(action), Role(role)] = (set(evidence.split()), State(target))
    return found


def _case(
    procedure: NaanProcedure, state: State | None, purpose: Purpose = Purpose.NEW
) -> ProcedureCase:
    back = State.VALIDATING_REQUEST if state is State.WITH_REQUESTER else None
    return ProcedureCase(procedure, purpose, state, back)


@EACH
@pytest.mark.parametrize("purpose", Purpose)
def test_a_move_happens_exactly_where_it_is_told(
    procedure: NaanProcedure, purpose: Purpose
) -> None:
    told = _told(procedure, purpose)
    for state, action, role in product([None, *State], Action, Role):
        case, every = _case(procedure, state, purpose), frozenset(Evidence)
        needed, target = told.get((state, action, role), (None, None))
        try:
            move = transition(case, action, frozenset({role}), every)
        except ActionRefused:
            assert needed is None, (state, action, role)
        else:
            assert (move.target, set(move.row.evidence)) == (target, needed)
            for lacking in move.row.evidence:
                with pytest.raises(ActionRefused):
                    transition(case, action, frozenset({role}), every - {lacking})


@EACH
def test_no_expert_and_nobody_of_their_own_case_decides(procedure: NaanProcedure) -> None:
    rows = TABLES[procedure]
    assert {row.role for row in rows} == {Role.REGISTRANT, Role.OPERATOR}
    deciding = [row for row in rows if row.action in (Action.REGISTER, Action.DECLINE)]
    assert all(Evidence.NO_PARTY in row.evidence for row in deciding)


@EACH
def test_an_answer_is_due_within_48_hours(procedure: NaanProcedure) -> None:
    sent = date(2026, 11, 23)
    for state in (State.NEW, State.VALIDATING_REQUEST):
        assert due_date(_case(procedure, state), sent) == date(2026, 11, 25)
