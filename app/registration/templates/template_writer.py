"""A template as plain text, as it is mailed to the discussion list and published."""

import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from app.registration.declarations.registries import TEMPLATE_FIELDS, Field
from app.registration.templates.headings import are_headings
from app.registration.templates.template_lines import is_apparatus

WIDTH = 72
INDENT = "   "
_MOST_LINES = 3_000  # different ones in all fields, of which each is read; real templates have 400


def format_template(fields: Mapping[str, str]) -> str:
    """The template's fields under Appendix A's headings, in its order, 72 columns wide.

    Lines that are indented, or short enough, stand as they are; only long lines are
    folded, so that grammars keep their shape. Absent fields are left out. A text with a line
    that reads like another heading is indented as a whole, which tells the two apart.

    Source: RFC 8141 appendix A.
    """
    return _formatted(tuple(fields.items()))


@lru_cache(maxsize=8)  # several formats ask for one text in turn
def _formatted(fields: tuple[tuple[str, str], ...]) -> str:
    return "\n\n".join(_entries(dict(fields))) + "\n"


def _entries(fields: Mapping[str, str]) -> Iterator[str]:
    left = _MOST_LINES
    for field in TEMPLATE_FIELDS:
        text = fields.get(field.name)
        if text and not field.is_long:
            yield f"{field.label}: {' '.join(text.split())}"
        elif text:
            lines = text.strip("\n").split("\n")
            folded = _all_folded(lines, WIDTH)
            different = set(folded)  # a text can be one short line ten thousand times
            if len(different) > left or _could_mislead(different, field):
                inside = _all_folded(lines, WIDTH - len(INDENT))
                folded = [f"{INDENT}{line}".rstrip() for line in inside]
            left -= min(left, len(different))
            yield f"{field.label}:\n\n" + "\n".join(folded)


def _could_mislead(lines: Collection[str], field: Field) -> bool:
    """Whether a line could be taken for a heading, or for what stands between pages."""
    return are_headings(lines, field.name) or any(map(is_apparatus, lines))


def _all_folded(lines: Iterable[str], width: int) -> list[str]:
    return [part for line in lines for part in _folded(line, width).split("\n")]


def _folded(line: str, width: int) -> str:
    if len(line) <= width or line[:1].isspace():
        return line.rstrip()
    return textwrap.fill(
        line, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    )
