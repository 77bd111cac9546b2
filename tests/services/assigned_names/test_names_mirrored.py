"""A mirror follows the names of a registry over HTTP, and resolves them while that is away."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.assigned_names.assigned_name_records import AssignedNameRecord
from app.bundles.mirror import MirrorSourceError
from app.bundles.name_copies import MASKS, NAMES_FOLDER, STATEMENTS, NameCopyWriter
from app.bundles.name_mirror import mirror_names
from app.outside.http_fetcher import Fetcher
from app.published.plane import PublishedPlane
from app.server import follow_registry
from app.services.assigned_names import name_feed, prefixes
from app.services.assigned_names.prefixes import PrefixRules
from tests.published.bound_names import RECORDS, ListedFeed, changes_of
from tests.published.bundles import ask
from tests.published.loopback import serve
from tests.published.test_bound_names import lay_out
from tests.published.wsgi_site import PublishedWsgi
from tests.services.assigned_names.conftest import NameDesk, revision

SAID = {
    "holder": "Baltic Port Authority",
    "persistence": "Kept for ever.",
    "ended": "2026-03-01",
}


class Source:
    """A site with bound names, and a mirror of it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.copy = folder / "source", folder / "copy"
        lay_out(self.folder)
        self.feed = ListedFeed(changes_of(RECORDS))

    def publish(self, feed: str = "one") -> None:
        writer = NameCopyWriter(self.folder / NAMES_FOLDER)
        writer.follow(self.feed.after, feed=feed)
        said = {"ark:12345/x5": SAID}
        writer.keep_told({MASKS: {"ark:12345/x5": "reedeedk"}, STATEMENTS: said})

    @contextmanager
    def followed(self) -> Iterator[int | None]:
        with serve(PublishedWsgi(PublishedPlane(self.folder))) as url:
            yield follow_registry(url, self.copy, mend=False)

    def led(self, target: str) -> str:
        return ask(PublishedPlane(self.copy), target).headers.get("Location", "")


@pytest.fixture
def source(tmp_path: Path) -> Source:
    made = Source(tmp_path)
    made.publish()
    return made


def test_a_mirror_resolves_bound_names_with_the_site_away(source: Source) -> None:
    with source.followed() as change:
        assert change == len(RECORDS)
    assert source.led("/ark:12345/x5abc/p1") == f"{RECORDS[0].target}/p1"
    assert ask(PublishedPlane(source.copy), "/ark:12345/x5gone").status == 410
    assert b"SECRET" not in ask(PublishedPlane(source.copy), "/names/changes").body.upper()
    feed = ask(PublishedPlane(source.copy), "/names/feed")
    assert json.loads(feed.body) == {
        "feed": "one",
        "last": len(RECORDS),
        "masks": {"ark:12345/x5": "reedeedk"},
        "statements": {"ark:12345/x5": SAID},
    }
    info = ask(PublishedPlane(source.copy), "/ark:12345/x5abc?info")
    assert b"Kept for ever." in info.body and b"Baltic Port Authority" in info.body
    lists = (
        ask(PublishedPlane(one), "/names/under/ark:12345/x5", accept="application/json").body
        for one in (source.folder, source.copy)
    )
    here, there = map(json.loads, lists)
    assert here == there
    assert len(here["names"]) > 5


def test_a_mirror_takes_what_changed_since_and_all_of_another_feed(source: Source) -> None:
    with source.followed():
        pass
    moved = AssignedNameRecord(name=RECORDS[0].name, target="https://moved.example/")
    source.feed.add(moved, *(AssignedNameRecord(name=f"ark:12345/c{n}") for n in range(6_000)))
    source.publish()
    with source.followed() as change:
        assert change == len(RECORDS) + 6_001
    assert source.led("/ark:12345/x5abc") == moved.target
    source.feed = ListedFeed(changes_of(RECORDS[1:]))
    source.publish("another")
    with source.followed() as change:
        assert change == len(RECORDS) - 1
    assert source.led("/ark:12345/x5abc") != moved.target


def test_a_mirror_takes_all_changes_that_come_in_short_pages_as_they_are_long(
    source: Source,
) -> None:
    long = (("what", "x" * 4_000),) * 5
    many = [AssignedNameRecord(name=f"ark:12345/c{n}", elements=long) for n in range(120)]
    source.feed.add(*many)
    source.publish()
    with source.followed() as change:
        assert change == len(RECORDS) + 120


def test_a_site_without_a_feed_or_with_an_empty_one_is_mirrored_all_the_same(
    tmp_path: Path,
) -> None:
    older = Source(tmp_path / "older")
    with older.followed() as change:
        assert change == 0
    assert ask(PublishedPlane(older.copy), "/names/changes").status == 200
    assert older.led("/ark:12345/y5") == "https://library.example/ark:/12345/y5"

    def answers(status: int) -> Any:
        return lambda _url, _take, _largest: status

    assert mirror_names("https://old.example", tmp_path / "none", answers(400)) is None
    assert not (tmp_path / "none").exists()
    with pytest.raises(MirrorSourceError, match="returned status 503"):
        mirror_names("https://old.example", tmp_path / "none", answers(503))


@pytest.mark.parametrize(
    "lines", [b"[1]\n", b"{}\n", b"x\n", b'{"change": 1}\n', b'{"change": 0, "name": "ark:1/a"}\n']
)
def test_what_is_no_change_ends_a_run_and_what_was_copied_stays(
    source: Source, lines: bytes
) -> None:
    with source.followed():
        pass

    def answers(url: str, take: Any, _largest: int) -> int:
        take(b'{"feed": "one", "last": 99}' if url.endswith("/names/feed") else lines)
        return 200

    with pytest.raises(MirrorSourceError):
        mirror_names("https://odd.example", source.copy, answers)
    assert source.led("/ark:12345/x5abc") == RECORDS[0].target


def test_the_masks_of_prefixes_go_with_what_is_copied(desk: NameDesk, tmp_path: Path) -> None:
    lay_out(tmp_path)
    copy = NameCopyWriter(tmp_path / NAMES_FOLDER)
    assert name_feed.follow(copy, desk.given, "a line") == 0
    assert copy.feed() == "a line"  # an empty copy tells from none
    name = desk.mint()[0]
    desk.change(revision(name, target="https://a.example/"))
    name_feed.follow(copy, desk.given, "a line")
    assert copy.told()[MASKS] == {"ark:10099/x5": "reedeedk"}


def test_what_is_said_of_the_names_of_a_prefix_goes_with_what_is_copied(
    desk: NameDesk, tmp_path: Path
) -> None:
    copy = NameCopyWriter(tmp_path / NAMES_FOLDER)
    made = desk.add("ark:10099/z5", mask="", policy="By the shelf.")
    name_feed.follow(copy, desk.given)
    assert copy.told()[STATEMENTS] == {"ark:10099/z5": {"policy": "By the shelf."}}
    rules = PrefixRules(policy="By the shelf.", persistence="For ever.")
    prefixes.change_prefix(desk.command(), made, rules)
    name_feed.follow(copy, desk.given)
    said = {"policy": "By the shelf.", "persistence": "For ever."}
    assert copy.told()[STATEMENTS] == {"ark:10099/z5": said}
    prefixes.change_prefix(desk.command(), made, PrefixRules())
    name_feed.follow(copy, desk.given)
    assert copy.told()[STATEMENTS] == {}


def test_who_holds_a_prefix_and_that_it_ended_goes_with_what_is_copied_and_nobody_s_account(
    desk: NameDesk, tmp_path: Path
) -> None:
    copy = NameCopyWriter(tmp_path / NAMES_FOLDER)
    made = desk.add("ark:10099/z5", mask="", holder_name=" Baltic Port Authority ")
    name_feed.follow(copy, desk.given)
    assert copy.told()[STATEMENTS] == {"ark:10099/z5": {"holder": "Baltic Port Authority"}}
    prefixes.end_prefix(desk.command(), made, "The boats are sold.")
    prefixes.end_prefix(desk.command(), desk.prefix, "The boats are sold.")
    name_feed.follow(copy, desk.given)
    ended = {"ended": f"{desk.clock():%Y-%m-%d}"}
    assert copy.told()[STATEMENTS] == {
        "ark:10099/x5": ended,
        "ark:10099/z5": {"holder": "Baltic Port Authority", **ended},
    }


@pytest.mark.parametrize("said", ["[1]", '{"ark:12345/x5": 7}', "7"])
def test_a_feed_that_tells_no_statements_in_their_form_ends_a_run(
    source: Source, said: str
) -> None:
    def answers(_url: str, take: Any, _largest: int) -> int:
        take(f'{{"feed": "one", "last": 9, "statements": {said}}}'.encode())
        return 200

    with pytest.raises(MirrorSourceError, match="has no valid feed"):
        mirror_names("https://odd.example", source.copy, answers)


def test_a_prefix_is_known_to_hosts_before_its_first_name(desk: NameDesk, tmp_path: Path) -> None:
    copy = NameCopyWriter(tmp_path / NAMES_FOLDER)
    desk.mint()
    name_feed.follow(copy, desk.given)
    desk.add("ark:10099/x5bc", mask="", actor=desk.people.registrant)
    assert name_feed.follow(copy, desk.given) == 0
    assert copy.told()[MASKS] == {"ark:10099/x5": "reedeedk", "ark:10099/x5bc": ""}


def test_a_host_says_that_it_awaits_names_until_they_are_copied(
    desk: NameDesk, tmp_path: Path
) -> None:
    copy = NameCopyWriter(tmp_path / NAMES_FOLDER)
    at = desk.clock()
    assert not name_feed.awaits_names(copy, at)  # nobody was given a name
    name = desk.mint()[0]
    assert name_feed.awaits_names(copy, at)
    name_feed.follow(copy, desk.given)
    assert not name_feed.awaits_names(copy, at)
    desk.clock.on(minutes=1)
    desk.change(revision(name, target="https://a.example/"))
    assert not name_feed.awaits_names(copy, desk.clock())  # which takes a moment
    assert name_feed.awaits_names(copy, desk.clock.on(seconds=20))
    name_feed.follow(copy, desk.given)
    assert not name_feed.awaits_names(copy, desk.clock())


def test_a_fetcher_is_all_that_a_mirror_needs(source: Source) -> None:
    with serve(PublishedWsgi(PublishedPlane(source.folder))) as url, Fetcher() as fetch:
        assert mirror_names(f"{url}/", source.copy, fetch) == len(RECORDS)
