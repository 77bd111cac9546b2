"""The feed of a part of all names: whoever follows it gets all of that, and reads no more."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.assigned_names.assigned_name_records import AssignedNameRecord
from app.assigned_names.name_prefixes import NamePart, read_part
from app.published.names import name_copy_reader as name_copy_ranges
from app.published.names.name_copy_reader import ChangesOfPart, changes_of_part
from app.published.plane import PublishedPlane
from tests.published.bound_names import ListedFeed, changes_of
from tests.published.name_part_copies import copy_part
from tests.published.test_bound_names import ask, lay_out

NAMES = [f"ark:12345/{begun}{n:03}" for n in range(60) for begun in ("a", "b", "c")]
_feed = ListedFeed(changes_of(AssignedNameRecord(name=one) for one in NAMES))


@pytest.fixture(scope="module")
def feed(tmp_path_factory: pytest.TempPathFactory) -> PublishedPlane:
    """A site with many names, of which one in three begins alike."""
    folder = tmp_path_factory.mktemp("ranges")
    lay_out(folder)
    copy_part(folder, feed=_feed)
    return PublishedPlane(folder)


def followed(site: PublishedPlane, query: str, after: int = 0) -> Iterator[Mapping[str, Any]]:
    """What comes until nothing comes any more, as a follower asks."""
    while True:
        answer = ask(site, f"/names/changes?after={after}{query}")
        assert answer.status == 200
        lines = [json.loads(line) for line in answer.body.splitlines()]
        if not lines:
            return
        yield from lines
        assert lines[-1]["change"] > after
        after = lines[-1]["change"]


@settings(max_examples=30, deadline=None)
@given(
    most=st.integers(1, 60),
    passed=st.sampled_from([1, 7, 50, 1_000]),
    under=st.lists(st.sampled_from(["a", "b", "b01", "b010", "c05", "z"]), min_size=1, max_size=3),
    after=st.integers(0, 200),
)
def test_whoever_follows_a_part_gets_all_of_it_in_order_and_knows_how_far(
    feed: PublishedPlane, most: int, passed: int, under: list[str], after: int
) -> None:
    begun = tuple(f"ark:12345/{one}" for one in under)
    query = f"&limit={most}" + "".join(f"&under={one}" for one in begun)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(name_copy_ranges, "_MOST_PASSED", passed)
        got = list(followed(feed, query, after))
    wanted = [(at, one) for at, one in enumerate(NAMES, 1) if at > after and one.startswith(begun)]
    assert [(one["change"], one["name"]) for one in got if "name" in one] == wanted
    assert [one["change"] for one in got] == sorted({one["change"] for one in got})
    assert (got[-1]["change"] if got else after) == max(len(NAMES), after)


def test_who_asks_for_all_sees_no_number_alone(feed: PublishedPlane) -> None:
    assert [one.get("name") for one in followed(feed, "&limit=50")] == NAMES


def test_a_page_of_a_part_says_where_the_next_one_is(feed: PublishedPlane) -> None:
    target, got = "/names/changes?under=ark:12345/b&under=ark:12345/c05&limit=9", []
    while target:
        answer = ask(feed, target)
        got += [json.loads(line) for line in answer.body.splitlines()]
        target = answer.headers.get("Link", "").partition("<")[2].partition(">")[0]
    assert len({one["name"] for one in got if "name" in one}) == 60 + 10
    assert got[-1]["change"] == len(NAMES)


@pytest.mark.parametrize("under", ["", "nothing", "ark:12345/x.v2", "&under=".join("a" * 2)])
def test_what_no_name_begins_with_is_no_part_of_the_feed(feed: PublishedPlane, under: str) -> None:
    assert ask(feed, f"/names/changes?under={under}").status == 400


def test_more_beginnings_than_are_taken_are_told_so(feed: PublishedPlane) -> None:
    many = "".join(f"&under=ark:12345/a{n:02}" for n in range(21))
    answer = ask(feed, f"/names/changes?after=0{many}")
    assert (answer.status, b"20 times" in answer.body) == (400, True)
    assert ask(feed, f"/names/changes?after=0{many[: -len('&under=ark:12345/a20')]}").status == 200


def _steps(path: Path, part: NamePart) -> tuple[int, ChangesOfPart]:
    """How many hundred steps of SQLite one answer takes, and the answer."""
    count = [0]

    def step() -> int:
        count[0] += 1
        return 0

    with closing(sqlite3.connect(path)) as connection:
        connection.set_progress_handler(step, 100)
        told = changes_of_part(connection, part, 0, 5_000, 1_000_000)
    return count[0], told


def test_a_small_part_of_many_names_takes_no_more_than_of_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_copy_ranges, "_MOST_PASSED", 100)
    part, taken = read_part(["ark:12345/b"]), []
    for others in (1_000, 8_000):
        names = [f"ark:12345/a{n}" for n in range(others)] + [f"ark:12345/b{n}" for n in range(40)]
        records = [AssignedNameRecord(name=one) for one in names]
        writer = copy_part(tmp_path / str(others), feed=ListedFeed(changes_of(records)))
        steps, told = _steps(writer.path, part)
        taken.append(steps)
        assert (len(told.rows), told.passed) == (40, others + 40)  # all of it at once
        steps, told = _steps(writer.path, read_part(["ark:12345/a"]))
        assert steps < 100 and told.passed == 101  # of a large one what may be passed over
    assert taken[1] <= taken[0] + 2 < 60


@pytest.mark.parametrize("passed", [5, 5_000])
def test_a_beginning_may_go_on_from_very_many_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, passed: int
) -> None:
    """More than SQLite takes as conditions of their own."""
    monkeypatch.setattr(name_copy_ranges, "_MOST_PASSED", passed)
    names = [f"ark:12345/{'a' * n}" for n in range(1, 1_002)] + ["ark:12345/b"]
    feed = ListedFeed(changes_of(AssignedNameRecord(name=one) for one in names))
    writer = copy_part(tmp_path, feed=feed)
    found, after = [], 0
    while after < len(names):
        with closing(sqlite3.connect(writer.path)) as connection:
            told = changes_of_part(connection, NamePart((names[-2],)), after, 5_000, 1_000_000)
        found += [one.name for one in told.rows]
        after = told.passed
    assert found == names[:-1]


@pytest.mark.parametrize("passed", [3, 7, 5_000])
@pytest.mark.parametrize("others", [0, 1])
def test_of_long_names_that_come_few_at_a_time_none_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, passed: int, others: int
) -> None:
    """What is cut off by octets is followed by more, however few changes were asked for."""
    monkeypatch.setattr(name_copy_ranges, "_MOST_PASSED", passed)
    wanted = [f"ark:12345/b{n:02}" for n in range(20)]
    names = sorted([*wanted, *(f"ark:12345/a{n:02}" for n in range(20 * others))], key=_by_end)
    records = [AssignedNameRecord(name=one, target=f"https://a.example/{_LONG}") for one in names]
    writer = copy_part(tmp_path, feed=ListedFeed(changes_of(records)))
    found, after = [], 0
    while after < len(names):
        with closing(sqlite3.connect(writer.path)) as connection:
            told = changes_of_part(connection, read_part(["ark:12345/b"]), after, 100, 2_000)
        assert len(told.rows) <= 3
        found += [one.name for one in told.rows]
        after = told.passed
    assert found == wanted


_LONG = "a" * 900


def _by_end(name: str) -> str:
    return name[-2:]
