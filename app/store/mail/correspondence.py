"""What is said about requests, the mail that comes in, and which mail is not wanted."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, bindparam, delete, func, or_, select, update

from app.registration.records.record_documents import canonical_json
from app.store.database import add_missing, built_once, db, insert
from app.store.tables import (
    Account,
    ArchivedMessage,
    Comment,
    IncomingMail,
    Iteration,
    MailChoice,
    Reminder,
    UndecidableRequest,
)
from app.store.tables.discussion import Channel, MailDisposition


@dataclass(frozen=True, slots=True, kw_only=True)
class NewComment:
    """Something that is said, before it has its id."""

    request: int
    at: datetime
    author: int
    role: str
    body: str
    message_id: str
    signature: str = ""
    relayed: bool = False
    section: str = ""
    folded: str = ""
    replaces: int | None = None
    answers: str = ""
    channel: Channel = Channel.PAGE
    origin: str = ""


def add_comment(new: NewComment) -> int:
    """Keep what was said, for ever, and give its id."""
    row = Comment(**{name: getattr(new, name) for name in NewComment.__slots__})
    db.session.add(row)
    db.session.flush()
    return row.id


def comments_of(request: int) -> list[Comment]:
    """Everything that was said about a request, earlier words of edits too; oldest first."""
    said = select(Comment).where(Comment.request == request)
    return list(db.session.scalars(said.order_by(Comment.id)))


def find_comment(ident: int) -> Comment | None:
    """One thing that was said."""
    return db.session.get(Comment, ident)


def is_replaced(ident: int) -> bool:
    found = select(Comment.id).where(Comment.replaces == ident)
    return db.session.scalar(found) is not None


def find_request_of_message(message_ids: Sequence[str]) -> int | None:
    """The request that one of these messages was a comment on."""
    if not message_ids:
        return None
    found = select(Comment.request).where(Comment.message_id.in_(message_ids))
    return db.session.scalars(found.order_by(Comment.id.desc()).limit(1)).one_or_none()


def add_archived(message_id: str, url: str) -> None:
    """Keep where the list's archive has a text or a comment; what was known first stays."""
    said = select(Comment.id).where(Comment.message_id == message_id)
    sent = select(Iteration.request).where(Iteration.message_id == message_id)
    if db.session.scalar(select(or_(said.exists(), sent.exists()))):
        add_missing(ArchivedMessage, [{"message_id": message_id, "url": url}])


def archived(message_ids: Collection[str]) -> dict[str, str]:
    found = select(ArchivedMessage).where(ArchivedMessage.message_id.in_(message_ids))
    return {row.message_id: row.url for row in db.session.scalars(found)}


# ---- mail that comes in


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMail:
    """A message as it is kept."""

    fingerprint: str
    at: datetime
    sender: str
    subject: str
    text: str
    folded: str
    attachments: tuple[str, ...]
    filed: MailDisposition
    why: str
    request: int | None = None


def add_mail(new: NewMail) -> bool:
    """Keep a message; False where it came before."""
    row = {name: getattr(new, name) for name in NewMail.__slots__}
    row["attachments"] = canonical_json({"files": list(new.attachments)})
    return bool(add_missing(IncomingMail, [row]))


def is_known_message(fingerprint: str) -> bool:
    found = select(IncomingMail.id).where(IncomingMail.fingerprint == fingerprint)
    return db.session.scalar(found) is not None


def count_filed(sender: str, since: datetime, until: datetime) -> int:
    filed = select(func.count(IncomingMail.id)).where(
        IncomingMail.sender == sender,
        IncomingMail.filed.in_([MailDisposition.COMMENT, MailDisposition.DRAFT]),
        IncomingMail.at > since,
        IncomingMail.at <= until,
    )
    return db.session.scalar(filed) or 0


def count_queued() -> int:
    waiting = select(func.count(IncomingMail.id)).where(
        IncomingMail.filed == MailDisposition.QUEUED
    )
    return db.session.scalar(waiting) or 0


def mail_by_disposition(filed: Collection[MailDisposition], most: int) -> list[IncomingMail]:
    """The newest messages that were filed so."""
    found = select(IncomingMail).where(IncomingMail.filed.in_(filed))
    return list(db.session.scalars(found.order_by(IncomingMail.id.desc()).limit(most)))


def attachments_of(mail: IncomingMail) -> list[str]:
    found: list[str] = json.loads(mail.attachments)["files"]
    return found


def find_mail(ident: int, *, locked: bool = False) -> IncomingMail | None:
    """A message by its id."""
    query = select(IncomingMail).where(IncomingMail.id == ident)
    return db.session.scalars(query.with_for_update() if locked else query).one_or_none()


def refile(ident: int, filed: MailDisposition, request: int | None = None) -> bool:
    """File a message that was queued; False where it is not."""
    done = db.session.execute(
        update(IncomingMail)
        .where(IncomingMail.id == ident, IncomingMail.filed == MailDisposition.QUEUED)
        .values(filed=filed, request=request)
        .returning(IncomingMail.id)
        .execution_options(synchronize_session=False)
    )
    return done.first() is not None


# ---- which mail is wanted


def unwanted_by(account: int) -> frozenset[str]:
    """The kinds of mail that somebody does not want."""
    found = select(MailChoice.kind).where(MailChoice.account == account)
    return frozenset(db.session.scalars(found))


def addresses_declining(kind: str, addresses: Collection[str]) -> frozenset[str]:
    if not addresses:
        return frozenset()
    asked = {"kind": kind, "addresses": list(addresses)}
    return frozenset(db.session.scalars(_refusing(), asked))


@built_once
def _refusing() -> Select[str]:
    named = Account.email.in_(bindparam("addresses", expanding=True))
    return (
        select(Account.email)
        .join(MailChoice, MailChoice.account == Account.id)
        .where(MailChoice.kind == bindparam("kind"), named)
    )


def set_unwanted(account: int, kinds: Collection[str]) -> None:
    """Note which kinds of mail somebody does not want, and none else."""
    db.session.execute(delete(MailChoice).where(MailChoice.account == account))
    db.session.add_all(MailChoice(account=account, kind=kind) for kind in sorted(kinds))
    db.session.flush()


# ---- who was reminded


def reminded_since(since: datetime) -> frozenset[int]:
    return frozenset(db.session.scalars(select(Reminder.account).where(Reminder.at > since)))


def note_reminder(account: int, at: datetime) -> None:
    """Note that somebody is reminded."""
    made = insert(Reminder).values(account=account, at=at)
    noted = made.on_conflict_do_update(index_elements=[Reminder.account], set_={"at": at})
    db.session.execute(noted)


def note_undecidable(requests: Collection[int], at: datetime) -> frozenset[int]:
    """Keep which requests no expert can decide, and return those that were not known as such."""
    known = frozenset(db.session.scalars(select(UndecidableRequest.request)))
    over = known - frozenset(requests)
    db.session.execute(delete(UndecidableRequest).where(UndecidableRequest.request.in_(over)))
    rows = [{"request": one, "since": at} for one in sorted(frozenset(requests) - known)]
    add_missing(UndecidableRequest, rows)
    return frozenset(requests) - known
