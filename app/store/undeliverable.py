"""Addresses that mail came back from, and what waits for them."""

from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, select

from app.store.database import db, insert
from app.store.tables import Outbox, Undeliverable
from app.store.tables.outbox import Delivery


def mark(address: str, why: str, at: datetime) -> None:
    """Note that mail to an address came back; the newest words stay."""
    made = insert(Undeliverable).values(address=address.lower(), why=why, at=at)
    db.session.execute(
        made.on_conflict_do_update(
            index_elements=[Undeliverable.address], set_={"why": why, "at": at}
        )
    )


def find_mark(address: str) -> Undeliverable | None:
    """What is noted of an address, if mail to it came back."""
    found = select(Undeliverable).where(Undeliverable.address == address.lower())
    return db.session.scalars(found).one_or_none()


def is_held() -> ColumnElement[bool]:
    """Of a message: its address is marked. A link to sign in is tried all the same."""
    is_link = Outbox.event.is_(None) & Outbox.sign_in.is_not(None)
    marked = select(Undeliverable.id).where(Undeliverable.address == func.lower(Outbox.recipient))
    return ~is_link & marked.exists()


def marked(most: int) -> list[tuple[Undeliverable, int]]:
    """The addresses that were marked last, each with how many messages wait for it."""
    waits = (Outbox.state == Delivery.WAITING) & is_held()
    counted = (
        select(func.lower(Outbox.recipient).label("address"), func.count().label("held"))
        .where(waits)
        .group_by(func.lower(Outbox.recipient))
        .subquery()
    )
    found = (
        select(Undeliverable, func.coalesce(counted.c.held, 0))
        .outerjoin(counted, counted.c.address == Undeliverable.address)
        .order_by(Undeliverable.at.desc(), Undeliverable.id.desc())
        .limit(most)
    )
    return [(row, held) for row, held in db.session.execute(found)]


def clear(ident: int) -> bool:
    """Let mail go to an address again; False where it was not marked."""
    return _remove(Undeliverable.id == ident)


def clear_reached(address: str, sent: datetime) -> None:
    """The same for an address that a message has reached which was written after the mark."""
    _remove((Undeliverable.address == address.lower()) & (Undeliverable.at <= sent))


def _remove(which: ColumnElement[bool]) -> bool:
    removed = delete(Undeliverable).where(which).returning(Undeliverable.id)
    return db.session.execute(removed).first() is not None
