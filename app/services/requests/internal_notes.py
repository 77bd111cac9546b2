"""What operators keep for themselves: notes on a request, words for again."""

from dataclasses import dataclass
from datetime import datetime

from app.problems import use_case_codes
from app.services.accounts.actors import Actor
from app.services.refusals import InvalidInput, NotFound
from app.services.use_cases import Command, operators_only, use_case
from app.store.requests import operator_notes, request_rows
from app.store.tables.requests import EventSubject

LONGEST_NOTE = 8000
LONGEST_TITLE = 200
NOTED = "noted"
_FOR_OPERATORS = operators_only("Only operators can read and write notes.")


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


@use_case("note", check=_FOR_OPERATORS)
def note(command: Command, number: int, body: str) -> None:
    """Tell the other operators something about a request. The record has that, not what."""
    request = request_rows.find_request(number)
    if request is None or not request.iterations:
        raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"There is no request {number}.")
    if not body.strip() or len(body) > LONGEST_NOTE:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            f"Enter a note of at most {LONGEST_NOTE} characters.",
            field="note",
        )
    operator_notes.add_note(number, command.actor.id, command.at, body.strip())
    command.append_event(NOTED, about=str(number), subject=EventSubject.REQUEST, role="operator")


def reply_texts(actor: Actor | None) -> tuple[SavedReply, ...]:
    """The words that are kept for again, for operators alone."""
    if actor is None or not actor.is_operator:
        return ()
    return tuple(SavedReply(one.title, one.body) for one in operator_notes.reply_texts())


@use_case("keep reply text", check=_FOR_OPERATORS)
def keep_reply_text(command: Command, title: str, body: str) -> None:
    """Keep words under a title, in place of those that stood there."""
    if not title.strip() or len(title) > LONGEST_TITLE:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            f"Enter a title of at most {LONGEST_TITLE} characters.",
            field="title",
        )
    if not body.strip() or len(body) > LONGEST_NOTE:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            f"Enter a text of at most {LONGEST_NOTE} characters.",
            field="body",
        )
    operator_notes.keep_reply_text(title.strip(), body.strip())
    _record_reply_text(command, "reply text kept")


@use_case("remove reply text", check=_FOR_OPERATORS)
def remove_reply_text(command: Command, title: str) -> None:
    """Take words away."""
    if not operator_notes.remove_reply_texts([title]):
        raise NotFound(use_case_codes.ENTRY_UNKNOWN, "No text has this title.")
    _record_reply_text(command, "reply text removed")


def _record_reply_text(command: Command, kind: str) -> None:
    command.append_event(kind, about="reply texts", subject=EventSubject.REGISTRY, role="operator")
