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
    """A message's subject and text; names in braces are filled in from its arguments.

    ``path`` is the page that its link leads to.
    """

    subject: str
    text: str
    path: str = "/requests/{number}"


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
        "/review/{number}",
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
    Action.REVIEW: Told("An expert reviewed request {number} for {name}.", (Audience.REGISTRANT,)),
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
    Action.REOPEN: Told(
        "Request {number} for {name} goes back to the experts.",
        (Audience.EXPERTS, Audience.REGISTRANT),
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

    ``in_reply_to`` among the arguments is the Message-ID of what it follows. An empty
    argument leaves its paragraph out. Lines are folded at 72 columns unless they begin with
    white space, as those of a grammar do.

    Source: RFC 5322.
    """
    notice = NOTICES[template]
    message = EmailMessage()
    message["Subject"] = notice.subject.format_map(arguments)
    message["From"], message["To"] = sender, recipient
    message["Date"], message["Message-ID"] = format_datetime(date), message_id
    before = arguments.get("in_reply_to")
    if before:
        message["In-Reply-To"] = message["References"] = before
    message["Auto-Submitted"] = "auto-generated"
    parts = (part.format_map(arguments).strip("\n") for part in notice.text.split("\n\n"))
    message.set_content("\n\n".join(_folded(part) for part in parts if part.strip()) + "\n")
    return message


def _folded(text: str) -> str:
    return "\n".join(
        line
        if len(line) <= WIDTH or line[:1].isspace()
        else textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)
        for line in text.split("\n")
    )
