"""The record of what happened: appended to, never changed."""

import hashlib
from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from sqlalchemy import select

from app.registration.documents import canonical
from app.store.counters import next_number
from app.store.database import db, read_once
from app.store.tables import Event
from app.store.tables.requests import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """What happened, before it has its number."""

    at: datetime
    kind: str
    about: str
    actor: int | None = None
    role: str = ""
    subject: Subject = Subject.REQUEST
    source: str | None = None
    target: str | None = None
    iteration: int | None = None
    review: int | None = None
    edition: int | None = None
    reason: str = ""
    body: str = ""


# What the hash covers, so that a column added later changes the hash of no earlier event.
_HASHED = (
    "n",
    "at",
    "kind",
    "about",
    "actor",
    "role",
    "subject",
    "source",
    "target",
    "iteration",
    "review",
    "edition",
    "reason",
    "body",
    "salt",
)


def append(event: NewEvent, salt: str) -> int:
    """Add an event to the record and give its number. Numbers have no gap."""
    row = Event(n=next_number("event"), salt=salt, **asdict(event))
    row.leaf = leaf_of(row)
    db.session.add(row)
    db.session.flush()
    return row.n


def leaf_of(event: Event) -> str:
    """The hash of an event as a leaf: what the record holds is what was hashed.

    Source: RFC 9162 section 2.1.1.
    """
    entry = {name: getattr(event, name) for name in _HASHED}
    entry["at"] = event.at.astimezone(UTC).isoformat()
    return hashlib.sha256(b"\0" + canonical(entry).encode()).hexdigest()


def find(n: int) -> Event | None:
    """An event by its number."""
    return db.session.get(Event, n)


def first_of(subject: Subject) -> Event | None:
    """The first thing that happened to anything of a kind."""
    return db.session.scalars(
        select(Event).where(Event.subject == subject).order_by(Event.n).limit(1)
    ).one_or_none()


def of_editions(numbers: Collection[int]) -> dict[int, Event]:
    """The events that opened editions, by edition."""
    found = db.session.scalars(select(Event).where(Event.edition.in_(numbers)))
    return {event.edition: event for event in found if event.edition is not None}


@read_once
def of_request(number: int) -> list[Event]:
    """The story of a request, oldest first."""
    return list(
        db.session.scalars(
            select(Event)
            .where(Event.subject == Subject.REQUEST, Event.about == str(number))
            .order_by(Event.n)
        )
    )


def of_name(folded: str, kinds: Collection[str]) -> list[Event]:
    """What of these kinds happened to a name, oldest first."""
    return list(
        db.session.scalars(
            select(Event)
            .where(Event.subject == Subject.NAME, Event.about == folded, Event.kind.in_(kinds))
            .order_by(Event.n)
        )
    )
