"""How long a decision can be appealed."""

from datetime import date

import pytest

from app.workflow.deadlines import last_day_of_appeal


@pytest.mark.parametrize(
    ("decided", "last"),
    [
        ("2025-02-10", "2025-04-10"),
        ("2025-11-30", "2026-01-30"),
        ("2025-10-31", "2025-12-31"),
        ("2025-12-31", "2026-02-28"),
        ("2023-12-31", "2024-02-29"),
    ],
)
def test_a_decision_can_be_appealed_for_two_months(decided: str, last: str) -> None:
    assert last_day_of_appeal(date.fromisoformat(decided)) == date.fromisoformat(last)


@pytest.mark.parametrize(
    ("months", "last"), [(0, "2025-08-31"), (1, "2025-09-30"), (18, "2027-02-28")]
)
def test_the_period_is_a_setting(months: int, last: str) -> None:
    assert last_day_of_appeal(date(2025, 8, 31), months) == date.fromisoformat(last)
