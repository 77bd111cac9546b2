"""Requests and everything said about them. What was sent, judged and done is append-only."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.registration.declarations.registries import declared_procedures
from app.registration.records.registry_records import Purpose, TemplateStyle
from app.store.database import Base, Key, Moment
from app.store.tables.columns import enum_check, presence_check
from app.workflow.reviews import Verdict
from app.workflow.states import IanaState, State
from app.workflow.transitions import TABLES

_BACK_TO = {row.returns_to for table in TABLES.values() for row in table if row.returns_to}


class EventSubject(StrEnum):
    REQUEST = "request"
    NAME = "name"
    REGISTRY = "registry"
    ACCOUNT = "account"


class Request(Base):
    """A registration request: where it stands now. Its history is its events.

    ``iterations`` counts the texts that were sent in; the newest has this number. Reviews
    count after the event ``counted_from``: a reopening makes those before it void. A revision
    changes the ``base_record`` of its name, which has the ``base_version`` of the template where
    that is known. ``iana_state`` is how it stands at IANA since ``iana_day``, where it was sent on.
    """

    __tablename__ = "request"
    __table_args__ = (
        enum_check("state", State),
        enum_check("returns_to", sorted(_BACK_TO)),
        presence_check("returns_to", "state", [State.WITH_REQUESTER]),
        presence_check("assigned_name", "state", [state for state in State if state.is_registered]),
        presence_check("edition", "state", [state for state in State if state.is_registered]),
        enum_check("procedure", declared_procedures()),
        enum_check("purpose", Purpose),
        enum_check("asked_procedure", declared_procedures()),
        enum_check("iana_state", IanaState),
    )

    number: Mapped[int] = mapped_column(Key, primary_key=True, autoincrement=False)
    registry_id: Mapped[str] = mapped_column(String(64))
    procedure: Mapped[str] = mapped_column(String(32))
    purpose: Mapped[str] = mapped_column(String(16))
    asked_name: Mapped[str] = mapped_column(String(64), default="", index=True)
    assigned_name: Mapped[str | None] = mapped_column(String(64))
    registrant: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    organization: Mapped[str] = mapped_column(String(200), default="")
    standard_anticipated: Mapped[bool | None]
    state: Mapped[str] = mapped_column(String(32), index=True)
    returns_to: Mapped[str | None] = mapped_column(String(32))
    body: Mapped[str | None] = mapped_column(String(200))
    base_version: Mapped[int | None]
    edition: Mapped[int | None] = mapped_column(ForeignKey("edition.n"))
    iterations: Mapped[int] = mapped_column(default=0)
    counted_from: Mapped[int] = mapped_column(Key, default=0)
    started: Mapped[datetime] = mapped_column(Moment)
    since: Mapped[datetime] = mapped_column(Moment)
    lock_version: Mapped[int] = mapped_column(default=1)
    due: Mapped[datetime | None] = mapped_column(Moment)
    delayed: Mapped[datetime | None] = mapped_column(Moment)
    asked_procedure: Mapped[str | None] = mapped_column(String(32))
    base_record: Mapped[int | None]
    iana_state: Mapped[str | None] = mapped_column(String(16))
    iana_day: Mapped[str | None] = mapped_column(String(10))


class Draft(Base):
    """The text being written for the next iteration; its author alone sees it."""

    __tablename__ = "draft"

    request: Mapped[int] = mapped_column(ForeignKey("request.number"), primary_key=True)
    fields: Mapped[str] = mapped_column(Text)
    saved: Mapped[datetime] = mapped_column(Moment)
    lock_version: Mapped[int] = mapped_column(default=1)


class Iteration(Base):
    """A text as it was sent in. What it holds is public for ever."""

    __tablename__ = "iteration"
    __table_args__ = (UniqueConstraint("request", "k"), enum_check("style", TemplateStyle))

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    request: Mapped[int] = mapped_column(ForeignKey("request.number"))
    k: Mapped[int]
    at: Mapped[datetime] = mapped_column(Moment)
    author: Mapped[int] = mapped_column(ForeignKey("account.id"))
    style: Mapped[str] = mapped_column(String(16))
    organization: Mapped[str] = mapped_column(String(200))
    fields: Mapped[str] = mapped_column(Text)
    message_id: Mapped[str] = mapped_column(String(200))


class IterationStudy(Base):
    """What follows from a text alone, made once when it was sent: findings, and what changed.

    ``checks`` is the version of the rules by which it was made; it is made anew for other ones.
    """

    __tablename__ = "iteration_study"

    request: Mapped[int] = mapped_column(ForeignKey("request.number"), primary_key=True)
    k: Mapped[int] = mapped_column(primary_key=True)
    checks: Mapped[int] = mapped_column(primary_key=True)
    findings: Mapped[str] = mapped_column(Text)
    alignment: Mapped[str] = mapped_column(Text)


class GrammarStudy(Base):
    """What a worker found in the grammar of a sent text; empty while it is at work on it.

    ``source`` is the hash of all that it was made of, the software that made it among them. It is
    there while its request is pending, since it can be made again.
    """

    __tablename__ = "grammar_study"

    request: Mapped[int] = mapped_column(ForeignKey("request.number"), primary_key=True)
    k: Mapped[int] = mapped_column(primary_key=True)
    source: Mapped[str] = mapped_column(String(64), primary_key=True)
    document: Mapped[str] = mapped_column(Text)


class Rendering(Base):
    """A text's HTML, made once when the text was sent and kept by the text's hash."""

    __tablename__ = "rendering"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    html: Mapped[str] = mapped_column(Text)


class PrivateValue(Base):
    """A contact's name, address or telephone: never published, and can be erased."""

    __tablename__ = "private_value"
    __table_args__ = (UniqueConstraint("request", "field"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    request: Mapped[int] = mapped_column(ForeignKey("request.number"))
    field: Mapped[str] = mapped_column(String(64))
    value: Mapped[str] = mapped_column(Text)


class Event(Base):
    """One entry of the record: who did what to what, when, and why.

    ``n`` has no gap, so a missing entry shows, and ``n`` alone tells the order: ``at`` is what
    a clock said. ``leaf`` is the hash of the salted entry as a leaf of a Merkle tree (RFC 9162
    section 2.1.1). ``leaf_kind`` says what it covers in the open and what behind
    ``commitment``; older software left both empty. ``digests`` are those of the rows that the
    entry tells of, by kind.
    """

    __tablename__ = "event"
    __table_args__ = (
        enum_check("subject", EventSubject),
        CheckConstraint("n > 0", name="n"),
        Index(None, "subject", "about"),
    )

    n: Mapped[int] = mapped_column(Key, primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(Moment)
    actor: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    role: Mapped[str] = mapped_column(String(32))
    subject: Mapped[str] = mapped_column(String(16))
    about: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(64))
    source: Mapped[str | None] = mapped_column(String(32))
    target: Mapped[str | None] = mapped_column(String(32))
    iteration: Mapped[int | None]
    review: Mapped[int | None] = mapped_column(ForeignKey("review.id"), unique=True)
    edition: Mapped[int | None] = mapped_column(ForeignKey("edition.n"), unique=True)
    reason: Mapped[str] = mapped_column(Text)
    body: Mapped[str] = mapped_column(Text)
    salt: Mapped[str] = mapped_column(String(64))
    leaf: Mapped[str] = mapped_column(String(64))
    leaf_kind: Mapped[str | None] = mapped_column(String(16))
    commitment: Mapped[str | None] = mapped_column(String(64))
    digests: Mapped[str | None] = mapped_column(Text)


class ReviewRow(Base):
    """An expert's review of one iteration. The event that names it says when it counts."""

    __tablename__ = "review"
    __table_args__ = (
        enum_check("verdict", Verdict),
        ForeignKeyConstraint(["request", "iteration"], ["iteration.request", "iteration.k"]),
    )

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    request: Mapped[int] = mapped_column(index=True)
    iteration: Mapped[int]
    author: Mapped[int] = mapped_column(ForeignKey("account.id"))
    leader: Mapped[bool]
    at: Mapped[datetime] = mapped_column(Moment)
    verdict: Mapped[str] = mapped_column(String(16))
    body: Mapped[str] = mapped_column(Text)
    answers: Mapped[str] = mapped_column(Text)


class ReviewDraftRow(Base):
    """A review that an expert is writing. Only its author reads it; submitting deletes it.

    ``content`` is a JSON object of the form's answers by field.
    """

    __tablename__ = "review_draft"

    request: Mapped[int] = mapped_column(
        ForeignKey("request.number"), primary_key=True, autoincrement=False
    )
    author: Mapped[int] = mapped_column(
        ForeignKey("account.id"), primary_key=True, autoincrement=False
    )
    iteration: Mapped[int]
    saved: Mapped[datetime] = mapped_column(Moment)
    content: Mapped[str] = mapped_column(Text)
