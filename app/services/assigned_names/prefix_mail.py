"""Mail about who gives names under a prefix, in the way of that about other delegates.

It goes to whom it is about and to nobody else, nor to who did it themselves.
"""

import secrets
from collections.abc import Iterable
from datetime import datetime

from app.messages.delegate_notices import DelegateNoticeKind
from app.messages.notices import NoticeKind
from app.pages.mail.letters import delegate_words
from app.pages.text.phrases import day_phrase
from app.services.accounts import rate_limits
from app.services.accounts.rate_limits import Counted, RateLimitKind
from app.services.assigned_names import prefix_rights
from app.services.use_cases import Command
from app.store.mail import outbox_messages
from app.store.tables import Account, Prefix
from app.workflow.separation_of_duties import fold_mailbox

__all__ = ["counted_letter", "write_letters"]

# Once a prefix gets no new names, what is there for whoever gave some is to change those it has.
_OF_CLOSED = {
    DelegateNoticeKind.PREFIX_GIVEN: DelegateNoticeKind.PREFIX_GIVEN_CLOSED,
    DelegateNoticeKind.PREFIX_HELD: DelegateNoticeKind.PREFIX_HELD_CLOSED,
    DelegateNoticeKind.PREFIX_ENDED: DelegateNoticeKind.PREFIX_ENDED_CLOSED,
}
_WHY = (
    "You get this message because your access to this prefix changed. Other users of the prefix "
    "don't receive it."
)


def counted_letter(command: Command, reader: Account) -> list[Counted]:
    """What a letter to somebody is counted by, so that nobody floods them; the operator is free.

    Each sender has a count of their own: what others wrote to a mailbox keeps nobody from letting
    its owner give names, nor is it told.
    """
    if command.actor.is_operator or reader.id == command.actor.id:
        return []
    from_to = f"{command.actor.id} {fold_mailbox(reader.email)}"
    mailbox = rate_limits.keyed(from_to, command.policy.secret)
    return [
        (RateLimitKind.PREFIX_MAIL_TO_MAILBOX, mailbox),
        (RateLimitKind.PREFIX_MAIL_OF_PERSON, str(command.actor.id)),
    ]


def write_letters(
    command: Command,
    event: int,
    tale: DelegateNoticeKind,
    prefix: Prefix,
    readers: Iterable[Account],
    until: datetime | None = None,
) -> None:
    """Put what an event tells into the outbox, a message for each reader but who did it.

    ``until`` is the end of their last day. Whoever gives no names any more is led to their list.
    """
    gives = tale is not DelegateNoticeKind.PREFIX_ENDED
    day = day_phrase(until) if until else ""
    told = _OF_CLOSED.get(tale, tale) if prefix_rights.closure_reason(prefix) else tale
    words = delegate_words(told, {"name": prefix.text, "who": command.actor.shown, "day": day})
    arguments = {
        "happened": words.happened,
        "todo": words.todo,
        "what": words.what,
        "name": prefix.text,
        "reason": "",
        "link": f"{command.post.base_url}/prefixes/{f'{prefix.id}/' if gives else ''}",
        "why": _WHY,
    }
    outbox_messages.add_all(
        outbox_messages.OutgoingMessage(
            event=event,
            recipient=reader.email,
            template=NoticeKind.DELEGATES,
            arguments=arguments,
            message_id=f"<prefix.{event}.{secrets.token_hex(8)}@{command.post.host}>",
            created=command.at,
        )
        for reader in readers
        if reader.id != command.actor.id
    )
