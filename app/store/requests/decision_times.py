"""The median time from the submission of a request to its decision."""

from statistics import median

from sqlalchemy import String, case, cast, func, select

from app.store.database import db
from app.store.tables import Event, Request
from app.store.tables.requests import EventSubject
from app.workflow.states import Action, State
from app.workflow.transitions import TABLES, RelativeTarget

_NEWEST = 100  # decided requests
_APPEALS = (State.IESG_APPEAL_1, State.IESG_APPEAL_2)
_DECIDED = tuple(
    state
    for state in State
    if state.is_final or state in (State.ASSIGNABLE, State.MODIFIABLE, *_APPEALS)
)


def _decides(target: State | RelativeTarget, action: Action) -> bool:
    if action is Action.WITHDRAW:  # of an appeal: the decision is older
        return False
    return target in (RelativeTarget.APPROVED, State.DECLINED) or (
        isinstance(target, State) and target.is_registered
    )


_DECISIONS = frozenset(
    row.action.past
    for table in TABLES.values()
    for row in table
    if _decides(row.target, row.action)
)


def median_days_to_decision() -> int | None:
    """Return the median days from first submission to first decision, or None without decisions.

    Of the newest 100 decided requests.
    """
    recent = (
        select(Request.number)
        .where(Request.state.in_(_DECIDED))
        .order_by(Request.since.desc(), Request.number.desc())
        .limit(_NEWEST)
        .subquery()
    )
    submitted = func.min(case((Event.kind == Action.SUBMIT.past, Event.at)))
    decided = func.min(case((Event.kind != Action.SUBMIT.past, Event.at)))
    times = (
        select(submitted, decided)
        .join(recent, Event.about == cast(recent.c.number, String(64)))
        .where(Event.subject == EventSubject.REQUEST)
        .where(Event.kind.in_([Action.SUBMIT.past, *sorted(_DECISIONS)]))
        .group_by(recent.c.number)
        .having(decided.is_not(None), submitted.is_not(None))
    )
    days = [(end - start).days for start, end in db.session.execute(times)]
    return round(median(days)) if days else None
