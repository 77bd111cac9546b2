"""What a day is told by: the middle, the ninety-ninth of a hundred, errors, memory."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.load.day import Times


@dataclass
class Figures:
    """What came out of days with one software."""

    taken: dict[str, list[float]] = field(default_factory=dict)
    errors: dict[str, Counter[str]] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)

    def add(self, times: Iterable[Times]) -> None:
        """Add what clients measured."""
        for one in times:
            for action, seconds in one.taken.items():
                self.taken.setdefault(action, []).extend(seconds)
            for action, said in one.errors.items():
                self.errors.setdefault(action, Counter()).update(said)

    @property
    def wrong(self) -> int:
        """How many actions failed."""
        return sum(counted.total() for counted in self.errors.values())


def part(seconds: Sequence[float], of_hundred: int) -> float:
    """The time that so many of a hundred do not exceed."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, len(ordered) * of_hundred // 100)]


def lines(figures: Figures, before: Figures | None = None) -> Iterator[str]:
    """A table by action, with the ratio to another software's where it was measured too."""
    yield f"{'action':20}{'times':>7}{'p50 ms':>9}{'p99 ms':>9}{'errors':>8}" + (
        f"{'before':>9}{'p50 to before':>15}" if before else ""
    )
    for action in sorted(figures.taken.keys() | figures.errors.keys()):
        yield _line(action, figures) + (_against(action, figures, before) if before else "")
    for action, counted in sorted(figures.errors.items()):
        yield from (f"  {action}: {said} ({n} times)" for said, n in counted.most_common(5))
    yield "memory at the end, MB: " + _said(figures.memory)


def _line(action: str, figures: Figures) -> str:
    taken = figures.taken.get(action, [0.0])
    middle, last = (1000 * part(taken, n) for n in (50, 99))
    wrong = figures.errors.get(action, Counter()).total()
    return f"{action:20}{len(taken):>7}{middle:>9.0f}{last:>9.0f}{wrong:>8}"


def _against(action: str, figures: Figures, before: Figures) -> str:
    if action not in before.taken or action not in figures.taken:
        return ""
    then, now = part(before.taken[action], 50), part(figures.taken[action], 50)
    return f"{1000 * then:>9.0f}{now / then:>15.2f}"


def _said(memory: Mapping[str, float]) -> str:
    return ", ".join(f"{what} {megabytes:.0f}" for what, megabytes in memory.items())
