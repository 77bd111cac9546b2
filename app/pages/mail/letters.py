"""The words of the registry's mail, made from the page templates in ``templates/mail``.

Each begins with a head of lines such as ``Subject: Your draft``; below an empty line stand its
paragraphs. Each line of the head and each paragraph is a template of its own, so that nothing
that somebody wrote, empty lines included, is taken for a part of the template.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from functools import cache

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateNotFound,
    select_autoescape,
)

from app.messages.delegate_notices import DelegateNoticeKind
from app.messages.notices import MessageEnvelope, write_message
from app.pages.assets import asset_dir
from app.workflow.action_rows import Audience
from app.workflow.actions import Action

# The file of a template that messages are stored with under an older name.
FILES = {"holding": "delegate"}
# Those who act for the registrant.
OWN = frozenset({Audience.REGISTRANT, Audience.RECEIPT})
# What a message written by an older version lacks, which marked the subject of each as of URNs.
_LATER = {"mark": "urn"} | dict.fromkeys(
    (
        *("due", "account", "thread", "in_reply_to", "told", "todo", "happened", "next"),
        *("summary", "advises", "page", "alone", "why"),
    ),
    "",
)


@dataclass(frozen=True, slots=True)
class MailTemplate:
    """The lines of a template's head by their names, and its paragraphs."""

    head: Mapping[str, Template]
    paragraphs: tuple[Template, ...]

    def line(self, name: str, arguments: Mapping[str, str]) -> str:
        """A line of the head, filled in; nothing where there is none."""
        return self.head[name].render(arguments) if name in self.head else ""

    def texts(self, arguments: Mapping[str, str]) -> Iterator[str]:
        """The paragraphs, filled in; one whose arguments are all empty is empty."""
        return (paragraph.render(arguments) for paragraph in self.paragraphs)


@dataclass(frozen=True, slots=True)
class NoticeWords:
    """The event for the subject line, the reader's task and the text."""

    happened: str
    todo: str
    what: str


@cache
def _environment() -> Environment:
    loader = FileSystemLoader(asset_dir("templates") / "mail")
    return Environment(
        loader=loader,
        # a letter is plain text: what somebody wrote stands there as it was written
        autoescape=select_autoescape(["html"], default_for_string=False),
        undefined=StrictUndefined,
    )


@cache
def mail_template(name: str) -> MailTemplate:
    """A template by its path below ``templates/mail``, without its suffix. Raises KeyError."""
    environment = _environment()
    if environment.loader is None:
        raise KeyError(name)
    try:
        source, _, _ = environment.loader.get_source(environment, f"{name}.txt")
    except TemplateNotFound as error:
        raise KeyError(name) from error
    head, _, body = source.strip("\n").partition("\n\n")
    lines = (line.partition(": ") for line in head.split("\n"))
    return MailTemplate(
        {name: environment.from_string(text) for name, _, text in lines},
        tuple(environment.from_string(paragraph) for paragraph in body.split("\n\n")),
    )


def compose_letter(
    template: str,
    arguments: Mapping[str, str],
    *,
    sender: str,
    recipient: str,
    message_id: str,
    date: datetime,
) -> EmailMessage:
    """A message of a kind; ValueError where an argument would break a header.

    ``in_reply_to`` and ``thread`` among the arguments say what it follows. An empty argument
    leaves its paragraph out.

    Source: RFC 5322.
    """
    given = _LATER | dict(arguments)
    words = mail_template(FILES.get(template, template))
    envelope = MessageEnvelope(
        sender=sender,
        recipient=recipient,
        message_id=message_id,
        date=date,
        in_reply_to=given["in_reply_to"],
        thread=given["thread"],
    )
    subject = words.line("Subject", given | {"name": _bare(given)})
    return write_message(subject, words.texts(given), envelope)


def _bare(arguments: Mapping[str, str]) -> str:
    return arguments.get("name", "").removeprefix("urn:").removesuffix(":")


def action_words(action: Action, audience: Audience, arguments: Mapping[str, str]) -> NoticeWords:
    """What mail says of an action: what happened, and what its reader has to do about it.

    The text is one that everybody can read, since it goes to the list as well; whoever acts for
    the registrant is spoken to there.
    """
    words, reader = mail_template(f"actions/{action}"), audience.value.capitalize()
    given = dict(arguments) | {"registrant": "you" if audience in OWN else "the registrant"}
    return NoticeWords(
        words.line(f"{reader}-subject", given) or words.line("Subject", given),
        words.line(reader, given),
        "\n\n".join(filter(None, words.texts(given))),
    )


def rivals_words(action: Action, arguments: Mapping[str, str]) -> str:
    """What those hear of an action who ask for the same name, or one that reads alike."""
    return mail_template(f"actions/{action}").line("Rivals", arguments)


def rivals_happened(action: Action, arguments: Mapping[str, str]) -> str:
    """What a subject says of it to them; nothing where the usual one will do."""
    return mail_template(f"actions/{action}").line("Rivals-subject", arguments)


def delegate_words(kind: DelegateNoticeKind, arguments: Mapping[str, str]) -> NoticeWords:
    """What mail says to those who act, or are to act, for a registrant or under a prefix."""
    words = mail_template(f"delegates/{kind}")
    happened, todo = words.line("Subject", arguments), words.line("Todo", arguments)
    return NoticeWords(happened, todo, "\n\n".join(words.texts(arguments)))
