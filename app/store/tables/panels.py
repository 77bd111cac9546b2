"""The experts' panels: who is away, who stands too near, and whose turn a request is."""

from datetime import datetime

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.store.database import Base, Key, Moment
from app.store.demonstration import is_on


class Absence(Base):
    """A time in which an expert is given nothing new."""

    __tablename__ = "absence"
    __table_args__ = (CheckConstraint("ends > starts", name="ends"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    account: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    starts: Mapped[datetime] = mapped_column(Moment)
    ends: Mapped[datetime] = mapped_column(Moment)


class Interest(Base):
    """An organization whose requests an expert does not judge, from one moment until another."""

    __tablename__ = "interest"

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    account: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    organization: Mapped[str] = mapped_column(String(200))
    starts: Mapped[datetime] = mapped_column(Moment)
    ends: Mapped[datetime | None] = mapped_column(Moment)


class Recusal(Base):
    """An expert who will not judge a request. The event that tells of it has the reason."""

    __tablename__ = "recusal"
    __table_args__ = (UniqueConstraint("request", "account"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    request: Mapped[int] = mapped_column(ForeignKey("request.number"))
    account: Mapped[int] = mapped_column(ForeignKey("account.id"))
    at: Mapped[datetime] = mapped_column(Moment)


class Assignment(Base):
    """A request given to an expert; it is theirs until it ends. Nobody has it twice at once."""

    __tablename__ = "assignment"
    __table_args__ = (
        Index(
            "uq_assignment_open",
            "request",
            "account",
            unique=True,
            sqlite_where=text("ended IS NULL"),
            postgresql_where=text("ended IS NULL"),
        ),
        Index(None, "account", "ended"),
    )

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    request: Mapped[int] = mapped_column(ForeignKey("request.number"))
    account: Mapped[int] = mapped_column(ForeignKey("account.id"))
    at: Mapped[datetime] = mapped_column(Moment)
    ended: Mapped[datetime | None] = mapped_column(Moment)


class UndecidableRequest(Base):
    """A request that no expert can decide, since the operators were notified of it."""

    __tablename__ = "undecidable_request"

    request: Mapped[int] = mapped_column(
        ForeignKey("request.number"), primary_key=True, autoincrement=False
    )
    since: Mapped[datetime] = mapped_column(Moment)


class TemporaryExpert(Base):
    """Somebody whom the IESG appointed to judge one request; ``demo``: in a demonstration."""

    __tablename__ = "temporary_expert"
    __table_args__ = (UniqueConstraint("request", "account"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    request: Mapped[int] = mapped_column(ForeignKey("request.number"))
    account: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    starts: Mapped[datetime] = mapped_column(Moment)
    decision: Mapped[str] = mapped_column(Text)
    entered_by: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    demo: Mapped[bool] = mapped_column(default=is_on, server_default=false())
