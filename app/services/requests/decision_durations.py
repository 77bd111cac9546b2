"""How long decisions take, for everybody to see."""

from datetime import UTC, datetime, time

from app.pages.diagrams.turnaround_times import (
    RequestTurnaround,
    TurnaroundTimes,
    first_day,
    measure_turnaround,
)
from app.registration.declarations.registries import procedure_named
from app.store.requests import decision_times
from app.workflow.states import Action, State
from app.workflow.transitions import TABLES, RelativeTarget

MOST_COUNTED = 2000  # decisions, the newest ones


def _decides(target: State | RelativeTarget, action: Action) -> bool:
    """Whether a move approves, declines or registers; to give up an appeal decides nothing."""
    if action is Action.WITHDRAW:
        return False
    return target in (RelativeTarget.APPROVED, State.DECLINED) or (
        isinstance(target, State) and target.is_registered
    )


DECIDING = frozenset(
    row.action.past
    for table in TABLES.values()
    for row in table
    if _decides(row.target, row.action)
)
# Where a decision stands. What is under way again counts once it is decided again.
_STANDING = tuple(
    state
    for state in State
    if state.is_final
    or state in (State.ASSIGNABLE, State.MODIFIABLE, State.IESG_APPEAL_1, State.IESG_APPEAL_2)
)


def times_to_decision(at: datetime) -> TurnaroundTimes:
    """The decisions of twelve months, each counted from when its request was sent.

    Where something was decided more than once it is the first decision that counts.
    """
    first = datetime.combine(first_day(at.date()), time(), UTC)
    found = decision_times.decided_since(
        first, states=_STANDING, sent=Action.SUBMIT.past, kinds=DECIDING, most=MOST_COUNTED
    )
    made = (
        RequestTurnaround(procedure_named(one.procedure), one.sent, one.decided) for one in found
    )
    return measure_turnaround(made, at.date(), MOST_COUNTED)
