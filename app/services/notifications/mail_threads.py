"""The thread of a request: its texts, then what is said, each below what it answers."""

import json
from collections.abc import Sequence

from app.messages.message_threads import LONGEST_ID
from app.messages.notices import NoticeKind
from app.store.event_log import event_rows
from app.store.mail import correspondence, outbox_messages
from app.store.requests import iteration_rows


def texts_of(number: int) -> list[str]:
    """The Message-IDs under which the texts of a request were posted, oldest first."""
    sent = iteration_rows.iterations_of(number)
    return [text.message_id for text in sent if text.message_id]


def chain_to(number: int, parent: str) -> list[str]:
    """The thread of a request from its first message to one of its messages, each named once."""
    if not parent:
        return []
    answered = {row.message_id: row.answers for row in correspondence.comments_of(number)}
    branch = [parent]
    while (above := answered.get(branch[0], "")) and above not in branch:
        branch.insert(0, above)
    texts = texts_of(number)
    trunk = texts[: texts.index(branch[0])] if branch[0] in texts else texts
    return [*trunk, *branch]


def find_parent(number: int, followed: Sequence[str], *, is_posted: bool) -> str:
    """The message of a request's thread that a message answers; the newest text where none is.

    ``followed`` has the nearest last. Who answers a copy of their own answers what it is a copy
    of; what nobody here knows can be answered by those who have it from the list.
    """
    texts = texts_of(number)
    here = {row.message_id for row in correspondence.comments_of(number)} | set(texts)
    for ident in reversed(followed):
        sent = outbox_messages.find(ident)
        found = _copied(sent, number) if sent else ident
        if found in here or (sent and found == ident):
            return found
        if is_posted and not sent and ident == followed[-1] and len(ident) <= LONGEST_ID:
            return ident
    return texts[-1] if texts else ""


def _copied(sent: outbox_messages.OutgoingMessage, number: int) -> str:
    """What everybody has of a message of ours: itself if it was posted, else what it repeats."""
    if sent.template == NoticeKind.LIST and sent.arguments["number"] == str(number):
        return sent.message_id
    event = event_rows.find(sent.event) if sent.event is not None else None
    if event is None or sent.template != NoticeKind.COMMENT:
        return ""
    comment = correspondence.find_comment(json.loads(event.body)["comment"])
    return comment.message_id if comment else ""
