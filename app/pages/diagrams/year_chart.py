"""Registrations by year as bars, with every length worked out."""

from collections.abc import Mapping
from dataclasses import dataclass

WIDTH = 216
HEIGHT = 92
_TOP, _BOTTOM = 16, 72
_GAP = 0.25


@dataclass(frozen=True, slots=True)
class YearBar:
    """One year's bar, in the chart's own units."""

    year: int
    count: int
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Where the bar's figure is centred."""
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True, slots=True)
class YearChart:
    """Bars from the first year to the last, and the same in words."""

    bars: tuple[YearBar, ...]
    words: str
    width: int = WIDTH
    height: int = HEIGHT
    base: int = _BOTTOM

    @property
    def highest(self) -> YearBar:
        """The bar whose figure is written above it: the newest of the highest ones."""
        return max(self.bars, key=lambda bar: (bar.count, bar.year))


def chart(counts: Mapping[int, int]) -> YearChart | None:
    """The chart of some counts by year; None where there is nothing to count."""
    if not counts:
        return None
    span = range(min(counts), max(counts) + 1)
    step, unit = WIDTH / len(span), (_BOTTOM - _TOP) / max(counts.values())
    bars = tuple(
        _bar(year, counts.get(year, 0), place * step, step * (1 - _GAP), unit)
        for place, year in enumerate(span)
    )
    words = ", ".join(f"{bar.year}: {bar.count}" for bar in bars)
    return YearChart(bars, words)


def _bar(year: int, count: int, x: float, width: float, unit: float) -> YearBar:
    height = round(count * unit, 1)
    return YearBar(year, count, round(x, 1), round(_BOTTOM - height, 1), round(width, 1), height)
