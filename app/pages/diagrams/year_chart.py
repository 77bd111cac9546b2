"""Registrations by year as bars, with every length worked out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

_GAP = 0.25


class ChartFrame(NamedTuple):
    """The size of a chart in its own units; bars stand between ``top`` and ``base``."""

    width: int
    height: int
    top: int
    base: int


_FRAME = ChartFrame(width=216, height=92, top=16, base=72)


@dataclass(frozen=True, slots=True)
class PeriodBar:
    """One year, in the chart's own units; the figure is centred on ``middle``."""

    period: str
    count: int
    x: float
    y: float
    width: float
    height: float
    middle: float


@dataclass(frozen=True, slots=True)
class PeriodChart:
    """Bars from the first year to the last, and the same in words."""

    bars: tuple[PeriodBar, ...]
    words: str
    frame: ChartFrame = _FRAME

    @property
    def highest(self) -> PeriodBar:
        """The bar whose figure is written above it: the newest of the highest ones."""
        return max(self.bars, key=lambda bar: (bar.count, bar.period))


def chart(counts: Mapping[int, int]) -> PeriodChart | None:
    """Draw counts by year, some of them positive; None if there are none."""
    if not counts:
        return None
    years = range(min(counts), max(counts) + 1)
    step = _FRAME.width / len(years)
    unit = (_FRAME.base - _FRAME.top) / max(counts.values())
    bars = []
    for place, year in enumerate(years):
        count = counts.get(year, 0)
        x, width = round(place * step, 1), round(step * (1 - _GAP), 1)
        height = round(count * unit, 1)
        y = round(_FRAME.base - height, 1)
        bars.append(PeriodBar(str(year), count, x, y, width, height, round(x + width / 2, 1)))
    return PeriodChart(tuple(bars), ", ".join(f"{bar.period}: {bar.count}" for bar in bars))
