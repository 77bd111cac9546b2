"""The operator's mail: what waits, what failed and why, and another try."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from app.messages.mailed_template import find_template
from app.messages.mailed_tokens import without_tokens
from app.messages.notices import MailKind
from app.problems import use_case_codes
from app.services.accounts.actors import Actor, actor_of, require_operator
from app.services.accounts.sign_in import checked_address
from app.services.mail import incoming_mail
from app.services.mail.incoming_mail import LONGEST_KEPT, IngestResult
from app.services.notifications.person_names import mask_address
from app.services.refusals import InvalidInput, NotFound
from app.services.requests.comments import (
    LONGEST_COMMENT,
    CommentInput,
    file_comment,
)
from app.services.use_cases import Command, operators_only, use_case
from app.store.accounts import account_rows, delegate_rows, expert_panels
from app.store.mail import correspondence, outbox_messages, undeliverable_addresses
from app.store.requests import request_queues
from app.store.tables import IncomingMail, UndeliverableAddress
from app.store.tables.discussion import Channel, MailDisposition
from app.store.tables.requests import EventSubject
from app.workflow.states import State

MOST = 50
_OPEN = frozenset(state for state in State if not (state.is_final or state.is_private))
_FOR_OPERATORS = "Only operators can manage e-mail."


@dataclass(frozen=True, slots=True)
class BouncedAddress:
    """An address that mail came back from: when, why, and how many messages wait for it.

    What goes on without its mail: the open ``requests`` of whoever has it, those that wait for
    their ``reviews``, and the ``names`` that they act for.
    """

    id: int
    address: str
    at: datetime
    why: str
    held: int
    who: str = ""
    requests: tuple[int, ...] = ()
    reviews: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MailQueue:
    """How the mail stands: how many wait, the oldest of them, and the newest that failed."""

    count: int
    waiting: tuple[outbox_messages.OutgoingMessage, ...]
    failed: tuple[tuple[outbox_messages.OutgoingMessage, str], ...]
    marked: tuple[BouncedAddress, ...]


def mail(actor: Actor) -> MailQueue:
    """What waits to be sent and what could not be, with the server's words."""
    require_operator(actor, _FOR_OPERATORS)
    marked = (_bounced(row, held) for row, held in undeliverable_addresses.marked(MOST))
    return MailQueue(
        outbox_messages.count_waiting(),
        tuple(outbox_messages.waiting(MOST)),
        tuple(outbox_messages.stuck(MOST)),
        tuple(marked),
    )


def _bounced(row: UndeliverableAddress, held: int) -> BouncedAddress:
    account = account_rows.find_account(row.address)
    plain = BouncedAddress(row.id, row.address, row.at, row.why, held)
    if account is None:
        return plain
    own = request_queues.of_registrant(account.id, MOST)
    return replace(
        plain,
        who=account.name,
        requests=tuple(one.number for one in own if State(one.state) in _OPEN),
        reviews=tuple(expert_panels.requests_of(account.id)),
        names=tuple(delegate_rows.names_of(account.id, MOST)),
    )


@use_case("send mail again", check=operators_only(_FOR_OPERATORS))
def send_again(command: Command, ident: int) -> None:
    """Let a message that was not taken be tried anew at once, whether or not it was given up."""
    if not outbox_messages.send_again(ident):
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN,
            "This message doesn’t exist or isn’t waiting for another attempt.",
        )
    _record(command, "mail tried anew", f"message {ident}")


@use_case("clear address", check=operators_only(_FOR_OPERATORS))
def clear(command: Command, ident: int) -> None:
    """Let mail go to an address again that it came back from; what waits for it is sent."""
    if not undeliverable_addresses.clear(ident):
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN, "This address doesn’t exist or has no returned e-mail."
        )
    _record(command, "address cleared", f"address {ident}")


def _record(command: Command, kind: str, about: str) -> None:
    command.append_event(kind, about=about, subject=EventSubject.REGISTRY, role="operator")


_MAIL_FOR_OPERATORS = "Only operators can read incoming e-mail."


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
    require_operator(actor, _MAIL_FOR_OPERATORS)
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
    require_operator(actor, _MAIL_FOR_OPERATORS)
    return tuple(
        _shown(mail) for mail in correspondence.mail_by_disposition([MailDisposition.BOUNCE], most)
    )


@use_case("place mail", check=operators_only(_MAIL_FOR_OPERATORS))
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


@use_case("draft from mail", check=operators_only(_MAIL_FOR_OPERATORS))
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


@use_case("discard mail", check=operators_only(_MAIL_FOR_OPERATORS))
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
    require_operator(command.actor, _MAIL_FOR_OPERATORS)
    if not raw.strip():
        raise InvalidInput(
            use_case_codes.MAIL_UNREADABLE,
            "Paste the complete message, including its headers.",
            field="message",
        )
    return incoming_mail.ingest(raw.encode(), command.at, command.policy)


@dataclass(frozen=True, slots=True)
class BounceReport:
    """That mail to somebody came back: when, and in the mail server's words why."""

    at: datetime
    why: str


def came_back(actor: Actor) -> BounceReport | None:
    """Whether mail to somebody came back, so that what is written to them waits."""
    found = undeliverable_addresses.find_mark(actor.email)
    return None if found is None else BounceReport(found.at, found.why)


def wanted_by(actor: Actor) -> frozenset[MailKind]:
    """The kinds of mail that somebody gets."""
    return frozenset(MailKind) - {MailKind(kind) for kind in correspondence.unwanted_by(actor.id)}


@use_case("choose mail")
def choose(command: Command, wanted: Collection[str]) -> None:
    """Get these kinds of mail from now on, and no others."""
    if not set(wanted) <= set(MailKind):
        raise InvalidInput(
            use_case_codes.CHOICE_UNKNOWN, "Choose from the kinds of e-mail on the page."
        )
    correspondence.set_unwanted(command.actor.id, set(MailKind) - set(wanted))
    command.append_event(
        "mail chosen",
        about=str(command.actor.id),
        subject=EventSubject.ACCOUNT,
        role="account",
    )
