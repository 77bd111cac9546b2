"""Which of the lines that can be headings of a template are, and why the others are not."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.registration.records.registry_records import TemplateStyle
from app.registration.templates.headings import (
    EARLIER_ORDER,
    SHORT,
    Heading,
    HeadingKind,
    HeadingLabel,
    HeadingMark,
    find_heading,
)
from app.registration.templates.template_lines import TemplateLine

_UNDERLINES = frozenset("-=~*_^")
_SENTENCE_ENDS = ".:;!?)"
_EARLIER = frozenset(words for words, _ in EARLIER_ORDER) | {
    "declared registrant of the namespace",
    "declaration of syntactic structure",
    "declaration of structure",
}
# RFC 3406 sections 4.3 and 4.4 ask for these in the document, next to the template.
_OF_DOCUMENT = frozenset({"namespace considerations", "community considerations"})
# Where fewer of the sure headings than this stand below a blank line, the text has no blank lines
# between its sections, and a heading need not be set off: `Purpose: a`, right below it `Syntax: b`.
_MOSTLY = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingCandidate:
    """A line that can be a heading, among its neighbours."""

    at: int
    heading: Heading
    is_underlined: bool
    is_set_off: bool  # nothing stands right above it
    ends_sentence: bool  # what stands above it is a whole sentence

    @property
    def is_strong(self) -> bool:
        """Whether more than its words says that it is a heading."""
        marked = self.heading.mark in (HeadingMark.NUMBER, HeadingMark.MARKDOWN)
        return self.heading.has_colon or marked or self.is_underlined

    @property
    def is_marked(self) -> bool:
        """Whether it is numbered, underlined or marked as in Markdown."""
        return self.is_underlined or self.heading.mark in (HeadingMark.NUMBER, HeadingMark.MARKDOWN)

    @property
    def is_capital(self) -> bool:
        """Whether its words begin with a capital."""
        return self.heading.typed.lstrip(" #*_.-()0123456789•o\t")[:1].isupper()

    @property
    def label(self) -> HeadingLabel:
        """The heading that it would be."""
        return self.heading.label


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingSelection:
    """The headings of a text by the place of their line, its style, and what was passed over.

    ``indent`` is the column in which the headings stand; nothing further in is one.
    """

    headings: Mapping[int, HeadingCandidate]
    passed_over: tuple[HeadingCandidate, ...]
    out_of_order: tuple[HeadingCandidate, ...]
    style: TemplateStyle
    indent: int
    taken: frozenset[str]


def select_headings(lines: Sequence[TemplateLine]) -> HeadingSelection:
    """The lines of a text that are headings of a template.

    A heading stands no further in than the others, is set off or ends no sentence's middle,
    and of two for one field the one counts that fits the order of the form.

    Source: RFC 8141 appendix A; RFC 3406 appendix A.1.
    """
    found = list(_candidates(lines))
    indent, bulleted = _manner(lines, found)
    # One column further in is a slip of the hand; more is an example within a field. Where the
    # headings are items (`o  Purpose:`), a bare `Purpose:` is text, and the other way round.
    near = [
        c
        for c in found
        if c.heading.indent <= indent + 1 and (c.heading.mark is HeadingMark.BULLET) == bulleted
    ]
    style = _style(near)
    fits = _fitting(near)
    chain = _in_order([c for c in fits if _has_place(c, style)])
    last = max((c.at for c in chain), default=-1)
    taken = {c.label.field for c in chain if c.label.kind is HeadingKind.OWN}
    places = {c.at for c in chain}
    beside = [c for c in fits if c.at not in places and _stands_too(c, style, taken, last)]
    headings = {c.at: c for c in sorted([*chain, *beside], key=lambda c: c.at)}
    # `Introduction` above the first heading of the form is of the document around the template.
    first = min(
        (at for at, c in headings.items() if c.label.kind is not HeadingKind.EXTRA), default=0
    )
    return HeadingSelection(
        headings={at: c for at, c in headings.items() if at >= first},
        passed_over=tuple(c for c in near if c.at not in headings and _is_telling(c)),
        out_of_order=tuple(
            c
            for c in beside
            if _has_place(c, style) and c.at < last and c.label.words not in _OF_DOCUMENT
        ),
        style=style,
        indent=indent,
        taken=frozenset(taken),
    )


def _is_telling(candidate: HeadingCandidate) -> bool:
    is_bare = candidate.label.kind is HeadingKind.EARLIER and _is_bare_word(candidate.label.words)
    # `resolution of URN:ISSN:1234-1231 is ...` goes on with the sentence of the line above.
    goes_on = not (candidate.is_capital or candidate.is_set_off or candidate.ends_sentence)
    return candidate.is_strong and _is_of_form(candidate) and not (is_bare or goes_on)


def _is_of_form(candidate: HeadingCandidate) -> bool:
    return candidate.label.kind in (HeadingKind.OWN, HeadingKind.EARLIER)


def _candidates(lines: Sequence[TemplateLine]) -> Iterator[HeadingCandidate]:
    above = ""
    for at, line in enumerate(lines):
        heading = find_heading(line.text)
        if heading:
            below = lines[at + 1].text.strip() if at + 1 < len(lines) else ""
            yield HeadingCandidate(
                at=at,
                heading=heading,
                is_underlined=is_underline(below),
                is_set_off=not above,
                ends_sentence=above[-1:] in _SENTENCE_ENDS,
            )
        above = line.text.strip()


def is_underline(text: str) -> bool:
    """Whether a line is drawn below a heading."""
    return len(text) > 2 and len(set(text)) == 1 and text[0] in _UNDERLINES


def _manner(lines: Sequence[TemplateLine], found: Sequence[HeadingCandidate]) -> tuple[int, bool]:
    """The column of the headings, and whether they are items of a list.

    That of a heading with which the text begins; else the one with most different headings.
    """
    begin = next((at for at, line in enumerate(lines) if not line.is_blank), -1)
    if found and found[0].at == begin and found[0].is_strong and _is_of_form(found[0]):
        return found[0].heading.indent, found[0].heading.mark is HeadingMark.BULLET
    # Different headings are counted, not lines: ten times `Resolution` in a list is one heading.
    known: dict[tuple[int, bool], set[str]] = defaultdict(set)
    for c in found:
        if _is_of_form(c) and (c.is_strong or c.is_set_off):
            known[c.heading.indent, c.heading.mark is HeadingMark.BULLET].add(c.label.words)
    # Of two columns with as many the outer one counts: what is further in quotes a template.
    return max(known, key=lambda manner: (len(known[manner]), -manner[0]), default=(0, False))


def _style(near: Iterable[HeadingCandidate]) -> TemplateStyle:
    earlier, today = set(), set()
    for c in near:
        if c.label.words in _EARLIER:
            earlier.add(c.label.words)
        # The fields of one line and the registrant are in the forms of all days and prove nothing.
        elif c.label.kind is HeadingKind.OWN and c.label.field not in SHORT | {"registrant"}:
            today.add(c.label.field)
    return TemplateStyle.RFC3406 if len(earlier) > len(today) else TemplateStyle.RFC8141


def _has_place(candidate: HeadingCandidate, style: TemplateStyle) -> bool:
    if style is TemplateStyle.RFC8141:
        return candidate.label.kind is HeadingKind.OWN
    label = candidate.label
    is_first = label.kind is HeadingKind.OWN and label.field in SHORT
    return is_first or label.kind is HeadingKind.GROUP or label.words in _EARLIER


def _fitting(near: Sequence[HeadingCandidate]) -> list[HeadingCandidate]:
    # `syntax: letters` in the middle of a field is a sentence that a line end cut, unless nobody in
    # the text writes a capital: then `purpose: things` is as good a heading as there is.
    strong = [c for c in near if c.is_strong and c.is_capital]
    is_tight = sum(c.is_set_off for c in strong) < _MOSTLY * len(strong)
    has_capitals = bool(strong)
    after_short, fits = False, list[HeadingCandidate]()
    for c in near:
        # The first field may stand right below a greeting: `Hello,` and then `Namespace ID: foo`.
        begins = not fits and c.label.field in SHORT
        # `Date: 2020-01-01` follows `Version: 1` with nothing between; a number or an underline
        # (`2. Syntax`) tells a heading wherever it stands.
        stands = c.is_set_off or is_tight or after_short or begins or c.is_marked
        # Below a line that ends no sentence, `Syntax: letters and digits` is how the sentence goes
        # on: "... described under / Syntax: letters". `Syntax:` alone is a heading even there.
        whole = not c.heading.rest or c.ends_sentence
        if (c.is_capital or not has_capitals) and (stands or (c.is_strong and whole)):
            fits.append(c)
            after_short = c.label.field in SHORT
    return fits


def _in_order(fits: Sequence[HeadingCandidate]) -> list[HeadingCandidate]:
    # A table of contents and words within a field name headings too, so that some stand twice. The
    # run that weighs most is the form itself: its headings are marked, and most of them are there.
    best: dict[int, tuple[int, tuple[HeadingCandidate, ...]]] = {}
    for c in fits:
        weight = _weight(c)
        if weight:
            before = [run for place, run in best.items() if place < c.label.place]
            score, run = max(before, key=lambda run: run[0], default=(0, ()))
            if score + weight > best.get(c.label.place, (0, ()))[0]:
                best[c.label.place] = (score + weight, (*run, c))
    return list(max(best.values(), key=lambda run: run[0], default=(0, ()))[1])


def _weight(c: HeadingCandidate) -> int:
    # One `Purpose:` is worth two bare lines `Purpose` that are set off: these may be anything.
    if not (c.is_strong or c.is_set_off):
        return 0
    return 1 + 3 * c.is_strong + c.is_set_off + c.is_marked


def _stands_too(c: HeadingCandidate, style: TemplateStyle, taken: set[str], last: int) -> bool:
    kind, words = c.label.kind, c.label.words
    # `IANA Considerations` ends a template where it is numbered as chapters are, or stands below
    # the last field; within a field it is only words.
    if kind is HeadingKind.OUTSIDE:
        return c.is_marked or (c.is_set_off and c.at > last)
    # Somebody put `Resolution:` before `Syntax:`. It is a heading if the field has none elsewhere.
    if kind is HeadingKind.OWN:
        return c.is_strong and (c.label.field not in taken or (c.is_marked and c.at > last))
    # `Examples:` and `Security:` are common words; a colon and a blank line above make a heading.
    if kind is HeadingKind.EXTRA or (style is TemplateStyle.RFC8141 and _is_bare_word(words)):
        return c.heading.has_colon and c.is_set_off
    return c.is_strong or (c.is_set_off and not _is_bare_word(words))


def _is_bare_word(words: str) -> bool:
    return " " not in words and words != "references"


def stays_in_place(label: HeadingLabel, chosen: HeadingSelection) -> bool:
    """Whether an earlier heading of one word is only part of the field in which it stands.

    It is where the field that it speaks of has a heading of its own.
    """
    bare = label.kind is HeadingKind.EARLIER and _is_bare_word(label.words)
    return bare and chosen.style is TemplateStyle.RFC8141 and label.field in chosen.taken
