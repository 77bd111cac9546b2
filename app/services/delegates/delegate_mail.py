"""Messages about who acts for a registrant, and the links of claims in them."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from app.messages.delegate_notices import DelegateNoticeKind
from app.messages.mailed_tokens import MailedTokenKind, make_token
from app.messages.notices import NoticeKind
from app.pages.mail.letters import delegate_words
from app.pages.text.phrases import day_phrase
from app.services.delegates import delegate_scopes
from app.services.policy import MailSettings
from app.services.use_cases import Command
from app.store.accounts import account_rows, delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.mail import outbox_messages
from app.store.tables.accounts import Grant
from app.store.tables.requests import EventSubject

CLAIM = "claim"  # the argument of a message whose link belongs to a claim
LINKS = "/links/"


def token_of_claim(number: int, secret: str) -> str:
    """The token of a claim's link. Only who knows the secret can make it from the number."""
    return make_token(MailedTokenKind.CLAIM, _octets(number, secret))


def token_sent(number: int, secret: str) -> str:
    """The token of a claim as its link was promised: older software wrote it in hexadecimal."""
    older = _octets(number, secret).hex()
    return older if delegate_rows.find_claim_of(older) else token_of_claim(number, secret)


def _octets(number: int, secret: str) -> bytes:
    return hmac.new(secret.encode(), b"claim %d" % number, hashlib.sha256).digest()


@dataclass(frozen=True, slots=True)
class DelegateMail:
    """A message about a name or a request: by which event, what it tells, where it leads.

    With ``claim`` it leads to that claim's own link.
    """

    event: int
    tale: DelegateNoticeKind
    held: DelegateScope
    path: str = ""
    claim: int | None = None
    day: datetime | None = None
    organization: str = ""
    reason: str = ""
    who: str = ""


def write_letters(command: Command, letter: DelegateMail, recipients: Iterable[str]) -> None:
    """Put one message for each address into the outbox, but none to who did it."""
    others = {a.lower() for a in recipients} - {command.actor.email.lower()}
    send(letter, others, command.at, command.post, command.actor.shown)


def send(
    letter: DelegateMail, recipients: Iterable[str], at: datetime, post: MailSettings, who: str = ""
) -> None:
    """Put one message for each address into the outbox."""
    for address in sorted(recipients):
        outbox_messages.add(
            outbox_messages.OutgoingMessage(
                event=letter.event,
                recipient=address,
                template=NoticeKind.DELEGATES,
                arguments=_arguments(letter, post, letter.who or who),
                message_id=f"<holding.{letter.event}.{secrets.token_hex(8)}@{post.host}>",
                created=at,
            )
        )


def _arguments(letter: DelegateMail, post: MailSettings, who: str) -> dict[str, str]:
    held = letter.held
    filled = {
        "name": delegate_scopes.scope_title(held),
        "who": who,
        "organization": letter.organization,
        "day": day_phrase(letter.day) if letter.day else "",
        "at_desk": "yes" if letter.path.startswith("/desk/") else "",
    }
    words = delegate_words(letter.tale, filled)
    told = {
        "happened": words.happened,
        "todo": words.todo,
        "what": words.what,
        "name": delegate_scopes.scope_title(held),
        "reason": letter.reason,
    }
    if letter.claim is not None:
        return told | {CLAIM: str(letter.claim)}
    return told | {"link": post.base_url + (letter.path or path_of(held))}


def path_of(held: DelegateScope) -> str:
    """The page of those who act for it."""
    if held.subject is EventSubject.REQUEST:
        return f"/requests/{held.request}/people"
    return held.space.page_below(held.name, "people")


def addresses_of(found: Iterable[int]) -> list[str]:
    """The e-mail addresses of accounts."""
    return [account_rows.get_account(account).email for account in sorted(found)]


def operators(at: datetime) -> list[str]:
    """The e-mail addresses of those who run the registry."""
    return [account.email for account in account_rows.holders(Grant.OPERATOR, at)]
