"""A template's text taken apart: which lines go to which field, and what goes to none."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from app.registration.records.registry_records import TemplateStyle
from app.registration.submissions.submission_rules import LONGEST_LINE
from app.registration.templates.heading_selection import (
    HeadingCandidate,
    HeadingSelection,
    is_underline,
    select_headings,
    stays_in_place,
)
from app.registration.templates.headings import SHORT, HeadingKind, ends_field
from app.registration.templates.template_diagnostics import (
    apparatus_diagnostics,
    heading_diagnostics,
    part_diagnostics,
)
from app.registration.templates.template_lines import (
    TemplateLine,
    ends_mail,
    is_filed,
    last_paragraphs,
    paragraphs,
    strip_lines,
)
from app.registration.templates.template_parts import (
    TemplateDiagnostic,
    TemplatePart,
    UnplacedText,
    assemble_fields,
)

_REST = "additional_information"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedTemplate:
    """A template's text, taken apart. Every word of it is in a field, its title, or unplaced.

    ``fields`` holds the texts by the name of the field, as they were typed; ``parts`` says which
    lines went where, so that one can be moved; ``problems`` what was odd about the text.
    """

    style: TemplateStyle
    fields: dict[str, str]
    unplaced: tuple[UnplacedText, ...]
    problems: tuple[TemplateDiagnostic, ...]
    parts: tuple[TemplatePart, ...]
    title: str = ""


def read_template(text: str) -> ParsedTemplate:
    """Take a filled-in template apart, of RFC 8141 or of RFC 3406 and 2611, as people write them.

    Headings may be numbered, underlined, indented, in capitals, in Markdown, with the text beside
    or below them; the text may be quoted in mail or printed on pages. A heading of an earlier form
    and one of no form stay above their words. Raises nothing: a text without a heading is wholly
    unplaced. Whether the words make sense is not asked.

    Source: RFC 8141 appendix A; RFC 3406 appendix A.1; RFC 2611 section 5.
    """
    stripped = strip_lines(text)
    chosen = select_headings(stripped.lines)
    parts = tuple(_numbered(_parts(stripped.lines, chosen)))
    oddities = [
        *apparatus_diagnostics(stripped.between, was_quoted=stripped.was_quoted),
        *heading_diagnostics(chosen, stripped.lines, parts),
        *part_diagnostics(parts),
    ]
    return ParsedTemplate(
        style=chosen.style,
        fields=assemble_fields(parts),
        unplaced=tuple(_unplaced(parts, stripped.between)),
        problems=tuple(sorted(oddities, key=lambda oddity: oddity.line)),
        parts=parts,
        title=next((title_in(part.lines) for part in parts if part.is_title), ""),
    )


def _numbered(parts: Iterable[TemplatePart]) -> Iterator[TemplatePart]:
    return (replace(part, number=number) for number, part in enumerate(parts, 1))


# ---- from lines to parts


def _parts(lines: Sequence[TemplateLine], chosen: HeadingSelection) -> Iterator[TemplatePart]:
    places = sorted(chosen.headings)
    first, ends = places[0] if places else len(lines), [*places, len(lines)][1:]
    yield from _before(lines[:first], has_headings=bool(places))
    field: str | None = None
    for at, end in zip(places, ends, strict=True):
        candidate = chosen.headings[at]
        for part in _section(candidate, list(lines[at:end]), field, chosen, end == len(lines)):
            yield part
            field = part.field if part.field or part.own == "" else field


def _before(lines: Sequence[TemplateLine], *, has_headings: bool) -> Iterator[TemplatePart]:
    said = list(paragraphs(lines))
    # An Internet-Draft has pages above its template; they are one thing that belongs nowhere.
    if len(said) > _MOST_ABOVE:
        said = [tuple(line for run in said for line in run)]
    # It stands above all the rest, or right above the first heading.
    ends = [run for run in said[:1] + said[-1:] if has_headings and _is_title(run, said)]
    for run in said:
        yield replace(_plain(run, ""), is_title=bool(ends) and run is ends[0])


_TITLE = re.compile(r"\b(?:namespaces?|urns?|nid|registration)\b", re.IGNORECASE | re.ASCII)
_GREETING = re.compile(r"(?:hello|hi|dear|greetings|good|to|from|re|subject)\b", re.IGNORECASE)
_SECTION = re.compile(r"(?:[0-9]{1,2}|[A-Z])(?:\.[0-9]{1,2}){0,4}\.? {1,4}[A-Z]", re.ASCII)
_COUNTED = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,2}){0,4}(?=\.? )", re.ASCII)
_LONGEST_TITLE = 3
_MOST_ABOVE = 12  # paragraphs above the first heading that are told one by one


def _is_title(run: Sequence[TemplateLine], said: Sequence[Sequence[TemplateLine]]) -> bool:
    # "URN Namespace Registration for Quokka" is a title. "We ask for this namespace:" introduces
    # what follows, and "1. Namespace Registration" is a chapter of the document around it.
    text = title_in(line.text for line in run)
    fits = len(run) <= _LONGEST_TITLE and len(text) <= LONGEST_LINE
    is_lone = len(run) == len(said) == 1
    ends = text[-1:] not in ":,;?!" and (is_lone or not text.endswith("."))
    if not text or not fits or not ends or _SECTION.match(text):
        return False
    # "The Quokka Numbers" alone above the form is one too; "Hello all" is none.
    is_like = is_lone and text[0].isupper() and not text.endswith(".")
    return _TITLE.search(text) is not None or (is_like and not _GREETING.match(text))


def read_title(text: str) -> str:
    """The title that a text is where it stands above a template; empty for one that is none."""
    return read_template(f"{text}\n\nNamespace Identifier: example\n").title


def title_in(lines: Iterable[str]) -> str:
    """The words of a title, without the marks of Markdown and a line that underlines it."""
    text = " ".join(" ".join(line.split()) for line in lines if not is_underline(line.strip()))
    return text.strip("#*_ ")


def _plain(run: Sequence[TemplateLine], field: str) -> TemplatePart:
    return TemplatePart(
        number=0,
        line=run[0].number,
        last_line=run[-1].number,
        field=field,
        lines=tuple(line.text for line in run),
    )


def _section(
    candidate: HeadingCandidate,
    lines: list[TemplateLine],
    current: str | None,
    chosen: HeadingSelection,
    is_last: bool,
) -> Iterator[TemplatePart]:
    label, heading = candidate.label, candidate.heading
    lines, after = _signed(lines) if is_last else (lines, [])
    filed = last_paragraphs(lines[1:], is_filed) if is_last else 0
    own, below = (lines[:-filed], lines[-filed:]) if filed else (lines, [])
    head = 2 if candidate.is_underlined else 1
    part = TemplatePart(
        number=0,
        line=lines[0].number,
        last_line=own[-1].number,
        field="" if label.kind is HeadingKind.OUTSIDE else label.field,
        heading="\n".join([heading.typed, *(line.text.strip() for line in own[1:head])]),
        rest=heading.rest,
        lines=tuple(line.text for line in own[head:]),
        own=label.field if label.kind is HeadingKind.OWN else "",
    )
    if current and (not ends_field(label, current) or stays_in_place(label, chosen)):
        inside = tuple(line.text for line in own)
        yield replace(part, field=current, rest="", lines=inside, goes_on=True)
    elif label.kind is HeadingKind.GROUP:
        yield from _dated(part, own[head:])
    elif part.field in SHORT:
        yield from _short(part, own[head:])
    else:
        yield from _divided(part, own[head:], chosen.indent)
    yield from (_plain(run, _REST) for run in paragraphs(below))
    if after:
        yield _plain(after, "")


def _signed(lines: list[TemplateLine]) -> tuple[list[TemplateLine], list[TemplateLine]]:
    ends = (at for at, line in enumerate(lines) if at and ends_mail(line.text))
    end = next(ends, len(lines))
    return lines[:end], lines[end:]


# `Contact person:` alone on its line is a heading that no form has; `The following examples:` and
# `These are:` introduce a list, and the list belongs to them.
_UNKNOWN = re.compile(r"(?!Th(?:e|is|ese)\b)[A-Z][^\s:.]{1,30}(?: [^\s:.]{1,30}){0,4}:", re.ASCII)


def _divided(
    part: TemplatePart, lines: Sequence[TemplateLine], indent: int
) -> Iterator[TemplatePart]:
    """A part cut where a heading of no form stands, so that what is below it can be moved.

    What stands below a section's number further out is of the document around the template.
    """
    cuts = [at for at in range(1, len(lines)) if _is_cut(lines, at, indent)]
    first, *others = pairwise([0, *cuts, len(lines)])
    own = lines[slice(*first)]
    yield replace(part, lines=_texts(own), last_line=_last(own, part.line))
    field = part.field
    for start, end in others:
        run = lines[start:end]
        field = "" if _is_section(run[0], indent) and not _is_below(run[0], part) else field
        yield TemplatePart(
            number=0,
            line=run[0].number,
            last_line=_last(run, run[0].number),
            field=field,
            heading=run[0].text.strip(),
            lines=_texts(run),
            goes_on=True,
        )


def _is_cut(lines: Sequence[TemplateLine], at: int, indent: int) -> bool:
    # A heading that no form has is believed only between blank lines: `Examples are:` right above
    # its examples is text.
    is_alone = lines[at - 1].is_blank and (at + 1 == len(lines) or lines[at + 1].is_blank)
    if not is_alone or lines[at].indent > indent + 1:
        return False
    named = _UNKNOWN.fullmatch(lines[at].text.strip()) is not None
    return named or _is_section(lines[at], indent)


def _is_section(line: TemplateLine, indent: int) -> bool:
    return line.indent < indent and _SECTION.match(line.text.lstrip()) is not None


def _is_below(line: TemplateLine, part: TemplatePart) -> bool:
    number = _COUNTED.match(part.heading)
    return number is not None and line.text.strip().startswith(f"{number[0]}.")


def _texts(lines: Iterable[TemplateLine]) -> tuple[str, ...]:
    return tuple(line.text for line in lines)


def _last(lines: Sequence[TemplateLine], usual: int) -> int:
    return max((line.number for line in lines if not line.is_blank), default=usual)


def _short(part: TemplatePart, lines: Sequence[TemplateLine]) -> Iterator[TemplatePart]:
    runs = [list(run) for run in paragraphs(lines)]
    first: list[TemplateLine] = [TemplateLine(part.line, part.rest)] if part.rest else []
    # What stands right below `Registrant: The Quokka` goes on with it; below a blank line it is
    # something else, unless the words before it end in a colon ("Version: as follows:").
    if first and runs and lines and not lines[0].is_blank:
        first += runs.pop(0)
    while runs and (not first or first[-1].text.rstrip().endswith(":")):
        first += runs.pop(0)
    if len(_flat(first)) > LONGEST_LINE:
        runs.insert(0, first[1:])
        first = first[:1]
    if len(_flat(first)) > LONGEST_LINE:
        runs.insert(0, first)
        first = []
    yield replace(part, rest=_flat(first), lines=(), last_line=_last(first, part.line))
    yield from (_plain(run, _REST) for run in runs if run)


def _flat(lines: Iterable[TemplateLine]) -> str:
    return " ".join(" ".join(line.text.split()) for line in lines)


_BULLET = re.compile(r"\A[ \t]*[-*o•][ \t]+")
_REGISTERED = re.compile(
    r"(?:(?:registration )?version(?: number)?:? (?P<version>[^;]*?))?[;,.]?"
    r" ?(?:(?:(?:registration )?date:? |(?=[0-9]{4}-[0-9]))(?P<date>.*))?",
    re.IGNORECASE,
)


def _dated(part: TemplatePart, lines: Sequence[TemplateLine]) -> Iterator[TemplatePart]:
    """Version and date, which RFC 3406 puts under one heading."""
    lines = [replace(line, text=_BULLET.sub("", line.text)) for line in lines]
    said = _flat(
        [TemplateLine(part.line, part.rest), *(line for line in lines if not line.is_blank)]
    )
    said = said.strip()
    found = _REGISTERED.fullmatch(said)
    names = [name for name in ("version", "date") if found and found[name]]
    if found is None or any(len(found[name]) > LONGEST_LINE for name in names):
        yield from _dated_by_line(part, lines)
        return
    at, above = 0, f"{part.heading} "
    for name in names or ["version"]:
        start, end = found.span(name) if names else (0, 0)
        heading = (above + said[at:start]).strip()
        yield replace(part, field=name, own=name, heading=heading, rest=said[start:end], lines=())
        at, above = end, ""


_DATED = re.compile(r"((?:registration )?(version|date)\b(?: number)?:? )(.{1,200})", re.IGNORECASE)


def _dated_by_line(part: TemplatePart, lines: Sequence[TemplateLine]) -> Iterator[TemplatePart]:
    """Version and date out of longer registration information, each from the line that tells it.

    The other lines go under additional information.
    """
    others = []
    for line in lines:
        found = _DATED.fullmatch(_flat([line]).strip())
        # `Version 1` tells a version; "version of the standard" only begins a line, and is text.
        if found is None or (found[2].lower() == "version" and not found[3][0].isdigit()):
            others.append(line.text)
            continue
        name = found[2].lower()
        yield TemplatePart(
            number=0,
            line=line.number,
            last_line=line.number,
            field=name,
            heading=found[1].strip(),
            rest=found[3],
            own=name,
        )
    yield replace(part, field=_REST, own="", lines=tuple(others))


# ---- what belongs nowhere


def _unplaced(
    parts: Iterable[TemplatePart], between: Iterable[TemplateLine]
) -> Iterator[UnplacedText]:
    found = [
        UnplacedText(part.line, part.last_line, part.whole)
        for part in parts
        if not part.field and part.whole and not part.is_title
    ]
    found += [
        UnplacedText(line.number, line.number, line.text.strip())
        for line in between
        if line.text.strip()
    ]
    return iter(sorted(found, key=lambda piece: piece.line))
