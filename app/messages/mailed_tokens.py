"""Tokens of ours that are mailed: their kinds, and how they are known again in any text.

Whoever has one signs in, acts for a registrant, or is taken for who answers. None of them belongs
into what is kept or shown, and mail programs, link rewriters and people copy them there in many
forms: this is where they are found.
"""

import re
from base64 import b32encode, b64encode
from binascii import a2b_base64
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from app.labelled_enum import LabelledEnum

REMOVED = "[link removed]"
PREFIX = "urntok0"
_OCTETS = 20  # of what stands behind the prefix
_LENGTH = 32  # the same as letters and digits that no mail system folds
_LEAST = 8  # of a token that was cut


class MailedTokenKind(LabelledEnum):
    SIGN_IN = "s", "sign-in link"
    CLAIM = "c", "link to manage a registration"
    REPLY = "r", "reply address"


@dataclass(frozen=True, slots=True)
class MailedToken:
    """A token that was found. ``text`` is as it was made, or the beginning of it."""

    kind: MailedTokenKind
    text: str


def make_token(kind: MailedTokenKind, octets: bytes) -> str:
    """A token of some octets that nobody can guess; letters and digits alone."""
    return f"{PREFIX}{kind}{b32encode(octets[:_OCTETS]).decode().lower()}"


# ---- what may stand between two letters of a token, and other ways to write a letter

_UNSEEN = (
    "\t\u00a0\u2028\u2029"  # white space that ends no address
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
)
_END = r"(?:\r?\n|\r|\\r\\n|\\n)"  # the latter two in JSON
# What mail programs put before a line that they quote: `> `, `RS> `, `| `, `# `.
_BLANK = r"[ \t\u00a0]"
_MARK = r"(?:[A-Za-z]{0,4}>|&gt;|[|#:»│*]|\\u003e)"
_MARKS = f"{_BLANK}{{0,8}}(?:{_MARK}{_BLANK}{{0,4}}){{0,12}}"
_CODES = r"(?:173|820[3-7]|8288|65279|xad|x200[b-f]|x2060|xfeff)"
# By the character that it begins with, since a pattern that begins with a set passes the rest fast.
_NOTHING = (
    rf"(?<=[{_UNSEEN}])",
    rf"(?<=\n){_MARKS}",
    rf"(?<=\r)\n?{_MARKS}",
    rf"(?<==){_END}{_MARKS}",  # quoted-printable
    r"(?<==)(?:C2=AD|E2=80=8[B-F])",
    rf"(?<=\\)(?:n|r\\n){_MARKS}",
    r"(?<=\\)u(?:00ad|200[b-f]|2060|feff)",
    rf"(?<=&)(?:shy|zwnj|zwj|ZeroWidthSpace|NoBreak|#{_CODES});",
    r"(?<=%)(?:25){0,2}(?:C2%(?:25){0,2}AD|E2%(?:25){0,2}80%(?:25){0,2}8[B-F]|0[AD])",
    r"(?<=<)/?[a-z][a-z0-9]{0,10}(?: class=\"[\w -]{0,40}\")? ?/?>",
)
_LETTERS = (
    r"(?<=%)(?:25){0,2}(?P<percent>[2-7][0-9A-F])",
    r"(?<=&)#0{0,4}(?P<decimal>[0-9]{2,3});",
    r"(?<=&)#x0{0,4}(?P<hexadecimal>[2-7][0-9a-f]);",
    r"(?<==)(?P<quoted>2[BDF]|3D)",
)
_FLAGS = re.IGNORECASE | re.ASCII
_GAP = re.compile(rf"[{_UNSEEN}\r\n=\\&%<](?:{'|'.join(_NOTHING)})", _FLAGS)
_LETTER = re.compile(rf"[%&=](?:{'|'.join(_LETTERS)})", _FLAGS)
_FLOWS = (" \n", " \r\n", " =\n", " =\r\n")  # where a line goes on (RFC 3676 section 4.1)
_PIECE = re.compile(rf" =?{_END}{_MARKS}|{_GAP.pattern}|{_LETTER.pattern}", _FLAGS)

# ---- the tokens themselves, among letters alone and in small ones. Older ones have no prefix.

_BREAK = "[ >|=]{0,12}"  # what was a line's end, where all was put on one line
_FORMS = (
    re.compile(
        rf"{PREFIX}(?P<kind>[{''.join(MailedTokenKind)}])"
        rf"(?P<body>(?:(?!{PREFIX})[a-z2-7]){{{_LEAST},{_LENGTH}}})"
    ),
    re.compile(r"sign-(?:2d)?in[/_*](?P<sign_in>[0-9a-f]{32,64})"),
    re.compile(r"links[/_*](?P<claim>[0-9a-f]{64})"),
    re.compile(
        r"\+(?P<reply>[0-9]{1,9}\.[0-9]{1,9}\."
        rf"(?:[0-9a-f]{{16}}|(?:{_BREAK}[0-9a-f]){{16}}(?=@)))"
    ),
)
# Broken and put on one line, as a subject is: whole ones alone, since words may stand behind.
_WORDS = (PREFIX, "sign-in/", "links/")
_BROKEN = (
    re.compile(
        f"{_BREAK.join(PREFIX)}{_BREAK}(?P<kind>[{''.join(MailedTokenKind)}])"
        f"(?P<body>(?:{_BREAK}[a-z2-7]){{{_LENGTH}}})(?![a-z0-9])"
    ),
    re.compile(rf"{_BREAK.join('sign-in/')}(?P<sign_in>(?:{_BREAK}[0-9a-f]){{64}})(?![a-z0-9])"),
    re.compile(rf"{_BREAK.join('links/')}(?P<claim>(?:{_BREAK}[0-9a-f]){{64}})(?![a-z0-9])"),
)
_WINDOW = 65_536  # characters of a text that are read at once
_LONGEST_TOKEN = 8_192  # characters that one takes, with what mail programs put into it
_STOPS = "\\s<>\"'()\\[\\]\\\\{}|`"
_LONGEST_WAY = 400  # characters of an address before its token, and again behind it
_WAY = re.compile(rf"[^{_STOPS}]{{0,{_LONGEST_WAY}}}")
_GOES_ON = re.compile(rf"(?:[&?#/%;=!][^{_STOPS}]{{0,{_LONGEST_WAY}}})?")


def _base64_of(word: bytes, at: int) -> str:
    letters = b64encode(bytes(at) + word + bytes(2)).decode()
    return letters[_skipped(at) : (at + len(word)) * 8 // 6]


def _skipped(at: int) -> int:
    return -(-at * 8 // 6)


_MARKED = (PREFIX.encode(), b"/sign-in/", b"/links/")
_HINTS = [(_base64_of(word, at), _skipped(at)) for word in _MARKED for at in range(3)]
_RUN = re.compile(r"[A-Za-z0-9+/]{12,}={0,2}")


@dataclass(slots=True)
class _TokenLetters:
    text: str = ""
    starts: list[int] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> Self:
        made, parts, length, at = cls(), [], 0, 0
        for piece in _PIECE.finditer(text):
            for part, start, end in (
                (text[at : piece.start()], at, piece.start()),
                (_letter(piece), piece.start(), piece.end()),
            ):
                if part:
                    made.starts.append(length)
                    made.spans.append((start, end))
                    parts.append(part)
                    length += len(part)
            at = piece.end()
        made.starts.append(length)
        made.spans.append((at, len(text)))
        made.text = "".join((*parts, text[at:]))
        return made

    def span(self, start: int, end: int) -> tuple[int, int]:
        first, last = (bisect_right(self.starts, n) - 1 for n in (start, end - 1))
        begin = min(self.spans[first][0] + start - self.starts[first], self.spans[first][1])
        until = self.starts[last + 1] if last + 1 < len(self.starts) else len(self.text)
        return begin, max(self.spans[last][1] - (until - end), begin)


def _letter(piece: re.Match[str]) -> str:
    written = piece["percent"] or piece["hexadecimal"] or piece["quoted"]
    code = int(written, 16) if written else int(piece["decimal"] or 0)
    return chr(code) if 0x20 <= code < 0x7F else ""


@dataclass(frozen=True, slots=True)
class _TokenOccurrence:
    start: int
    end: int
    token: MailedToken


def _sights(text: str) -> list[_TokenOccurrence]:
    sights = (
        replace(sight, start=at + sight.start, end=at + sight.end)
        for at in range(0, max(len(text), 1), _WINDOW)
        for sight in _sights_in(text[at : at + _WINDOW + _LONGEST_TOKEN])
        if sight.start < _WINDOW  # else it begins in the next window
    )
    return sorted(sights, key=lambda sight: (sight.start, -sight.end))


def _sights_in(text: str) -> Iterator[_TokenOccurrence]:
    plain = text
    for flow in _FLOWS:
        plain = plain.replace(flow, "\n")
    plain = _LETTER.sub(_letter, _GAP.sub("", plain))
    if not (any(_forms(plain)) or any(_coded(plain))):
        return
    letters = _TokenLetters.of(text)
    for start, end, token in (*_forms(letters.text), *_coded(letters.text)):
        yield _TokenOccurrence(*letters.span(start, end), token)


_Seen = tuple[int, int, MailedToken]


def _forms(letters: str) -> Iterator[_Seen]:
    folded = letters.replace("\u0130", "I").lower()  # the one letter that has two small ones
    for form in _FORMS:
        for found in form.finditer(folded):
            yield found.start(), found.end(), _token(found)
    dense = _dense(folded)
    for form in _BROKEN if any(word in dense for word in _WORDS) else ():
        for found in form.finditer(folded):
            if found[0] != _dense(found[0]):
                yield found.start(), found.end(), _token(found)


def _dense(text: str) -> str:
    return text.replace(" ", "").replace(">", "").replace("|", "").replace("=", "")


def _token(found: re.Match[str]) -> MailedToken:
    named = {name: _dense(text) for name, text in found.groupdict().items()}
    if "kind" in named:
        return MailedToken(MailedTokenKind(named["kind"]), _dense(found[0]))
    ((name, text),) = named.items()
    return MailedToken(MailedTokenKind[name.upper()], text)


def _coded(letters: str) -> Iterator[_Seen]:
    if not any(hint in letters for hint, _ in _HINTS):
        return
    for run in _RUN.finditer(letters):
        begins = {(run[0].find(hint) - skipped) % 4 for hint, skipped in _HINTS if hint in run[0]}
        for begin in sorted(begins):
            yield from _decoded(run, begin)


def _decoded(run: re.Match[str], begin: int) -> Iterator[_Seen]:
    written = run[0][begin:].rstrip("=")
    written = written[: len(written) - (len(written) % 4 == 1)]
    octets = a2b_base64(written + "=" * (-len(written) % 4))
    at = run.start() + begin
    for start, end, token in _forms(octets.decode("latin-1")):
        yield at + start // 3 * 4, min(at + -(-end // 3) * 4, run.end()), token


def tokens_in(text: str) -> frozenset[MailedToken]:
    """The tokens of ours in a text, however they are written."""
    return frozenset(sight.token for sight in _sights(text))


def without_tokens(text: str, but: Collection[MailedToken] = ()) -> str:
    """A text in which a plain phrase stands in the place of each token of ours.

    With the web address that it is in; an address for answers loses what stands behind its
    plus (RFC 5233). A text without tokens is given back unchanged. ``but`` stay.
    """
    return _without(text, [sight for sight in _sights(text) if sight.token not in but])


def _without(text: str, sights: Sequence[_TokenOccurrence]) -> str:
    parts: list[str] = []
    at = 0
    for sight in sights:
        if sight.end > at:
            start, end, phrase = _widened(text, max(sight.start, at), sight.end, at)
            parts += (text[at:start], phrase)
            at = end
    return "".join((*parts, text[at:])) if parts else text


def _widened(text: str, start: int, end: int, least: int) -> tuple[int, int, str]:
    if text[end : end + 1] == "@" or text[end : end + 3].lower() == "%40":
        plus = next((sign for sign in ("+", "%2B", "%2b") if text[:start].endswith(sign)), "")
        in_it = text[start : start + 1] == "+" or text[start : start + 3].lower() == "%2b"
        if plus or in_it:
            return max(start - len(plus), least), end, ""
    before = text[max(least, start - _LONGEST_WAY) : start]
    way = _WAY.match(before[::-1])
    address = before[len(before) - (way.end() if way else 0) :]
    begins = address.lower().find("http")
    if begins < 0:
        return start, end, REMOVED
    beyond = _GOES_ON.match(text, end)
    return start - len(address) + begins, beyond.end() if beyond else end, REMOVED


MAILED_WORDS = (PREFIX, "sign-in/", "sign-in%2f", "links/", "links%2f")  # before or in a token
_IN_OCTETS = tuple(word.encode() for word in MAILED_WORDS)


def octets_without_tokens(octets: bytes) -> bytes:
    """A file without tokens of ours; the same where none of their words is in it as it stands."""
    folded = octets.lower()
    if not any(word in folded for word in _IN_OCTETS):
        return octets
    try:
        return without_tokens(octets.decode()).encode()
    except UnicodeDecodeError:  # a picture
        return octets


@dataclass(slots=True)
class TokenRedactor:
    """Takes tokens out of many texts, and keeps which they were."""

    found: set[MailedToken] = field(default_factory=set)

    def __call__(self, text: str) -> str:
        sights = _sights(text)
        self.found |= {sight.token for sight in sights}
        return _without(text, sights)
