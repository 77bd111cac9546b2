"""A template as plain text, as it is mailed to the discussion list and published."""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from app.registration.declarations.registries import TEMPLATE_FIELDS, Field
from app.registration.templates.headings import are_headings
from app.registration.templates.paragraph_filling import refill_lines
from app.registration.templates.template_lines import is_apparatus

WIDTH = 72
INDENT = "   "
# An address has no grammar, and a change of it needs no new study.
STUDIED_FIELDS = tuple(one for one in TEMPLATE_FIELDS if one.is_long and one.name != "registrant")
_MOST_LINES = 3_000  # different ones in all fields, of which each is read; real templates have 400


def format_template(
    fields: Mapping[str, str], declared: tuple[Field, ...] = TEMPLATE_FIELDS, title: str = ""
) -> str:
    """The declared fields under their headings, in their order, 72 columns wide.

    Paragraphs that are wider are filled again; what is narrow enough stands as it is, and so do
    grammars, tables and what cannot be split, such as a URN. Absent fields are left out. A text
    with a line that reads like another heading is indented as a whole, which tells the two apart.
    A title stands above the first heading.

    Source: RFC 8141 appendix A.
    """
    return _formatted(tuple(fields.items()), declared, title)


@lru_cache(maxsize=8)  # several formats ask for one text in turn
def _formatted(fields: tuple[tuple[str, str], ...], declared: tuple[Field, ...], title: str) -> str:
    above = ["\n".join(refill_lines([title], WIDTH))] if title else []
    return "\n\n".join([*above, *_entries(dict(fields), declared)]) + "\n"


def _entries(fields: Mapping[str, str], declared: tuple[Field, ...]) -> Iterator[str]:
    left = _MOST_LINES
    for field in declared:
        text = fields.get(field.name)
        if text and not field.is_long:
            yield f"{field.label}: {' '.join(text.split())}"
        elif text:
            lines = text.strip("\n").split("\n")
            folded = list(refill_lines(lines, WIDTH))
            different = set(folded)  # a text can be one short line ten thousand times
            if len(different) > left or _could_mislead(different, field):
                inside = refill_lines(lines, WIDTH - len(INDENT))
                folded = [f"{INDENT}{line}".rstrip() for line in inside]
            left -= min(left, len(different))
            yield f"{field.label}:\n\n" + "\n".join(folded)


def join_fields(fields: Mapping[str, str]) -> tuple[str, list[tuple[str, int]]]:
    """Return ``STUDIED_FIELDS`` under their headings, and the field and line of each line."""
    lines, places = list[str](), list[tuple[str, int]]()
    for field in STUDIED_FIELDS:
        text = fields.get(field.name, "")
        if text.strip():
            own = text.replace("\r\n", "\n").split("\n")
            lines += [f"{field.label}:", "", *own, ""]
            numbers = range(1, len(own) + 1)
            places += [("", 0), ("", 0), *((field.name, n) for n in numbers), ("", 0)]
    return "\n".join(lines), places


def _could_mislead(lines: Collection[str], field: Field) -> bool:
    return are_headings(lines, field.name) or any(map(is_apparatus, lines))
