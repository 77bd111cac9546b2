"""What may become of a name: which states follow each other, and that a tombstone stays."""

from typing import Any

import pytest

from app.assigned_names.assigned_name_records import (
    AssignedNameRecord,
    AssignedNameState,
    NameRevision,
    RefusedRevision,
    apply_revision,
    withdrawals,
)

NAME = "ark:12345/x5abc"
GONE = AssignedNameRecord(
    name=NAME, state=AssignedNameState.WITHDRAWN, reason="It sank.", since="2001-02-03"
)


def _told(**told: Any) -> NameRevision:
    return NameRevision(record=AssignedNameRecord(name=NAME, **told), given=frozenset(told))


@pytest.mark.parametrize("reason", ["", " "])
def test_who_withdraws_a_name_says_why(reason: str) -> None:
    with pytest.raises(RefusedRevision, match="reason") as refused:
        apply_revision(None, _told(state=AssignedNameState.WITHDRAWN, reason=reason))
    assert refused.value.field == "reason"


@pytest.mark.parametrize("told", [{"reason": "A."}, {"since": "2026-01-31"}, {"successor": NAME}])
def test_a_name_that_is_not_withdrawn_has_no_tombstone(told: dict[str, str]) -> None:
    with pytest.raises(RefusedRevision, match="Only withdrawn"):
        apply_revision(AssignedNameRecord(name=NAME), _told(**told))


@pytest.mark.parametrize(
    "told", [{"reason": "Bulk."}, {"since": "2026-01-31"}, {"since": ""}, {"successor": "ark:1/x"}]
)
def test_a_tombstone_is_not_written_again(told: dict[str, str]) -> None:
    with pytest.raises(RefusedRevision, match="already withdrawn on 2001-02-03"):
        apply_revision(GONE, _told(state=AssignedNameState.WITHDRAWN, **told))


def test_what_else_is_told_of_a_withdrawn_name_changes() -> None:
    assert apply_revision(GONE, _told(persistence="None.")).persistence == "None."


def test_names_withdrawn_before_are_left_out_where_several_are_withdrawn() -> None:
    other = AssignedNameRecord(name=f"{NAME}d")
    (made,) = withdrawals([GONE, other], "Bulk.", "2026-01-31")
    assert (made.name, made.record.reason) == (other.name, "Bulk.")
