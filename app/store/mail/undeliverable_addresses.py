"""Addresses that mail came back from, and what waits for them."""

from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, select

from app.store.database import db, insert
from app.store.tables import Outbox, UndeliverableAddress
from app.store.tables.outbox import Delivery


def mark(address: str, why: str, at: datetime) -> None:
    """Note that mail to an address came back; the newest words stay."""
    made = insert(UndeliverableAddress).values(address=address.lower(), why=why, at=at)
    db.session.execute(
        made.on_conflict_do_update(
            index_elements=[UndeliverableAddress.address], set_={"why": why, "at": at}
        )
    )


def find_mark(address: str) -> UndeliverableAddress | None:
    found = select(UndeliverableAddress).where(UndeliverableAddress.address == address.lower())
    return db.session.scalars(found).one_or_none()


def is_held() -> ColumnElement[bool]:
    is_link = Outbox.event.is_(None) & Outbox.sign_in.is_not(None)
    marked = select(UndeliverableAddress.id).where(
        UndeliverableAddress.address == func.lower(Outbox.recipient)
    )
    return ~is_link & marked.exists()


def marked(most: int) -> list[tuple[UndeliverableAddress, int]]:
    """The addresses that were marked last, each with how many messages wait for it."""
    waits = (Outbox.state == Delivery.WAITING) & is_held()
    counted = (
        select(func.lower(Outbox.recipient).label("address"), func.count().label("held"))
        .where(waits)
        .group_by(func.lower(Outbox.recipient))
        .subquery()
    )
    found = (
        select(UndeliverableAddress, func.coalesce(counted.c.held, 0))
        .outerjoin(counted, counted.c.address == UndeliverableAddress.address)
        .order_by(UndeliverableAddress.at.desc(), UndeliverableAddress.id.desc())
        .limit(most)
    )
    return [(row, held) for row, held in db.session.execute(found)]


def clear(ident: int) -> bool:
    """Let mail go to an address again; False where it was not marked."""
    return _remove(UndeliverableAddress.id == ident)


def clear_reached(address: str, sent: datetime) -> None:
    """Let mail go to an address again that a message reached which was sent after the mark."""
    _remove((UndeliverableAddress.address == address.lower()) & (UndeliverableAddress.at <= sent))


def _remove(which: ColumnElement[bool]) -> bool:
    removed = delete(UndeliverableAddress).where(which).returning(UndeliverableAddress.id)
    return db.session.execute(removed).first() is not None
