"""What is asked of whoever wants a NAAN, and what NAANs are counted by: the edges of each."""

import pytest

from app.registration.naans.asked_answers import (
    check_tenure,
    check_test_ark,
    check_test_ark_beside,
    with_naan,
)
from app.registration.naans.naan_answers import completed_answers, kept_answers
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


def test_the_number_stands_wherever_it_was_written_before_it_was_drawn() -> None:
    """``NNNNN`` may be written again in the name that one tries."""
    given = {"naan_name": "24680", "test_ark": "ark:NNNNN/x-NNNNN.NNNNN"}
    assert completed_answers(given, "2026-01-01")["test_ark"] == "ark:24680/x-24680.24680"
    assert with_naan("ark:24680/NNNN", "13579") == "ark:24680/NNNN"
    for name in ("", "24680"):
        assert not check_test_ark_beside(given | {"naan_name": name}).problems
    assert not list(check_test_ark(given["test_ark"]))


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


def test_a_fact_that_was_empty_on_file_is_so_no_more_once_it_is_answered() -> None:
    on_file = '{"acronym": "", "native_name": ""}'
    stands = {"organization": "A library", "on_file": on_file}
    assert kept_answers({"organization": "An archive"}, stands) == {"on_file": on_file}
    answered = kept_answers({"organization": "A library", "acronym": "AL"}, stands)
    assert answered == {"on_file": '{"native_name": ""}'}
    both = {"acronym": "AL", "native_name": "Bibliotheek"}
    assert kept_answers(both, stands) == {"on_file": ""}
    assert kept_answers({"acronym": "AL"}, {}) == {}
