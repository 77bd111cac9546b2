"""What operators keep beside requests: links between them, notes, words for again; their work."""

from collections.abc import Collection, Iterable
from datetime import datetime

from sqlalchemy import delete, func, or_, select

from app.store.database import db, insert, read_once
from app.store.requests.request_cases import is_open_in
from app.store.tables import IncomingMail, OperatorNote, ReplyText, Request, RequestLink
from app.store.tables.desk import RequestLinkKind
from app.store.tables.discussion import MailDisposition
from app.workflow.states import State


def add_link(request: int, other: int, kind: RequestLinkKind) -> None:
    """Let one request point to another."""
    db.session.add(RequestLink(request=request, other=other, kind=kind))
    db.session.flush()


@read_once
def links_of(request: int) -> list[RequestLink]:
    return list(
        db.session.scalars(
            select(RequestLink)
            .where(or_(RequestLink.request == request, RequestLink.other == request))
            .order_by(RequestLink.id)
        )
    )


def add_note(request: int, author: int, at: datetime, body: str) -> None:
    """Keep what an operator tells the others about a request."""
    db.session.add(OperatorNote(request=request, author=author, at=at, body=body))
    db.session.flush()


def notes_of(request: int) -> list[OperatorNote]:
    return list(
        db.session.scalars(
            select(OperatorNote).where(OperatorNote.request == request).order_by(OperatorNote.id)
        )
    )


def reply_texts() -> list[ReplyText]:
    """The words that are kept for again, by title."""
    return list(db.session.scalars(select(ReplyText).order_by(ReplyText.title)))


def keep_reply_text(title: str, body: str) -> None:
    """Keep words under a title; those that stood under it go."""
    made = insert(ReplyText).values(title=title, body=body)
    db.session.execute(
        made.on_conflict_do_update(index_elements=[ReplyText.title], set_={"body": body})
    )


def remove_reply_texts(titles: Collection[str]) -> bool:
    """Take words away; False where none stood there."""
    gone = db.session.execute(
        delete(ReplyText).where(ReplyText.title.in_(titles)).returning(ReplyText.id)
    )
    return bool(gone.all())


def count_waiting(states: Iterable[State]) -> int:
    asked = select(func.count(Request.number)).where(is_open_in(states))
    mail = select(func.count(IncomingMail.id)).where(IncomingMail.filed == MailDisposition.QUEUED)
    both = select(asked.scalar_subquery(), mail.scalar_subquery())
    return sum(db.session.execute(both).one())
