"""Mail that comes in: a reply is a comment, a template a draft, and what nobody knows is queued.

Mail can be forged. It is its sender's own word only where it came to an address for replies that
its sender alone was given, or where a mail server that the operator trusts says so; the rest
waits for a person. Nothing that it says decides anything: a decision takes a signed-in hand.
"""

import hmac
import secrets
from base64 import b32decode
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from app.messages.authentication_results import dmarc_of
from app.messages.automatic_mail import MailCategory
from app.messages.incoming_message import IncomingMessage, read_without_tokens, request_of
from app.messages.mailed_template import find_template
from app.messages.mailed_tokens import PREFIX, MailedToken, MailedTokenKind, make_token, tokens_in
from app.messages.message_threads import LONGEST_ID, is_archive_of
from app.messages.mime_charsets import one_line
from app.messages.notices import NoticeKind
from app.registration.declarations.registries import FORMAL, INFORMAL
from app.registration.records.registry_records import Purpose
from app.registration.submissions.submission_rules import InvalidText, fit_text
from app.registration.templates.field_values import fit_for_draft
from app.registration.templates.template_lint import kind_of
from app.registration.templates.template_reader import read_template
from app.services.accounts import sign_in
from app.services.accounts.actors import Actor, actor_of
from app.services.delegates import delegate_scopes
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
from app.store.accounts import account_rows, delegate_rows, session_rows, sign_in_rows
from app.store.administration import stored_texts
from app.store.administration.stored_texts import StoredText
from app.store.database import read_transaction, transaction
from app.store.digests import sha256
from app.store.event_log import event_rows
from app.store.mail import correspondence, outbox_messages, undeliverable_addresses
from app.store.mail.correspondence import NewMail
from app.store.requests import request_rows
from app.store.tables.delegates import ClaimKind, ClaimState
from app.store.tables.discussion import Channel, MailDisposition
from app.store.tables.requests import EventSubject
from app.workflow.states import State

ADDRESS_LASTS = timedelta(days=90)
_BEGIN = date(1970, 1, 1)
_BITS = (30, 30, 20, 16)  # of a request, an account, a generation and a day, in one number
_OCTETS = sum(_BITS) // 8
_MARK = 8  # octets behind them that only who knows the secret can make
_START = f"{PREFIX}{MailedTokenKind.REPLY}"


@dataclass(frozen=True, slots=True)
class ReplyAddress:
    """What an address for answers says: of which request, for whom, and until when it counts."""

    request: int
    account: int
    generation: int
    last_day: int  # since 1970

    def is_in_time(self, at: datetime) -> bool:
        """Whether it counts still, as far as its day says."""
        return (at.astimezone(UTC).date() - _BEGIN).days <= self.last_day


def reply_address(
    address: str, request: int, account: int, secret: str, *, at: datetime, generation: int = 0
) -> str:
    """The registry's address for replies with a token behind a plus: `reply+urntok0r…@registry`.

    It counts for 90 days, and while the account has no newer generation. The token has 40
    letters and digits, so that 23 are left for what stands before the plus (RFC 5321 section
    4.5.3.1.1). Raises ValueError for numbers that it has no room for.
    """
    local, _, domain = address.rpartition("@")
    last_day = (at.astimezone(UTC) + ADDRESS_LASTS).date() - _BEGIN
    mark = ReplyAddress(request, account, generation, last_day.days)
    return f"{local}+{_token(mark, secret)}@{domain}"


def read_reply(recipients: Iterable[str], secret: str, at: datetime) -> tuple[int, int] | None:
    """The request and the account that one of these addresses was made for, if it counts still.

    One that is too old, or of a generation that ended, says nothing, like any other address.
    """
    for mark in _marks(recipients, secret):
        if mark.is_in_time(at) and is_current(mark):
            return mark.request, mark.account
    return None


def was_reply_address(recipients: Iterable[str], secret: str) -> bool:
    """Whether one of these addresses was made for answers, even if it no longer counts."""
    return any(_marks(recipients, secret))


def _marks(recipients: Iterable[str], secret: str) -> Iterator[ReplyAddress]:
    for address in recipients:
        _, plus, token = address.partition("@")[0].rpartition("+")
        mark = read_mark(token, secret) if plus else None
        if mark:
            yield mark


def read_mark(token: str, secret: str) -> ReplyAddress | None:
    """What a token of ours says, in any case of its letters; None for one that is not ours."""
    folded = token.lower()
    if not (folded.startswith(_START) and folded.isascii()):
        return None
    try:
        octets = b32decode(folded.removeprefix(_START).upper())
    except ValueError:
        return None
    mark = _unpacked(octets[:_OCTETS])
    is_ours = hmac.compare_digest(folded.encode(), _token(mark, secret).encode())
    return mark if is_ours else None


def is_current(mark: ReplyAddress) -> bool:
    """Whether its generation is the one that counts."""
    return account_rows.reply_generation(mark.account) == mark.generation


def _token(mark: ReplyAddress, secret: str) -> str:
    octets = _packed(mark)
    proof = hmac.new(secret.encode(), b"reply " + octets, "sha256").digest()
    return make_token(MailedTokenKind.REPLY, octets + proof[:_MARK])


def _packed(mark: ReplyAddress) -> bytes:
    number = 0
    parts = (mark.request, mark.account, mark.generation, mark.last_day)
    for part, bits in zip(parts, _BITS, strict=True):
        if not 0 <= part < 1 << bits:
            raise ValueError(f"{part} has no room in an address for answers")
        number = number << bits | part
    return number.to_bytes(_OCTETS)


def _unpacked(octets: bytes) -> ReplyAddress:
    number, parts = int.from_bytes(octets), []
    for bits in reversed(_BITS):
        parts.append(number & (1 << bits) - 1)
        number >>= bits
    return ReplyAddress(*reversed(parts))


_WHY = "The link was published where others can read it."
_REGISTRY = "registry"  # whose act it is, where nobody's


def revoke(found: Collection[MailedToken], at: datetime, secret: str) -> None:
    """Let tokens that others may have read do nothing from now on."""
    revoke_links(found, at)
    end_addresses(found, at, secret)


def revoke_links(found: Collection[MailedToken], at: datetime) -> None:
    """Let links lead nowhere: nobody signs in by them, and nobody comes to act for a registrant."""
    tokens = _links_in(found)
    if not tokens:
        return
    with read_transaction():
        claims = [claim.number for claim in delegate_rows.open_claims_of(tokens)]
    for number in claims:
        _call_off(number, tokens, at)
    with transaction():
        if sign_in_rows.void_sign_ins(tokens, at):
            _record("link revoked", "sign-in", EventSubject.REGISTRY, at)


def _links_in(found: Collection[MailedToken]) -> frozenset[str]:
    return frozenset(token.text for token in found if token.kind is not MailedTokenKind.REPLY)


def _call_off(number: int, tokens: Collection[str], at: datetime) -> None:
    with transaction():
        claim = delegate_rows.find_claim(number)
        if claim is None:
            return
        held = delegate_scopes.keep(claim)
        if claim not in delegate_rows.open_claims_of(tokens):  # it was used meanwhile
            return
        if claim.kind == ClaimKind.TRANSFER:
            delegate_rows.void_link(claim, secrets.token_hex(32))
        else:
            delegate_rows.decide(claim, ClaimState.WITHDRAWN, at)
        invited = claim.kind == ClaimKind.INVITATION
        kind = "invitation called off" if invited else "link called off"
        delegate_scopes.note(held, kind, at, role=_REGISTRY, reason=_WHY)


def end_addresses(found: Collection[MailedToken], at: datetime, secret: str) -> None:
    """Let all of somebody's addresses for answers count no more, where one was published."""
    marks = (
        read_mark(token.text, secret) for token in found if token.kind is MailedTokenKind.REPLY
    )
    ended = {(mark.account, mark.generation) for mark in marks if mark and mark.is_in_time(at)}
    if not ended:
        return
    with transaction():
        for account, generation in sorted(ended):
            if account_rows.end_reply_generation(account, generation):
                _record("reply addresses ended", str(account), EventSubject.ACCOUNT, at)


def _record(kind: str, about: str, subject: EventSubject, at: datetime) -> None:
    event = event_rows.NewEvent(at=at, kind=kind, about=about, subject=subject, role=_REGISTRY)
    event_rows.append(event, secrets.token_hex(16))


# ---- what older software kept


@dataclass(frozen=True, slots=True)
class LeakedToken:
    """A token that stands in the store, and whether it works still; not the token itself."""

    place: StoredText
    kind: MailedTokenKind
    works: bool


def find_leaks(at: datetime, secret: str) -> tuple[LeakedToken, ...]:
    """Every token that the store holds in somebody's words, table by table."""
    with read_transaction():
        return tuple(
            LeakedToken(place, token.kind, _works(token, at, secret))
            for place, token in _standing()
        )


def revoke_all(at: datetime, secret: str) -> int:
    """Revoke every token that stands in the store. The words stay, and pages leave it out.

    A link that was used may have been used by a stranger, who would stay signed in: the sessions
    of its account that began since are ended. Gives how many were.
    """
    with read_transaction():
        found = frozenset(token for _, token in _standing())
    revoke(found, at, secret)
    with transaction():
        ended = session_rows.end_sessions_since_links(_links_in(found), at)
        if ended:
            _record("sessions ended", "sign-in", EventSubject.REGISTRY, at)
        return ended


def _standing() -> Iterator[tuple[StoredText, MailedToken]]:
    for place in stored_texts.every_text():
        for token in sorted(tokens_in(place.text), key=lambda one: (one.kind, one.text)):
            yield place, token


def _works(token: MailedToken, at: datetime, secret: str) -> bool:
    if token.kind is MailedTokenKind.REPLY:
        mark = read_mark(token.text, secret)
        return mark is not None and mark.is_in_time(at) and is_current(mark)
    claims = delegate_rows.open_claims_of([token.text])
    is_open = any(claim.due is not None and at <= claim.due for claim in claims)
    return is_open or sign_in.is_usable(token.text, at)


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
    revoke_links(found, at)
    outcome = _filed_once(raw, incoming, at, rules)
    # at last, since its own address may be among them
    end_addresses(found, at, policy.secret)
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
    if not (incoming.bounced and incoming.returned):
        return
    recipient = outbox_messages.mark_bounced(incoming.returned, _bounced(incoming)).lower()
    for failure in incoming.bounced:
        if failure.address != recipient or recipient in post.lists:
            continue
        if failure.is_of_address:
            undeliverable_addresses.mark(recipient, failure.reason, at)


def _bounced(incoming: IncomingMessage) -> str:
    found = [f"{failure.address}: {failure.reason}".rstrip(": ") for failure in incoming.bounced]
    return "\n".join(found) or "The report doesn’t name the address."


def _account(
    incoming: IncomingMessage, token: tuple[int, int] | None, at: datetime
) -> Actor | None:
    account = account_rows.find_account(incoming.sender) if incoming.sender else None
    if account is None or (token is not None and token[1] != account.id):
        return None
    return actor_of(account, at)


def _unproven(incoming: IncomingMessage, rules: IngestPolicy, said: str) -> str:
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
    files = (f"Attachment, not kept: {file}" for file in _attached(incoming))
    return "\n".join(filter(None, (incoming.quoted[:LONGEST_KEPT], *files)))


def _attached(incoming: IncomingMessage) -> tuple[str, ...]:
    return tuple(f"{a.name} ({a.media_type}, {a.size})" for a in incoming.attachments)


def _own_id(incoming: IncomingMessage) -> str:
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
