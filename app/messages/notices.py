"""The registry's mail: its kinds, what people can stop, and how a message is put together."""

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from enum import StrEnum
from typing import Self

from app.labelled_enum import LabelledEnum
from app.messages.message_threads import references_header

WIDTH = 72
_QUOTED = re.compile(r"(?:> ?)+")  # what stands before the words of a quotation (RFC 3676, 4.5)


class MailKind(LabelledEnum):
    """Kinds of e-mail that people can turn off, with their labels."""

    WORK = "work", "Tasks waiting for you, such as reviews, checks and registrations"
    NEWS = "news", "News about your requests"
    DISCUSSION = "discussion", "Comments on requests that you take part in"


class NoticeKind(StrEnum):
    """What a message is; its words are the page template ``mail/<value>.txt``.

    What is about delegates has ``mail/delegate.txt``: its stored word is older than that name.
    ``choice`` is the kind of mail that people stop it by, ``path`` the page that its link leads
    to. Nobody stops what goes to the list, and what somebody asked for.
    """

    choice: str
    path: str

    def __new__(cls, value: str, choice: str = "", path: str = "/requests/{number}") -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.choice, member.path = choice, path
        return member

    SIGN_IN = "sign-in"
    NEW_PLACE = "new-place", "", "/account"
    LIST = "list"
    OPERATORS = "operators", MailKind.WORK
    RECEIPT = "receipt", MailKind.NEWS
    APPOINTED = "appointed", "", "/review/{number}"
    EXPERTS = "experts", MailKind.WORK, "/review/{number}"
    LEADERS = "leaders", MailKind.WORK, "/review/{number}"
    NEXT = "next", MailKind.WORK, "/review/{number}"
    COMMENT = "comment", MailKind.DISCUSSION, "/requests/{number}#discussion"
    RIVALS = "rivals", MailKind.NEWS
    REMINDER = "reminder", MailKind.WORK, "/"
    REGISTRANT = "registrant", MailKind.NEWS
    DRAFT = "draft", "", "/requests/{number}/check"
    APPOINTMENT = "appointment", MailKind.WORK, "/desk/experts"
    SERVICES = "services", MailKind.WORK, "/resolvers/"
    DELEGATES = "holding"
    HOLDERS = "holders", "", "/"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageEnvelope:
    sender: str
    recipient: str
    message_id: str
    date: datetime
    in_reply_to: str = ""
    thread: str = ""


def write_message(
    subject: str, paragraphs: Iterable[str], envelope: MessageEnvelope
) -> EmailMessage:
    """A message as plain text; ValueError where its subject or envelope would break a header.

    ``in_reply_to`` is the Message-ID of what it follows, ``thread`` holds those of everything
    above it, the first message first. An empty paragraph is left out. Lines are folded at 72
    columns unless they begin with white space, as those of a grammar do.

    Source: RFC 5322.
    """
    message = EmailMessage()
    message["Subject"] = subject
    message["From"], message["To"] = envelope.sender, envelope.recipient
    message["Date"] = format_datetime(envelope.date)
    message["Message-ID"] = envelope.message_id
    before = envelope.in_reply_to
    if before:
        message["In-Reply-To"] = before
        message["References"] = references_header([*envelope.thread.split(), before])
    message["Auto-Submitted"] = "auto-generated"
    parts = (part.strip("\n") for part in paragraphs)
    message.set_content("\n\n".join(fold_lines(part) for part in parts if part.strip()) + "\n")
    return message


def fold_lines(text: str) -> str:
    """A text in lines of 72 columns; a line that begins with white space stays as it is."""
    return "\n".join(
        line if len(line) <= WIDTH or line[:1].isspace() else _filled(line)
        for line in text.split("\n")
    )


def _filled(line: str) -> str:
    quoted = _QUOTED.match(line)
    mark = quoted.group() if quoted and quoted.end() < WIDTH // 2 else ""
    return textwrap.fill(
        line, WIDTH, subsequent_indent=mark, break_long_words=False, break_on_hyphens=False
    )
