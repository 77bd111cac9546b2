"""Counts of days, months or years as bars, with every length worked out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["ChartFrame", "PeriodBar", "PeriodChart", "bars_of", "period_chart"]

_GAP = 0.25


class ChartFrame(NamedTuple):
    """The size of a chart in its own units; bars stand between ``top`` and ``base``.

    ``room`` is what half of a figure takes above a bar at the edge.
    """

    width: int
    height: int
    top: int
    base: int
    room: int = 0


_WIDE = ChartFrame(width=640, height=160, top=26, base=130, room=30)


@dataclass(frozen=True, slots=True)
class PeriodBar:
    """One day, month or year, in the chart's own units; ``middle`` is where its figure stands."""

    period: str
    count: int
    x: float
    y: float
    width: float
    height: float
    middle: float


@dataclass(frozen=True, slots=True)
class PeriodChart:
    """Bars from the first period to the last, and the same in words."""

    bars: tuple[PeriodBar, ...]
    words: str
    frame: ChartFrame = _WIDE

    @property
    def highest(self) -> PeriodBar:
        """The bar whose figure is written above it: the newest of the highest ones."""
        return max(self.bars, key=lambda bar: (bar.count, bar.period))


def period_chart(counts: Sequence[tuple[str, int]]) -> PeriodChart | None:
    """The chart of some counts, oldest first; None where all are nought.

    Most days and months are empty, so that the words tell those that are not.
    """
    if not any(count for _, count in counts):
        return None
    bars = bars_of(counts, _WIDE)
    return PeriodChart(bars, ", ".join(f"{bar.period}: {bar.count:,}" for bar in bars if bar.count))


def bars_of(counts: Sequence[tuple[str, int]], frame: ChartFrame) -> tuple[PeriodBar, ...]:
    """The bars of some counts, of which one is not nought, side by side in a frame."""
    step = frame.width / len(counts)
    unit = (frame.base - frame.top) / max(count for _, count in counts)
    return tuple(
        _bar(period, count, place * step, step, unit, frame)
        for place, (period, count) in enumerate(counts)
    )


def _bar(
    period: str, count: int, left: float, step: float, unit: float, frame: ChartFrame
) -> PeriodBar:
    x, width, height = round(left, 1), round(step * (1 - _GAP), 1), round(count * unit, 1)
    middle = min(max(round(x + width / 2, 1), frame.room), frame.width - frame.room)
    return PeriodBar(period, count, x, round(frame.base - height, 1), width, height, middle)
