"""A site that has a part of all names: what it answers, and what it sends elsewhere."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.name_parts import ALL_NAMES, NamePart, read_beginning, read_part
from app.assigned_names.name_schemes import read_assigned_name
from app.bundles.name_copies import MASKS, NAMES_FOLDER, NameCopyWriter
from app.published.names import name_copy_ranges
from app.published.names.name_copy_ranges import ChangesOfPart, changes_of_part
from app.published.names.name_copy_reader import NameCopyReader, NameOutsidePart
from app.published.plane import PublishedPlane
from tests.published.bound_names import RECORDS, ListedFeed, changes_of
from tests.published.bundles import Answer
from tests.published.test_bound_names import ask, lay_out

ALL = "https://all.example"
OF_ARKS = read_part(["ark:12345/x5"], ALL)
TOLD: dict[str, dict[str, Any]] = {
    MASKS: {"ark:12345/x": "", "ark:12345/x5": "reedeedk", "urn:lead:": "", "urn:spelled:": ""}
}


def copy_part(
    folder: Path,
    part: NamePart = ALL_NAMES,
    feed: ListedFeed | None = None,
    told: dict[str, dict[str, Any]] = TOLD,
) -> NameCopyWriter:
    """A copy of a part of all names below what is served from a folder."""
    writer = NameCopyWriter(folder / NAMES_FOLDER, part=part)
    writer.follow((feed or ListedFeed(changes_of(RECORDS))).after)
    writer.keep_told(told)
    return writer


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> PublishedPlane:
    """A copy of a site, with a part of its names."""
    folder = tmp_path_factory.mktemp("part")
    lay_out(folder)
    copy_part(folder, OF_ARKS)
    return PublishedPlane(folder)


def test_names_of_the_part_are_answered_as_ever(site: PublishedPlane) -> None:
    led = {
        "/ark:12345/x5abc": RECORDS[0].target,
        "/ARK:/12-345/x5-abc/p1?a=b": f"{RECORDS[0].target}/p1?a=b",
        "/ark:12345/x5any-more": "https://any.example/more",
    }
    assert {target: ask(site, target).headers.get("Location") for target in led} == led
    assert ask(site, "/ark:12345/x5gone").status == 410
    assert ask(site, "/names/ark:12345/x5abc").status == 200
    # by the name that its beginning goes on from
    assert ask(site, "/ark:12345/x5").headers["Location"] == ask_whole("/ark:12345/x5")


def ask_whole(target: str) -> str:
    """Where the site that has all names leads."""
    with TemporaryDirectory() as name:
        lay_out(Path(name))
        copy_part(Path(name))
        return ask(PublishedPlane(Path(name)), target).headers["Location"]


@pytest.mark.parametrize(
    "target",
    [
        "/urn:lead:bound:1",
        "/urn:lead:gone",
        "/urn:lead:nobody-bound-this?+r?=q",
        "/ark:12345/xyz",
        "/ARK:/12-345/x/%7e?info",
        "/names/urn:lead:bound:1",
        "/names/urn:lead:b%C3%A4%2Fr",
        "/uri-res/N2L?urn:lead:bound:1",
        "/names/under/ark:12345/",
        "/names/under/urn:lead:?format=json",
        "/names/under/",
        "/names/changes?after=7",
        "/names/changes?after=7&under=ark:12345/",
        "/names/changes?after=7&under=ark:12345/x5&under=urn:lead:",
    ],
)
def test_what_may_be_among_other_names_is_led_to_the_same_target_where_all_are(
    site: PublishedPlane, target: str
) -> None:
    for method in ("GET", "HEAD"):
        answer = ask(site, target, method)
        assert (answer.status, answer.headers["Location"]) == (307, ALL + target)
        assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/urn:query:q2", 302),  # under no prefix, so that nobody bound it
        ("/urn:nosuch:a", 404),
        ("/ark:12345/y5", 302),
        ("/names/urn:query:q", 200),
        ("/names/under/nothing", 400),
        ("/urn:lead:b%zz", 400),
    ],
)
def test_what_nobody_can_have_bound_is_answered_from_the_edition(
    site: PublishedPlane, target: str, status: int
) -> None:
    assert ask(site, target).status == status


def test_where_no_prefixes_are_told_nobody_knows_what_is_bound(tmp_path: Path) -> None:
    lay_out(tmp_path)
    copy_part(tmp_path, OF_ARKS, told={MASKS: {}})
    assert ask(PublishedPlane(tmp_path), "/urn:query:q2").status == 307


@pytest.mark.parametrize(
    "came", [{"host": "all.example"}, {"host": "ALL.example"}, {"x_forwarded_for": "192.0.2.1"}]
)
def test_who_would_only_come_back_is_told_that_another_server_has_it(
    tmp_path: Path, came: dict[str, str]
) -> None:
    lay_out(tmp_path)
    copy_part(tmp_path, OF_ARKS)
    host = PublishedPlane(tmp_path, falls_through=True)
    for target in ("/urn:lead:bound:1", "/names/under/urn:lead:", "/names/changes"):
        answer = ask(host, target, **came)
        assert answer.status == 421
        problem = json.loads(answer.body)
        assert problem["code"] == "names_elsewhere"
        assert "ark:12345/x5" in problem["detail"]
        page = ask(host, target, accept="text/html", **came)
        assert (page.status, b"does not have these names" in page.body) == (421, True)
    assert ask(host, "/ark:12345/x5abc", **came).status == 302


def test_a_copy_is_behind_a_server_of_its_own_and_leads_on_all_the_same(
    site: PublishedPlane,
) -> None:
    answer = ask(site, "/urn:lead:bound:1", x_forwarded_for="192.0.2.1")
    assert answer.status == 307


def test_the_feed_says_of_which_names_it_is_and_so_does_what_watches_over_a_copy(
    site: PublishedPlane,
) -> None:
    told = json.loads(ask(site, "/names/feed").body)
    assert told["under"] == ["ark:12345/x5"]
    assert told["last"] == len(RECORDS)  # others are passed over, and nothing is missed
    assert told["masks"] == TOLD[MASKS]
    ready = json.loads(ask(site, "/readyz").body)
    assert ready["names here"] == "only the names that begin with ark:12345/x5"


def test_pages_of_a_part_lead_to_lists_that_others_have(tmp_path: Path) -> None:
    """The prefix of the name is wider than the part, so that its list is elsewhere."""
    lay_out(tmp_path)
    copy_part(tmp_path, read_part(["ark:12345/x5gone"], ALL))
    page = ask(PublishedPlane(tmp_path), "/names/ark:12345/x5gone", accept="text/html").body
    assert b'"/names/under/ark:12345%2Fx5"' in page


@pytest.fixture(scope="module")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is published, without names that are bound."""
    folder = tmp_path_factory.mktemp("edition")
    lay_out(folder)
    return folder


LETTERS = "ab./"
BEGUN = ("ark:12345/x5", "urn:lead:")
_ends = st.text(LETTERS, max_size=4)
_texts = st.builds(lambda begun, end: begun + end, st.sampled_from(BEGUN), _ends)
_records = st.builds(
    lambda name, state, anywhere: AssignedNameRecord(
        name=name, state=state, target=f"https://{len(name)}.example/", extends_anywhere=anywhere
    ),
    _texts.filter(lambda text: text[-1] not in "./:"),
    st.sampled_from([AssignedNameState.PUBLIC] * 3 + [AssignedNameState.WITHDRAWN]),
    st.booleans(),
)


@settings(max_examples=25, deadline=None)
@given(
    records=st.lists(_records, max_size=8, unique_by=lambda one: one.name),
    delegated=st.lists(_texts, max_size=2),
    halves=st.lists(st.lists(_texts, min_size=1, max_size=2), min_size=2, max_size=2),
    asked=st.lists(_texts, min_size=1, max_size=6),
)
def test_parts_answer_together_what_one_site_with_all_names_does(
    edition: Path,
    records: list[AssignedNameRecord],
    delegated: list[str],
    halves: list[list[str]],
    asked: list[str],
) -> None:
    """Whatever begins the parts, delegated or not: each gives the answer or sends to who has it."""
    told: dict[str, dict[str, Any]] = {MASKS: dict.fromkeys([*BEGUN, *delegated], "")}
    parts = [NamePart(tuple(texts), ALL) for texts in halves]
    with TemporaryDirectory() as name:
        sites = []
        for at, part in enumerate([ALL_NAMES, *parts]):
            copy = copy_part(Path(name, str(at)), part, ListedFeed(changes_of(records)), told)
            sites.append(PublishedPlane(edition, names=copy.folder))
        texts = [*asked, *(one.name for one in records), *(f"{text}/b" for text in asked)]
        paths = "/{}", "/{}?info", "/names/under/{}?format=json"
        for text, path in product(texts, paths):
            target = path.format(text)
            whole, *others = (_told(ask(site, target)) for site in sites)
            for part, answer in zip(parts, others, strict=True):
                sent = answer[:2] == (307, ALL + target)
                assert answer == whole or sent, (target, part)
                assert not (sent and part.has(_normal(text))), (target, part)


def _told(answer: Answer) -> tuple[int, str, bytes]:
    return answer.status, answer.headers.get("Location", ""), answer.body


def _normal(text: str) -> str:
    """The name, or the beginning of names, that a text is."""
    for read in (read_assigned_name, read_beginning):
        with suppress(ValueError):
            return read(text)
    return ""


# The feed by ranges.

NAMES = [f"ark:12345/{begun}{n:03}" for n in range(60) for begun in ("a", "b", "c")]
_feed_of = {"all": ListedFeed(changes_of(AssignedNameRecord(name=one) for one in NAMES))}


@pytest.fixture(scope="module")
def feed(tmp_path_factory: pytest.TempPathFactory) -> PublishedPlane:
    """A site with many names, of which one in three begins alike."""
    folder = tmp_path_factory.mktemp("ranges")
    lay_out(folder)
    copy_part(folder, feed=_feed_of["all"])
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


# The copy of a part.


def names_in(folder: Path) -> set[str]:
    """The names that a copy has."""
    reader = NameCopyReader(folder)
    reader.version()
    return {one.name for one in reader.changes(0, 1_000)}


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
    parts = [ALL_NAMES, OF_ARKS, replace(OF_ARKS, elsewhere="https://moved.example"), ALL_NAMES]
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
