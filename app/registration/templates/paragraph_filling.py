"""Paragraphs that are too wide, filled again; what has a shape of its own keeps it."""

import re
import textwrap
from collections.abc import Iterator, Sequence

_ITEM = re.compile(r"[ \t]{0,80}(?:[-*o+•]|\(?[0-9a-z]{1,3}[.)])[ \t]+(?=\S)", re.ASCII)
# Rules, their comments and alternatives, quotations, code: `name = part`, `  / other`, `; words`,
# `{"a":`. A reference (`[RFC9999] ...`) and a placeholder (`{year} is ...`) begin prose.
_SHAPED = re.compile(
    r"[ \t]{0,80}(?:<?[A-Za-z][A-Za-z0-9_-]{0,80}>?[ \t]{0,40}(?:::=|:=|=)"
    r"|;|[/|>](?=[ \t])|[{\[](?=[ \t\"{\[]))",
    re.ASCII,
)
_COLUMNS = re.compile(r"\S(?: {3}|\t)[ \t]{0,200}\S", re.ASCII)
_LABEL = re.compile(r"[ \t]*[A-Z][A-Za-z0-9 ./&-]{0,40}:(?:[ \t]|$)", re.ASCII)
_LONG = 0.75  # of the width: a line so long is one of a paragraph, and none of an address
_WIDEST_TABLE = 200  # characters; what is longer is a paragraph on one line


def refill_lines(lines: Sequence[str], width: int) -> Iterator[str]:
    """The lines of a text, none wider than this but for what cannot be split or has its shape.

    A line that is too wide is split between words, never within a URN or a URL, and goes on in the
    next one where that went on with its sentence. Items of lists keep their marks and columns;
    rules, tables and lines that are short on purpose stay as they are. What was filled once stays
    as it is when it is filled again.
    """
    piece: list[str] = []
    for line in lines:
        if piece and not _goes_on(piece, line, width):
            yield from _filled(piece, width)
            piece = []
        piece.append(line.rstrip())
    yield from _filled(piece, width)


def _goes_on(piece: Sequence[str], line: str, width: int) -> bool:
    before = piece[-1]
    if not before or not line.strip() or _ITEM.match(line) or _has_shape(before, line):
        return False
    if not _is_of_sentence(line, width):
        return False
    column = _hanging(piece[0]) if len(piece) == 1 else _indent(before)
    return _indent(line) == column and len(before) + 1 + len(line.split(maxsplit=1)[0]) > width


def _is_of_sentence(line: str, width: int) -> bool:
    if _LABEL.match(line):
        return False
    return line.lstrip()[0].islower() or len(line) >= _LONG * width


def _has_shape(*lines: str) -> bool:
    return any(
        _SHAPED.match(line) or (len(line) <= _WIDEST_TABLE and _COLUMNS.search(line))
        for line in lines
    )


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _hanging(line: str) -> str:
    found = _ITEM.match(line)
    return "".join(c if c == "\t" else " " for c in found[0]) if found else _indent(line)


def _filled(piece: Sequence[str], width: int) -> list[str]:
    if not any(len(line) > width for line in piece) or _has_shape(*piece):
        return list(piece)
    words = " ".join(line.strip(" \t") for line in piece)
    return textwrap.wrap(
        words,
        width,
        initial_indent=_indent(piece[0]),
        subsequent_indent=_hanging(piece[0]),
        break_long_words=False,
        break_on_hyphens=False,
    )
