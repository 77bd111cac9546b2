"""What people ask of a text, each thing at the field and the line that it speaks of."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import final

from app.registration.declarations.fields import Field, FormSection, Requirement, Widget
from app.registration.declarations.registries import Registry, find_field
from app.registration.profiles.equivalence_answers import EQUIVALENCE
from app.registration.profiles.profile_answers import PROFILE
from app.registration.submissions.submission_rules import LONGEST_LINE

MOST_POINTS = 30  # of one review; what follows belongs to the last
MOST_LOOKED_AT = 20_000_000  # characters of texts, for all that is said of them
LONGEST_REPLY = LONGEST_LINE  # characters of a sentence that answers a point: a line of a form
_LEAST_QUOTED = 12  # characters of a quote that is looked for in a text
_OF_BLOCK = 20_000  # what to read a paragraph costs, in characters that are looked at

_QUOTE = re.compile(r" {0,3}> ?")
_ITEM = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,3}[.)]) +(?=\S)")
_LEADS = re.compile(r"(?:(?:In|On|To|For|Re:?|The|Section|Under) )*", re.IGNORECASE)
_LINE = re.compile(r"\blines? ([0-9]{1,5})\b", re.IGNORECASE)
_NUMBERED = re.compile(r"([0-9]{1,5}): (.*)", re.DOTALL)


def _beside(name: str, label: str, section: FormSection) -> Field:
    return Field(
        name=name,
        label=label,
        help="",
        widget=Widget.TEXT,
        required=Requirement.NEVER,
        section=section,
        source="",
    )


# What is said beside a template, headed as every page heads it, and where the form asks it.
BESIDE_TEMPLATE = (
    _beside(PROFILE, "Key facts", FormSection.NAME_AND_PURPOSE),
    _beside(EQUIVALENCE, "Equivalent spellings", FormSection.SYNTAX),
)
# Reviews of earlier software quote these labels.
_EARLIER_LABELS = {"What people look up": PROFILE, "Same names": EQUIVALENCE}
_BESIDE = frozenset(field.name for field in BESIDE_TEMPLATE)


def point_fields(registry: Registry) -> tuple[Field, ...]:
    """All that one can speak of in a text: what its author fills in, and what is said beside it."""
    filled = (one for one in registry.public_fields if one.widget is not Widget.FILLED_IN)
    return (*filled, *(BESIDE_TEMPLATE if registry.space.has_profiles else ()))


def find_point_field(name: str) -> Field | None:
    """What one can speak of by its name, where a text does not tell of which registry it is."""
    beside = (field for field in BESIDE_TEMPLATE if field.name == name)
    return find_field(name) or next(beside, None)


class PointReplyKind(StrEnum):
    """How a point is answered."""

    CHANGED = "changed"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class PointReply:
    """What somebody answers a point with; why a text is left as it is takes words."""

    kind: PointReplyKind
    words: str = ""


def answer_field(key: str) -> str:
    """The field of a form that asks how a point is answered."""
    return f"answer_{key}"


def words_field(key: str) -> str:
    """The field that asks for the sentence of an answer."""
    return f"{answer_field(key)}_words"


def read_replies(kept: Mapping[str, Mapping[str, str]]) -> dict[str, PointReply]:
    """Replies by what they answer, from what a draft keeps of them."""
    return {
        key: PointReply(PointReplyKind(one["kind"]), one.get("words", ""))
        for key, one in kept.items()
    }


def write_replies(replies: Mapping[str, PointReply]) -> dict[str, dict[str, str]]:
    """Replies as a draft keeps them: the inverse."""
    return {key: {"kind": one.kind.value, "words": one.words} for key, one in replies.items()}


@dataclass(frozen=True, slots=True)
class TextPoint:
    """One thing that is said of a text, and where; "" and 0 where it is of the whole."""

    field: str
    line: int
    words: str


def points_in(said: str, places: "TextPlaces", field: str = "") -> tuple[TextPoint, ...]:
    """What somebody asks in one go, cut where they come to another place of a text.

    ``places`` are those of the text that is spoken of, ``field`` the one that all of it is about
    unless it says otherwise. A quote of a line, with what is written below it, is of that line:
    ``> Syntax, line 6: n = DIGT``. Otherwise a paragraph or an item of a list is of the field
    that it begins with, or of the only one that it names; one that names none goes on where the
    one before is. Nothing that was said is left out: what is not looked at any more, of one who
    says very much or after very much was said, belongs to the last place.
    """
    found: list[tuple[tuple[str, int], list[str]]] = []
    is_quoting = False
    for block in _blocks(said):
        place = None
        if len(found) < MOST_POINTS:
            place = (
                places.of_quote(block) if _is_quote(block) else places.of_words(block, is_quoting)
            )
            is_quoting = _is_quote(block) and place is not None
        if not found or (place and (_is_quote(block) or place != found[-1][0])):
            found.append((place or (field, places.line_of(field, block)), [block]))
        else:
            found[-1][1].append(block)
    made = (TextPoint(*place, "\n".join(blocks).strip("\n")) for place, blocks in found)
    return tuple(one for one in made if one.words.strip())


def _is_quote(block: str) -> bool:
    return _QUOTE.match(block) is not None


def _blocks(said: str) -> Iterator[str]:
    block: list[str] = []
    for line in said.replace("\r\n", "\n").split("\n"):
        opens = bool(block) and bool(line.strip()) and _opens(line, block)
        if opens:
            yield "\n".join(block)
            block = []
        block.append(line)
    yield "\n".join(block)


def _opens(line: str, block: Sequence[str]) -> bool:
    ended = not block[-1].strip() and any(map(str.strip, block))
    return ended or bool(_ITEM.match(line)) or _is_quote(line) is not _is_quote(block[-1])


def _holds(words: str, label: str) -> bool:
    at = words.find(label)
    while at >= 0 and not _is_word_at(label, words, at):
        at = words.find(label, at + 1)
    return at >= 0


def _is_word_at(label: str, words: str, at: int) -> bool:
    around = words[at - 1 : at] + words[at + len(label) : at + len(label) + 1]
    return words.startswith(label, at) and not any(map(str.isalnum, around))


@final
class TextPlaces:
    """The fields of a text by their labels, and what stands in them; made once for all that is
    said of it, and looked at as far as ``MOST_LOOKED_AT``.

    ``parts`` are headings within a field, such as "Homepage", each with the field. They are common
    words, so that one counts only where it stands alone or before a colon.
    """

    __slots__ = ("_left", "_lines", "_names", "_numbered", "_parts", "_texts")

    def __init__(
        self,
        fields: Iterable[Field],
        texts: Mapping[str, str],
        parts: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._parts = parts
        labels = {one.label: one.name for one in fields}
        known = frozenset(labels.values())
        labels |= {label: name for label, name in _EARLIER_LABELS.items() if name in known}
        self._names = {label: labels[label] for label in sorted(labels, key=len, reverse=True)}
        self._texts = texts
        lines = {name: text.split("\n") for name, text in texts.items()}
        self._lines = {name: len(found) for name, found in lines.items()}
        self._numbered: dict[tuple[int, str], str] = {}
        for name, found in lines.items():
            for at, line in enumerate(found, 1):
                self._numbered.setdefault((at, line.strip()), name)
        self._left = MOST_LOOKED_AT

    def of_quote(self, block: str) -> tuple[str, int] | None:
        """Where the first line of a quote stands; None where that is not known."""
        if not self._may_look(_OF_BLOCK):
            return None
        quoted = _QUOTE.sub("", block.strip("\n").split("\n", 1)[0], count=1)
        named = self._leading(quoted)
        if named:
            return named, self.line_of(named, quoted)
        return self._at_number(quoted) or self._found(quoted.strip())

    def of_words(self, block: str, is_quoting: bool) -> tuple[str, int] | None:
        """What stands below a quote is about it, unless it begins with another field."""
        if not self._may_look(_OF_BLOCK):
            return None
        named = self._leading(block) or ("" if is_quoting else self._only(block))
        return (named, self.line_of(named, block)) if named else None

    def line_of(self, field: str, words: str) -> int:
        """The line of a field that words begin by naming; 0 where there is none."""
        found = _LINE.search(words.split("\n", maxsplit=1)[0])
        line = int(found[1]) if found else 0
        is_line = field not in _BESIDE and line <= self._lines.get(field, 1)
        return line if is_line and field else 0

    def _may_look(self, cost: int) -> bool:
        self._left -= cost
        return self._left >= 0

    def _leading(self, words: str) -> str:
        words = _ITEM.sub("", words.strip(), count=1)
        led = _LEADS.match(words)
        begun = words[led.end() if led else 0 :]
        part = begun.split("\n", 1)[0].split(":", 1)[0].strip(" .*_")
        return next(
            (name for label, name in self._names.items() if _is_word_at(label, begun, 0)),
            self._parts.get(part, ""),
        )

    def _only(self, words: str) -> str:
        named = {name for label, name in self._names.items() if _holds(words, label)}
        return named.pop() if len(named) == 1 else ""

    def _at_number(self, quoted: str) -> tuple[str, int] | None:
        match = _NUMBERED.fullmatch(quoted.strip())
        line = (int(match[1]), match[2].strip()) if match else (0, "")
        name = self._numbered.get(line)
        return (name, line[0]) if name is not None else None

    def _found(self, words: str) -> tuple[str, int] | None:
        if len(words) < _LEAST_QUOTED or not self._may_look(sum(map(len, self._texts.values()))):
            return None
        held = [name for name, text in self._texts.items() if words in text]
        if len(held) != 1 or held[0] not in self._names.values():
            return None
        text = self._texts[held[0]]
        if held[0] in _BESIDE:
            return held[0], 0
        return held[0], text.count("\n", 0, text.index(words)) + 1
