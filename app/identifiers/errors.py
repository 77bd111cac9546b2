"""The refusals of this room, one exception for each kind of identifier."""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum


class InvalidIdentifier(ValueError):
    """A text that is not the identifier it was read as.

    Keeps the ``text`` unchanged, with a stable ``code``, a ``message`` for people, the ``position``
    of the fault in code points from 0 (None where the fault has no place) and the ``source`` of
    the rule. ``advice`` is how to fix the fault, the last sentences of the message.
    """

    def __init__(
        self,
        text: str,
        code: str,
        message: str,
        position: int | None,
        source: str,
        advice: str = "",
    ) -> None:
        super().__init__(text, code, message, position, source, advice)
        self.text = text
        self.code = code
        self.message = message
        self.position = position
        self.source = source
        self.advice = advice

    def __str__(self) -> str:
        return self.message


class InvalidURN(InvalidIdentifier):
    """A text outside the grammar of RFC 8141 section 2."""

    def without_advice(self) -> "InvalidURN":
        """Return the same refusal for a reader who is offered a correction beside it."""
        fact = self.message.removesuffix(self.advice).rstrip()
        return InvalidURN(self.text, self.code, fact, self.position, self.source)


class InvalidARK(InvalidIdentifier):
    """A text that is no ARK by The ARK URI scheme section 4."""


# Letters of other scripts, in lower case, that look like a Latin one; what NIDs never hold.
OTHER_SCRIPTS = str.maketrans(
    "вкмнтаеорсухіјѕԁѵԍαορεικντηѡιʀɪɑ", "bkmhtaeopcyxijsdvgaopeikvtnwiria"
)
# Within a class of characters: what a reader cannot see, and which may make a text read otherwise.
UNSEEN = (
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # Bidi_Control: they reorder what stands beside
    "\u200b\u2060-\u2064"  # no width
    "\U000e0000-\U000e007f"  # tags: a text inside the text
)
ODD_SPACES = "\u00a0\u2007\u202f"
# What word processors write in place of plain characters, and the plain character if one is meant.
_PLAIN = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys(ODD_SPACES, " "),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f", ""),
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
}
_ODD = re.compile(f"[{''.join(_PLAIN)}{UNSEEN}]")
_SHOWN = 40
_NAMES = {
    "\0": "a NUL",
    "\t": "a tab",
    "\n": "a line break",
    "\r": "a carriage return",
    " ": "a space",
    "`": "a backtick",
}


def spell_character(character: str) -> str:
    """Name one character: ASCII in backticks, anything else by code point and Unicode name."""
    if character in _NAMES:
        return _NAMES[character]
    if character.isascii() and character.isprintable():
        return f"`{character}`"
    return f"U+{ord(character):04X} ({_unicode_name(character)})"


def spell_encoded(character: str) -> str:
    octets = character.encode("utf-8", "replace")
    return "`" + "".join(f"%{octet:02X}" for octet in octets) + "`"


def spell_text(text: str) -> str:
    """Quote a text in backticks, what is not printable ASCII escaped, the end of a long one cut.
    Invisible characters, and those that look like plain ones, are shown as ``[U+00AD]``."""
    shown = _ODD.sub(lambda found: f"[U+{ord(found[0]):04X}]", text[:_SHOWN])
    escaped = shown.encode("unicode_escape").decode("ascii").replace("`", r"\x60")
    return f"`{escaped}{'...' if len(text) > _SHOWN else ''}`"


def name_odd_character(text: str) -> str:
    """Return a sentence that names the first character of a word processor, and how to fix it.

    Such are hyphens other than ``-``, typographic quotes, no-break spaces, soft hyphens and
    characters without a width.
    """
    found = _ODD.search(text)
    if found is None:
        return ""
    plain = _PLAIN.get(found[0], "")
    fix = f"Use {spell_character(plain)} instead." if plain else "Remove it."
    return f"Character {found.start() + 1} is {spell_character(found[0])}. {fix}"


def spell_list(items: list[str], most: int = 5) -> str:
    """Join names for a sentence, ``a, b and c``; of a long list only the first ones and a count."""
    if len(items) > most:
        items = [*items[:most], f"{len(items) - most} more"]
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))


def _unicode_name(character: str) -> str:
    if "\ud800" <= character <= "\udfff":
        return "half of a surrogate pair"
    if unicodedata.category(character) == "Cc":
        return "a control character"
    return unicodedata.name(character, "no character")


class NidKind(StrEnum):
    """The two kinds of URN namespace, as RFC 8141 section 5 names them."""

    FORMAL = "formal"
    INFORMAL = "informal"


MISSING = "missing"  # the code of what is to be there, and is not filled in


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found about a NID or an ARK: a stable code, a sentence for people, the rule."""

    code: str
    message: str
    source: str


@dataclass(frozen=True, slots=True)
class NidReport:
    """All that was found about a NID. It is valid when there is no problem."""

    text: str
    kind: NidKind
    problems: tuple[Finding, ...]
    advisories: tuple[Finding, ...]

    @property
    def valid(self) -> bool:
        """Whether nothing forbids the registration."""
        return not self.problems
