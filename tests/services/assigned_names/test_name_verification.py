"""What is wrong with names is found, and what a restored backup lacks is brought back."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.assigned_names.assigned_name_records import (
    AssignedNameChange,
    AssignedNameRecord,
    AssignedNameState,
)
from app.assigned_names.name_formats import NAME_FORMATS
from app.bundles.name_copies import NameCopyWriter
from app.published.names.name_copy_reader import NameCopyReader
from app.services.assigned_names import name_feed
from app.services.assigned_names.name_changes import record_of
from app.services.assigned_names.name_feed import verify_names
from app.store import triggers
from app.store.database import db, transaction
from tests.services.assigned_names.conftest import NameDesk, revision

TARGET = "https://a.example/"


def problems(copied: Any = (), lost: list[AssignedNameRecord] | None = None) -> list[str]:
    taken = [] if lost is None else lost
    return list(verify_names(lambda _what, _total: lambda _done: None, copied, taken.append))


@pytest.fixture
def some(desk: NameDesk) -> list[str]:
    names = desk.mint(3)
    desk.change(revision(names[0], target=TARGET))
    return names


def test_of_names_that_are_what_they_were_nothing_is_told(desk: NameDesk, some: list[str]) -> None:
    assert desk.known(some[0]).n == 2
    assert problems() == []


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (
            "UPDATE assigned_name_version SET document = '{}' WHERE n = 2",
            "differ from their digest",
        ),
        ("UPDATE assigned_name SET n = 7", "newest version"),
        ("UPDATE assigned_name SET state = 'reserved'", "newest version"),
        ("UPDATE name_batch SET digest = 'x'", "differs from the event log"),
        ("UPDATE name_prefix SET next_number = 1", "minted again"),
        ("UPDATE name_prefix SET next_number = 2", "Number 2"),
    ],
)
def test_what_was_changed_past_the_software_is_found(
    some: list[str], statement: str, told: str
) -> None:
    assert len(some) == 3
    with transaction():
        triggers.drop_triggers(db.session.connection())
        db.session.execute(db.text(statement))
    assert any(told in problem for problem in problems()), problems()


def test_what_a_restored_backup_lacks_is_told_and_can_be_brought_in_again(
    desk: NameDesk, some: list[str]
) -> None:
    copied = [
        AssignedNameChange(4, AssignedNameRecord(name=some[0], target=TARGET)),
        AssignedNameChange(9, AssignedNameRecord(name=some[1], target=f"{TARGET}later")),
    ]
    withdrawn = AssignedNameRecord(
        name="ark:10099/z5b", state=AssignedNameState.WITHDRAWN, reason="So.", since="2026-09-01"
    )
    desk.add("ark:10099/z5", mask="")
    copied.append(AssignedNameChange(10, withdrawn))
    lost: list[AssignedNameRecord] = []
    found = problems(copied, lost)
    assert [problem.split()[1] for problem in found] == ["9", "10"]
    assert [one.name for one in lost] == [some[1], "ark:10099/z5b"]
    octets = b"".join(NAME_FORMATS["jsonl"].write(lost, ()))
    assert desk.bring_in(octets.decode(), "jsonl").refused == 0
    assert record_of(desk.known(some[1])) == lost[0]
    assert record_of(desk.known("ark:10099/z5b")) == withdrawn


def test_the_copy_of_a_host_that_is_up_to_date_has_nothing_more(
    desk: NameDesk, some: list[str], tmp_path: Path
) -> None:
    copy = NameCopyWriter(tmp_path / "names")
    name_feed.follow(copy, desk.given)
    rows = NameCopyReader(tmp_path / "names")
    assert rows.version()
    told = [json.loads(row.line) for row in rows.changes(0, 10)]
    assert [one["name"] for one in told] == [*some[1:], some[0]]
