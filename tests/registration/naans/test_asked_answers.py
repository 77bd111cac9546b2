"""What is asked of whoever wants a NAAN, and what NAANs are counted by: the edges of each."""

import pytest

from app.registration.naans.asked_answers import check_tenure
from app.registration.naans.naan_facets import NOTHING, holder_kinds, kind_word


@pytest.mark.parametrize(
    ("years", "is_tenure"),
    [
        *(("2026", True), ("2026-", True), ("2026-2036", True)),
        *(("2026-20", False), ("-2026", False), ("26", False), ("2026-2036-", False)),
    ],
)
def test_a_tenure_is_years_and_may_be_open(years: str, is_tenure: bool) -> None:
    assert (not list(check_tenure(years))) is is_tenure


def test_a_kind_of_organization_that_nobody_knows_is_counted_as_none() -> None:
    for code, value, word in (
        ("NP", "np", "Not for profit"),
        ("FP", "fp", "For profit"),
        ("XX", NOTHING, "Not told"),
        ("np", NOTHING, "Not told"),
        ("", NOTHING, "Not told"),
    ):
        assert holder_kinds({"organization_kind": code}) == (value,)
        assert kind_word(value) == word
    assert holder_kinds({}) == (NOTHING,)
