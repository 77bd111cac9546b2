"""The edition of a day, in a past that older software let come out of order."""

from datetime import UTC, datetime
from typing import cast

import pytest

from app.published.edition import EditionHistory
from app.published.edition_files import find_edition_of_day

# Edition 4 is of an earlier moment than edition 3, around a midnight; 6 of one far ahead.
MOMENTS = {
    1: datetime(2021, 1, 1, tzinfo=UTC),
    2: datetime(2021, 2, 1, tzinfo=UTC),
    3: datetime(2021, 3, 2, 0, 0, 1, tzinfo=UTC),
    4: datetime(2021, 3, 1, 23, 59, 59, tzinfo=UTC),
    5: datetime(2021, 4, 1, tzinfo=UTC),
    6: datetime(2031, 1, 1, tzinfo=UTC),
    7: datetime(2021, 5, 1, tzinfo=UTC),
}


class OutOfOrder:
    """What is laid out, as far as days ask for it."""

    def numbers(self) -> list[int]:
        """All of them."""
        return sorted(MOMENTS)

    def moment(self, number: int) -> datetime:
        """When one of them was published."""
        return MOMENTS[number]


@pytest.mark.parametrize(
    ("day", "number"),
    [
        ("2020-12-31", None),
        ("2021-01-31", 1),
        ("2021-02-28", 2),
        ("2021-03-01", 4),
        ("2021-03-02", 4),
        ("2021-04-30", 5),
        ("2021-05-01", 7),
        ("2026-01-01", 7),
        ("2031-01-01", 7),
    ],
)
def test_the_newest_that_says_it_is_of_then_or_before_is_found(
    day: str, number: int | None
) -> None:
    assert find_edition_of_day(f"as-of={day}", cast(EditionHistory, OutOfOrder())) == number
