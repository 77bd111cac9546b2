"""The outbox: messages written with what they tell of, leased and sent afterwards."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import or_, select, update

from app.registration.documents import canonical
from app.store.database import db
from app.store.tables import Outbox
from app.store.tables.outbox import Delivery

LEASE = timedelta(minutes=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message to one recipient, as it waits."""

    recipient: str
    template: str
    arguments: dict[str, Any]
    message_id: str
    created: datetime
    id: int = 0
    attempts: int = 0
    event: int | None = None
    sign_in: str | None = None


def add(message: Message) -> None:
    """Put a message into the outbox, in the transaction of what it tells of."""
    db.session.add(
        Outbox(
            event=message.event,
            sign_in=message.sign_in,
            recipient=message.recipient,
            template=message.template,
            arguments=canonical(message.arguments),
            message_id=message.message_id,
            created=message.created,
            state=Delivery.WAITING,
            next_at=message.created,
        )
    )


def lease(at: datetime, most: int = 20) -> list[Message]:
    """Take waiting messages for oneself; another worker takes them after the lease."""
    due = (
        select(Outbox.id)
        .where(
            Outbox.state == Delivery.WAITING,
            Outbox.next_at <= at,
            or_(Outbox.leased_until.is_(None), Outbox.leased_until <= at),
        )
        .order_by(Outbox.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    rows = db.session.scalars(
        update(Outbox)
        .where(Outbox.id.in_(due.scalar_subquery()))
        .values(leased_until=at + LEASE, attempts=Outbox.attempts + 1)
        .returning(Outbox)
        .execution_options(synchronize_session=False)
    )
    return sorted((_message(row) for row in rows), key=lambda message: message.id)


def mark(ident: int, state: Delivery, *, why: str = "", next_at: datetime | None = None) -> None:
    """Note how the sending of a message went."""
    row = db.session.get(Outbox, ident)
    if row is None:
        raise KeyError(ident)
    row.state, row.why, row.leased_until = state, why, None
    row.next_at = next_at or row.next_at


def stuck() -> list[tuple[Message, str]]:
    """Messages that could not be sent, and the server's words."""
    rows = db.session.scalars(
        select(Outbox)
        .where(or_(Outbox.state == Delivery.FAILED, Outbox.why != ""))
        .where(Outbox.state != Delivery.SENT)
        .order_by(Outbox.id)
    )
    return [(_message(row), row.why) for row in rows]


def _message(row: Outbox) -> Message:
    return Message(
        id=row.id,
        recipient=row.recipient,
        template=row.template,
        arguments=json.loads(row.arguments),
        message_id=row.message_id,
        created=row.created,
        attempts=row.attempts,
        event=row.event,
        sign_in=row.sign_in,
    )
