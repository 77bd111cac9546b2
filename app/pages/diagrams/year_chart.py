"""Registrations by year as bars."""

from collections.abc import Mapping

from app.pages.diagrams.period_chart import ChartFrame, PeriodChart, bars_of

_SMALL = ChartFrame(width=216, height=92, top=16, base=72)


def chart(counts: Mapping[int, int]) -> PeriodChart | None:
    """The chart of some counts by year; None where there is nothing to count."""
    if not counts:
        return None
    span = range(min(counts), max(counts) + 1)
    bars = bars_of([(str(year), counts.get(year, 0)) for year in span], _SMALL)
    return PeriodChart(bars, ", ".join(f"{bar.period}: {bar.count}" for bar in bars), _SMALL)
