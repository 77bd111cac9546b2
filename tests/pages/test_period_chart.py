"""Counts of days and months are drawn within the chart, and told in words."""

from app.pages.diagrams.period_chart import period_chart


def test_the_highest_bar_fills_the_chart_and_empty_ones_are_not_told() -> None:
    chart = period_chart([("2026-09", 0), ("2026-10", 1_500), ("2026-11", 3_000)])
    assert chart is not None
    empty, half, whole = chart.bars
    assert empty.height == 0 and whole.height == 2 * half.height
    assert whole.y + whole.height == chart.frame.base and whole.x + whole.width <= chart.frame.width
    assert chart.highest is whole
    assert chart.words == "2026-10: 1,500, 2026-11: 3,000"


def test_where_nothing_was_counted_there_is_no_chart() -> None:
    assert period_chart([("2026-10", 0), ("2026-11", 0)]) is None
    assert period_chart([]) is None
