"""Hosts and mirrors that keep a part of all names: how they follow, and what they tell of it."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from app import worker
from app.assigned_names.assigned_name_records import AssignedNameRecord
from app.assigned_names.name_prefixes import ALL_NAMES, NamePart, read_part
from app.bundles.given_numbers import GivenNumberFolder
from app.bundles.mirror import MirrorSourceError
from app.bundles.name_copies import MASKS, NAMES_FOLDER, NameCopyWriter
from app.bundles.name_mirror import mirror_names
from app.cli import main
from app.config import BadSetting, Settings, read_settings
from app.factory import check_settings, create_asgi
from app.front.connections import ConnectionLimits
from app.outside.http_fetcher import Fetcher
from app.published.names import name_copy_reader
from app.published.plane import PublishedPlane
from app.server import work_of
from app.services.assigned_names import name_feed
from tests.front.test_connections import serving
from tests.published.bound_names import RECORDS, ListedFeed, changes_of
from tests.published.loopback import serve
from tests.published.name_part_copies import TOLD, copy_part, names_in
from tests.published.test_bound_names import ask, lay_out
from tests.published.test_names import ask as ask_socket
from tests.published.wsgi_site import PublishedWsgi
from tests.services.assigned_names.conftest import NameDesk, revision

OF_ARKS = read_part(["ark:12345/x5"])


@contextmanager
def site(folder: Path, part: NamePart = ALL_NAMES, feed: ListedFeed | None = None) -> Iterator[str]:
    """The address of a site with a part of the names of this room, or of a feed."""
    lay_out(folder)
    copy_part(folder, part, feed)
    with serve(PublishedWsgi(PublishedPlane(folder))) as url:
        yield url


def test_a_mirror_of_a_part_takes_that_alone_and_leads_to_its_source_for_others(
    tmp_path: Path,
) -> None:
    copy = tmp_path / "copy"
    asked: list[str] = []
    with site(tmp_path / "all") as url, Fetcher() as fetch:

        def noting(address: str, take: Callable[[bytes], object], largest: int) -> int:
            asked.append(address.removeprefix(url))
            return fetch(address, take, largest)

        assert mirror_names(url, copy, noting, OF_ARKS) == len(RECORDS)
        assert mirror_names(url, copy, noting, OF_ARKS) == len(RECORDS)
    part = NamePart(OF_ARKS.beginnings, url)
    assert names_in(copy / NAMES_FOLDER) == {one.name for one in RECORDS if part.keeps(one.name)}
    assert asked.count("/names/changes?after=0&limit=5000&under=ark%3A12345%2Fx5") == 1
    lay_out(copy)
    led = ask(PublishedPlane(copy), "/urn:lead:bound:1?+r")
    assert (led.status, led.headers["Location"]) == (307, f"{url}/urn:lead:bound:1?+r")
    assert ask(PublishedPlane(copy), "/ark:12345/x5abc").headers["Location"] == RECORDS[0].target
    assert json.loads(ask(PublishedPlane(copy), "/names/feed").body)["masks"] == TOLD[MASKS]


def test_a_mirror_of_a_part_has_all_of_its_names_though_they_are_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The changes come cut off by octets, which is not the end of them."""
    names = {f"ark:12345/x5{n:02}" for n in range(20)}
    records = [AssignedNameRecord(name=one, persistence="a" * 900) for one in sorted(names)]
    feed = ListedFeed(changes_of(records))
    with (
        monkeypatch.context() as few,
        site(tmp_path / "all", feed=feed) as url,
        Fetcher() as fetch,
    ):
        few.setattr(name_copy_reader, "_MOST_OCTETS", 2_000)
        assert mirror_names(url, tmp_path / "copy", fetch, OF_ARKS) == len(names)
    assert names_in(tmp_path / "copy" / NAMES_FOLDER) == names


def test_a_part_is_never_taken_for_the_whole(tmp_path: Path) -> None:
    with site(tmp_path / "part", NamePart(OF_ARKS.beginnings, "https://all.example")) as url:
        for under in (ALL_NAMES, read_part(["ark:12345/"]), read_part(["ark:12345/x5a", "urn:"])):
            with Fetcher() as fetch, pytest.raises(MirrorSourceError, match="ark:12345/x5") as told:
                mirror_names(url, tmp_path / "copy", fetch, under)
            assert "--under" in str(told.value)
        assert not (tmp_path / "copy").exists()
        with Fetcher() as fetch:
            within = read_part(["ark:12345/x5a"])
            assert mirror_names(url, tmp_path / "copy", fetch, within) == len(RECORDS)
    kept = {one.name for one in RECORDS if within.keeps(one.name)}
    # the names that answer names of the part come along from one part to the next
    assert names_in(tmp_path / "copy" / NAMES_FOLDER) == kept >= {"ark:12345/x"}


def test_of_software_that_knows_of_no_parts_a_mirror_takes_its_own(tmp_path: Path) -> None:
    """It gives all names whatever it is asked, and refuses questions with many members."""
    with site(tmp_path / "all") as url, Fetcher() as fetch:

        def older(address: str, take: Callable[[bytes], object], largest: int) -> int:
            assert "under" not in address
            if not address.endswith("/names/feed"):
                return fetch(address, take, largest)
            pieces: list[bytes] = []
            status = fetch(address, pieces.append, largest)
            told = json.loads(b"".join(pieces))
            del told["under"]
            take(json.dumps(told).encode())
            return status

        assert mirror_names(url, tmp_path / "copy", older, OF_ARKS) == len(RECORDS)
    names = names_in(tmp_path / "copy" / NAMES_FOLDER)
    assert names == {one.name for one in RECORDS if OF_ARKS.keeps(one.name)}


def test_a_feed_whose_changes_are_away_ends_a_run(tmp_path: Path) -> None:
    def answers(url: str, take: Any, _largest: int) -> int:
        take(b'{"feed": "one", "last": 9, "under": []}')
        return 200 if url.endswith("/names/feed") else 404

    with pytest.raises(MirrorSourceError, match="lacks changes"):
        mirror_names("https://odd.example", tmp_path, answers, OF_ARKS)


def test_the_command_takes_a_part_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with site(tmp_path / "all") as url:
        line = ["registry", "mirror", url, "-o", str(tmp_path / "copy")]
        assert main([*line, "--under", "urn:lead:", "--under", "ARK:/12345/x5"]) == 0
        told = capsys.readouterr().err
        assert "Identifiers under ark:12345/x5, urn:lead:: up to change" in told
        assert main([*line, "--under", "nothing"]) == 2
    assert "--under" in capsys.readouterr().err


def test_a_host_keeps_the_names_of_its_part_and_the_numbers_of_all(
    desk: NameDesk, tmp_path: Path
) -> None:
    other = desk.add("ark:10099/z5")
    settings = Settings(names_under=("ark:10099/z5",), base_url="https://site.example")
    copy = NameCopyWriter(tmp_path / "names", part=name_feed.part_kept(settings))
    kept = GivenNumberFolder(tmp_path / "given")
    name_feed.follow(copy, kept, "a line")
    desk.mint(3)
    names = desk.mint(2, prefix=other)
    assert name_feed.follow(copy, kept, "a line") == 5
    desk.mint(1)
    assert name_feed.follow(copy, kept, "a line") == 1
    assert names_in(copy.folder) == {*names}
    assert not name_feed.awaits_names(copy, desk.clock.on(minutes=1))
    assert kept.next_of("ark:10099/x5") == desk.given.next_of("ark:10099/x5")
    assert set(copy.told()[MASKS]) == {"ark:10099/x5", "ark:10099/z5"}
    assert copy.part == NamePart(("ark:10099/z5",), "https://site.example")


def test_a_host_whose_part_is_set_otherwise_makes_its_copy_anew_at_its_next_turn(
    desk: NameDesk, tmp_path: Path
) -> None:
    names = desk.mint(3)
    for part, has in ((ALL_NAMES, {*names}), (read_part(["ark:10099/z5"]), set[str]())):
        copy = NameCopyWriter(tmp_path / "names", part=part)
        assert name_feed.follow(copy, desk.given) == 3
        assert name_feed.follow(copy, desk.given) == 0
        assert names_in(copy.folder) == has


def test_two_hosts_with_half_of_the_names_each_answer_for_all_of_them(
    desk: NameDesk, tmp_path: Path, database_url: str
) -> None:
    """By their settings, and as a server in front asks: where one lacks a name, the other."""
    halves = ["ark:10099/x5", "ark:10099/z5"]
    names = [desk.mint(2)[1], desk.mint(2, prefix=desk.add(halves[1]))[1]]
    for name in names:
        desk.change(revision(name, target=f"https://a.example/{name[10:12]}"))
    with ExitStack() as stack:
        ports = []
        for half in halves:
            given = {"URN_REGISTRY_NAMES_UNDER": half, "URN_REGISTRY_DATABASE_URL": database_url}
            host = read_settings(given, data_dir=tmp_path / half[-2:], secret_key="of a test" * 4)
            worker.follow_names(work_of(host))
            made = serving(ConnectionLimits(), create_asgi(host))
            ports.append(stack.enter_context(made))
        for name, half, here, there in zip(names, halves, ports, ports[::-1], strict=True):
            target = f"https://a.example/{half[-2:]}/p1?a=b"
            asked = f"/{name}/p1?a=b"
            assert ask_socket(here, asked).headers["location"] == target
            assert ask_socket(there, asked, x_forwarded_for="192.0.2.1").status == 421
            sent = ask_socket(there, asked)
            assert (sent.status, sent.headers["location"]) == (307, f"{host.base_url}{asked}")
            assert len(names_in(tmp_path / half[-2:] / "names")) == 2


def test_a_setting_that_is_no_part_is_refused_when_the_site_starts() -> None:
    for text in ("nothing", "ark:12345/x.v2"):
        with pytest.raises(BadSetting, match="NAMES_UNDER"):
            check_settings(Settings(names_under=("ark:12345/", text)))
    check_settings(Settings(names_under=("ark:12345/", "urn:example:")))
