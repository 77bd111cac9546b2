"""How many of something are in each state, as a bar each, with every length worked out."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["StateBar", "StateChart", "state_chart"]

_WIDTH, _ROW, _HEIGHT = 640, 30, 14
_LABEL, _FIGURE = 150, 100  # the room of words before a bar, and of the figure, as a phone has them


@dataclass(frozen=True, slots=True)
class StateBar:
    """One state, in the chart's own units."""

    label: str
    count: int
    y: int
    width: float


@dataclass(frozen=True, slots=True)
class StateChart:
    """The bars of all states, and the same in words."""

    bars: tuple[StateBar, ...]
    words: str
    width: int
    height: int
    begin: int
    thickness: int


def state_chart(counts: Sequence[tuple[str, int]]) -> StateChart | None:
    """The chart of some states in their order; None where there is nothing of any.

    What is there has a bar that can be seen, however few there are.
    """
    most = max((count for _, count in counts), default=0)
    if not most:
        return None
    room = _WIDTH - _LABEL - _FIGURE
    bars = tuple(
        StateBar(label, count, at * _ROW + 8, round(max(room * count / most, 2 * bool(count)), 1))
        for at, (label, count) in enumerate(counts)
    )
    words = ", ".join(f"{label}: {count:,}" for label, count in counts)
    return StateChart(bars, words, _WIDTH, len(bars) * _ROW, _LABEL, _HEIGHT)
