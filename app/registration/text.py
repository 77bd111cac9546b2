"""A template as plain text, as it is mailed to the discussion list and published."""

import textwrap
from collections.abc import Mapping

from app.registration.declarations import TEMPLATE_FIELDS

WIDTH = 72


def format_template(fields: Mapping[str, str]) -> str:
    """The template's fields under Appendix A's headings, in its order, 72 columns wide.

    Lines that are indented, or short enough, stand as they are; only long lines are
    folded, so that grammars keep their shape. Absent fields are left out.

    Source: RFC 8141 appendix A.
    """
    parts = [
        _entry(field.label, fields[field.name], one_line=not field.is_long)
        for field in TEMPLATE_FIELDS
        if fields.get(field.name)
    ]
    return "\n\n".join(parts) + "\n"


def _entry(label: str, text: str, *, one_line: bool) -> str:
    if one_line:
        return f"{label}: {text}"
    return f"{label}:\n\n" + "\n".join(_folded(line) for line in text.strip("\n").splitlines())


def _folded(line: str) -> str:
    if len(line) <= WIDTH or line[:1].isspace():
        return line.rstrip()
    return textwrap.fill(
        line, WIDTH, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    )
