"""When requests were sent and when they were decided, from the record."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import String, case, cast, func, select

from app.store.database import db
from app.store.tables import Event, Request
from app.store.tables.requests import EventSubject
from app.workflow.states import State


@dataclass(frozen=True, slots=True)
class DecisionTimes:
    procedure: str
    sent: datetime
    decided: datetime


def decided_since(
    first: datetime, *, states: Iterable[State], sent: str, kinds: Collection[str], most: int
) -> list[DecisionTimes]:
    """Requests that stand in one of these states and were decided since a moment, at ``most``.

    ``sent`` and ``kinds`` are the kinds of event that send and decide. A request came to
    where it stands no earlier than it was decided, so that older ones are not looked at.
    """
    recent = (
        select(Request.number, Request.procedure)
        .where(Request.state.in_(list(states)), Request.since >= first)
        .order_by(Request.since.desc(), Request.number.desc())
        .limit(most)
        .subquery()
    )
    began = func.min(case((Event.kind == sent, Event.at)))
    ended = func.min(case((Event.kind != sent, Event.at)))
    found = (
        select(recent.c.procedure, began, ended)
        .join(Event, Event.about == cast(recent.c.number, String(64)))
        .where(Event.subject == EventSubject.REQUEST, Event.kind.in_([sent, *sorted(kinds)]))
        .group_by(recent.c.number, recent.c.procedure)
        .having(ended >= first)
    )
    return [DecisionTimes(*row) for row in db.session.execute(found)]
