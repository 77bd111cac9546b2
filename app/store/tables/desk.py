"""What the operator keeps beside a request."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.database import Base, Key, Moment
from app.store.tables.columns import enum_check


class RequestLinkKind(StrEnum):
    """Why one request points to another."""

    COPY = "copy"
    DUPLICATE = "duplicate"


class RequestLink(Base):
    """A request that was made from another, or that asked for what another asks for."""

    __tablename__ = "request_link"
    __table_args__ = (
        UniqueConstraint("request", "kind"),
        enum_check("kind", RequestLinkKind),
        CheckConstraint("request <> other", name="other"),
    )

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    request: Mapped[int] = mapped_column(ForeignKey("request.number"))
    other: Mapped[int] = mapped_column(ForeignKey("request.number"), index=True)
    kind: Mapped[str] = mapped_column(String(16))


class OperatorNote(Base):
    __tablename__ = "operator_note"

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    request: Mapped[int] = mapped_column(ForeignKey("request.number"), index=True)
    author: Mapped[int] = mapped_column(ForeignKey("account.id"))
    at: Mapped[datetime] = mapped_column(Moment)
    body: Mapped[str] = mapped_column(Text)


class ReplyText(Base):
    """Words that operators write again and again, kept under a title."""

    __tablename__ = "reply_text"
    __table_args__ = (UniqueConstraint("title"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    title: Mapped[str] = mapped_column(String(200))
    body: Mapped[str] = mapped_column(Text)
