"""The templates of registrations that stand inside RFCs: cut out by their lines, word for word."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from app.identifiers.nid import fold_nid
from app.registration.declarations.registries import FORMAL
from app.registration.records.registry_records import TemplateStyle
from app.registration.templates.field_values import find_nid
from app.registration.templates.headings import Heading, HeadingKind, find_heading
from app.registration.templates.rfc_sections import RfcOutline, RfcSection
from app.registration.templates.template_lines import PageBreak, TemplateLine, strip_lines
from app.registration.templates.template_parts import TemplatePart, dedent_lines
from app.registration.templates.template_reader import ParsedTemplate, read_template

MOST_LINES = 100_000  # the longest RFC has a third of them
_MOST_FOUND = 40
_MOST_SHOWN = 8
_FEWEST_HEADINGS = 3
_FEWEST_CHANGED = 2  # the registration information, and what it is about
_LONGEST_NAMED = 2_000
_IDENTIFIER = "namespace_identifier"
_OF_FORM = (HeadingKind.OWN, HeadingKind.EARLIER, HeadingKind.GROUP)
_OTHER_CHAPTERS = frozenset({"references", "normative references", "informative references"})
_REQUEST = re.compile(r"Request for Comments:? {1,9}([0-9]{1,5})\b", re.ASCII | re.IGNORECASE)
_UNKNOWN = re.compile(r"[A-Z][^:.]{2,78}:", re.ASCII)
_NEEDED = {
    TemplateStyle.RFC8141: ("registrant", "purpose", "syntax", "assignment", "resolution"),
    TemplateStyle.RFC3406: ("version", "date", "registrant", "syntax", "assignment", "resolution"),
}


class RfcMismatch(ValueError):
    """A text that is not the RFC that it is said to be; the message says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RfcRegistration:
    """A template that stands in an RFC.

    ``name`` is folded, and empty where the template tells none that is known. ``place`` is such
    as ``RFC 5279, section 2``; ``line`` and ``last_line`` are those of the RFC. ``sections`` are
    the headings of the template, as they were written. It is not whole where it only changes
    some fields of an earlier one. ``doubts`` are what a person should look at, in sentences.
    """

    name: str
    place: str
    text: str
    line: int
    last_line: int
    sections: tuple[str, ...]
    style: TemplateStyle
    is_whole: bool = True
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _RfcExcerpt:
    start: int
    end: int
    section: RfcSection | None
    last_section: RfcSection | None
    is_whole: bool


def find_registrations(
    text: str, number: int, names: Collection[str]
) -> tuple[RfcRegistration, ...]:
    """The filled-in templates of an RFC, in its order, without feet and heads of pages.

    ``names`` are those, folded, whose registrations refer to this RFC. A template begins with
    its namespace identifier, or with the registration information where it changes an earlier
    one, and ends where its last heading's text does; what stands around it in the same chapter
    is left out. Forms that nobody has filled in are found too, without a name. What a page break
    tore apart is joined where the lines tell that it was one.

    Raises RfcMismatch for a text that says that it is another RFC, and for more than 100,000 lines.

    Source: RFC 7322 section 3.1 (pages); RFC 2611 section 5, RFC 3406 appendix A.1 and RFC 8141
    appendix A (the forms).
    """
    if text.count("\n") > MOST_LINES:
        raise RfcMismatch(f"The text has more than {MOST_LINES:,} lines. Check that it is an RFC.")
    stripped = strip_lines(text)
    lines = stripped.lines
    unsure = _of_number(lines, number)
    outline = RfcOutline(lines)
    cuts = list(islice(_cuts(lines, outline), _MOST_FOUND))
    own = len(cuts) == 1
    return tuple(
        _registration(cut, lines, number, names, stripped.breaks, unsure, is_only=own)
        for cut in cuts
    )


def _of_number(lines: Sequence[TemplateLine], number: int) -> tuple[str, ...]:
    top = (line.text[:_LONGEST_NAMED].strip() for line in lines[:60])
    said = next((int(found[1]) for found in map(_REQUEST.match, top) if found), None)
    if said is None:
        return ("The RFC number is missing from the first lines of the text.",)
    if said != number:
        raise RfcMismatch(f"The text is RFC {said}, not RFC {number}. Correct the number.")
    return ()


def with_changes(whole: RfcRegistration, change: RfcRegistration) -> RfcRegistration:
    """A template with the fields put in place of its own that a later RFC gives anew.

    Every heading of the change takes the place of the same one, or comes last where the template
    has none such. The place names both, and so does one of the doubts.

    Source: RFC 7354 section 2, which changes RFC 5328 so.
    """
    blocks = dict(_blocks(whole.text))
    new = dict(_blocks(change.text))
    told = ", ".join(lines[0].strip().rstrip(":") for lines in new.values())
    text = "\n\n".join("\n".join(lines).rstrip() for lines in (blocks | new).values()) + "\n"
    said = f"{change.place} replaces {told} of {whole.place}."
    place = f"{whole.place}, with the changes of {change.place}"
    sections = tuple(map(heading_title, read_template(text).parts))
    return replace(
        whole,
        text=text,
        place=place,
        sections=tuple(filter(None, sections)),
        doubts=(*whole.doubts, said),
    )


def _blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    words, block = "", list[str]()
    for line in text.splitlines():
        heading = None if line[:1].isspace() else find_heading(line)
        if heading and heading.label.kind in _OF_FORM:
            if block:
                yield words, block
            words, block = heading.label.words, []
        block.append(line)
    yield words, block


def heading_title(part: TemplatePart) -> str:
    """The heading of a part as a list of them shows it; empty where it has none of its own."""
    return "" if part.goes_on else " ".join(part.heading.split()).rstrip(": ")


# ---- from where to where


def _cuts(lines: Sequence[TemplateLine], outline: RfcOutline) -> Iterator[_RfcExcerpt]:
    starts = _starts(lines, outline)
    done = 0
    for start, before in pairwise([*starts, len(lines)]):
        heading = find_heading(lines[start].text)
        # An identifier within a template that was cut already, such as one in an example.
        if start < done or heading is None:
            continue
        section, ends = _chapter(start, outline)
        most = min(before, ends if ends is not None else len(lines))
        most = _other_chapter(lines, start, most, outline)
        found = _form_headings(lines, start, most, outline)
        is_whole = heading.label.field == _IDENTIFIER
        fewest = _FEWEST_HEADINGS if is_whole else _FEWEST_CHANGED
        if len({one.label.words for _, one in found}) >= fewest:
            last = _last_section(found, outline, section)
            done = _end(lines, found[-1][0], most, outline)
            yield _RfcExcerpt(start, done, section, last, is_whole)


def _starts(lines: Sequence[TemplateLine], outline: RfcOutline) -> list[int]:
    starts, within = list[int](), 0
    for at, line in enumerate(lines):
        heading = None if at in outline.contents else find_heading(line.text)
        if heading is None or not _stands(lines, at, heading):
            continue
        if heading.label.kind is HeadingKind.OWN and heading.label.field == _IDENTIFIER:
            starts.append(at)
            end = _chapter(at, outline)[1]
            within = len(lines) if end is None else end
        # `Registration Information` begins a template of changed fields, as in RFC 7354 section 2;
        # in the chapter of an identifier it is a field of that template.
        elif heading.label.kind is HeadingKind.GROUP and at >= within:
            starts.append(at)
    return starts


def _stands(lines: Sequence[TemplateLine], at: int, heading: Heading) -> bool:
    is_set_off = at == 0 or lines[at - 1].is_blank
    first = heading.typed.lstrip(" 0123456789.()-*#o•\t")[:1]
    return first.isupper() and (is_set_off or (heading.has_colon and not heading.rest))


def _chapter(start: int, outline: RfcOutline) -> tuple[RfcSection | None, int | None]:
    here = outline.before(start)
    section = outline.around(here) if here and here.at == start else here
    if section is None:
        return here, None
    return section, outline.end(section)


def _other_chapter(lines: Sequence[TemplateLine], start: int, end: int, outline: RfcOutline) -> int:
    for at in range(start + 1, end):
        line = lines[at]
        if line.indent > outline.indent or line.is_blank or not lines[at - 1].is_blank:
            continue
        heading = find_heading(line.text)
        if heading and (
            heading.label.kind is HeadingKind.OUTSIDE or heading.label.words in _OTHER_CHAPTERS
        ):
            return at
    return end


def _form_headings(
    lines: Sequence[TemplateLine], start: int, end: int, outline: RfcOutline
) -> list[tuple[int, Heading]]:
    first = find_heading(lines[start].text)
    column = first.indent if first else 0
    top = outline.at(start)
    is_run = top is not None and outline.around(top) is None  # each field is a chapter
    found = list[tuple[int, Heading]]()
    for at in range(start, end):
        heading = find_heading(lines[at].text)
        is_form = heading is not None and heading.label.kind in _OF_FORM
        section = outline.at(at)
        # Where each field is a chapter (`4. Syntax`, `5. Assignment`), the first chapter that is no
        # field, such as `9. Conclusions`, ends the template.
        if is_run and section and len(section.number) == 1 and not is_form:
            break
        if heading and is_form and _is_placed(lines, at, heading, column, section):
            found.append((at, heading))
    return found


def _is_placed(
    lines: Sequence[TemplateLine],
    at: int,
    heading: Heading,
    column: int,
    section: RfcSection | None,
) -> bool:
    return _stands(lines, at, heading) and (section is not None or heading.indent <= column + 1)


def _last_section(
    found: Sequence[tuple[int, Heading]], outline: RfcOutline, around: RfcSection | None
) -> RfcSection | None:
    top = outline.at(found[0][0])
    if top is None or outline.around(top) is not None:
        return around
    return next((s for s in map(outline.at, (at for at, _ in reversed(found))) if s), around)


def _end(lines: Sequence[TemplateLine], last: int, most: int, outline: RfcOutline) -> int:
    own = outline.at(last)
    later = (s for s in outline.after(last) if not (own and own.holds(s)))
    end = min(most, next((s.at for s in later), most))
    while lines[end - 1].is_blank:
        end -= 1
    return end


# ---- what it is


def _registration(
    cut: _RfcExcerpt,
    lines: Sequence[TemplateLine],
    number: int,
    names: Collection[str],
    breaks: Sequence[PageBreak],
    unsure: tuple[str, ...],
    *,
    is_only: bool,
) -> RfcRegistration:
    own = lines[cut.start : cut.end]
    text = "\n".join(dedent_lines([line.text.rstrip() for line in own])) + "\n"
    read = read_template(text)
    name, doubt = _name(read, names, is_only=is_only)
    torn = [one.after for one in breaks if one.is_unsure and _is_within(one, own)]
    return RfcRegistration(
        name=name,
        place=_place(number, cut),
        text=text,
        line=own[0].number,
        last_line=own[-1].number,
        sections=tuple(filter(None, map(heading_title, read.parts))),
        style=read.style,
        is_whole=cut.is_whole,
        doubts=tuple(
            filter(
                None,
                (*unsure, doubt, _of_place(cut), *_of_text(read, cut, torn), *_of_lines(own)),
            )
        ),
    )


def _is_within(one: PageBreak, own: Sequence[TemplateLine]) -> bool:
    return own[0].number < one.after <= own[-1].number


def _place(number: int, cut: _RfcExcerpt) -> str:
    first, last = cut.section, cut.last_section
    if first is None:
        return f"RFC {number}"
    if last is None or last.number == first.number:
        return f"RFC {number}, {first.place}"
    return f"RFC {number}, {first.place.replace('section ', 'sections ')} to {last.number[0]}"


def _name(read: ParsedTemplate, names: Collection[str], *, is_only: bool) -> tuple[str, str]:
    said = " ".join(read.fields.get(_IDENTIFIER, "")[:_LONGEST_NAMED].split())
    told = fold_nid(find_nid(said) or "")
    if told in names:
        return told, ""
    words = frozenset(re.split(r"[^a-z0-9-]+", fold_nid(said)))
    known = sorted(words & frozenset(names))
    # "the namespace for quokka objects" tells a name where one known name is among the words.
    if len(known) == 1:
        return known[0], f"The NID was read from “{said[:80]}”."
    if len(names) == 1 and is_only and not said:
        (name,) = names
        return name, (
            f"The text contains no NID. `{name}` is the only namespace that refers to this RFC."
        )
    return told, "" if told else "The text contains no recognizable NID."


def _of_place(cut: _RfcExcerpt) -> str:
    return "" if cut.section else "The text has no numbered section around it."


def _of_text(read: ParsedTemplate, cut: _RfcExcerpt, torn: Sequence[int]) -> Iterator[str]:
    if not cut.is_whole:
        yield "This isn't a complete template: it changes fields of an earlier one."
    needed = _NEEDED.get(read.style, ()) if cut.is_whole else ()
    missing = [FORMAL.named[name].label for name in needed if name not in read.fields]
    if missing:
        yield f"Not found: {', '.join(missing)}."
    lost = [f"“{' '.join(piece.text.split())[:60]}”" for piece in read.unplaced]
    if lost:
        yield f"This text belongs to no field: {_few(lost)}."
    if torn:
        shown = _few([str(line) for line in torn])
        yield f"A paragraph may continue across the page break at line {shown}."


def _of_lines(own: Sequence[TemplateLine]) -> Iterator[str]:
    unknown = [
        f"“{line.text.strip()[:60]}” (line {line.number})"
        for above, line in pairwise(own)
        if above.is_blank and line.indent == own[0].indent and _UNKNOWN.fullmatch(line.text.strip())
        if find_heading(line.text) is None
    ]
    if unknown:
        yield f"Unknown headings, kept in the text above them: {_few(unknown)}."


def _few(shown: Sequence[str]) -> str:
    more = len(shown) - _MOST_SHOWN
    return ", ".join(shown[:_MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")
