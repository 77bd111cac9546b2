"""What the page about templates shows: which lines go where, and what is odd about them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.registration.declarations.registries import FORMAL, TEMPLATE_FIELDS
from app.registration.records.registry_records import TemplateStyle
from app.registration.submissions.submission_rules import InvalidText, fit_text
from app.registration.templates.field_values import fit_for_draft
from app.registration.templates.template_parts import (
    TemplatePart,
    UnplacedText,
    assemble_fields,
)
from app.registration.templates.template_reader import ParsedTemplate, read_template
from app.registration.templates.text_encodings import DecodedText

MOST = 150  # parts that can be moved on one page
_START = 90
_NAMES = frozenset(field.name for field in TEMPLATE_FIELDS)


@dataclass(frozen=True, slots=True)
class TemplatePartRow:
    """One part of the text: its lines, its heading, how it begins, and its field or none."""

    line: int
    last_line: int
    heading: str
    start: str
    field: str
    is_title: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateToolView:
    """A template's text with its parts in their fields."""

    decoded: DecodedText
    read: ParsedTemplate
    rows: tuple[TemplatePartRow, ...]
    aside: tuple[UnplacedText, ...]
    refusals: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The text that was read."""
        return self.decoded.text

    @property
    def style(self) -> TemplateStyle:
        """The form that the template follows."""
        return self.read.style

    @property
    def fields(self) -> dict[str, str]:
        """The texts of the fields."""
        return self.read.fields

    @property
    def for_draft(self) -> dict[str, str]:
        """The fields as a draft takes them."""
        return fit_for_draft(self.fields)


def place_parts(decoded: DecodedText, to: Sequence[str] = ()) -> TemplateToolView:
    """What a text says, with its parts in the fields that were chosen for them, in order.

    Choices for another number of parts are of another text and are passed over, as is the name
    of no field. Raises nothing; ``refusals`` tells which texts no field takes.
    """
    read = read_template(decoded.text)
    parts = _moved(read.parts, to) if len(to) == len(read.parts) else read.parts
    fields = assemble_fields(parts)
    placed = {part.line for part in parts}
    return TemplateToolView(
        decoded=decoded,
        read=replace(read, parts=parts, fields=fields),
        rows=tuple(map(_row, parts)),
        aside=tuple(piece for piece in read.unplaced if piece.line not in placed),
        refusals=tuple(_refusals(fit_for_draft(fields))),
    )


def _moved(parts: Sequence[TemplatePart], to: Sequence[str]) -> tuple[TemplatePart, ...]:
    chosen = zip(parts, to, strict=True)
    return tuple(
        replace(part, field=name) if name in _NAMES or not name else part for part, name in chosen
    )


def _row(part: TemplatePart) -> TemplatePartRow:
    words = " ".join(part.text[: 4 * _START].split())
    start = words[:_START] + ("…" if len(words) > _START else "")
    return TemplatePartRow(
        part.line, part.last_line, part.heading, start, part.field, part.is_title
    )


def _refusals(fields: dict[str, str]) -> list[tuple[str, str]]:
    found = []
    for name, text in fields.items():
        try:
            fit_text(FORMAL.named[name], text)
        except InvalidText as error:
            found.append((name, str(error)))
    return found
