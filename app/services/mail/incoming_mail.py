"""Mail that comes in: a reply is a comment, a template a draft, and what nobody knows is queued.

Mail can be forged. It is its sender's own word only where it came to an address for replies that
its sender alone was given, or where a mail server that the operator trusts says so; the rest
waits for a person. Nothing that it says decides anything: a decision takes a signed-in hand.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from app.messages.authentication_results import dmarc_of
from app.messages.automatic_mail import MailCategory
from app.messages.incoming_message import IncomingMessage, read_without_tokens, request_of
from app.messages.mailed_template import find_template
from app.messages.message_threads import LONGEST_ID, is_archive_of
from app.messages.mime_charsets import one_line
from app.messages.notices import NoticeKind
from app.registration.declarations.registries import FORMAL, INFORMAL
from app.registration.records.registry_records import Purpose
from app.registration.submissions.submission_rules import InvalidText, fit_text
from app.registration.templates.field_values import fit_for_draft
from app.registration.templates.template_lint import kind_of
from app.registration.templates.template_reader import read_template
from app.services.accounts.actors import Actor, actor_of
from app.services.mail import leaked_tokens
from app.services.mail.reply_addresses import read_reply, was_reply_address
from app.services.notifications.event_notices import message_id
from app.services.policy import MailSettings, Policy
from app.services.refusals import RateLimitExceeded, Refusal
from app.services.requests import drafts
from app.services.requests.comments import (
    HOUR,
    LONGEST_COMMENT,
    MOST_AN_HOUR,
    CommentInput,
    file_comment,
)
from app.services.stored_editions.divergence import DivergenceRefusal
from app.services.use_cases import Command
from app.store import counters
from app.store.accounts import account_rows
from app.store.database import transaction
from app.store.digests import sha256
from app.store.event_log import event_rows
from app.store.mail import correspondence, outbox_messages, undeliverable_addresses
from app.store.mail.correspondence import NewMail
from app.store.requests import request_rows
from app.store.tables.discussion import Channel, MailDisposition
from app.store.tables.requests import EventSubject
from app.workflow.states import State

LONGEST_KEPT = 100_000  # characters of a message that are kept to be looked at


@dataclass(frozen=True, slots=True)
class IngestResult:
    """What became of a message: how it was filed, and why."""

    filed: MailDisposition
    why: str
    request: int | None = None


@dataclass(frozen=True, slots=True)
class IngestPolicy:
    """By which rules mail is filed; a mail server whose word is taken on who wrote, if one's is."""

    policy: Policy
    authserv_id: str = ""

    @property
    def post(self) -> MailSettings:
        """Where mail goes."""
        return self.policy.mail

    @property
    def secret(self) -> str:
        """What our addresses for replies are made with."""
        return self.policy.secret

    def command(self, sender: Actor, at: datetime) -> Command:
        """What somebody does by a message, which is known by itself and has no key."""
        return Command(actor=sender, at=at, key="", policy=self.policy)


def ingest(raw: bytes, at: datetime, policy: Policy, *, authserv_id: str = "") -> IngestResult:
    """File one message, whatever it is; the same one twice is filed once.

    Nothing is lost: what cannot be tied to an account waits for the operator. A token of ours in
    it is taken out and revoked, whatever becomes of the message. ``authserv_id`` is the name of
    the mail server whose word is taken, if one's is.
    """
    rules = IngestPolicy(policy, authserv_id)
    incoming, found = read_without_tokens(raw, rules.post.host, rules.post.lists)
    leaked_tokens.revoke_links(found, at)
    outcome = _filed_once(raw, incoming, at, rules)
    # at last, since its own address may be among them
    leaked_tokens.end_addresses(found, at, policy.secret)
    return outcome


def _filed_once(
    raw: bytes, incoming: IncomingMessage, at: datetime, rules: IngestPolicy
) -> IngestResult:
    # the id is the sender's to choose, so it is theirs alone
    known = f"{incoming.sender} {incoming.message_id}" if incoming.message_id else raw.hex()
    fingerprint = sha256(known)
    with transaction():
        counters.hold("mail")  # the same message twice at once waits for itself
        if correspondence.is_known_message(fingerprint):
            _keep_archive(incoming, rules.post)
            return IngestResult(MailDisposition.IGNORED, "The message was received before.")
        outcome = _filed(incoming, at, rules)
        _keep_archive(incoming, rules.post)
        correspondence.add_mail(_kept(incoming, fingerprint, at, outcome))
        if outcome.filed is not MailDisposition.COMMENT:  # a comment has an event of its own
            record(f"mail {outcome.filed}", at, None)
        return outcome


def _keep_archive(incoming: IncomingMessage, post: MailSettings) -> None:
    """Remember where the list has a text or a comment, ours that came back from it too."""
    is_known = incoming.message_id and incoming.archive
    if is_known and any(is_archive_of(incoming.archive, one) for one in post.lists):
        correspondence.add_archived(incoming.message_id, incoming.archive)


def _kept(
    incoming: IncomingMessage, fingerprint: str, at: datetime, outcome: IngestResult
) -> NewMail:
    return NewMail(
        fingerprint=fingerprint,
        at=at,
        sender=incoming.sender[:320],
        subject=incoming.subject[:1000],
        text=incoming.text[:LONGEST_KEPT],
        folded=incoming.quoted[:LONGEST_KEPT],
        attachments=_attached(incoming),
        filed=outcome.filed,
        why=outcome.why,
        request=outcome.request,
    )


def _filed(incoming: IncomingMessage, at: datetime, rules: IngestPolicy) -> IngestResult:
    post = rules.post
    if incoming.nature is MailCategory.BOUNCE:
        _mark_bounced(incoming, at, post)
        return IngestResult(MailDisposition.BOUNCE, _bounced(incoming))
    if incoming.nature is MailCategory.LOOP:
        return IngestResult(
            MailDisposition.IGNORED, "The registry’s own e-mail came back, or is in a loop."
        )
    if incoming.nature is not MailCategory.MESSAGE:
        return IngestResult(MailDisposition.IGNORED, "This is an automatic reply.")
    if incoming.sender in post.lists and _is_used(incoming.message_id):
        return IngestResult(
            MailDisposition.IGNORED,
            "The message was received before. This copy came from the mailing list.",
        )
    token = read_reply(incoming.recipients, rules.secret, at)
    sender = _account(incoming, token, at)
    if sender is None:
        return IngestResult(MailDisposition.QUEUED, "No account has this address.")
    server = rules.authserv_id
    said = dmarc_of(incoming.authentication, server, incoming.sender)
    if token is None and said != "pass":
        return IngestResult(MailDisposition.QUEUED, _unproven(incoming, rules, said))
    if incoming.cut:
        return IngestResult(MailDisposition.QUEUED, "The message is too long to keep.")
    if correspondence.count_filed(incoming.sender, at - HOUR, at) >= MOST_AN_HOUR:
        return IngestResult(
            MailDisposition.QUEUED, f"The sender sent {MOST_AN_HOUR} other messages within an hour."
        )
    template = find_template(incoming.text or incoming.quoted)
    if template is not None:
        return file_template(template, rules.command(sender, at), answers=incoming.message_id)
    vouching = (Channel.DMARC, server) if token is None else (Channel.REPLY, "")
    return _comment(incoming, token, rules.command(sender, at), vouching)


def _mark_bounced(incoming: IncomingMessage, at: datetime, post: MailSettings) -> None:
    """Note what did not arrive, and whose address takes no more mail.

    A report can be forged, so it counts against an address only if it names a message that went
    to that very address, and each message once; everybody knows the ids of what the list got.
    """
    if not (incoming.bounced and incoming.returned):
        return
    recipient = outbox_messages.mark_bounced(incoming.returned, _bounced(incoming)).lower()
    for failure in incoming.bounced:
        if failure.address != recipient or recipient in post.lists:
            continue
        if failure.is_of_address:
            undeliverable_addresses.mark(recipient, failure.reason, at)


def _bounced(incoming: IncomingMessage) -> str:
    """Whom it did not reach, with the mail server's words."""
    found = [f"{failure.address}: {failure.reason}".rstrip(": ") for failure in incoming.bounced]
    return "\n".join(found) or "The report doesn’t name the address."


def _account(
    incoming: IncomingMessage, token: tuple[int, int] | None, at: datetime
) -> Actor | None:
    """Who sent it, by their address; a reply address of somebody else's makes them nobody."""
    account = account_rows.find_account(incoming.sender) if incoming.sender else None
    if account is None or (token is not None and token[1] != account.id):
        return None
    return actor_of(account, at)


def _unproven(incoming: IncomingMessage, rules: IngestPolicy, said: str) -> str:
    """Why a message is nobody's own word, for whoever reads the queue."""
    came = (
        "It was sent to a reply address that has expired"
        if was_reply_address(incoming.recipients, rules.secret)
        else "It wasn’t sent to the sender’s reply address"
    )
    if not rules.authserv_id:
        return (
            f"The sender isn’t verified. {came}, and no mail server is trusted to verify senders."
        )
    result = f"reported dmarc={said}" if said else "reported no DMARC result"
    return f"The sender isn’t verified. {came}, and {rules.authserv_id} {result}."


def _comment(
    incoming: IncomingMessage,
    token: tuple[int, int] | None,
    command: Command,
    vouching: tuple[Channel, str],
) -> IngestResult:
    post = command.post
    number = token[0] if token else _request_of(incoming, post)
    request = request_rows.find_request(number) if number else None
    if request is None or State(request.state).is_private:
        return IngestResult(MailDisposition.QUEUED, "The message names no request.")
    if not incoming.text.strip() or len(incoming.text) > LONGEST_COMMENT:
        return IngestResult(
            MailDisposition.QUEUED, "The message is empty or too long for a comment."
        )
    channel, origin = vouching
    said = _saying(incoming, post.list_of(request.registry_id))
    saying = replace(said, channel=channel, origin=origin)
    try:
        file_comment(command, request.number, saying)
    except Refusal as error:
        return IngestResult(MailDisposition.QUEUED, str(error))
    return IngestResult(MailDisposition.COMMENT, "", request.number)


def _saying(incoming: IncomingMessage, posted_to: str) -> CommentInput:
    return CommentInput(
        body=incoming.text,
        folded=_folded(incoming),
        message_id=_own_id(incoming),
        followed=incoming.references,
        posted=incoming.went_to(posted_to),
    )


def _folded(incoming: IncomingMessage) -> str:
    """What it quotes, and what came with it and is not kept."""
    files = (f"Attachment, not kept: {file}" for file in _attached(incoming))
    return "\n".join(filter(None, (incoming.quoted[:LONGEST_KEPT], *files)))


def _attached(incoming: IncomingMessage) -> tuple[str, ...]:
    return tuple(f"{a.name} ({a.media_type}, {a.size})" for a in incoming.attachments)


def _own_id(incoming: IncomingMessage) -> str:
    """The Message-ID of a mail; none where a comment has it already, or it is too long."""
    ident = incoming.message_id
    return "" if _is_used(ident) or len(ident) > LONGEST_ID else ident


def _is_used(ident: str) -> bool:
    return correspondence.find_request_of_message([ident]) is not None


def _request_of(incoming: IncomingMessage, post: MailSettings) -> int | None:
    return correspondence.find_request_of_message(incoming.references) or request_of(
        incoming, post.host
    )


def file_template(template: str, command: Command, answers: str = "") -> IngestResult:
    """A template becomes a draft, which its sender is told of, looks at and sends."""
    read = read_template(template).fields
    fields = drafts.without_filled_in(fit_for_draft(read), FORMAL)
    why = _unfit(fields)
    if why:
        return IngestResult(MailDisposition.QUEUED, why)
    named, at = fields.get("namespace_identifier", "").strip(), command.at
    kind = kind_of(read.get("namespace_identifier", ""))
    registry = INFORMAL if kind == INFORMAL.kind else FORMAL
    try:
        drafts.count_draft(command.actor, at)
    except (RateLimitExceeded, DivergenceRefusal) as error:
        return IngestResult(MailDisposition.QUEUED, str(error))
    request = request_rows.add_request(
        registry=registry.id,
        procedure=registry.procedures[0],
        purpose=Purpose.NEW,
        registrant=command.actor.id,
        at=at,
    )
    drafts.fill(request, fields, at)
    _tell_draft(request.number, named, command, answers)
    return IngestResult(MailDisposition.DRAFT, "", request.number)


def _tell_draft(number: int, named: str, command: Command, answers: str) -> None:
    post = command.post
    arguments = {
        "number": str(number),
        "name": FORMAL.called(one_line(named, 64) if named else ""),
        "link": post.base_url + NoticeKind.DRAFT.path.format(number=number),
        "account": f"{post.base_url}/account",
        "in_reply_to": answers,
    }
    told = outbox_messages.OutgoingMessage(
        recipient=command.actor.email,
        template=NoticeKind.DRAFT,
        arguments=arguments,
        message_id=message_id(number, post.host),
        created=command.at,
    )
    outbox_messages.add(told)


def _unfit(fields: Mapping[str, str]) -> str:
    """Why a field of a template cannot be kept; nothing where all can."""
    for name, text in fields.items():
        try:
            fit_text(FORMAL.named[name], text)
        except InvalidText as error:
            return str(error)
    return ""


def record(kind: str, at: datetime, by: int | None) -> None:
    """Keep that mail was filed, in the record of what happened."""
    event = event_rows.NewEvent(
        at=at, kind=kind, about="mail", subject=EventSubject.REGISTRY, actor=by, role="operator"
    )
    event_rows.append(event, secrets.token_hex(16))
