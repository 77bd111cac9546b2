"""The registry's mail: who is told of what, and in which words."""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from enum import StrEnum

from app.workflow.states import Action

WIDTH = 72


class Audience(StrEnum):
    """Those a message can be for."""

    LIST = "list"
    REGISTRANT = "registrant"
    OPERATORS = "operators"
    EXPERTS = "experts"


@dataclass(frozen=True, slots=True)
class Notice:
    """A message's subject and text; names in braces are filled in from its arguments."""

    subject: str
    text: str


NOTICES: Mapping[str, Notice] = {
    "sign-in": Notice(
        "Your link to sign in",
        "You asked for a link to sign in to the URN Registry.\n\n{link}\n\n"
        "Open it and press the button. It works once, for 15 minutes.\n"
        "If you did not ask for it, you need do nothing.",
    ),
    "list": Notice(
        "[urn {number}] {name}",
        "{what}\n\n{link}\n\n{template}",
    ),
    "operators": Notice(
        "{todo}: {name} [urn {number}]",
        "You are an operator of the registry.\n\n{what}\n\n{link}",
    ),
    "experts": Notice(
        "Your review: {name} [urn {number}]",
        "You are a designated expert of the registry.\n\n{what}\n\n{link}",
    ),
    "registrant": Notice(
        "Your request: {name} [urn {number}]",
        "You sent this request.\n\n{what}\n\n{reason}\n\n{link}",
    ),
}


@dataclass(frozen=True, slots=True)
class Told:
    """Who hears of an action: one sentence, and what an operator has to do about it."""

    what: str
    audience: tuple[Audience, ...]
    todo: str = "To do"


TOLD: Mapping[Action, Told] = {
    Action.SUBMIT: Told(
        "Request {number} for {name} was sent.", (Audience.LIST, Audience.OPERATORS), "To check"
    ),
    Action.RESUBMIT: Told(
        "Request {number} for {name} was sent again, with changes.",
        (Audience.LIST, Audience.OPERATORS, Audience.EXPERTS),
        "Sent again",
    ),
    Action.PASS: Told(
        "The operator checked request {number} for {name} and passed it to the experts.",
        (Audience.EXPERTS, Audience.REGISTRANT),
    ),
    Action.RETURN: Told(
        "Request {number} for {name} comes back to you with comments. Answer them and send it "
        "again.",
        (Audience.REGISTRANT,),
    ),
    Action.APPROVE: Told(
        "The experts approved request {number} for {name}.",
        (Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
        "To register",
    ),
    Action.DECLINE: Told(
        "Request {number} for {name} was declined.", (Audience.LIST, Audience.REGISTRANT)
    ),
    Action.REGISTER: Told("{name} is registered.", (Audience.LIST, Audience.REGISTRANT)),
    Action.COLLISION: Told(
        "The name {name} was registered for another request meanwhile. Choose another and send "
        "request {number} again.",
        (Audience.REGISTRANT,),
    ),
    Action.WITHDRAW: Told(
        "Request {number} for {name} was withdrawn by its registrant.",
        (Audience.LIST, Audience.OPERATORS),
    ),
}


def compose(
    template: str,
    arguments: Mapping[str, str],
    *,
    sender: str,
    recipient: str,
    message_id: str,
    date: datetime,
) -> EmailMessage:
    """A message as plain text; ValueError where an argument would break a header.

    Paragraphs are folded at 72 columns, lines of a template stand as they are.

    Source: RFC 5322.
    """
    notice = NOTICES[template]
    message = EmailMessage()
    message["Subject"] = notice.subject.format_map(arguments)
    message["From"], message["To"] = sender, recipient
    message["Date"], message["Message-ID"] = format_datetime(date), message_id
    message["Auto-Submitted"] = "auto-generated"
    parts = (_folded(part) for part in notice.text.format_map(arguments).split("\n\n"))
    message.set_content("\n\n".join(part for part in parts if part.strip()) + "\n")
    return message


def _folded(paragraph: str) -> str:
    lines = paragraph.split("\n")
    if any(line[:1].isspace() for line in lines):
        return paragraph
    return "\n".join(
        textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False) for line in lines
    )
