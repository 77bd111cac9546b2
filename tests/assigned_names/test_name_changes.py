"""The feed of names tells what everybody may know, and reads again as it was written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.name_changes import AssignedNameChange, name_change_line, read_name_change
from tests.assigned_names.name_strategies import records


@given(records, st.integers(1, 2**62))
def test_a_change_reads_again_as_it_was_written(record: AssignedNameRecord, number: int) -> None:
    line = name_change_line(AssignedNameChange(number, record))
    assert read_name_change(line) == AssignedNameChange(number, record.told)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")


def test_of_a_reserved_name_the_feed_tells_that_it_is_reserved() -> None:
    record = AssignedNameRecord(
        name="ark:12345/x5a",
        state=AssignedNameState.RESERVED,
        target="https://secret.example.org/",
        elements=(("who", "Nobody"),),
        persistence="For ever.",
    )
    told = json.loads(name_change_line(AssignedNameChange(3, record)))
    assert told == {"change": 3, "name": "ark:12345/x5a", "state": "reserved"}


@pytest.mark.parametrize(
    "line",
    [
        *(b"", b"{}", b"[]", b"1", b"\xff", b'{"change": 1}', b"[" * 100_000),
        b'{"change": 0, "name": "a", "state": "public"}',
        b'{"change": true, "name": "a", "state": "public"}',
        b'{"change": 1, "name": "a", "state": "free"}',
        b'{"change": 1, "name": "a", "state": []}',
        b'{"change": 1, "name": "a", "state": "public", "redirect": []}',
        b'{"change": 1, "name": "a", "state": "public", "redirect": 301}',
        b'{"change": ' + b"1" * 5_000 + b"}",
    ],
)
def test_what_is_no_change_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match="no change of a name"):
        read_name_change(line)


@given(st.binary(max_size=60))
def test_any_octets_are_a_change_or_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match="no change of a name"):
        read_name_change(line)
