"""How long decisions take: medians that agree with a count by hand, and their chart."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.pages.diagrams.turnaround_times import (
    BASE,
    HEIGHT,
    WIDTH,
    RequestTurnaround,
    TurnaroundTimes,
    first_day,
    measure_turnaround,
)
from app.registration.declarations.registries import Procedure

TODAY = date(2026, 9, 14)
MOST = 100


def decision(
    days: int, decided: date = TODAY, procedure: Procedure = Procedure.COMMUNITY
) -> RequestTurnaround:
    at = datetime(decided.year, decided.month, decided.day, 8, tzinfo=UTC)
    return RequestTurnaround(procedure, at - timedelta(days=days), at)


def of(*days: int) -> TurnaroundTimes:
    return measure_turnaround([decision(each) for each in days], TODAY, MOST)


@pytest.mark.parametrize(
    ("days", "median", "sentence"),
    [
        ((), None, "no request was decided."),
        ((0,), 0, "one request was decided, on the day it was sent."),
        ((0, 0, 7), 0, "3 requests were decided. Median: the same day."),
        ((1,), 1, "one request was decided, after 1 day."),
        ((9,), 9, "one request was decided, after 9 days."),
        ((9, 4), 6.5, "2 requests were decided. Median: 6.5 days."),
        ((9, 4, 1), 4, "3 requests were decided. Median: 4 days."),
        ((1, 2, 4, 9), 3, "4 requests were decided. Median: 3 days."),
    ],
)
def test_the_median_of_none_of_one_and_of_several(
    days: tuple[int, ...], median: float | None, sentence: str
) -> None:
    told = of(*days)
    assert (told.whole.count, told.whole.days) == (len(days), median)
    assert told.sentence == f"Since 1 October 2025, {sentence}"


def test_a_time_counts_whole_days_of_utc() -> None:
    late = datetime(2026, 9, 13, 23, 59, tzinfo=UTC)
    early = datetime(2026, 9, 14, 0, 1, tzinfo=UTC)
    assert RequestTurnaround(Procedure.COMMUNITY, late, early).days == 1
    assert RequestTurnaround(Procedure.COMMUNITY, early, early + timedelta(hours=23)).days == 0
    assert RequestTurnaround(Procedure.COMMUNITY, early, late).days == 0, "a clock was put back"


@pytest.mark.parametrize(
    ("today", "first"),
    [
        (date(2026, 9, 14), date(2025, 10, 1)),
        (date(2026, 12, 31), date(2026, 1, 1)),
        (date(2026, 1, 1), date(2025, 2, 1)),
        (date(2024, 2, 29), date(2023, 3, 1)),
    ],
)
def test_twelve_months_end_with_this_one(today: date, first: date) -> None:
    assert first_day(today) == first
    months = [month.label for month in measure_turnaround([], today, MOST).months]
    assert len(set(months)) == 12
    assert (months[0], months[-1]) == (f"{first:%Y-%m}", f"{today:%Y-%m}")


def test_each_decision_counts_in_its_month_and_its_procedure() -> None:
    told = measure_turnaround(
        [
            decision(3, date(2025, 10, 1)),
            decision(5, date(2025, 10, 31), Procedure.INFORMAL),
            decision(8, date(2026, 9, 1), Procedure.INFORMAL),
            decision(99, date(2025, 9, 30)),
            decision(99, date(2026, 10, 1)),
        ],
        TODAY,
        MOST,
    )
    months = {month.label: (month.count, month.days) for month in told.months if month.count}
    assert months == {"2025-10": (2, 4), "2026-09": (1, 8)}
    assert [(one.label, one.count, one.days) for one in told.procedures] == [
        ("community", 1, 3),
        ("informal", 2, 6.5),
    ]
    assert told.whole.count == 3, "those of other months are left aside"
    assert told.words.startswith("October 2025: 4 days, November 2025: none decided, ")
    assert told.words.endswith("September 2026: 8 days")


some = st.builds(
    decision,
    st.integers(0, 2000),
    st.dates(date(2025, 10, 1), date(2026, 9, 30)),
    st.sampled_from(Procedure),
)


@given(st.lists(some, max_size=40))
def test_half_take_no_longer_and_half_no_shorter(decisions: list[RequestTurnaround]) -> None:
    told = measure_turnaround(decisions, TODAY, MOST)
    parts = (told.whole, *told.months, *told.procedures)
    assert sum(month.count for month in told.months) == told.whole.count == len(decisions)
    assert sum(one.count for one in told.procedures) == len(decisions)
    for part in parts:
        assert (part.days is None) == (part.count == 0)
    if told.whole.days is not None:
        days = [one.days for one in decisions]
        assert sum(day <= told.whole.days for day in days) * 2 >= len(days)
        assert sum(day >= told.whole.days for day in days) * 2 >= len(days)
    assert measure_turnaround(decisions[::-1], TODAY, MOST) == told


@given(st.lists(some, max_size=40))
def test_every_bar_stands_within_the_chart_on_its_line(decisions: list[RequestTurnaround]) -> None:
    told = measure_turnaround(decisions, TODAY, MOST)
    assert len(told.bars) == (12 if decisions else 0)
    for bar in told.bars:
        assert bar.x >= 0
        assert bar.x + bar.width <= WIDTH
        assert bar.y >= 20, "its figure stands above it"
        assert bar.y + bar.height == pytest.approx(BASE)
        assert (bar.height > 0) == (bar.of.count > 0)
    assert BASE < HEIGHT
    by_days = sorted(told.bars, key=lambda bar: (bar.of.days or 0, bar.height))
    heights = [bar.height for bar in by_days]
    assert heights == sorted(heights), "who takes longer stands higher"


def test_a_month_is_named_in_short() -> None:
    assert [bar.name for bar in of(1).bars][:3] == ["Oct", "Nov", "Dec"]
    assert [bar.of.figure for bar in of(1, 2).bars][-2:] == ["", "1.5"]
