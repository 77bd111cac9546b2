"""Counts of days or months as bars, with every length worked out."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["PeriodBar", "PeriodChart", "period_chart"]

_WIDTH, _HEIGHT = 640, 160
_TOP, _BASE = 26, 130
_GAP = 0.25
_ROOM = 30  # that half of a figure takes


@dataclass(frozen=True, slots=True)
class PeriodBar:
    """One day or month, in the chart's own units."""

    period: str
    count: int
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Where the bar's figure is centred, within the chart."""
        return min(max(round(self.x + self.width / 2, 1), _ROOM), _WIDTH - _ROOM)


@dataclass(frozen=True, slots=True)
class PeriodChart:
    """Bars from the first period to the last, and those that are not empty in words."""

    bars: tuple[PeriodBar, ...]
    words: str
    width: int = _WIDTH
    height: int = _HEIGHT
    base: int = _BASE

    @property
    def highest(self) -> PeriodBar:
        """The bar whose figure is written above it: the newest of the highest ones."""
        return max(self.bars, key=lambda bar: (bar.count, bar.period))


def period_chart(counts: Sequence[tuple[str, int]]) -> PeriodChart | None:
    """The chart of some counts, oldest first; None where all are nought."""
    most = max((count for _, count in counts), default=0)
    if not most:
        return None
    step = _WIDTH / len(counts)
    bars = tuple(
        _bar(period, count, place * step, step * (1 - _GAP), (_BASE - _TOP) * count / most)
        for place, (period, count) in enumerate(counts)
    )
    words = ", ".join(f"{bar.period}: {bar.count:,}" for bar in bars if bar.count)
    return PeriodChart(bars, words)


def _bar(period: str, count: int, x: float, width: float, height: float) -> PeriodBar:
    y = round(_BASE - height, 1)
    return PeriodBar(period, count, round(x, 1), y, round(width, 1), round(height, 1))
