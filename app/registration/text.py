"""A template as plain text, as it is mailed to the discussion list and published."""

import textwrap
from collections.abc import Iterable, Mapping

from app.registration.declarations import TEMPLATE_FIELDS, Field
from app.registration.headings import are_headings
from app.registration.template_lines import is_apparatus

WIDTH = 72
INDENT = "   "


def format_template(fields: Mapping[str, str]) -> str:
    """The template's fields under Appendix A's headings, in its order, 72 columns wide.

    Lines that are indented, or short enough, stand as they are; only long lines are
    folded, so that grammars keep their shape. Absent fields are left out. A text with a line
    that reads like another heading is indented as a whole, which tells the two apart.

    Source: RFC 8141 appendix A.
    """
    parts = [
        _entry(field, fields[field.name]) for field in TEMPLATE_FIELDS if fields.get(field.name)
    ]
    return "\n\n".join(parts) + "\n"


def _entry(field: Field, text: str) -> str:
    if not field.is_long:
        return f"{field.label}: {' '.join(text.split())}"
    lines = text.strip("\n").split("\n")
    folded = _all_folded(lines, WIDTH)
    if are_headings(folded, field.name) or any(map(is_apparatus, folded)):
        folded = [f"{INDENT}{line}".rstrip() for line in _all_folded(lines, WIDTH - len(INDENT))]
    return f"{field.label}:\n\n" + "\n".join(folded)


def _all_folded(lines: Iterable[str], width: int) -> list[str]:
    return [part for line in lines for part in _folded(line, width).split("\n")]


def _folded(line: str, width: int) -> str:
    if len(line) <= width or line[:1].isspace():
        return line.rstrip()
    return textwrap.fill(
        line, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    )
