"""A change of the feed of names is read as it was told, and nothing else is taken for one."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.assigned_names.assigned_name_records import (
    AssignedNameChange,
    AssignedNameRecord,
    assigned_name_to,
    name_change_from,
)
from tests.assigned_names.name_strategies import records


@given(records, st.integers(1, 2**62))
def test_a_change_is_read_as_it_was_told(record: AssignedNameRecord, number: int) -> None:
    document = {"change": number, **assigned_name_to(record.told)}
    assert name_change_from(document) == AssignedNameChange(number, record.told)


@pytest.mark.parametrize(
    "document",
    [
        *({}, {"change": 1}),
        {"change": 0, "name": "a", "state": "public"},
        {"change": True, "name": "a", "state": "public"},
        {"change": 1, "name": "a", "state": "free"},
        {"change": 1, "name": "a", "state": []},
        {"change": 1, "name": "a", "state": "public", "redirect": []},
        {"change": 1, "name": "a", "state": "public", "redirect": 301},
    ],
)
def test_what_is_no_change_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises((ValueError, KeyError)):
        name_change_from(document)
