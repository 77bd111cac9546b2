"""Two versions of a template, and what changed between them, word by word."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff
from enum import StrEnum

from app.registration.declarations import FIELDS, TEMPLATE_FIELDS
from app.registration.spellings import EQUIVALENCE, declared_in, told
from app.registration.text import format_template

_WORDS = re.compile(r"\S+\s*|\s+")
_MOST_WORDS = 2000  # above it, lines are compared and not their words: that is quadratic
_ALIKE = 0.5  # below it, a text was written anew, and shared words in it only confuse


class Kind(StrEnum):
    """What happened to a piece of text."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text, and what happened to it."""

    kind: Kind
    text: str


class View(StrEnum):
    """How two texts are set against each other on a page."""

    INLINE = "inline"
    SIDES = "sides"

    @property
    def label(self) -> str:
        """What the way to it says."""
        return "In one text" if self is View.INLINE else "Side by side"


Side = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """One field that differs.

    ``rows`` are the runs of lines of the old text beside those of the new that belong to them.
    """

    name: str
    label: str
    pieces: tuple[Piece, ...]
    rows: tuple[tuple[Side, Side], ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """The fields that differ between two templates, and the labels of those that do not."""

    changed: tuple[Changed, ...]
    same: tuple[str, ...]


def difference(old: Mapping[str, str], new: Mapping[str, str]) -> Difference:
    """Compare two templates, in the order of their fields. Every word of both is in a piece."""
    old, new = _readable(old), _readable(new)
    declared = [field.name for field in TEMPLATE_FIELDS]
    names = [n for n in dict.fromkeys((*declared, *old, *new)) if old.get(n) or new.get(n)]
    differing = [name for name in names if old.get(name, "") != new.get(name, "")]
    return Difference(
        tuple(_changed(name, old.get(name, ""), new.get(name, "")) for name in differing),
        tuple(_label(name) for name in names if name not in differing),
    )


def _readable(fields: Mapping[str, str]) -> Mapping[str, str]:
    """The fields with declared rules of equivalence in words, as people read them."""
    if not fields.get(EQUIVALENCE):
        return fields
    words = (f"{sentence} ({clause})" for sentence, clause in told(declared_in(fields)))
    return {**fields, EQUIVALENCE: "\n".join(words)}


def unified(old: Mapping[str, str], new: Mapping[str, str], names: tuple[str, str]) -> str:
    """The difference between two templates as text: lines after ``-``, after ``+``, and shared.

    ``names`` say which is which; the result is empty where the templates are the same.
    """
    before, after = (format_template(fields).splitlines(keepends=True) for fields in (old, new))
    return "".join(unified_diff(before, after, *names))


def _changed(name: str, old: str, new: str) -> Changed:
    return Changed(name, _label(name), pieces(old, new), tuple(_rows(old, new)))


def _rows(old: str, new: str) -> Iterator[tuple[Side, Side]]:
    for before, after in _lines(old, new):
        found = tuple(_within(before, after))
        left = _joined(piece for piece in found if piece.kind is not Kind.ADDED)
        right = _joined(piece for piece in found if piece.kind is not Kind.REMOVED)
        yield tuple(left), tuple(right)


def _lines(old: str, new: str) -> Iterator[tuple[str, str]]:
    return _compared(old.splitlines(keepends=True), new.splitlines(keepends=True))


def _label(name: str) -> str:
    return FIELDS[name].label if name in FIELDS else name.replace("_", " ").capitalize()


def pieces(old: str, new: str) -> tuple[Piece, ...]:
    """What became of a text: lines first, and the words of those that were replaced."""
    return tuple(
        _joined(piece for before, after in _lines(old, new) for piece in _within(before, after))
    )


def _compared(old: list[str], new: list[str], alike: float = 0) -> Iterator[tuple[str, str]]:
    """Runs of both that belong together, equal where nothing changed; all as one if unlike."""
    matcher = SequenceMatcher(None, old, new)
    if alike and matcher.ratio() < alike:
        yield "".join(old), "".join(new)
        return
    for _, i, j, k, m in matcher.get_opcodes():
        yield "".join(old[i:j]), "".join(new[k:m])


def _within(before: str, after: str) -> Iterator[Piece]:
    if before == after:
        yield Piece(Kind.SAME, before)
        return
    words = _WORDS.findall(before), _WORDS.findall(after)
    small = all(0 < len(found) <= _MOST_WORDS for found in words)
    for old, new in _compared(*words, _ALIKE) if small else ((before, after),):
        if old == new:
            yield Piece(Kind.SAME, old)
            continue
        yield from (p for p in (Piece(Kind.REMOVED, old), Piece(Kind.ADDED, new)) if p.text)


def _joined(found: Iterator[Piece]) -> Iterator[Piece]:
    """Neighbours of one kind as one piece."""
    last: Piece | None = None
    for piece in found:
        if last and last.kind is piece.kind:
            last = Piece(piece.kind, last.text + piece.text)
            continue
        if last:
            yield last
        last = piece
    if last:
        yield last
