"""The words of a message, from all of its parts, and what is attached to them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from app.messages.header_fields import decode_words
from app.messages.html_text import text_of_html
from app.messages.mime import MOST_PARTS, MimeEntity, read_entity
from app.messages.mime_charsets import clean_text, one_line

MOST_DEPTH = 10
MOST_ATTACHMENTS = 100
MOST_CHARACTERS = 500_000  # of one part
_LONGEST_NAME = 200

_PLAIN = {"text/plain", "text/markdown", "text/x-markdown", "text/enriched", "text/richtext"}
_HTML = {"text/html", "application/xhtml+xml"}
_FORWARDED = {"message/rfc822", "message/global", "message/news"}
_REPORTS = {
    "message/delivery-status",
    "message/global-delivery-status",
    "message/disposition-notification",
    "message/feedback-report",
    "text/rfc822-headers",
    "message/global-headers",
}
_BOILERPLATE = "this is a"  # multi-part message in MIME format
_SHOWN = ("From", "Date", "To", "Cc", "Subject")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a message; it is named and not kept."""

    name: str
    media_type: str
    size: int


@dataclass(slots=True)
class MessageContents:
    texts: list[str] = field(default_factory=list)
    folded: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    reports: list[MimeEntity] = field(default_factory=list)  # what a mail server says of a message
    returned: list[MimeEntity] = field(default_factory=list)  # messages inside of this one
    is_plain: bool = True
    cut: bool = False
    seen: int = 0

    def take(self, other: "MessageContents", *, words: bool) -> None:
        """Add what was found elsewhere, with its words or without."""
        if words:
            self.texts += other.texts
            self.folded += other.folded
            self.is_plain = self.is_plain and other.is_plain
        self.attachments += other.attachments
        self.reports += other.reports
        self.returned += other.returned
        self.cut, self.seen = self.cut or other.cut, other.seen

    @property
    def has_words(self) -> bool:
        return any(text.strip() for text in self.texts)


def contents_of(message: MimeEntity) -> MessageContents:
    """What a message holds: its texts in order, what is inside of it, what is attached.

    Source: RFC 2046 section 5.1; RFC 2183 section 2.
    """
    found = MessageContents()
    _walk(message, 0, found)
    found.cut = found.cut or len(found.attachments) > MOST_ATTACHMENTS
    del found.attachments[MOST_ATTACHMENTS:]
    return found


def _walk(entity: MimeEntity, depth: int, found: MessageContents) -> None:
    found.seen += 1
    kind = entity.media_type
    if depth > MOST_DEPTH or found.seen > MOST_PARTS:
        found.cut = True
        _attach(entity, found)
    elif kind.startswith("multipart/"):
        _multipart(entity, depth, found)
    elif kind in _REPORTS:
        found.reports.append(entity)
        found.folded.append(_words(entity, found))
    elif kind in _FORWARDED:
        _forwarded(entity, depth, found)
    elif _is_body(entity, kind, depth, found):
        found.texts.append(_words(entity, found))
    else:
        _attach(entity, found)


def _is_body(entity: MimeEntity, kind: str, depth: int, found: MessageContents) -> bool:
    if not depth:
        return kind.startswith("text/")
    if kind not in _PLAIN | _HTML or entity.disposition == "attachment":
        return False
    return not entity.file_name or not found.has_words


def _multipart(entity: MimeEntity, depth: int, found: MessageContents) -> None:
    split = entity.split()
    if split is None:
        found.texts.append(_words(entity, found))
        return
    found.cut = found.cut or len(split.parts) >= MOST_PARTS
    if entity.media_type == "multipart/alternative":
        _alternative(split.parts, depth, found)
    else:
        for part in split.parts:
            _walk(part, depth + 1, found)
            if found.seen > MOST_PARTS:
                break
    for words in map(_around, split.around):
        if words:
            found.folded.append(words)


def _around(data: bytes) -> str:
    words = clean_text(MimeEntity((), data).text()[:MOST_CHARACTERS]).strip()
    return "" if words.lower().startswith(_BOILERPLATE) else words


def _alternative(parts: Iterable[MimeEntity], depth: int, found: MessageContents) -> None:
    forms: list[MessageContents] = []
    for part in parts:
        form = MessageContents(seen=found.seen)
        _walk(part, depth + 1, form)
        found.seen = form.seen
        forms.append(form)
    plain = (form for form in forms if form.has_words and form.is_plain)
    readable = (form for form in reversed(forms) if form.has_words)
    best = next(plain, None) or next(readable, None)
    for form in forms:
        found.take(form, words=form is best or best is None)


def _attach(entity: MimeEntity, found: MessageContents) -> None:
    name = one_line(decode_words(entity.file_name), _LONGEST_NAME)
    found.attachments.append(Attachment(name, entity.media_type, entity.size))


def _forwarded(entity: MimeEntity, depth: int, found: MessageContents) -> None:
    inner = read_entity(entity.content().lstrip(b"\r\n"))
    found.returned.append(inner)
    head = [f"{name}: {one_line(decode_words(inner.get(name.lower())), 1000)}" for name in _SHOWN]
    within = MessageContents(seen=found.seen)
    _walk(inner, depth + 1, within)
    words = "\n".join(line for line in head if not line.endswith(": "))
    found.folded += [words, *within.texts, *within.folded]
    within.reports, within.returned = [], []
    found.take(within, words=False)


def _words(entity: MimeEntity, found: MessageContents) -> str:
    text = entity.text()
    found.cut = found.cut or len(text) > MOST_CHARACTERS or entity.is_long
    text = text[:MOST_CHARACTERS]
    if entity.media_type in _HTML:
        found.is_plain = False
        text = text_of_html(text)
    text = clean_text(text.removeprefix("\ufeff"))
    if entity.parameter("format").lower() == "flowed" and entity.media_type == "text/plain":
        return unflowed(text, delete_space=entity.parameter("delsp").lower() == "yes")
    return text


def unflowed(text: str, *, delete_space: bool = False) -> str:
    """A text whose lines were broken for the way, with its paragraphs on one line again.

    Source: RFC 3676 sections 4.2 to 4.5.
    """
    lines: list[str] = []
    open_at = -1  # the depth of a paragraph that goes on
    parts: list[str] = []
    for line in text.split("\n"):
        words = line.lstrip(">")
        depth = len(line) - len(words)
        words = words.removeprefix(" ")
        flows = words.endswith(" ") and words != "-- "
        if open_at != depth or words == "-- ":
            _close(lines, parts, open_at)
            parts = []
        parts.append(words.removesuffix(" ") if flows and delete_space else words)
        open_at = depth
        if not flows:
            _close(lines, parts, depth)
            parts, open_at = [], -1
    _close(lines, parts, open_at)
    return "\n".join(lines)


def _close(lines: list[str], parts: list[str], depth: int) -> None:
    if parts:
        words = "".join(parts)
        lines.append(f"{'>' * depth} {words}".rstrip() if depth > 0 else words)
