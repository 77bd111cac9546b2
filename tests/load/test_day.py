"""The day that figures come from goes by without an error, however short and small it is."""

from argparse import Namespace

import pytest

from tests.load.__main__ import mixed_days
from tests.load.figures import part

SMALL = {"clients": 2, "hosts": 1, "waiting": 3, "alone": 0, "against": None}


@pytest.mark.slow
def test_a_short_day_on_one_host_goes_by_without_an_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = Namespace(seconds=2, turn=2, **SMALL)
    wrong = mixed_days("sqlite", given)
    said = capsys.readouterr().out
    assert wrong == 0, said
    assert "read a page" in said
    assert "memory at the end" in said


def test_the_middle_and_the_last_of_a_hundred() -> None:
    assert part([3.0, 1.0, 2.0], 50) == 2.0
    assert part([float(n) for n in range(100)], 99) == 99.0
    assert part([1.0], 99) == 1.0
