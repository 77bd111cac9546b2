"""Mail that no person wrote: answers of machines, bounces, and our own mail come back."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.messages.header_fields import read_addresses, read_ids
from app.messages.mime import MimeEntity, read_entity
from app.messages.mime_charsets import one_line

MOST_FAILURES = 50
_LONGEST_REASON = 500
_MOST_RECEIVED = 50
_MOST_LINES = 300


class MailCategory(StrEnum):
    MESSAGE = "message"
    AUTO_REPLY = "auto-reply"
    BOUNCE = "bounce"
    LOOP = "loop"


@dataclass(frozen=True, slots=True)
class DeliveryFailure:
    """An address that a message did not reach, and why: the mail server's words."""

    address: str
    reason: str
    status: str = ""

    @property
    def is_of_address(self) -> bool:
        """Whether other mail to the address is in vain too, and not this message alone.

        Source: RFC 3463 sections 3.3, 3.4, 3.7 and 3.8.
        """
        kind = self.status.removeprefix("5.")
        return kind != self.status and not _OF_MESSAGE.fullmatch(kind)


_OF_MESSAGE = re.compile(r"2\.3|3\.4|[67]\.[0-9]+")
_DAEMON = re.compile(r"(?:mailer-daemon|postmaster|mail-daemon|mdaemon|mailerdaemon)@")
_UNDELIVERED = re.compile(
    r"undeliver|delivery (?:status notification|failure|failed|has failed|incomplete)|"
    r"returned mail|mail delivery failed|failure notice|delivery notification|could not be "
    r"delivered|non[- ]remis|unzustellbar|nicht zugestellt|no se puede entregar|"
    r"niet bezorgd|onbestelbaar|non recapitabile|не доставлено|недоставлен",
    re.IGNORECASE,
)
_AWAY = re.compile(
    r"\s*(?:automatic reply|auto[- ]?reply|auto:|autoreply|out of (?:the )?office|"
    r"abwesenheits|automatische antwort|réponse automatique|respuesta automática|"
    r"risposta automatica|resposta automática|autosvar|automatisch antwoord|"
    r"automaattinen vastaus|автоответ|自动回复|自動応答)",
    re.IGNORECASE,
)
_ANSWERS = (
    "x-autoreply",
    "x-autoreply-from",
    "x-mail-autoreply",
    "x-autorespond",
    "x-autoresponder",
    "x-auto-reply",
    "x-vacation",
)
_LISTED = ("list-id", "list-post", "list-unsubscribe", "mailing-list")
_GROUP = re.compile(r"\n[ \t]*\n")
_STATUS = re.compile(r"\b([245]\.[0-9]{1,3}\.[0-9]{1,3})\b")
_CODE = re.compile(r"\b[45][0-9]{2}[ -]")
_NAMED = re.compile(r"[ \t]{0,8}<?([^\s<>@\"(),:;\\]{1,64}@[^\s<>@\"(),:;\\]{1,255})>?:?(?:\s.*)?")
_XTEXT = re.compile(r"\+([0-9A-F]{2})")


def categorize_mail(message: MimeEntity, reports: Sequence[MimeEntity], host: str) -> MailCategory:
    """Whether a person wrote it. ``host`` is what stands behind the @ of our Message-IDs.

    Source: RFC 3834 sections 2 and 5; RFC 3464 section 2; RFC 2919.
    """
    if _is_loop(message, host.lower()):
        return MailCategory.LOOP
    if _is_bounce(message, reports):
        return MailCategory.BOUNCE
    return MailCategory.AUTO_REPLY if _is_automatic(message, reports) else MailCategory.MESSAGE


def _is_loop(message: MimeEntity, host: str) -> bool:
    if len(message.all("received")) > _MOST_RECEIVED:
        return True
    if not host:
        return False
    ids = read_ids(message.get("message-id"))
    if any(ident.lower().endswith(f"@{host}>") for ident in ids):
        return True
    ours = re.compile(rf"(?<![\w.-]){re.escape(host)}(?![\w.-])", re.IGNORECASE)
    return any(map(ours.search, message.all("x-loop")))


def _is_bounce(message: MimeEntity, reports: Sequence[MimeEntity]) -> bool:
    if message.media_type == "multipart/report" or reports:
        return any(_of_report(reports))
    if message.all("x-failed-recipients"):
        return True
    from_daemon = any(map(_DAEMON.match, map(str.lower, _addresses(message, "from"))))
    unsent = _UNDELIVERED.search(message.get("subject")) is not None
    return unsent and (from_daemon or _has_no_return(message))


def _is_automatic(message: MimeEntity, reports: Sequence[MimeEntity]) -> bool:
    submitted = message.get("auto-submitted").partition(";")[0].partition("(")[0].strip().lower()
    if submitted not in {"", "no"}:
        return True
    if message.media_type == "multipart/report" or _has_no_return(message):
        return True
    if any(message.all(name) for name in _ANSWERS):
        return True
    precedence = {message.get("precedence").lower(), message.get("preference").lower()}
    listed = any(message.all(name) for name in _LISTED)
    if precedence & {"auto_reply", "auto-reply"} or (precedence & {"bulk", "junk"} and not listed):
        return True
    return bool(reports) or _AWAY.match(message.get("subject")) is not None


def _has_no_return(message: MimeEntity) -> bool:
    return any(re.fullmatch(r"\s*<\s*>\s*", value) for value in message.all("return-path"))


def _addresses(message: MimeEntity, name: str) -> list[str]:
    return [box.address for value in message.all(name)[:5] for box in read_addresses(value)]


def failures_of(
    message: MimeEntity, reports: Sequence[MimeEntity], text: str
) -> tuple[DeliveryFailure, ...]:
    """The addresses that a bounce names, with the reason: from its report, else its words.

    Source: RFC 3464 section 2.3; RFC 3461 section 4.2 for the recipient as we wrote it.
    """
    told = list(_of_report(reports)) or list(_of_words(message, text))
    first = {failure.address: failure for failure in reversed(told)}
    return tuple(reversed(first.values()))[:MOST_FAILURES]


def _of_report(reports: Sequence[MimeEntity]) -> Iterator[DeliveryFailure]:
    for report in reports:
        if not report.media_type.endswith("delivery-status"):
            continue
        text = report.text().replace("\r\n", "\n").lstrip("\n")
        for group in _GROUP.split(text)[: MOST_FAILURES + 1]:
            row = read_entity(group.encode("utf-8", "replace"))
            address = _recipient(row)
            if address and row.get("action").strip().lower().startswith("failed"):
                reason = row.get("diagnostic-code").partition(";")
                words = one_line(reason[2] or reason[0] or row.get("status"), _LONGEST_REASON)
                status = _STATUS.search(row.get("status"))
                yield DeliveryFailure(address, words, status[1] if status else "")


def _recipient(row: MimeEntity) -> str:
    for name in ("original-recipient", "final-recipient"):
        kind, _, value = row.get(name).partition(";")
        coded = kind.strip().lower() == "rfc822" and name == "original-recipient"
        plain = _XTEXT.sub(lambda hit: chr(int(hit[1], 16)), value) if coded else value
        boxes = read_addresses(plain)
        if boxes:
            return boxes[0].address.lower()
    return ""


def _of_words(message: MimeEntity, text: str) -> Iterator[DeliveryFailure]:
    lines = [line[:1000] for line in text.split("\n")[:_MOST_LINES]]
    named = [(at, found[1]) for at, line in enumerate(lines) if (found := _NAMED.fullmatch(line))]
    failed = _addresses(message, "x-failed-recipients")
    for address in failed:
        at = next((at for at, name in named if name.lower() == address.lower()), 0)
        yield _failure(address, lines, at)
    if not failed:
        for at, name in named:
            if read_addresses(name):
                yield _failure(name, lines, at)


def _failure(address: str, lines: Sequence[str], at: int) -> DeliveryFailure:
    below: list[str] = []
    for line in lines[at : at + 6]:
        if below and not line.strip():
            break
        below.append(line)
    words = one_line(" ".join(below), _LONGEST_REASON)
    for start in (f"<{address}>", address):
        if words.lower().startswith(start.lower()):
            words = words[len(start) :].lstrip(": ")
    if not _CODE.search(words):
        words = next((one_line(li, _LONGEST_REASON) for li in lines if _CODE.search(li)), words)
    status = _STATUS.search(words)
    return DeliveryFailure(address.lower(), words, status[1] if status else "")
