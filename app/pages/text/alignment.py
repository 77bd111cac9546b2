"""Which runs of two sequences belong together, found with a bound on the work.

Two texts can be written so that nobody can set them against each other in reasonable time. Each
step is taken from an allowance; where that is used up, the sequences are too different.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from itertools import accumulate

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
    """The matcher of the standard library, which pays for each search before it begins."""

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
