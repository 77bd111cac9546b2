"""Two versions of a template, and what changed between them, word by word."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import Match, SequenceMatcher
from enum import StrEnum
from itertools import accumulate, groupby, islice

from app.registration.declarations.registries import TEMPLATE_FIELDS
from app.registration.profiles.equivalence_answers import (
    EQUIVALENCE,
    declared_equivalence,
    equivalence_sentences,
)
from app.registration.profiles.profile_answers import PROFILE, SERVICES, profile_facts_in
from app.registration.submissions.text_points import find_point_field
from app.registration.templates.template_writer import format_template

_OF_A_SEARCH = 30  # steps that a search for the longest common run takes, however short they are
_OF_A_RUN = 20  # steps that it takes to show a run


class AlignmentBudgetSpent(Exception):
    """The allowance is used up before two sequences are set against each other."""


@dataclass(slots=True)
class AlignmentBudget:
    """Steps that may be taken yet: to look at an item, or at a pair of equal ones."""

    left: int

    def take(self, steps: int) -> None:
        """Take some of them; AlignmentBudgetSpent where so many are not left."""
        if steps > self.left:
            raise AlignmentBudgetSpent
        self.left -= steps


class _BoundedMatcher(SequenceMatcher[str]):
    b2j: Mapping[str, Sequence[int]]  # where each item of the new sequence is, says the library

    def __init__(self, old: Sequence[str], new: Sequence[str], allowance: AlignmentBudget) -> None:
        allowance.take(len(old) + len(new))
        super().__init__(None, old, new)
        counts = (len(self.b2j.get(item, ())) for item in old)
        self._pairs = list(accumulate(counts, initial=0))
        self._allowance = allowance

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        """The longest run that both have between these places; AlignmentBudgetSpent."""
        end = len(self._pairs) - 1 if ahi is None else ahi
        self._allowance.take(_OF_A_SEARCH + end - alo + self._pairs[end] - self._pairs[alo])
        return super().find_longest_match(alo, ahi, blo, bhi)


def sequence_matcher(
    old: Sequence[str], new: Sequence[str], allowance: AlignmentBudget
) -> SequenceMatcher[str]:
    """A matcher of two sequences; whatever is asked of it may raise AlignmentBudgetSpent."""
    return _BoundedMatcher(old, new, allowance)


def align_runs(
    old: Sequence[str], new: Sequence[str], allowance: AlignmentBudget, alike: float = 0
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Runs of both that belong together, equal where nothing changed; all as one if unlike.

    Raises AlignmentBudgetSpent, before the first of them.
    """
    matching = _BoundedMatcher(old, new, allowance)
    if alike and matching.ratio() < alike:
        return iter([(old, new)])
    runs = matching.get_opcodes()
    allowance.take(_OF_A_RUN * len(runs))
    return ((old[i:j], new[k:m]) for _, i, j, k, m in runs)


ORGANIZATION = "organization"  # who asks with a template, where it is compared like its fields

_WORDS = re.compile(r"\S+\s*|\s+")
_GRAMMAR = frozenset({"syntax"})  # fields whose lines are rules, compared as such
# Blanks between the words of a line; what stands in quotes is itself (RFC 5234 section 2.3).
_BLANKS = re.compile(r'("[^"\n]*")|[ \t]+')
_RULE = re.compile(r"[ \t]|[A-Za-z][A-Za-z0-9-]*[ \t]*=|;|[ \t]*\Z")  # how a line of one begins
_MOST_WORDS = 2000  # above it, lines are compared and not their words: that is quadratic
_ALIKE = 0.5  # below it, a text was written anew, and shared words in it only confuse
ALIGNMENT = 2  # raise it when ``alignment`` sets the same texts against each other otherwise
_STEPS = 1_000_000  # to set the lines of two templates against each other, and again their words
TOO_DIFFERENT = "The texts differ too much to compare line by line, so both are shown in full."

# Of a field, run by run of lines and in it run by run of words: so many characters of the old
# text belong to so many of the new. None: the two are too different.
Runs = tuple[tuple[tuple[int, int], ...], ...] | None


class DiffKind(StrEnum):
    """What happened to a piece of text."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class DiffSegment:
    """A piece of text, and what happened to it."""

    kind: DiffKind
    text: str


class DiffView(StrEnum):
    """How two texts are set against each other on a page."""

    INLINE = "inline"
    SIDES = "sides"

    @property
    def label(self) -> str:
        """What the way to it says."""
        return "Inline" if self is DiffView.INLINE else "Side by side"


Side = tuple[DiffSegment, ...]


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """One field that differs.

    ``rows`` are the runs of lines of the old text beside those of the new that belong to them.
    Of texts that are too different to be set against each other, each is one piece.
    """

    name: str
    label: str
    pieces: tuple[DiffSegment, ...]
    rows: tuple[tuple[Side, Side], ...] = ()
    is_too_different: bool = False

    @property
    def is_grammar(self) -> bool:
        """Whether it holds a grammar, whose lines are read one below the other."""
        return self.name in _GRAMMAR


@dataclass(frozen=True, slots=True)
class TemplateDifference:
    """The fields that differ between two templates, and the labels of those that do not."""

    changed: tuple[FieldDifference, ...]
    same: tuple[str, ...]


def difference(
    old: Mapping[str, str], new: Mapping[str, str], kept: Mapping[str, Runs] | None = None
) -> TemplateDifference:
    """Compare two templates, in the order of their fields. Every word of both is in a piece.

    A grammar is compared line by line, and the blanks that align its lines do not count.

    ``kept`` is what ``alignment`` gave for them; without it, that is made here.
    """
    old, new = readable_fields(old), readable_fields(new)
    names = _names(old, new)
    differing = _differing(old, new)
    found = _alignment(old, new) if kept is None else kept
    return TemplateDifference(
        tuple(_changed(name, old.get(name, ""), new.get(name, ""), found) for name in differing),
        tuple(_label(name) for name in names if name not in differing),
    )


def names_changed(old: Mapping[str, str], new: Mapping[str, str]) -> frozenset[str]:
    """The fields that ``difference`` shows: blanks that nobody reads change none."""
    return frozenset(_differing(readable_fields(old), readable_fields(new)))


def alignment(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, Runs]:
    """What belongs together in the fields that differ: the work of a comparison, to be kept."""
    return _alignment(readable_fields(old), readable_fields(new))


def _alignment(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, Runs]:
    steps = _DiffBudget()
    return {
        name: _runs(name, old.get(name, ""), new.get(name, ""), steps)
        for name in _differing(old, new)
    }


def _names(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    declared = [one.name for one in TEMPLATE_FIELDS]
    return [n for n in dict.fromkeys((*declared, *old, *new)) if old.get(n) or new.get(n)]


def _differing(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    return [
        name
        for name in _names(old, new)
        if not _is_same(name, old.get(name, ""), new.get(name, ""))
    ]


def _is_same(name: str, old: str, new: str) -> bool:
    return old == new or (name in _GRAMMAR and _keys(old) == _keys(new))


def _keys(text: str) -> list[str]:
    return [_BLANKS.sub(lambda found: found[1] or " ", line).strip() for line in text.splitlines()]


def readable_fields(fields: Mapping[str, str]) -> Mapping[str, str]:
    """The fields with what is declared for programs in words, as people read it.

    Space at the end of a text is nothing that anybody reads, so that it is no change.
    """
    readable = {name: text.rstrip() for name, text in fields.items()}
    if fields.get(EQUIVALENCE):
        words = (
            f"{sentence} ({clause})"
            for sentence, clause in equivalence_sentences(declared_equivalence(fields))
        )
        readable[EQUIVALENCE] = "\n".join(words)
    if fields.get(PROFILE) or fields.get(SERVICES):
        readable[PROFILE] = profile_as_text(fields)
        readable.pop(SERVICES, None)
    return readable


def profile_as_text(fields: Mapping[str, str]) -> str:
    """What a text says of its namespace for people who look it up, a fact a line."""
    return "\n".join(f"{fact.label}: {fact.words}" for fact in profile_facts_in(fields))


def unified_diff(old: Mapping[str, str], new: Mapping[str, str], names: tuple[str, str]) -> str:
    """The difference between two templates as text: lines after ``-``, after ``+``, and shared.

    ``names`` say which is which; the result is empty where the templates are the same.
    """
    before, after = (_as_text(fields).splitlines(keepends=True) for fields in (old, new))
    return "".join(_unified(before, after, names))


def _as_text(fields: Mapping[str, str]) -> str:
    asks = fields.get(ORGANIZATION)
    return (f"{_label(ORGANIZATION)}: {asks}\n\n" if asks else "") + format_template(fields)


def _unified(old: list[str], new: list[str], names: tuple[str, str]) -> Iterator[str]:
    if old == new:
        return
    try:
        hunks = list(sequence_matcher(old, new, AlignmentBudget(_STEPS)).get_grouped_opcodes())
    except AlignmentBudgetSpent:
        yield f"{TOO_DIFFERENT}\n"  # programs that read a difference pass over words before it
        hunks = [[("replace", 0, len(old), 0, len(new))]]
    yield f"--- {names[0]}\n+++ {names[1]}\n"
    for hunk in hunks:
        first, last = hunk[0], hunk[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"
        for kind, i, j, k, m in hunk:
            if kind == "equal":
                yield from (f" {line}" for line in old[i:j])
            else:
                yield from (f"-{line}" for line in old[i:j])
                yield from (f"+{line}" for line in new[k:m])


def _range(begin: int, end: int) -> str:
    length = end - begin
    return f"{begin + 1}" if length == 1 else f"{begin + 1 if length else begin},{length}"


@dataclass(slots=True)
class _DiffBudget:
    lines: AlignmentBudget = field(default_factory=lambda: AlignmentBudget(_STEPS))
    words: AlignmentBudget = field(default_factory=lambda: AlignmentBudget(_STEPS))


def _runs(name: str, old: str, new: str, steps: _DiffBudget) -> Runs:
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    is_grammar = name in _GRAMMAR
    try:
        rows = align_runs(
            *((_keys(old), _keys(new)) if is_grammar else (before, after)), steps.lines
        )
    except AlignmentBudgetSpent:
        return None
    return tuple(_measured(before, after, rows, steps, by_line=is_grammar))


def _measured(
    before: Sequence[str],
    after: Sequence[str],
    rows: Iterable[tuple[Sequence[str], Sequence[str]]],
    steps: _DiffBudget,
    *,
    by_line: bool,
) -> Iterator[tuple[tuple[int, int], ...]]:
    at = to = 0
    for old, new in rows:
        left, right = before[at : at + len(old)], after[to : to + len(new)]
        at, to = at + len(old), to + len(new)
        pair = "".join(left), "".join(right)
        is_whole = by_line and (old == new or all(map(_RULE.match, (*left, *right))))
        runs = iter([pair]) if is_whole else _within(*pair, steps.words)
        yield tuple((len(a), len(b)) for a, b in runs)


def _within(before: str, after: str, steps: AlignmentBudget) -> Iterator[tuple[str, str]]:
    if before == after:
        return iter([(before, after)])
    old, new = _words(before), _words(after)
    if not (0 < len(old) <= _MOST_WORDS and 0 < len(new) <= _MOST_WORDS):
        return iter([(before, after)])
    try:
        return (("".join(a), "".join(b)) for a, b in align_runs(old, new, steps, _ALIKE))
    except AlignmentBudgetSpent:
        return iter([(before, after)])


def _words(text: str) -> Sequence[str]:
    return [found[0] for found in islice(_WORDS.finditer(text), _MOST_WORDS + 1)]


def _changed(name: str, old: str, new: str, found: Mapping[str, Runs]) -> FieldDifference:
    runs = found.get(name)
    rows = _cut(old, new, runs) if runs else [[(old, new)]]
    return FieldDifference(
        name,
        _label(name),
        _joined(piece for row in rows for pair in row for piece in _pieces(name, *pair)),
        tuple(_sides(name, row) for row in rows),
        is_too_different=not runs,
    )


def _cut(
    old: str, new: str, runs: Sequence[Sequence[Sequence[int]]]
) -> list[list[tuple[str, str]]]:
    at = to = 0
    rows = []
    for row in runs:
        pairs = []
        for i, j in row:
            pairs.append((old[at : at + i], new[to : to + j]))
            at, to = at + i, to + j
        rows.append(pairs)
    return rows


def _sides(name: str, row: list[tuple[str, str]]) -> tuple[Side, Side]:
    found = [piece for pair in row for piece in _pieces(name, *pair)]
    return (
        _joined(piece for piece in found if piece.kind is not DiffKind.ADDED),
        _joined(piece for piece in found if piece.kind is not DiffKind.REMOVED),
    )


def _pieces(name: str, old: str, new: str) -> list[DiffSegment]:
    if _is_same(name, old, new):
        return [DiffSegment(DiffKind.SAME, new)]
    return [
        p for p in (DiffSegment(DiffKind.REMOVED, old), DiffSegment(DiffKind.ADDED, new)) if p.text
    ]


def _label(name: str) -> str:
    field = find_point_field(name)
    return field.label if field else name.replace("_", " ").capitalize()


def _joined(found: Iterator[DiffSegment]) -> tuple[DiffSegment, ...]:
    groups = groupby(found, lambda piece: piece.kind)
    return tuple(
        DiffSegment(kind, "".join(piece.text for piece in group)) for kind, group in groups
    )


_MOST_STEPS = 400_000  # a template of a hundred pages takes a tenth; what takes more is not merged
_LONGEST_WORDS = 80  # characters of what is quoted


@dataclass(frozen=True, slots=True)
class MergedText:
    """A text with two changes; not ``is_whole`` where one of them could not be made in it."""

    text: str
    is_whole: bool = True


@dataclass(frozen=True, slots=True, order=True)
class _LineChange:
    begin: int
    end: int
    lines: tuple[str, ...]

    def touches(self, other: "_LineChange") -> bool:
        """Whether no line stands between them, so that nobody can tell what is to come of both."""
        return self.begin <= other.end and other.begin <= self.end


def merge_lines(base: str, ours: str, theirs: str) -> MergedText:
    """Our text with what they changed in the one that both began from, line by line.

    Where both changed the same lines otherwise, it is ours as it stands, and says so.
    """
    if theirs in (base, ours):
        return MergedText(ours)
    if ours == base:
        return MergedText(theirs)
    before = base.splitlines()
    try:
        own, other = (frozenset(_changes(before, text.splitlines())) for text in (ours, theirs))
    except AlignmentBudgetSpent:
        return MergedText(ours, is_whole=False)
    if any(one.touches(two) for one in own - other for two in other - own):
        return MergedText(ours, is_whole=False)
    for change in sorted(own | other, reverse=True):
        before[change.begin : change.end] = change.lines
    return MergedText("\n".join(before))


def _changes(before: Sequence[str], after: Sequence[str]) -> Iterator[_LineChange]:
    codes = sequence_matcher(before, after, AlignmentBudget(_MOST_STEPS)).get_opcodes()
    for kind, begin, end, first, last in codes:
        if kind != "equal":
            yield _LineChange(begin, end, tuple(after[first:last]))


def lost_words(base: str, ours: str, theirs: str) -> str:
    """The first of their new lines that our text has not; empty where they only took some away."""
    known = {line.strip() for text in (base, ours) for line in text.splitlines()}
    lost = (line.strip() for line in theirs.splitlines() if line.strip() not in known)
    first = next(lost, "")
    return first if len(first) <= _LONGEST_WORDS else f"{first[: _LONGEST_WORDS - 1].rstrip()}…"
