"""Messages to be sent: written with what they tell of, sent by the worker afterwards."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.database import Base, Key, Moment
from app.store.tables.columns import enum_check


class Delivery(StrEnum):
    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"


class Outbox(Base):
    """One message to one recipient. It is sent only once the server has said 250."""

    __tablename__ = "outbox"
    __table_args__ = (
        UniqueConstraint("event", "recipient"),
        UniqueConstraint("sign_in", "recipient"),
        UniqueConstraint("message_id"),
        enum_check("state", Delivery),
        Index(None, "state", "next_at"),
    )

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    event: Mapped[int | None] = mapped_column(ForeignKey("event.n"))
    sign_in: Mapped[str | None] = mapped_column(ForeignKey("sign_in.id"))
    recipient: Mapped[str] = mapped_column(String(320))
    template: Mapped[str] = mapped_column(String(64))
    arguments: Mapped[str] = mapped_column(Text)
    message_id: Mapped[str] = mapped_column(String(200))
    created: Mapped[datetime] = mapped_column(Moment)
    state: Mapped[str] = mapped_column(String(16))
    attempts: Mapped[int] = mapped_column(default=0)
    next_at: Mapped[datetime] = mapped_column(Moment)
    leased_until: Mapped[datetime | None] = mapped_column(Moment)
    why: Mapped[str] = mapped_column(Text, default="")


class UndeliverableAddress(Base):
    """An address that mail came back from. What is for it waits, but for links to sign in."""

    __tablename__ = "undeliverable"
    __table_args__ = (UniqueConstraint("address"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    address: Mapped[str] = mapped_column(String(320))
    at: Mapped[datetime] = mapped_column(Moment)
    why: Mapped[str] = mapped_column(Text)
