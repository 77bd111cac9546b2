"""Mail that nobody could place, and what operators do with it."""

from dataclasses import dataclass, replace
from datetime import datetime

from app.messages.mailed_template import find_template
from app.messages.mailed_tokens import without_tokens
from app.problems import use_case_codes
from app.services.accounts.actors import Actor, actor_of, require_operator
from app.services.accounts.sign_in import checked_address
from app.services.mail import incoming_mail
from app.services.mail.incoming_mail import LONGEST_KEPT, IngestResult
from app.services.notifications.attribution import mask_address
from app.services.refusals import InvalidInput, NotFound
from app.services.requests.comments import (
    LONGEST_COMMENT,
    CommentInput,
    file_comment,
)
from app.services.use_cases import Command, operators_only, use_case
from app.store.accounts import account_rows
from app.store.mail import correspondence
from app.store.tables import IncomingMail
from app.store.tables.discussion import Channel, MailDisposition

_FOR_OPERATORS = "Only operators can read incoming e-mail."


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedMail:
    """A message that nobody could place."""

    id: int
    at: datetime
    sender: str
    subject: str
    text: str
    folded: str
    attachments: tuple[str, ...]
    why: str
    is_template: bool


def queue(actor: Actor, most: int) -> tuple[QueuedMail, ...]:
    """The newest messages that wait to be placed."""
    require_operator(actor, _FOR_OPERATORS)
    return tuple(
        _shown(mail) for mail in correspondence.mail_by_disposition([MailDisposition.QUEUED], most)
    )


def _shown(mail: IncomingMail) -> QueuedMail:
    return QueuedMail(
        id=mail.id,
        at=mail.at,
        sender=mail.sender,
        subject=mail.subject,
        text=mail.text,
        folded=mail.folded,
        attachments=tuple(correspondence.attachments_of(mail)),
        why=mail.why,
        is_template=bool(mail.sender) and _template_of(mail) is not None,
    )


def _template_of(mail: IncomingMail) -> str | None:
    return find_template(without_tokens(mail.text or mail.folded))  # older software kept all


def bounces(actor: Actor, most: int) -> tuple[QueuedMail, ...]:
    """The newest messages that say whom our mail did not reach."""
    require_operator(actor, _FOR_OPERATORS)
    return tuple(
        _shown(mail) for mail in correspondence.mail_by_disposition([MailDisposition.BOUNCE], most)
    )


@use_case("place mail", check=operators_only(_FOR_OPERATORS))
def place(command: Command, ident: int, number: int) -> None:
    """File a message under a request, as the word of a sender whom nothing proves."""
    mail = _queued(ident)
    saying = CommentInput(
        body=mail.text[:LONGEST_COMMENT],
        folded=mail.folded,
        channel=Channel.PLACED,
        origin=mask_address(mail.sender),
    )
    file_comment(command, number, saying)
    correspondence.refile(ident, MailDisposition.COMMENT, number)


@use_case("draft from mail", check=operators_only(_FOR_OPERATORS))
def draft(command: Command, ident: int) -> None:
    """Make a template a draft of whoever sent it; they are told by mail, and sign in to send it."""
    mail, at = _queued(ident), command.at
    template = _template_of(mail)
    if template is None or len(template) >= LONGEST_KEPT:
        raise InvalidInput(
            use_case_codes.MAILED_TEMPLATE_UNFIT, "The message has no complete template."
        )
    sender = account_rows.get_or_add_account(checked_address(mail.sender), at)
    outcome = incoming_mail.file_template(template, replace(command, actor=actor_of(sender, at)))
    if outcome.filed is not MailDisposition.DRAFT:
        raise InvalidInput(use_case_codes.MAILED_TEMPLATE_UNFIT, outcome.why)
    correspondence.refile(ident, MailDisposition.DRAFT, outcome.request)
    incoming_mail.record("mail draft", at, command.actor.id)


@use_case("discard mail", check=operators_only(_FOR_OPERATORS))
def discard(command: Command, ident: int) -> None:
    """Put a message aside; it is kept, and waits no more."""
    _queued(ident)
    correspondence.refile(ident, MailDisposition.DISCARDED)
    incoming_mail.record("mail discarded", command.at, command.actor.id)


def _queued(ident: int) -> IncomingMail:
    mail = correspondence.find_mail(ident, locked=True)
    if mail is None or mail.filed != MailDisposition.QUEUED:
        raise NotFound(use_case_codes.ENTRY_UNKNOWN, "This message isn’t in the queue.")
    return mail


def paste(command: Command, raw: str) -> IngestResult:
    """File a message that an operator pasted, as if it had come in.

    No mail server's word is taken in it: whoever pastes could have written that too. It is filed
    once by itself, so that no key is used up by it.
    """
    require_operator(command.actor, _FOR_OPERATORS)
    if not raw.strip():
        raise InvalidInput(
            use_case_codes.MAIL_UNREADABLE,
            "Paste the complete message, including its headers.",
            field="message",
        )
    return incoming_mail.ingest(raw.encode(), command.at, command.policy)
