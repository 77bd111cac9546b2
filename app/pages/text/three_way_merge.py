"""Two changes of one text made into one, where they do not touch each other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.pages.text.alignment import AlignmentBudget, AlignmentBudgetSpent, sequence_matcher

_MOST_STEPS = 400_000  # a template of a hundred pages takes a tenth; what takes more is not merged
_LONGEST_WORDS = 80  # characters of what is quoted


@dataclass(frozen=True, slots=True)
class MergedText:
    """A text with two changes; not ``is_whole`` where one of them could not be made in it."""

    text: str
    is_whole: bool = True


@dataclass(frozen=True, slots=True, order=True)
class _LineChange:
    """Lines of the older text that a newer one has otherwise."""

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
