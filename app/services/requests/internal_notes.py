"""What operators keep for themselves: notes on a request, words for again."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from app.problems import use_case_codes
from app.services.accounts.actors import Actor, require_operator
from app.services.idempotency import run_idempotent
from app.services.refusals import InvalidInput, NotFound
from app.store.event_log import event_rows
from app.store.requests import operator_notes, request_rows
from app.store.tables.requests import EventSubject

LONGEST_NOTE = 8000
LONGEST_TITLE = 200
NOTED = "noted"


@dataclass(frozen=True, slots=True)
class InternalNote:
    """What an operator told the others."""

    at: datetime
    body: str
    own: bool


@dataclass(frozen=True, slots=True)
class SavedReply:
    """Words kept under a title."""

    title: str
    body: str


def notes_of(number: int, actor: Actor | None) -> tuple[InternalNote, ...]:
    """The notes on a request, for operators alone."""
    if actor is None or not actor.is_operator:
        return ()
    return tuple(
        InternalNote(one.at, one.body, one.author == actor.id)
        for one in operator_notes.notes_of(number)
    )


def note(number: int, body: str, actor: Actor, at: datetime, key: str) -> None:
    """Tell the other operators something about a request. The record has that, not what."""
    _refuse_others(actor)

    def work() -> None:
        request = request_rows.find_request(number)
        if request is None or not request.iterations:
            raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"There is no request {number}.")
        if not body.strip() or len(body) > LONGEST_NOTE:
            raise InvalidInput(
                use_case_codes.VALUE_MISSING,
                f"Write the note, {LONGEST_NOTE} characters at most.",
                field="note",
            )
        operator_notes.add_note(number, actor.id, at, body.strip())
        _record(EventSubject.REQUEST, str(number), NOTED, actor, at)

    run_idempotent(actor.id, key, {"note": [number, body]}, at, work)


def reply_texts(actor: Actor | None) -> tuple[SavedReply, ...]:
    """The words that are kept for again, for operators alone."""
    if actor is None or not actor.is_operator:
        return ()
    return tuple(SavedReply(one.title, one.body) for one in operator_notes.reply_texts())


def keep_reply_text(title: str, body: str, actor: Actor, at: datetime, key: str) -> None:
    """Keep words under a title, in place of those that stood there."""
    _refuse_others(actor)

    def work() -> None:
        if not title.strip() or len(title) > LONGEST_TITLE:
            raise InvalidInput(
                use_case_codes.VALUE_MISSING,
                f"Enter a title, {LONGEST_TITLE} characters at most.",
                field="title",
            )
        if not body.strip() or len(body) > LONGEST_NOTE:
            raise InvalidInput(
                use_case_codes.VALUE_MISSING,
                f"Write the words, {LONGEST_NOTE} characters at most.",
                field="body",
            )
        operator_notes.keep_reply_text(title.strip(), body.strip())
        _record(EventSubject.REGISTRY, "reply texts", "reply text kept", actor, at)

    run_idempotent(actor.id, key, {"keep": [title, body]}, at, work)


def remove_reply_text(title: str, actor: Actor, at: datetime, key: str) -> None:
    """Take words away."""
    _refuse_others(actor)

    def work() -> None:
        if not operator_notes.remove_reply_texts([title]):
            raise NotFound(use_case_codes.ENTRY_UNKNOWN, "No words stand under this title.")
        _record(EventSubject.REGISTRY, "reply texts", "reply text removed", actor, at)

    run_idempotent(actor.id, key, {"remove": title}, at, work)


def _refuse_others(actor: Actor) -> None:
    require_operator(actor, "Notes are among the registry’s operators.")


def _record(subject: EventSubject, about: str, kind: str, actor: Actor, at: datetime) -> None:
    event = event_rows.NewEvent(
        at=at, kind=kind, about=about, subject=subject, actor=actor.id, role="operator"
    )
    event_rows.append(event, secrets.token_hex(16))
