"""What is said about requests, and the mail that comes in."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.database import Base, Key, Moment
from app.store.tables.columns import enum_check


class MailDisposition(StrEnum):
    COMMENT = "comment"
    DRAFT = "draft"
    QUEUED = "queued"
    BOUNCE = "bounce"
    IGNORED = "ignored"
    DISCARDED = "discarded"


class Channel(StrEnum):
    EARLIER = ""  # said before this was kept
    PAGE = "page"
    REPLY = "reply"  # by mail to the address for replies that its author alone was given
    DMARC = "dmarc"  # by mail that a trusted server says is its sender's
    PLACED = "placed"  # by mail that nothing proves, placed by the operator


class Comment(Base):
    """One thing that was said about a request. Append-only: an edit is a new row.

    ``replaces`` is the row whose words it takes the place of, each once. ``role`` is what the
    author was toward the request then; ``signature`` is empty where they did not sign.
    ``answers`` is the Message-ID of what stands above it in the thread. ``origin`` is who vouches
    for what came by ``channel``: the server that checked it, or the sender as the message names
    them, their address shortened.
    """

    __tablename__ = "comment"
    __table_args__ = (
        UniqueConstraint("replaces"),
        UniqueConstraint("message_id"),
        enum_check("channel", Channel),
    )

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    request: Mapped[int] = mapped_column(ForeignKey("request.number"), index=True)
    at: Mapped[datetime] = mapped_column(Moment)
    author: Mapped[int] = mapped_column(ForeignKey("account.id"))
    role: Mapped[str] = mapped_column(String(32))
    signature: Mapped[str] = mapped_column(String(200))
    relayed: Mapped[bool]
    section: Mapped[str] = mapped_column(String(64))
    body: Mapped[str] = mapped_column(Text)
    folded: Mapped[str] = mapped_column(Text)
    replaces: Mapped[int | None] = mapped_column(ForeignKey("comment.id"))
    message_id: Mapped[str] = mapped_column(String(200))
    answers: Mapped[str] = mapped_column(String(200), default="", server_default="")
    channel: Mapped[str] = mapped_column(String(16), default="", server_default="")
    origin: Mapped[str] = mapped_column(String(320), default="", server_default="")


class ArchivedMessage(Base):
    __tablename__ = "archived"

    message_id: Mapped[str] = mapped_column(String(200), primary_key=True)
    url: Mapped[str] = mapped_column(Text)


class IncomingMail(Base):
    """A message that came in, once however often it comes, and what became of it."""

    __tablename__ = "incoming_mail"
    __table_args__ = (
        UniqueConstraint("fingerprint"),
        enum_check("filed", MailDisposition),
        CheckConstraint("(filed = 'comment') <= (request IS NOT NULL)", name="request"),
    )

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(Moment)
    sender: Mapped[str] = mapped_column(String(320))
    subject: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    folded: Mapped[str] = mapped_column(Text)
    attachments: Mapped[str] = mapped_column(Text)
    filed: Mapped[str] = mapped_column(String(16), index=True)
    why: Mapped[str] = mapped_column(Text)
    request: Mapped[int | None] = mapped_column(ForeignKey("request.number"))


class Reminder(Base):
    __tablename__ = "reminder"

    account: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment)


class MailChoice(Base):
    """A kind of mail that somebody does not want."""

    __tablename__ = "mail_choice"
    __table_args__ = (UniqueConstraint("account", "kind"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    account: Mapped[int] = mapped_column(ForeignKey("account.id"))
    kind: Mapped[str] = mapped_column(String(16))
