"""How long something can be done, and by when it is due: the days are settings, the rules here."""

from calendar import monthrange
from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType

from app.registration.declarations.registries import (
    DeclaredProcedure,
    Procedure,
    declared_procedures,
)
from app.workflow.engine import ProcedureCase
from app.workflow.states import State, Turn

APPEAL_MONTHS = 2
REMINDER_DAYS = 7

# Days until the next step is due, by state; "informal/expert-review" is for one procedure.
DUE_DAYS: Mapping[str, int] = MappingProxyType(
    {
        "new": 5,
        "validating-request": 10,
        **dict.fromkeys(("NAAN/new", "NAAN/validating-request"), 2),  # an answer in 48 hours
        **dict.fromkeys(("shoulder/new", "shoulder/validating-request"), 2),
        "expert-review": 28,
        "informal/expert-review": 14,
        "with-requester": 30,
        "iesg-recognition": 60,
        "iesg-standard": 90,
        "iesg-experts": 60,
        "iesg-appeal-1": 60,
        "iesg-appeal-2": 60,
        "assignable": 5,
        "modifiable": 5,
    }
)


def last_day_of_appeal(decided: date, months: int = APPEAL_MONTHS) -> date:
    """The last day on which a decision can be appealed; ``months`` is a setting.

    The same day of a later month, or that month's last where it has no such day.

    Source: RFC 2026 section 6.5.4.
    """
    years, month = divmod(decided.month - 1 + months, 12)
    year, month = decided.year + years, month + 1
    return date(year, month, min(decided.day, monthrange(year, month)[1]))


def allowed_days(
    procedure: DeclaredProcedure, state: State, days: Mapping[str, int] = DUE_DAYS
) -> int | None:
    """Within how many days something is due in a state; None where nobody is waited for.

    What ``days`` name for the procedure goes before what is for all.
    """
    own = f"{procedure.replace(' ', '-')}/{state}"
    return days.get(own, days.get(state))


def due_date(case: ProcedureCase, since: date, days: Mapping[str, int] = DUE_DAYS) -> date | None:
    """The last day for the next step of a request that came into its state on a day.

    None where nobody has to act, and while a fast track's organization takes its time.
    ``days`` is a setting.

    Source: RFC 8141 section 6.3 for the fast track.
    """
    state = case.state
    if state is None or state.is_private or case.turn is Turn.NOBODY:
        return None
    if case.procedure is Procedure.FAST_TRACK and case.turn is Turn.REGISTRANT:
        return None
    allowed = allowed_days(case.procedure, state, days)
    return None if allowed is None else since + timedelta(days=allowed)


def last_day_of_answer(
    case: ProcedureCase, since: date, days: Mapping[str, int] = DUE_DAYS
) -> date | None:
    """The last day on which somebody who was asked on a day may still leave it unanswered.

    It is twice as far as the day on which the next step is due; None where none is.
    """
    due = due_date(case, since, days)
    return None if due is None else due + (due - since)


def check_due_days(days: Mapping[str, int]) -> None:
    """Raise ValueError unless every entry names a state, or a procedure and a state."""
    states = {str(state) for state in State}
    procedures = {procedure.replace(" ", "-") for procedure in declared_procedures()}
    for key in days:
        before, _, state = key.rpartition("/")
        if state not in states or (before and before not in procedures):
            raise ValueError(f"has no state {key!r}")
