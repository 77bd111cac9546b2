"""What is odd about a template that was read: each thing with its line and a sentence."""

from collections.abc import Iterable, Iterator, Sequence

from app.registration.declarations.registries import FORMAL
from app.registration.templates.heading_selection import HeadingCandidate, HeadingSelection
from app.registration.templates.template_lines import TemplateLine
from app.registration.templates.template_parts import TemplateDiagnostic, TemplatePart

_FIELDS = FORMAL.named
_MOST = 100  # lines like headings that are told one by one


def apparatus_diagnostics(
    between: Sequence[TemplateLine], *, was_quoted: bool
) -> Iterator[TemplateDiagnostic]:
    """What of a text was left out: quotation marks of mail, and lines between printed pages.

    Source: RFC 3676 section 4.5; RFC 7322 section 3.1.
    """
    if was_quoted:
        yield TemplateDiagnostic(
            line=1,
            code="quoted",
            message="The text is quoted as in e-mail. The quotation marks were removed.",
            source="RFC 3676 section 4.5",
        )
    if between:
        yield TemplateDiagnostic(
            line=between[0].number,
            code="page-break",
            message=f"The text has page breaks. {len(between)} lines between pages were removed, "
            f"from line {between[0].number} on.",
            source="RFC 7322 section 3.1",
        )


def heading_diagnostics(
    chosen: HeadingSelection, lines: Sequence[TemplateLine], parts: Sequence[TemplatePart]
) -> Iterator[TemplateDiagnostic]:
    """What is odd about headings: none, one out of order, a line that only reads like one."""
    if not chosen.headings:
        yield TemplateDiagnostic(
            line=1, code="no-heading", message="No template headings were found."
        )
    for candidate in chosen.out_of_order:
        yield TemplateDiagnostic(
            line=lines[candidate.at].number,
            code="order",
            field=candidate.label.field,
            message=f"The heading {_heading_of(candidate)} is not in the usual place.",
        )
    for candidate in chosen.passed_over[:_MOST]:
        number = lines[candidate.at].number
        inside = next((p.field for p in reversed(parts) if p.line <= number and p.field), "")
        where = f"the text of {_FIELDS[inside].label}" if inside else "the text above the template"
        yield TemplateDiagnostic(
            line=number,
            code="like-a-heading",
            field=inside,
            message=f"This line looks like the heading {_FIELDS[candidate.label.field].label}. It "
            f"was kept in {where}.",
        )


def _heading_of(candidate: HeadingCandidate) -> str:
    words = candidate.label.words
    own = _FIELDS[candidate.label.field].label
    return own if words == own.lower() else f"“{words}”"


def part_diagnostics(parts: Iterable[TemplatePart]) -> Iterator[TemplateDiagnostic]:
    """Which words belong to no field, and which were put under one without a heading."""
    for part in parts:
        if part.is_title:
            continue
        if not part.field and part.whole:
            yield TemplateDiagnostic(
                line=part.line,
                code="unplaced",
                message=_belongs_nowhere(part),
            )
        elif not part.heading:
            yield TemplateDiagnostic(
                line=part.line,
                code="without-heading",
                field=part.field,
                message=f"This text has no heading. It was added to {_FIELDS[part.field].label}.",
            )


def _belongs_nowhere(part: TemplatePart) -> str:
    if part.line == part.last_line:
        return "This line belongs to no field."
    return f"Lines {part.line} to {part.last_line} belong to no field."
