"""The record of what happened: appended to, never changed."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Select, bindparam, func, select

from app.registration.records.record_documents import canonical_json
from app.store.counters import next_number
from app.store.database import add_row, built_once, db, read_once
from app.store.event_log.merkle_leaves import seal_event
from app.store.event_log.row_digests import digests_of, rows_told
from app.store.tables import Event
from app.store.tables.requests import EventSubject

_COLUMNS = tuple(Event.__table__.columns.keys())
_NO_NUMBER = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    at: datetime
    kind: str
    about: str
    actor: int | None = None
    role: str = ""
    subject: EventSubject = EventSubject.REQUEST
    source: str | None = None
    target: str | None = None
    iteration: int | None = None
    review: int | None = None
    edition: int | None = None
    reason: str = ""
    body: str = ""


def append(event: NewEvent, salt: str, digests: Mapping[str, str] | None = None) -> int:
    """Add an event to the record and give its number. Numbers have no gap, and tell the order.

    Its moment may be earlier than that of the event before: it is when somebody asked for what
    was done, by a clock that may have been set back meanwhile, and nothing depends on it.
    ``digests`` are those of rows; a text, a review and a comment that it tells of have theirs
    anyway.
    """
    row = Event(n=_NO_NUMBER, salt=salt, **asdict(event))
    found = {**digests_of(rows_told([row]).get(row.n, {}), salt), **(digests or {})}
    row.digests = canonical_json(found) if found else None
    db.session.flush()
    row.n = next_number("event")  # from here on nobody else appends
    seal_event(row)
    add_row(Event, **{name: getattr(row, name) for name in _COLUMNS})
    return row.n


def find(n: int) -> Event | None:
    """An event by its number."""
    return db.session.get(Event, n)


def first_of(subject: EventSubject) -> Event | None:
    """The first thing that happened to anything of a kind."""
    return db.session.scalars(
        select(Event).where(Event.subject == subject).order_by(Event.n).limit(1)
    ).one_or_none()


def last_of(subject: EventSubject, about: str, kind: str) -> Event | None:
    """The newest event of a kind about one thing; None where there is none."""
    own = Event.subject == subject, Event.about == about, Event.kind == kind
    return db.session.scalar(select(Event).where(*own).order_by(Event.n.desc()).limit(1))


def of_editions(numbers: Collection[int]) -> dict[int, Event]:
    """The events that opened editions, by edition."""
    found = db.session.scalars(select(Event).where(Event.edition.in_(numbers)))
    return {event.edition: event for event in found if event.edition is not None}


@read_once
def of_request(number: int) -> list[Event]:
    """The story of a request, oldest first."""
    return list(db.session.scalars(_of_request(), {"about": str(number)}))


@built_once
def _of_request() -> Select[Event]:
    own = Event.subject == EventSubject.REQUEST, Event.about == bindparam("about")
    return select(Event).where(*own).order_by(Event.n)


def of_name(about: str, kinds: Collection[str]) -> list[Event]:
    return list(
        db.session.scalars(
            select(Event)
            .where(Event.subject == EventSubject.NAME, Event.about == about, Event.kind.in_(kinds))
            .order_by(Event.n)
        )
    )


_AT_ONCE = 500  # entries that are read together


def batches() -> Iterator[list[Event]]:
    """Every event, oldest first, some hundreds at once; the memory holds no more."""
    last = 0
    while found := list(
        db.session.scalars(select(Event).where(Event.n > last).order_by(Event.n).limit(_AT_ONCE))
    ):
        yield found
        last = found[-1].n
        for event in found:
            db.session.expunge(event)


def of_kind(kind: str) -> list[Event]:
    """Everything of a kind that happened, oldest first."""
    return list(db.session.scalars(select(Event).where(Event.kind == kind).order_by(Event.n)))


def count() -> int:
    return db.session.scalar(select(func.count()).select_from(Event)) or 0


def details_of(body: str) -> Mapping[str, str | int]:
    found: Mapping[str, str | int] = json.loads(body) if body.startswith("{") else {}
    return found
