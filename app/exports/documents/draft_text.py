"""The texts of a template in an Internet-Draft: paragraphs, and lines that stand as they are."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.exports.serialization.markup import Markup, element

WIDTH = 66  # columns of a line that stands as it is, of the 72 of a page
_LONGEST_WORD = 60
_MOST_TABS = 4_000  # each is up to eight columns; of more than any table has each is one
_FULL_LINE = 45  # a shorter one was broken on purpose
_NOTE = "NOTE: '\\' line wrapping per RFC 8792"
_MARK = re.compile(r"[-*o•+·][ \t]|\(?[0-9a-zA-Z]{1,3}[.)][ \t]")
_GRAMMAR = re.compile(r"\S[ \t]*(?:::?=|=/?)[ \t]*\S|[ \t]{3,}")


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph, or lines that stand as they are."""

    lines: tuple[str, ...]
    is_prose: bool


@dataclass(frozen=True, slots=True)
class DraftText:
    """A text as the elements of a section."""

    blocks: tuple[TextBlock, ...]

    @property
    def is_cut(self) -> bool:
        """Whether a line is too long to stand as it is."""
        return any(_is_long(line) for block in self._standing() for line in block.lines)

    def markup(self) -> Iterator[Markup]:
        """An element for each paragraph and each run of lines."""
        for block in self.blocks:
            if block.is_prose:
                yield element("t", " ".join(" ".join(block.lines).split()))
            else:
                yield element("artwork", "\n" + "\n".join(_wrapped(block.lines)) + "\n")

    def _standing(self) -> Iterable[TextBlock]:
        return (block for block in self.blocks if not block.is_prose)


def blocks_of(text: str) -> tuple[TextBlock, ...]:
    """The paragraphs of a text; what is laid out by its lines or too long in a word stands alone.

    Neighbours that stand as they are become one block, with the blank line between them.
    """
    made: list[TextBlock] = []
    columns = 8 if text.count("\t") <= _MOST_TABS else 1
    for run in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = [line.expandtabs(columns).rstrip() for line in run.split("\n") if line.strip()]
        if not lines:
            continue
        if _is_prose(lines):
            made.append(TextBlock(tuple(lines), True))
        elif made and not made[-1].is_prose:
            made[-1] = TextBlock((*made[-1].lines, "", *lines), False)
        else:
            made.append(TextBlock(tuple(lines), False))
    return tuple(made)


def _is_prose(lines: Sequence[str]) -> bool:
    laid_out = any(line[0] == " " or _MARK.match(line) or _GRAMMAR.search(line) for line in lines)
    is_broken = any(len(line) < _FULL_LINE for line in lines[:-1])
    words = (word for line in lines for word in line.split())
    return not laid_out and not is_broken and all(_width(word) <= _LONGEST_WORD for word in words)


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


def _is_long(line: str) -> bool:
    return _width(line) > WIDTH


def _wrapped(lines: Sequence[str]) -> Iterator[str]:
    """Lines by the single backslash of RFC 8792, under its note, where one of them is too long."""
    if not any(map(_is_long, lines)):
        yield from lines
        return
    yield _NOTE
    yield ""
    for line in lines:
        yield from _cut(line) if _is_long(line) else (line,)


def _cut(line: str) -> Iterator[str]:
    if line.isascii():  # each character is a column wide, and one more is the backslash's
        pieces = [line[at : at + WIDTH - 1] for at in range(0, len(line), WIDTH - 1)]
        yield from (f"{piece}\\" for piece in pieces[:-1])
        yield pieces[-1]
        return
    start, width = 0, 0
    for at, char in enumerate(line):
        width += _width(char)
        if width >= WIDTH and at > start:
            yield line[start:at] + "\\"
            start, width = at, _width(char)
    yield line[start:]
