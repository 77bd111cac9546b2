"""The outbox: messages written with what they tell of, leased and sent afterwards.

Who has a lease, and what is due, is told by the database's clock alone: workers run on several
hosts, whose clocks differ.
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Insert, Select, case, func, or_, select, true, update

from app.registration.records.record_documents import canonical_json
from app.store import clocks
from app.store.accounts.account_rows import has_role
from app.store.database import db, table_of
from app.store.demonstration import DOMAIN, is_on, is_void
from app.store.mail.undeliverable_addresses import is_held
from app.store.tables import Outbox
from app.store.tables.outbox import Delivery

# Longer than a stalling server can keep one message. Shorter than the 15 minutes that software
# before 0012 gave by each host's own clock: beside it, neither takes the other's while they agree
# to 5 minutes.
LEASE = timedelta(minutes=10)
_LONGEST_LEASE = 2 * LEASE  # what ends later was given before the database's clock was set back
LONGEST_WAIT = timedelta(days=1)  # between two attempts to send a message


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMessage:
    """One message to one recipient, as it waits."""

    recipient: str
    template: str
    arguments: dict[str, Any]
    message_id: str
    created: datetime
    id: int = 0
    attempts: int = 0
    leased_until: datetime | None = None
    event: int | None = None
    sign_in: str | None = None
    has_failed: bool = False

    @property
    def leased_at(self) -> datetime:
        return self.created if self.leased_until is None else self.leased_until - LEASE

    @property
    def lease(self) -> str:
        """The lease of this message as a text, for ``give_back``."""
        return f"{self.id} {self.attempts} {self.leased_until and self.leased_until.isoformat()}"


def add(message: OutgoingMessage) -> None:
    """Put a message into the outbox, in the transaction of what it tells of."""
    add_all([message])


def add_all(messages: Iterable[OutgoingMessage]) -> None:
    """Put several messages into the outbox, in their order."""
    rows = [_row(message) for message in messages if not is_void(message.recipient)]
    if rows:
        db.session.flush()  # what they tell of
        db.session.execute(_adding(), rows)


def _adding() -> Insert:
    return table_of(Outbox).insert().values(next_at=clocks.database_now())


def _row(message: OutgoingMessage) -> dict[str, Any]:
    return {
        "event": message.event,
        "sign_in": message.sign_in,
        "recipient": message.recipient,
        "template": message.template,
        "arguments": canonical_json(message.arguments),
        "message_id": message.message_id,
        "created": message.created,
        "state": Delivery.WAITING,
    }


def find(message_id: str) -> OutgoingMessage | None:
    """The message that goes or went out under a Message-ID."""
    found = select(Outbox).where(Outbox.message_id == message_id)
    row = db.session.scalars(found).one_or_none()
    return None if row is None else _message(row)


def is_due() -> bool:
    is_any = or_(_due().exists(), select(Outbox.id).where(_is_stale()).exists())
    return bool(db.session.scalar(select(is_any)))


def lease(at: datetime) -> OutgoingMessage | None:
    """Take the next message that is due for oneself; others may have it after the lease.

    Links to sign in go first, for somebody waits for them and they soon expire; among them
    those of people who hold a role at ``at``. Otherwise the oldest is next.
    """
    _shorten_stale()
    first = _due().order_by(_turn(at), Outbox.id).limit(1)
    taken = first.with_for_update(skip_locked=True)
    row = db.session.scalars(
        update(Outbox)
        .where(Outbox.id == taken.scalar_subquery())
        .values(leased_until=clocks.database_now(LEASE), attempts=Outbox.attempts + 1)
        .returning(Outbox)
        .execution_options(synchronize_session=False)
    ).one_or_none()
    return None if row is None else _message(row)


def _is_stale() -> ColumnElement[bool]:
    ends_too_late = Outbox.leased_until > clocks.database_now(_LONGEST_LEASE)
    return (Outbox.state == Delivery.WAITING) & ends_too_late


def _shorten_stale() -> None:
    db.session.execute(
        update(Outbox)
        .where(_is_stale())
        .values(leased_until=clocks.database_now(LEASE))
        .execution_options(synchronize_session=False)
    )


def _turn(at: datetime) -> ColumnElement[int]:
    is_link = Outbox.event.is_(None) & Outbox.sign_in.is_not(None)
    return case((~is_link, 2), (has_role(Outbox.recipient, at), 0), else_=1)


def _due() -> Select[int]:
    return select(Outbox.id).where(
        Outbox.state == Delivery.WAITING,
        ~is_held(),
        _has_reader(),
        clocks.has_come_here(Outbox.next_at, LONGEST_WAIT),
        or_(Outbox.leased_until.is_(None), Outbox.leased_until <= clocks.database_now()),
    )


def _has_reader() -> ColumnElement[bool]:
    return true() if is_on() else ~func.lower(Outbox.recipient).endswith(f"@{DOMAIN}")


def mark_sent(ident: int) -> None:
    """Note that the server took a message; true whoever has its lease by now."""
    _mark(Outbox.id == ident, state=Delivery.SENT, why="")


def mark_all_sent() -> None:
    """Note of everything that waits that it was sent."""
    _mark(Outbox.state == Delivery.WAITING, state=Delivery.SENT)


def mark_unsent(message: OutgoingMessage, why: str, wait: timedelta | None) -> None:
    """Note why a message was not sent, and how long it waits for another try: None is for ever.

    Whoever's lease ran out says nothing, since another tries already.
    """
    if wait is None:
        _mark(_mine(message), state=Delivery.FAILED, why=why)
    else:
        _mark(_mine(message), why=why, next_at=clocks.database_now(wait))


def mark_untried(message: OutgoingMessage, why: str, wait: timedelta) -> None:
    at = clocks.database_now(wait)
    _mark(_mine(message), why=why, next_at=at, attempts=Outbox.attempts - 1)


def give_back(lease: str) -> None:
    """End the lease of a killed worker: its message is due again."""
    with suppress(ValueError):
        ident, attempts, until = lease.split(" ")
        _mark(_is_leased(int(ident), int(attempts), datetime.fromisoformat(until)))


def _mine(message: OutgoingMessage) -> ColumnElement[bool]:
    return _is_leased(message.id, message.attempts, message.leased_until)


def _is_leased(ident: int, attempts: int, until: datetime | None) -> ColumnElement[bool]:
    leased = (Outbox.attempts == attempts) & (Outbox.leased_until == until)
    return (Outbox.id == ident) & leased & (Outbox.state == Delivery.WAITING)


def _mark(which: ColumnElement[bool], **values: Any) -> None:
    db.session.execute(
        update(Outbox)
        .where(which)
        .values(leased_until=None, **values)
        .execution_options(synchronize_session=False)
    )


def mark_bounced(message_id: str, why: str) -> str:
    """Note that a message that was taken did not arrive after all; gives whom it was for."""
    noted = db.session.execute(
        update(Outbox)
        .where(Outbox.message_id == message_id, Outbox.state == Delivery.SENT)
        .values(state=Delivery.FAILED, leased_until=None, why=why)
        .returning(Outbox.recipient)
        .execution_options(synchronize_session=False)
    )
    return noted.scalar_one_or_none() or ""


def waiting(most: int) -> list[OutgoingMessage]:
    """The oldest messages that wait to be sent, without those for addresses that are marked."""
    waits = select(Outbox).where(Outbox.state == Delivery.WAITING, ~is_held())
    rows = db.session.scalars(waits.order_by(Outbox.id).limit(most))
    return [_message(row) for row in rows]


def oldest_waiting() -> tuple[datetime, datetime] | None:
    """When the message was written that waits longest to be sent, and since when one is due."""
    waits = select(func.min(Outbox.created).label("written"), func.min(Outbox.next_at).label("due"))
    row = db.session.execute(
        waits.where(Outbox.state == Delivery.WAITING, ~is_held(), _has_reader())
    ).one()
    return None if row.written is None else (row.written, row.due)


def count_untaken() -> tuple[int, int]:
    rows = db.session.execute(
        select(Outbox.state, func.count(Outbox.id).label("many"))
        .where(Outbox.state != Delivery.SENT, Outbox.why != "")
        .group_by(Outbox.state)
    )
    found = {row.state: row.many for row in rows}
    return found.get(Delivery.FAILED, 0), found.get(Delivery.WAITING, 0)


def count_waiting() -> int:
    counted = select(func.count(Outbox.id)).where(Outbox.state == Delivery.WAITING, ~is_held())
    return db.session.scalar(counted) or 0


def send_again(ident: int) -> bool:
    """Let a message that was not taken be tried anew; False where none such is at rest."""
    waits = (Outbox.state == Delivery.WAITING) & (Outbox.why != "") & Outbox.leased_until.is_(None)
    done = db.session.execute(
        update(Outbox)
        .where(Outbox.id == ident, or_(Outbox.state == Delivery.FAILED, waits))
        .values(
            state=Delivery.WAITING,
            attempts=0,
            next_at=clocks.database_now(),
            leased_until=None,
            why="",
        )
        .returning(Outbox.id)
        .execution_options(synchronize_session=False)
    )
    return done.first() is not None


def forget_arguments(template: str, before: datetime) -> None:
    """Erase what messages of a kind said that were written so long ago, sent or not."""
    db.session.execute(
        update(Outbox)
        .where(Outbox.template == template, Outbox.created < before, Outbox.arguments != "{}")
        .values(arguments="{}")
        .execution_options(synchronize_session=False)
    )


def stuck(most: int) -> list[tuple[OutgoingMessage, str]]:
    """The newest messages that could not be sent so far, and the server's words."""
    rows = db.session.scalars(
        select(Outbox)
        .where(Outbox.state != Delivery.SENT, Outbox.why != "")
        .order_by(Outbox.id.desc())
        .limit(most)
    )
    return [(_message(row), row.why) for row in rows]


def _message(row: Outbox) -> OutgoingMessage:
    return OutgoingMessage(
        id=row.id,
        recipient=row.recipient,
        template=row.template,
        arguments=json.loads(row.arguments),
        message_id=row.message_id,
        created=row.created,
        attempts=row.attempts,
        leased_until=row.leased_until,
        event=row.event,
        sign_in=row.sign_in,
        has_failed=row.state == Delivery.FAILED,
    )
