"""The copy of a part of all names: what it keeps, and that none is taken for all of them."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from app.assigned_names.assigned_name_records import AssignedNameRecord
from app.assigned_names.name_prefixes import ALL_NAMES, read_part
from app.bundles.name_copies import MASKS, NameCopyWriter
from app.published.names.copied_prefixes import CopiedPrefixes
from app.published.names.name_copy_reader import NameCopyReader, NameOutsidePart
from tests.published.bound_names import RECORDS, ListedFeed, changes_of
from tests.published.name_part_copies import ALL, OF_ARKS, names_in


def test_a_copy_of_a_part_has_its_names_and_those_that_may_answer_them(tmp_path: Path) -> None:
    feed = ListedFeed(changes_of(RECORDS))
    writer = NameCopyWriter(tmp_path, part=read_part(["ark:12345/x5abc", "urn:lead:more:"], ALL))
    assert writer.follow(feed.after) == len(RECORDS)
    kept = {"ark:12345/x5abc", "ark:12345/x5abc/p2", "ark:12345/x", "urn:lead:more:"}
    assert names_in(tmp_path) == kept
    feed.add(replace(RECORDS[-1], target="https://else.example/"))
    assert writer.follow(feed.after) == writer.last_change() == len(RECORDS) + 1
    feed.add(AssignedNameRecord(name="urn:lead:more:a", target="https://new.example/"))
    writer.follow(feed.after)
    assert feed.asked == [0, len(RECORDS), len(RECORDS) + 1]
    assert names_in(tmp_path) == kept | {"urn:lead:more:a"}


def test_a_copy_of_another_part_is_made_anew_and_is_no_damage(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    feed = ListedFeed(changes_of(RECORDS))
    parts = [ALL_NAMES, OF_ARKS, read_part(["urn:lead:"], ALL), ALL_NAMES]
    for part in parts:
        writer = NameCopyWriter(tmp_path, part=part)
        writer.follow(feed.after)
        assert writer.is_of_part()
        assert names_in(tmp_path) == {one.name for one in RECORDS if part.keeps(one.name)}
        reader = NameCopyReader(tmp_path)
        reader.version()
        assert reader.part() == part
        NameCopyWriter(tmp_path, part=part).follow(feed.after)
    assert feed.asked == [0, len(RECORDS)] * len(parts)
    assert not caplog.records
    assert len(list(tmp_path.glob("names-*.sqlite"))) == 1


def test_where_all_names_are_may_move_without_a_copy_made_anew(tmp_path: Path) -> None:
    feed, reader = ListedFeed(changes_of(RECORDS)), NameCopyReader(tmp_path)
    for place in (ALL, "https://moved.example"):
        writer = NameCopyWriter(tmp_path, part=replace(OF_ARKS, elsewhere=place))
        assert writer.follow(feed.after) == len(RECORDS)
        reader.version()
        with pytest.raises(NameOutsidePart) as asked:
            reader.find("urn:lead:bound:1")
        assert reader.part() == asked.value.part == writer.part
    assert feed.asked == [0, len(RECORDS)]


def test_software_that_knows_of_no_parts_takes_none_for_all_names(tmp_path: Path) -> None:
    for part, layout in ((ALL_NAMES, 1), (OF_ARKS, 2)):
        writer = NameCopyWriter(tmp_path, part=part)
        writer.follow(ListedFeed(changes_of(RECORDS)).after)
        with closing(sqlite3.connect(writer.path)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (layout,)


def test_a_reader_answers_no_question_about_other_names(tmp_path: Path) -> None:
    NameCopyWriter(tmp_path, part=OF_ARKS).follow(ListedFeed(changes_of(RECORDS)).after)
    reader = NameCopyReader(tmp_path)
    assert reader.find_floor("ark:12345/x5abc")
    questions = (
        lambda: reader.find_floor("ark:12345/x6"),
        lambda: reader.find("urn:lead:bound:1"),
        lambda: reader.names_under("ark:12345/x", "", 3),
        lambda: reader.changes_of(ALL_NAMES, 0, 3),
        lambda: reader.ask(lambda floor: floor("ark:12345/x5abc")),
    )
    for question in questions:
        with pytest.raises(NameOutsidePart):
            question()


@pytest.mark.parametrize(
    ("beginning", "masks", "expected"),
    [
        ("urn:lead:more:", {"urn:lead:": ""}, True),
        ("urn:query:", {"urn:lead:": ""}, False),
        ("urn:query:", {}, True),
    ],
)
def test_of_names_elsewhere_there_is_a_list_where_a_prefix_may_have_some(
    tmp_path: Path, beginning: str, masks: dict[str, str], expected: bool
) -> None:
    writer = NameCopyWriter(tmp_path, part=OF_ARKS)
    writer.follow(ListedFeed(changes_of(RECORDS)).after)
    writer.keep_told({MASKS: masks})
    assert CopiedPrefixes(NameCopyReader(tmp_path)).has_list(beginning) is expected
