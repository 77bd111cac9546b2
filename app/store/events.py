"""The record of what happened: appended to, never changed."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.registration.documents import canonical
from app.store.counters import next_number
from app.store.database import db
from app.store.tables import Account, Event
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
    reason: str = ""
    body: str = ""


def append(event: NewEvent, salt: str) -> int:
    """Add an event to the record and give its number. Numbers have no gap."""
    n = next_number("event")
    leaf = _leaf(n, event, salt)
    db.session.add(
        Event(
            n=n,
            at=event.at,
            kind=event.kind,
            about=event.about,
            actor=event.actor,
            role=event.role,
            subject=event.subject,
            source=event.source,
            target=event.target,
            iteration=event.iteration,
            reason=event.reason,
            body=event.body,
            salt=salt,
            leaf=leaf,
        )
    )
    db.session.flush()
    return n


def of_request(number: int) -> list[tuple[Event, Account | None]]:
    """The story of a request, oldest first, with who did it."""
    rows = db.session.execute(
        select(Event, Account)
        .outerjoin(Account, Account.id == Event.actor)
        .where(Event.subject == Subject.REQUEST, Event.about == str(number))
        .order_by(Event.n)
    )
    return [(event, account) for event, account in rows]


def _leaf(n: int, event: NewEvent, salt: str) -> str:
    # RFC 9162 section 2.1.1: a leaf's hash begins with a zero octet
    entry = {
        "n": n,
        "at": event.at.isoformat(),
        "kind": event.kind,
        "about": event.about,
        "actor": event.actor,
        "role": event.role,
        "subject": str(event.subject),
        "source": event.source,
        "target": event.target,
        "iteration": event.iteration,
        "reason": event.reason,
        "body": event.body,
        "salt": salt,
    }
    return hashlib.sha256(b"\0" + canonical(entry).encode()).hexdigest()
