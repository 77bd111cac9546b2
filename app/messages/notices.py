"""The registry's mail: who is told of what, and in which words."""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from enum import StrEnum
from typing import Self

from app.messages.message_threads import references
from app.workflow.states import Action

WIDTH = 72


class Audience(StrEnum):
    """Those a message can be for."""

    LIST = "list"
    REGISTRANT = "registrant"
    OPERATORS = "operators"
    EXPERTS = "experts"
    LEADERS = "leaders"
    NEXT = "next"  # experts to whom a request was given just now
    RIVALS = "rivals"
    COMMENT = "comment"


class MailKind(StrEnum):
    """What people can choose to get or not. ``label`` says what it is."""

    label: str

    def __new__(cls, value: str, label: str = "") -> Self:
        """A kind of mail with the words for whoever chooses."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = label
        return member

    WORK = "work", "When something waits for you: a review, a check, a registration"
    NEWS = "news", "What happens to your requests"
    DISCUSSION = "discussion", "What is said about requests that concern you"


# The list gets everything; a sign-in link is asked for.
KIND_OF: Mapping[str, MailKind] = {
    Audience.OPERATORS: MailKind.WORK,
    Audience.EXPERTS: MailKind.WORK,
    Audience.LEADERS: MailKind.WORK,
    Audience.NEXT: MailKind.WORK,
    Audience.REGISTRANT: MailKind.NEWS,
    Audience.RIVALS: MailKind.NEWS,
    Audience.COMMENT: MailKind.DISCUSSION,
    "reminder": MailKind.WORK,
    "appointment": MailKind.WORK,
    "services": MailKind.WORK,
}
STOP = "Choose which mail you get: {account}"


@dataclass(frozen=True, slots=True)
class NoticeTemplate:
    """A message's subject and text; names in braces are filled in from its arguments.

    ``path`` is the page that its link leads to.
    """

    subject: str
    text: str
    path: str = "/requests/{number}"


NOTICES: Mapping[str, NoticeTemplate] = {
    "sign-in": NoticeTemplate(
        "Your link to sign in",
        "You asked for a link to sign in to the URN Registry.\n\n{link}\n\n"
        "Open it and press the button. It works once, for 15 minutes.\n"
        "If you did not ask for it, you need do nothing.",
    ),
    "new-place": NoticeTemplate(
        "Somebody signed in as you from a new place",
        "Somebody signed in to the URN Registry as you, from where or with what you were not seen "
        "lately.\n\n"
        "  When: {when}\n  Network: {network}\n  With: {device}\n\n"
        "If it was you, you need do nothing.\n\n"
        "If not: sign in at the address below and choose “Sign out everywhere”. See to it that "
        "nobody else reads your mail, and tell an operator of the registry, since you have a role "
        "here.\n\n{link}",
        "/account",
    ),
    "list": NoticeTemplate(
        "[urn {number}] {name}",
        "{what}\n\n{link}\n\n{template}",
    ),
    "operators": NoticeTemplate(
        "{todo}: {name} [urn {number}]",
        "You are an operator of the registry.\n\n{what}\n\n{link}",
    ),
    "experts": NoticeTemplate(
        "Your review: {name}{due} [urn {number}]",
        "You are a designated expert of the registry.\n\n{what}\n\n{link}",
        "/review/{number}",
    ),
    "leaders": NoticeTemplate(
        "The experts disagree: {name} [urn {number}]",
        "You lead the designated experts of the registry. Reviews of request {number} contradict "
        "each other, and yours decides.\n\n{link}",
        "/review/{number}",
    ),
    "next": NoticeTemplate(
        "Your review: {name}{due} [urn {number}]",
        "You are a designated expert of the registry, and it is your turn.\n\n{what}\n\n{link}",
        "/review/{number}",
    ),
    "comment": NoticeTemplate(
        "[urn {number}] {name}",
        "{why}\n\n{who} wrote{section}:\n\n{body}\n\n{link}",
        "/requests/{number}#discussion",
    ),
    "rivals": NoticeTemplate(
        "Another request for one name: {name} [urn {number}]",
        "You sent request {number}, or review it.\n\n{what}\n\n{link}",
    ),
    "reminder": NoticeTemplate(
        "What waits for you: {count}",
        "These requests wait for you, the most urgent first:\n\n{rows}\n\n{link}\n\n"
        "You get this at most once a week.",
        "/",
    ),
    "registrant": NoticeTemplate(
        "Your request: {name} [urn {number}]",
        "You sent this request.\n\n{what}\n\n{reason}\n\n{link}",
    ),
    "draft": NoticeTemplate(
        "Your draft: {name} [urn {number}]",
        "You sent a registration template by mail. It is a draft now, which only you can see. "
        "Look at it, and send it when it is right. If it is not yours, throw it away.\n\n{link}",
        "/requests/{number}/check",
    ),
    "appointment": NoticeTemplate(
        "{todo}: {name}",
        "You are an operator of the registry. {what}\n\n{reason}\n\n{link}\n\n"
        "Nobody decides alone here, so operators tell each other of this.",
        "/desk/experts",
    ),
    "services": NoticeTemplate(
        "{todo}: {count}",
        "You are an operator of the registry. {what}\n\n{rows}\n\n{link}\n\n"
        "If none answers, see first whether the registry’s own hosts reach the Internet.",
        "/resolvers/",
    ),
    "holding": NoticeTemplate(
        "{todo}: {name}",
        "{what}\n\n{reason}\n\n{link}\n\n"
        "This is about who acts for a registrant. It goes to those who do, who are asked to, or "
        "who decide it. Whoever leaves hears no more of it.",
    ),
}


@dataclass(frozen=True, slots=True)
class ActionNoticeRule:
    """Who hears of an action: one sentence, and what an operator has to do about it."""

    what: str
    audience: tuple[Audience, ...]
    todo: str = "To do"


TOLD: Mapping[Action, ActionNoticeRule] = {
    Action.SUBMIT: ActionNoticeRule(
        "Request {number} for {name} was sent.", (Audience.LIST, Audience.OPERATORS), "To check"
    ),
    Action.RESUBMIT: ActionNoticeRule(
        "Request {number} for {name} was sent again, with changes.",
        (Audience.LIST, Audience.OPERATORS, Audience.EXPERTS),
        "Sent again",
    ),
    Action.PASS: ActionNoticeRule(
        "The operator checked request {number} for {name} and passed it to the experts.",
        (Audience.EXPERTS, Audience.REGISTRANT),
    ),
    Action.REVIEW: ActionNoticeRule(
        "An expert reviewed request {number} for {name}.", (Audience.REGISTRANT,)
    ),
    Action.RETURN: ActionNoticeRule(
        "Request {number} for {name} comes back to you with comments. Answer them and send it "
        "again.",
        (Audience.REGISTRANT,),
    ),
    Action.APPROVE: ActionNoticeRule(
        "The experts approved request {number} for {name}.",
        (Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
        "To register",
    ),
    Action.DECLINE: ActionNoticeRule(
        "Request {number} for {name} was declined.", (Audience.LIST, Audience.REGISTRANT)
    ),
    Action.REGISTER: ActionNoticeRule(
        "{name} is registered.", (Audience.LIST, Audience.REGISTRANT)
    ),
    Action.COLLISION: ActionNoticeRule(
        "The name {name} was registered for another request meanwhile. Choose another and send "
        "request {number} again.",
        (Audience.REGISTRANT,),
    ),
    Action.STALE: ActionNoticeRule(
        "A newer version of {name} was registered meanwhile. Look at what changed, take it as the "
        "base of your revision, and send request {number} again.",
        (Audience.REGISTRANT,),
    ),
    Action.REOPEN: ActionNoticeRule(
        "Request {number} for {name} goes back to the experts.",
        (Audience.EXPERTS, Audience.REGISTRANT),
    ),
    Action.WITHDRAW: ActionNoticeRule(
        "Request {number} for {name} was withdrawn by its registrant.",
        (Audience.LIST, Audience.OPERATORS),
    ),
    Action.COMPLETE: ActionNoticeRule(
        "The organization completed request {number} for {name}. It waits to be registered.",
        (Audience.LIST, Audience.OPERATORS),
        "To register",
    ),
    Action.ASK_RECOGNITION: ActionNoticeRule(
        "Request {number} for {name} waits for the recognition of your organization.",
        (Audience.REGISTRANT,),
    ),
    Action.RECOGNIZE: ActionNoticeRule(
        "The organization of request {number} for {name} was recognized. You complete the request "
        "when you are ready.",
        (Audience.REGISTRANT, Audience.NEXT),
    ),
    Action.REFUSE_RECOGNITION: ActionNoticeRule(
        "The organization of request {number} for {name} was not recognized. The request goes on "
        "by the community procedure.",
        (Audience.REGISTRANT,),
    ),
    Action.PASS_ON: ActionNoticeRule(
        "Request {number} for {name} is passed on to you.", (Audience.NEXT,)
    ),
    Action.RECUSE: ActionNoticeRule(
        "Request {number} for {name} is passed on to you.", (Audience.NEXT,)
    ),
    Action.REPORT: ActionNoticeRule(
        "The experts reported on request {number} for {name}. The body that approves the standard "
        "decides next.",
        (Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
        "To send on",
    ),
    Action.DIRECT: ActionNoticeRule(
        "The registration of {name}, request {number}, was directed.",
        (Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
        "To register",
    ),
    Action.ASK_CHANGES: ActionNoticeRule(
        "Changes are asked of request {number} for {name}. Make them and send it again.",
        (Audience.REGISTRANT,),
    ),
    Action.REFUSE: ActionNoticeRule(
        "Request {number} for {name} was refused.", (Audience.LIST, Audience.REGISTRANT)
    ),
    Action.NO_STANDARD: ActionNoticeRule(
        "No standard is anticipated for {name}. The experts decide request {number} themselves.",
        (Audience.REGISTRANT, Audience.EXPERTS),
    ),
    Action.ESCALATE: ActionNoticeRule(
        "The experts cannot decide request {number} for {name}. The IESG is asked.",
        (Audience.REGISTRANT, Audience.OPERATORS),
        "To escalate",
    ),
    Action.ANSWER: ActionNoticeRule(
        "The IESG answered on request {number} for {name}. It is with the experts again.",
        (Audience.REGISTRANT, Audience.EXPERTS, Audience.OPERATORS),
        "Answered",
    ),
    Action.REMIND: ActionNoticeRule(
        "Request {number} for {name} waits for you. Answer the comments and send it again, or "
        "withdraw it; without a word from you it ends.",
        (Audience.REGISTRANT,),
    ),
    Action.LAPSE: ActionNoticeRule(
        "Request {number} for {name} ended, since nothing was heard of it. You can copy it into a "
        "new one.",
        (Audience.LIST, Audience.REGISTRANT),
    ),
    Action.MERGE: ActionNoticeRule(
        "Request {number} for {name} ended, since you ask for the same in another request, which "
        "goes on.",
        (Audience.REGISTRANT,),
    ),
    Action.ASK_PROCEDURE: ActionNoticeRule(
        "The registrant of request {number} for {name} asks for another procedure.",
        (Audience.OPERATORS,),
        "To agree",
    ),
    Action.CHANGE_PROCEDURE: ActionNoticeRule(
        "Request {number} for {name} goes on by another procedure. The operator checks it anew.",
        (Audience.LIST, Audience.REGISTRANT),
    ),
    Action.DROP_PROCEDURE: ActionNoticeRule(
        "The registrant of request {number} for {name} asks for another procedure no more.",
        (Audience.OPERATORS,),
        "Nothing to agree to",
    ),
    Action.REFUSE_PROCEDURE: ActionNoticeRule(
        "Request {number} for {name} goes on by the present procedure: the operator refused the "
        "other one.",
        (Audience.REGISTRANT,),
    ),
    Action.RAISE_DELAY: ActionNoticeRule(
        "The registrant says that request {number} for {name} is late.",
        (Audience.OPERATORS, Audience.EXPERTS),
        "Late",
    ),
    Action.APPEAL: ActionNoticeRule(
        "The denial of request {number} for {name} is appealed to the IESG.",
        (Audience.LIST, Audience.OPERATORS),
        "An appeal",
    ),
    Action.APPEAL_TO_IAB: ActionNoticeRule(
        "The denial of request {number} for {name} is appealed to the IAB.",
        (Audience.LIST, Audience.OPERATORS),
        "An appeal",
    ),
    Action.OVERTURN: ActionNoticeRule(
        "The appeal was heard: request {number} for {name} goes back to the experts.",
        (Audience.LIST, Audience.REGISTRANT, Audience.EXPERTS),
    ),
    Action.OVERTURN_AND_APPROVE: ActionNoticeRule(
        "The appeal was heard: request {number} for {name} is approved.",
        (Audience.LIST, Audience.REGISTRANT, Audience.OPERATORS),
        "To register",
    ),
    Action.UPHOLD: ActionNoticeRule(
        "The appeal was heard: the denial of request {number} for {name} stands.",
        (Audience.LIST, Audience.REGISTRANT),
    ),
    Action.NOTE_DISPUTE: ActionNoticeRule(
        "A dispute over {name} is noted. The registration stands.",
        (Audience.LIST, Audience.REGISTRANT),
    ),
    Action.NOTE_APPEAL: ActionNoticeRule(
        "An appeal of somebody else against {name} is noted. The registration stands.",
        (Audience.LIST, Audience.REGISTRANT),
    ),
    Action.STALE: ActionNoticeRule(
        "A newer version of {name} was registered meanwhile. Take it as the base of request "
        "{number} and send it again.",
        (Audience.REGISTRANT,),
    ),
}

# What those hear who ask for the same name, or one that reads alike, in another request.
_RIVAL = "Request {other} asks for {name} too. Both go on; registration decides."
RIVALS: Mapping[Action, str] = {
    Action.SUBMIT: _RIVAL,
    Action.RESUBMIT: _RIVAL,
    Action.COMPLETE: _RIVAL,
    Action.REGISTER: "{name} is registered for request {other}. If you asked for this very name, "
    "choose another and send your request again, or withdraw it.",
}


# What a message written by an older version lacks.
_LATER = {"due": "", "account": "", "thread": ""}


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

    ``in_reply_to`` among the arguments is the Message-ID of what it follows, ``thread`` holds
    those of everything above it, the first message first. An empty argument leaves its
    paragraph out. Lines are folded at 72 columns unless they begin with white space, as those
    of a grammar do.

    Source: RFC 5322.
    """
    notice = NOTICES[template]
    arguments = _LATER | dict(arguments)
    message = EmailMessage()
    message["Subject"] = notice.subject.format_map(arguments | {"name": _bare(arguments)})
    message["From"], message["To"] = sender, recipient
    message["Date"], message["Message-ID"] = format_datetime(date), message_id
    before = arguments.get("in_reply_to")
    if before:
        message["In-Reply-To"] = before
        message["References"] = references([*arguments["thread"].split(), before])
    message["Auto-Submitted"] = "auto-generated"
    whole = f"{notice.text}\n\n{STOP}" if arguments.get("account") else notice.text
    parts = (part.format_map(arguments).strip("\n") for part in whole.split("\n\n"))
    message.set_content("\n\n".join(folded(part) for part in parts if part.strip()) + "\n")
    return message


def _bare(arguments: Mapping[str, str]) -> str:
    """The name in short, as a subject has it: ``c2pa``."""
    return arguments.get("name", "").removeprefix("urn:").removesuffix(":")


def folded(text: str) -> str:
    """A text in lines of 72 columns; a line that begins with white space stays as it is."""
    return "\n".join(
        line
        if len(line) <= WIDTH or line[:1].isspace()
        else textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)
        for line in text.split("\n")
    )
