"""A message as it came in, read: who wrote what to whom, and which request it is about."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from app.messages.automatic_mail import DeliveryFailure, MailCategory, categorize_mail, failures_of
from app.messages.bodies import Attachment, MessageContents, contents_of
from app.messages.header_fields import (
    MOST_ADDRESSES,
    Mailbox,
    decode_words,
    read_addresses,
    read_date,
    read_ids,
)
from app.messages.mailed_tokens import MailedToken, MailedTokenKind, TokenRedactor, tokens_in
from app.messages.message_threads import read_archive
from app.messages.mime import MimeEntity, read_entity
from app.messages.mime_charsets import one_line
from app.messages.quotes import split_quoted
from app.registration.declarations.registries import declared_spaces

MOST_BYTES = 16 * 1024 * 1024  # what stands behind is not looked at
MOST_CHARACTERS = 250_000  # of what was written, and again of what is folded
LONGEST_SUBJECT = 500
_MOST_REFERENCES = 50
_LONGEST_FROM = 998  # characters: one line of a message (RFC 5322 section 2.1.1)

_ARCHIVES = ("archived-at", "list-archive")  # the message itself before the archive
_RECIPIENTS = ("delivered-to", "x-original-to", "to", "cc")
_OURS = re.compile(r"<urn\.([0-9]{1,9})\.[0-9a-z]{1,64}@([!-;=?-~]{1,250})>", re.IGNORECASE)
_IN_SUBJECT = re.compile(r"\[([a-z-]{1,64}) ([0-9]{1,9})\]", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """What a message says. Nothing in it is proof of who sent it.

    ``text`` is what the sender wrote, ``quoted`` what they quote, forward and sign with; both
    together hold every word of the body unless ``cut`` says that it was too long. ``returned``
    is the Message-ID of a message inside of this one, such as the one that a bounce returns.
    ``archive`` is where it says that a list's archive has it, or where that archive is.
    ``authentication`` is what stands in the topmost Authentication-Results field, which the
    server that took the message in has put there; nothing where the message names no one author,
    since a server answers for one.
    """

    message_id: str
    references: tuple[str, ...]
    sender: str
    sender_name: str
    recipients: tuple[str, ...]
    subject: str
    date: datetime | None
    text: str
    quoted: str
    attachments: tuple[Attachment, ...]
    nature: MailCategory
    bounced: tuple[DeliveryFailure, ...]
    returned: str
    archive: str
    cut: bool
    authentication: str = ""

    def went_to(self, address: str) -> bool:
        return bool(address) and address.lower() in map(str.lower, self.recipients)


def _as_it_is(text: str) -> str:
    return text


def read_message(
    raw: bytes, host: str = "", clean: Callable[[str], str] = _as_it_is
) -> IncomingMessage:
    """A message of any bytes, read as far as it makes sense; never refuses.

    Each text in it, but for whom it went to, is as ``clean`` gives it, from before its parts are
    told apart; an id or an address on the web that does not stay as it was is none any more.

    ``host`` is what stands behind the @ of our own Message-IDs; it tells our own mail that
    came back. A message with two senders that disagree has none. Does not ask whether the
    sender is who they say.

    Source: RFC 5322; RFC 2045 to 2047; RFC 3834; RFC 3464; RFC 3676; RFC 5064.
    """
    message = read_entity(raw[:MOST_BYTES])
    found = contents_of(message)
    found.texts, found.folded = list(map(clean, found.texts)), list(map(clean, found.folded))
    written = "\n\n".join(part.strip("\n") for part in found.texts if part.strip())
    text, quoted = split_quoted(written)
    folded = "\n\n".join(part for part in (quoted, *found.folded) if part.strip())
    box = _sender(message)
    nature = categorize_mail(message, found.reports, host)
    failed = failures_of(message, found.reports, written) if nature is MailCategory.BOUNCE else ()
    long = max(len(text), len(folded)) > MOST_CHARACTERS or len(raw) > MOST_BYTES
    incoming = IncomingMessage(
        message_id=_message_id(message),
        references=_references(message),
        sender=box.address.lower(),
        sender_name=box.name,
        recipients=_recipients(message),
        subject=one_line(decode_words(message.get("subject")), LONGEST_SUBJECT),
        date=read_date(message.get("date")),
        text=text[:MOST_CHARACTERS],
        quoted=folded[:MOST_CHARACTERS],
        attachments=tuple(found.attachments),
        nature=nature,
        bounced=failed,
        returned=_returned(found),
        archive=_archive(message),
        cut=found.cut or long,
        authentication=_authentication(message),
    )
    return _without(incoming, clean)


def _without(incoming: IncomingMessage, clean: Callable[[str], str]) -> IncomingMessage:
    ids = ("message_id", "returned", "archive")
    changed: dict[str, Any] = {
        entry.name: _cleaned(getattr(incoming, entry.name), clean)
        for entry in fields(incoming)
        if entry.name != "recipients"
    }
    changed |= {name: "" for name in ids if changed[name] != getattr(incoming, name)}
    changed["references"] = tuple(ident for ident in incoming.references if clean(ident) == ident)
    return replace(incoming, **changed)


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, StrEnum):
        return value
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, tuple):
        return tuple(_cleaned(item, clean) for item in value)
    if isinstance(value, Attachment | DeliveryFailure):
        given = {entry.name: _cleaned(getattr(value, entry.name), clean) for entry in fields(value)}
        return replace(value, **given)
    return value


def read_without_tokens(
    raw: bytes, host: str, lists: Collection[str]
) -> tuple[IncomingMessage, frozenset[MailedToken]]:
    """A message without tokens of ours, and those that others may have read in it.

    Also in what of it is not kept: an attachment, the other form of its text. Whom it is for is
    left as it is: an answer carries an address of its sender's own, which nobody else reads,
    unless the message went to one of the ``lists`` as well. A bounce brings such an address back
    to us.
    """
    sieve = TokenRedactor()
    incoming = read_message(raw, host, sieve)
    head, _, body = raw[:MOST_BYTES].replace(b"\r\n", b"\n").partition(b"\n\n")
    in_head = tokens_in(head.decode("latin-1"))
    found = sieve.found | tokens_in(body.decode("latin-1"))
    if any(map(incoming.went_to, lists)):
        found |= in_head
    elif incoming.nature is MailCategory.BOUNCE:
        found = {token for token in found if token.kind is not MailedTokenKind.REPLY}
    links = (token for token in in_head if token.kind is not MailedTokenKind.REPLY)
    return incoming, frozenset((*found, *links))


def _sender(message: MimeEntity) -> Mailbox:
    boxes = [box for value in message.all("from")[:5] for box in read_addresses(value)[:1]]
    if len({box.address.lower() for box in boxes}) != 1:
        return Mailbox(boxes[0].name if boxes else "", "")
    return boxes[0]


def _authentication(message: MimeEntity) -> str:
    values = message.all("from")
    is_one = len(values) == 1 and len(values[0]) <= _LONGEST_FROM and values[0].count("@") == 1
    return message.get("authentication-results") if is_one else ""


def _message_id(message: MimeEntity) -> str:
    return next(iter(read_ids(message.get("message-id"))), "")


def _references(message: MimeEntity) -> tuple[str, ...]:
    before = [ident for value in message.all("references")[:5] for ident in read_ids(value)]
    answered = [ident for value in message.all("in-reply-to")[:5] for ident in read_ids(value)]
    known = dict.fromkeys(before + [ident for ident in answered if ident not in before])
    return tuple(known)[-_MOST_REFERENCES:]


def _archive(message: MimeEntity) -> str:
    values = [value for name in _ARCHIVES for value in message.all(name)[:5]]
    return next(filter(None, map(read_archive, values)), "")


def _recipients(message: MimeEntity) -> tuple[str, ...]:
    values = [value for name in _RECIPIENTS for value in message.all(name)[:20]]
    boxes = [box.address for value in values for box in read_addresses(value)]
    return tuple(dict.fromkeys(boxes))[:MOST_ADDRESSES]


def _returned(found: MessageContents) -> str:
    headers = [entity for entity in found.reports if entity.media_type.endswith("headers")]
    inner = [read_entity(entity.content().lstrip(b"\r\n")) for entity in headers]
    return next(filter(None, map(_message_id, found.returned + inner)), "")


def request_of(incoming: IncomingMessage, host: str) -> int | None:
    """The number of the request that a message is about; None where it does not say.

    By our own Message-IDs in what it follows, the nearest first, else in a message that it
    returns, else by ``[urn 58]`` in its subject, with the mark of any space of names. Does not ask
    whether there is such a request.

    Source: RFC 5322 section 3.6.4.
    """
    followed = (*reversed(incoming.references), incoming.returned)
    for found in filter(None, map(_OURS.fullmatch, followed)):
        if found[2].lower() == host.lower():
            return int(found[1])
    marks = {space.mark for space in declared_spaces()}
    named = _IN_SUBJECT.findall(incoming.subject)
    return next((int(number) for mark, number in named if mark.lower() in marks), None)
