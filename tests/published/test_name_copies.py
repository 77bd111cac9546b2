"""The copy of names on a host: brought up to date, made anew, damaged, and read meanwhile."""

import json
import os
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from stat import S_IMODE
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.bound_names import NameFloor
from app.bundles.copied_changes import BadNameChange
from app.bundles.layout import SHARED
from app.bundles.name_copies import (
    DOUBTED,
    EARLIER_FILE,
    NAMES_FILE,
    NameCopyWriter,
    is_name_copy,
)
from app.published.names import name_copy_reader
from app.published.names.name_copy_reader import NameCopyReader, NameCopyState, NameCopyUnavailable
from app.published.plane import PublishedPlane
from tests.processes import PROCESSES
from tests.published.bound_names import (
    MOVED,
    RECORDS,
    Change,
    ListedFeed,
    changes_of,
    copy_names,
    move_names_for_ever,
)
from tests.published.bundles import ask, make_bundle

NAME = AssignedNameRecord(name="ark:12345/x5abc", target="https://repo.example/0")


def told(reader: NameCopyReader) -> dict[str, str]:
    """Every name with its target, as a reader has them."""
    reader.version()

    def walk(floor: NameFloor) -> dict[str, str]:
        found, text = dict[str, str](), "~"
        while (nearest := floor(text)) is not None:
            name, read = nearest
            found[name] = read().target
            text = name[:-1] + chr(ord(name[-1]) - 1) + "~"
        return found

    return reader.ask(walk)


@pytest.fixture
def writer(tmp_path: Path) -> NameCopyWriter:
    return NameCopyWriter(tmp_path / "names")


@pytest.fixture
def reader(writer: NameCopyWriter) -> NameCopyReader:
    return NameCopyReader(writer.folder)


def test_a_copy_follows_the_feed_and_asks_for_what_it_lacks_alone(
    writer: NameCopyWriter, reader: NameCopyReader
) -> None:
    assert (writer.last_change(), reader.version()) == (0, "")
    feed = ListedFeed(changes_of([NAME]))
    assert writer.follow(feed.after) == writer.last_change() == 1
    before = reader.version()
    assert told(reader) == {NAME.name: NAME.target}
    feed.add(replace(NAME, target="https://moved.example/"), replace(NAME, name="ark:12345/x5b"))
    assert writer.follow(feed.after) == 3
    assert reader.version() != before
    assert told(reader)[NAME.name] == "https://moved.example/"
    assert writer.follow(feed.after) == 3
    assert feed.asked == [0, 1, 3]
    assert [one.change for one in reader.changes(0, 10)] == [2, 3]
    assert NameCopyWriter(writer.folder).last_change() == 3


def _mapped(path: Path) -> dict[str, str]:
    """What is mapped of a file into this process, by its place: how it may be used."""
    lines = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]
    return {line[0]: line[1] for line in lines if line[-1] == str(path.resolve())}


def test_a_copy_is_read_from_memory_that_it_is_mapped_into_and_cannot_be_written_by_its_reader(
    writer: NameCopyWriter, reader: NameCopyReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []

    def connect(*told: Any, **more: Any) -> sqlite3.Connection:
        opened.append(sqlite3.Connection(*told, **more))
        return opened[-1]

    writer.follow(ListedFeed(changes_of([NAME])).after)
    assert not _mapped(writer.path)
    monkeypatch.setattr(sqlite3, "connect", connect)
    assert reader.find_floor(NAME.name)
    (uses,) = set(_mapped(writer.path).values())
    assert uses == "r--s"
    (connection,) = opened
    assert connection.execute("PRAGMA mmap_size").fetchone()[0] > writer.path.stat().st_size
    for written in ("DELETE FROM names", "PRAGMA user_version = 2", "CREATE TABLE more (a)"):
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            connection.execute(written)
    connection.execute("PRAGMA query_only = OFF")  # the file was opened to be read alone
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("DELETE FROM names")


def test_the_statement_that_finds_a_name_is_prepared_once(
    writer: NameCopyWriter, reader: NameCopyReader
) -> None:
    """To prepare it SQLite asks whether its table may be read."""
    writer.follow(ListedFeed(changes_of([NAME])).after)
    assert reader.find_floor(NAME.name)
    asked: list[int] = []

    def allow(action: int, *_: object) -> int:
        asked.append(action)
        return sqlite3.SQLITE_OK

    connection = reader._connection
    assert connection is not None
    connection.set_authorizer(allow)
    reader.find_floor(NAME.name)
    prepared = len(asked)  # to set it lets every statement be prepared anew
    assert prepared
    for text in (NAME.name, f"{NAME.name}/page", "ark:12345/x5"):
        reader.find_floor(text)
    assert len(asked) == prepared


def _in_memory(path: Path) -> float:
    """How much of a file is mapped into this process, and there already."""
    told = Path("/proc/self/smaps").read_text().partition(f" {path.resolve()}\n")[2]
    return int(told.partition("Rss:")[2].split()[0]) * 1024 / path.stat().st_size


@pytest.mark.parametrize(("seconds", "least", "most"), [(600.0, 0.9, 1.1), (0.0, 0.0, 0.7)])
def test_names_are_mapped_before_they_are_asked_for_as_long_as_that_takes_a_moment(
    writer: NameCopyWriter,
    reader: NameCopyReader,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    least: float,
    most: float,
) -> None:
    long = "https://repo.example/" + "0" * 2_000
    many = [replace(NAME, name=f"ark:12345/x5{n:07}", target=long) for n in range(9_000)]
    writer.follow(ListedFeed(changes_of(many)).after)
    monkeypatch.setattr(name_copy_reader, "_READ_AHEAD", seconds)
    assert reader.find_floor(many[0].name) == reader.find_floor(many[0].name)
    assert least <= _in_memory(writer.path) <= most


def test_what_a_question_reads_is_of_one_moment_however_often_it_asks(
    writer: NameCopyWriter, reader: NameCopyReader
) -> None:
    feed = ListedFeed(changes_of([NAME]))
    writer.follow(feed.after)
    reader.version()

    def ask_twice(floor: NameFloor) -> list[str]:
        seen = []
        for number in range(2):
            nearest = floor(NAME.name)
            assert nearest is not None
            seen.append(nearest[1]().target)
            feed.add(replace(NAME, target=f"https://moved.example/{len(feed.asked)}/{number}"))
            writer.follow(feed.after)
        return seen

    seen = reader.ask(ask_twice)
    assert len(seen) == 2 and len(set(seen)) == 1


def test_a_copy_made_anew_holds_the_last_change_of_each_name(
    writer: NameCopyWriter, reader: NameCopyReader
) -> None:
    feed = ListedFeed(changes_of([NAME, replace(NAME, target="https://moved.example/")]))
    assert writer.follow(feed.after) == 2
    assert told(reader) == {NAME.name: "https://moved.example/"}
    assert [one.change for one in reader.changes(0, 10)] == [2]


def test_an_empty_feed_makes_an_empty_copy(writer: NameCopyWriter, reader: NameCopyReader) -> None:
    assert writer.follow(ListedFeed().after) == 0
    assert reader.version() and told(reader) == {}


def test_a_copy_of_another_feed_is_made_anew_and_the_one_before_it_is_kept(
    writer: NameCopyWriter, reader: NameCopyReader
) -> None:
    writer.follow(ListedFeed(changes_of(RECORDS)).after, feed="one")
    was = reader.version()
    other = ListedFeed(changes_of([NAME]))
    assert writer.follow(other.after, feed="other") == 1
    assert other.asked == [0]
    assert reader.version() != was
    assert told(reader) == {NAME.name: NAME.target}
    before = NameCopyReader(writer.folder, file=EARLIER_FILE)
    assert told(before).keys() == {one.name for one in RECORDS}
    writer.follow(other.after, feed="third")
    writer.follow(other.after, feed="third")
    kept = [one for one in writer.folder.glob("names-*.sqlite") if not one.is_symlink()]
    assert len(kept) == 2  # this one and the one before it
    assert told(NameCopyReader(writer.folder, file=EARLIER_FILE)) == {NAME.name: NAME.target}


def test_only_what_everybody_may_know_is_copied(
    writer: NameCopyWriter, reader: NameCopyReader
) -> None:
    reserved = replace(NAME, state=AssignedNameState.RESERVED, elements=(("what", "A secret"),))
    writer.follow(ListedFeed(changes_of([NAME, reserved])).after)
    with writer.path.open("rb") as file:
        assert b"secret" not in file.read()
    reader.version()
    line = reader.changes(0, 1)[0].line
    assert line == '{"change":2,"name":"ark:12345/x5abc","state":"reserved"}\n'


WRONG: list[list[Change]] = [
    [{"change": 0, "name": "ark:1/a", "state": "public"}],
    [{"change": "1", "name": "ark:1/a", "state": "public"}],
    [{"change": True, "name": "ark:1/a", "state": "public"}],
    [{"change": 2**63, "name": "ark:1/a", "state": "public"}],
    [{"change": 1, "name": "", "state": "public"}],
    [{"change": 1, "name": "ark:1/a", "state": "lost"}],
    [{"change": 1, "name": "ark:1/a", "state": "public", "redirect": 301}],
    [{"change": 1, "state": "public"}],
    [{"name": "ark:1/a", "state": "public"}],
    changes_of([NAME, NAME])[::-1],
]


@pytest.mark.parametrize("changes", WRONG)
def test_what_is_no_change_stops_the_copy_and_changes_nothing(
    writer: NameCopyWriter, reader: NameCopyReader, changes: list[Change]
) -> None:
    with pytest.raises(BadNameChange):
        writer.follow(lambda _: iter(changes))
    assert not any(one.name != "names" for one in writer.folder.iterdir())
    writer.follow(ListedFeed(changes_of([NAME])).after)
    with pytest.raises(BadNameChange):
        writer.follow(lambda _: iter([*changes_of([NAME], 2), *changes]))
    assert told(reader) == {NAME.name: NAME.target}
    assert writer.last_change() == 1


def test_a_feed_that_breaks_off_leaves_the_copy_as_it_was(
    writer: NameCopyWriter, reader: NameCopyReader
) -> None:
    def broken(_: int) -> Iterator[Change]:
        yield from changes_of([replace(NAME, target="https://half.example/")], 2)
        raise ConnectionError

    writer.follow(ListedFeed(changes_of([NAME])).after)
    for feed in ("", "another"):
        with pytest.raises(ConnectionError):
            writer.follow(broken, feed=feed)
        assert told(reader) == {NAME.name: NAME.target}
    assert len(list(writer.folder.glob("names-*.sqlite"))) == 1


def test_the_link_to_the_copy_is_never_away_while_it_is_made_anew(
    writer: NameCopyWriter, reader: NameCopyReader
) -> None:
    """One rename puts it in place: between any two steps somebody may look."""
    feed = ListedFeed(changes_of([NAME]))
    writer.follow(feed.after, feed="one")
    seen: list[bool] = []

    def looking(_frame: FrameType, event: str, called: object) -> None:
        if event == "c_call" and getattr(called, "__module__", "") == os.name:
            seen.append(os.path.lexists(writer.path))

    # no audit hook: nobody takes it away again, and it keeps other threads from being traced
    sys.setprofile(looking)
    try:
        writer.follow(feed.after, feed="two")
    finally:
        sys.setprofile(None)
    assert len(seen) > 3 and all(seen)
    assert told(reader) == {NAME.name: NAME.target}


def test_a_copy_whose_pages_are_damaged_within_is_made_anew(writer: NameCopyWriter) -> None:
    """What can be opened and begun with may be broken further on: it is read whole once."""
    records = [replace(NAME, name=f"ark:12345/x5{n:05}") for n in range(2_000)]
    feed = ListedFeed(changes_of(records))
    writer.follow(feed.after)
    with closing(sqlite3.connect(writer.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        root = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'names_by_change'"
        )
        page, size = root.fetchone()[0], connection.execute("PRAGMA page_size").fetchone()[0]
    with writer.path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\0" * size)
    before = writer.path.resolve()
    asked = len(feed.asked)
    NameCopyWriter(writer.folder).follow(feed.after)
    assert feed.asked[asked:] == [0]
    assert writer.path.resolve() != before
    with closing(sqlite3.connect(writer.path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_two_writers_take_no_turns_in_one_folder(writer: NameCopyWriter) -> None:
    def after(_: int) -> Iterator[Change]:
        with pytest.raises(BlockingIOError):
            NameCopyWriter(writer.folder).follow(ListedFeed().after)
        yield from changes_of([NAME])

    assert writer.follow(after) == 1


DAMAGE = {
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_bytes(b"These are no names.\n" * 500),
    "shorter": lambda path: os.truncate(path, 5_000),
    "of zeros": lambda path: path.write_bytes(path.read_bytes()[:100] + bytes(20_000)),
    "garbled": lambda path: path.write_bytes(path.read_bytes()[:4096] + os.urandom(20_000)),
}


def _foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE names (name TEXT, change INTEGER, document TEXT)")
    connection.close()


def is_whole(folder: Path) -> bool:
    """Whether the copy in a folder can be read to its end."""
    with closing(sqlite3.connect(folder / NAMES_FILE)) as connection:
        try:
            checked = connection.execute("PRAGMA quick_check(1)").fetchall()
            return is_name_copy(connection) and checked == [("ok",)]
        except sqlite3.DatabaseError:
            return False


@pytest.mark.parametrize("kind", [*DAMAGE, "foreign"])
def test_a_damaged_copy_is_never_answered_from_and_is_made_anew(tmp_path: Path, kind: str) -> None:
    """What a shorter prefix would answer may be wrong: better nobody is led on for a moment."""
    make_bundle().lay_out(tmp_path)
    many = [replace(NAME, name=f"ark:12345/x5abc{number}") for number in range(500)]
    feed = copy_names(tmp_path, [NAME, *many])
    site = PublishedPlane(tmp_path)
    assert ask(site, "/ark:12345/x5abc").status == 302
    assert ask(site, "/names/changes").status == 200
    writer = NameCopyWriter(tmp_path / "names")
    for is_known in (True, False):  # by who answered from it before it was damaged, and by others
        file = writer.folder / writer.path.readlink()
        for beside in writer.folder.glob(f"{file.name}-*"):
            beside.unlink()
        staged = file.with_name("staged")
        staged.write_bytes(file.read_bytes())
        (_foreign if kind == "foreign" else DAMAGE[kind])(staged)
        staged.replace(file)  # in place of another, as whoever restores a backup does
        asked = site if is_known else PublishedPlane(tmp_path)
        answers = [ask(asked, f"/ark:12345/x5abc{end}") for end in ("", "7", "/p")]
        assert {one.status for one in answers} <= ({302} if is_known else {503})
        assert ask(asked, "/names/changes").status in ((200,) if is_known else (503,))
        assert ask(asked, "/editions/").status != 503
        assert not is_whole(writer.folder)
        assert NameCopyWriter(writer.folder).follow(feed.after) == 501
        for plane in (site, PublishedPlane(tmp_path)):
            assert ask(plane, "/ark:12345/x5abc7").headers["Location"] == NAME.target
        assert is_whole(writer.folder)


class _NoSharedMemory(sqlite3.Connection):
    """What SQLite gives on a full disk, where it can make no file for shared memory."""

    def execute(self, *_: Any) -> Any:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
        raise error


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A full disk, until it is undone; also run for real in tests/running/test_full_disks.py."""
    real = sqlite3.connect

    def connect(address: Any, **options: Any) -> sqlite3.Connection:
        if "immutable" not in str(address):
            options["factory"] = _NoSharedMemory
        connection: sqlite3.Connection = real(address, **options)
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect)
    return monkeypatch


def test_an_intact_copy_is_answered_from_on_a_full_disk_and_changes_are_seen_afterwards(
    tmp_path: Path, full_disk: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.MonkeyPatch.context() as room:
        room.setattr(sqlite3, "connect", sqlite3.Connection)
        feed = copy_names(tmp_path, [NAME])
    site, writer = PublishedPlane(tmp_path), NameCopyWriter(tmp_path / "names")
    before = writer.path.resolve()
    for plane in (site, PublishedPlane(tmp_path)):
        assert ask(plane, "/ark:12345/x5abc").headers["Location"] == NAME.target
        assert ask(plane, "/names/changes").status == 200
    assert (writer.feed(), writer.last_change(), writer.finds_damage()) == ("", 1, False)
    with pytest.raises(sqlite3.OperationalError):
        writer.follow(feed.after)
    assert writer.path.resolve() == before
    assert not (writer.folder / DOUBTED).exists()
    assert "damaged" not in caplog.text
    full_disk.undo()
    feed.add(replace(NAME, target="https://moved.example/"))
    assert writer.follow(feed.after) == 2
    assert ask(site, "/ark:12345/x5abc").headers["Location"] == "https://moved.example/"


def test_a_copy_that_changes_while_it_is_read_without_shared_memory_is_not_answered_from(
    writer: NameCopyWriter, reader: NameCopyReader, full_disk: pytest.MonkeyPatch
) -> None:
    with pytest.MonkeyPatch.context() as room:
        room.setattr(sqlite3, "connect", sqlite3.Connection)
        writer.follow(ListedFeed(changes_of([NAME])).after)
    assert told(reader) == {NAME.name: NAME.target}

    def look(floor: NameFloor) -> object:
        found = floor(NAME.name)
        os.utime(writer.path, (1, 1))
        return found

    with pytest.raises(NameCopyUnavailable) as refused:
        reader.ask(look)
    assert refused.value.state is NameCopyState.UNREADABLE
    assert told(reader) == {NAME.name: NAME.target}


def test_a_copy_that_another_process_holds_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_names(tmp_path, [NAME])
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY

    def held(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(name_copy_reader, "open_copy", held)
    answer = ask(PublishedPlane(tmp_path), "/ark:12345/x5abc")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
    assert json.loads(answer.body)["code"] == "name_copy_unreadable"
    assert not (tmp_path / "names" / DOUBTED).exists()


def test_a_server_without_its_first_copy_is_starting_and_not_damaged(tmp_path: Path) -> None:
    NameCopyWriter(tmp_path / "names").make_folder()
    copy = PublishedPlane(tmp_path)
    for path in ("/ark:12345/x5abc", "/names/changes", "/names/under/ark:12345/x5"):
        answer = ask(copy, path)
        assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
        told = json.loads(answer.body)
        assert told["code"] == "name_copy_awaited"
        assert "starting" in told["detail"]
        assert "anew" not in told["detail"]


def test_a_copy_of_the_site_is_not_ready_before_its_copy_of_names_is(tmp_path: Path) -> None:
    make_bundle(7).lay_out(tmp_path)
    copy = PublishedPlane(tmp_path)
    assert ask(copy, "/readyz").status == 200
    NameCopyWriter(tmp_path / "names").make_folder()
    answer = ask(copy, "/readyz")
    assert answer.status == 503
    assert json.loads(answer.body)["status"] == "names are not copied here yet"
    assert ask(copy, "/healthz").status == 200
    copy_names(tmp_path, [NAME])
    assert ask(copy, "/readyz").status == 200


def test_a_row_that_cannot_be_read_is_told_and_others_are_answered(tmp_path: Path) -> None:
    copy_names(tmp_path, [NAME, replace(NAME, name="ark:12345/x5z")])
    with sqlite3.connect(tmp_path / "names" / NAMES_FILE) as connection:
        connection.execute("UPDATE names SET document = '{' WHERE name = ?", (NAME.name,))
    connection.close()
    site = PublishedPlane(tmp_path)
    assert ask(site, "/ark:12345/x5abc").status == 503
    assert ask(site, "/ark:12345/x5z").status == 302


def test_a_file_that_became_shorter_is_let_go_of(
    writer: NameCopyWriter, reader: NameCopyReader
) -> None:
    """What is mapped into memory and no longer there would end the process."""
    many = [replace(NAME, name=f"ark:12345/x5abc{number}") for number in range(2_000)]
    writer.follow(ListedFeed(changes_of(many)).after)
    assert len(told(reader)) == 2_000
    os.truncate(writer.path, 8_192)
    for _ in range(2):
        with pytest.raises(NameCopyUnavailable):
            reader.version()


@pytest.mark.parametrize("pages", [1, -1])
def test_a_file_that_grew_and_became_shorter_is_let_go_of_by_who_asks_for_a_name(
    writer: NameCopyWriter, reader: NameCopyReader, pages: int
) -> None:
    """Though it may be longer than when it was opened, and have the pages of that name still."""
    many = [replace(NAME, name=f"ark:12345/x5{number:04}") for number in range(2_000)]
    feed = ListedFeed(changes_of(many))
    writer.follow(feed.after)
    opened = writer.path.stat().st_size
    assert reader.find_floor(many[0].name)
    feed.add(replace(NAME, name="ark:12345/x6", target="https://long.example/" + "0" * 50_000))
    writer.follow(feed.after)
    with closing(sqlite3.connect(writer.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert writer.path.stat().st_size > opened + 40_000
    assert reader.find_floor(many[0].name)
    os.truncate(writer.path, opened + pages * 4_096)
    for _ in range(2):
        with pytest.raises(NameCopyUnavailable):
            reader.find_floor(many[0].name)


def test_what_is_read_after_reading_ahead_ended_is_whole(
    writer: NameCopyWriter, reader: NameCopyReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_copy_reader, "_READ_AHEAD", 0)
    many = [replace(NAME, name=f"ark:12345/x5{number:04}") for number in range(2_000)]
    writer.follow(ListedFeed(changes_of(many)).after)
    assert reader.version()
    assert len(reader.changes(0, len(many))) == len(many)


def test_what_stands_in_the_way_is_replaced_or_set_aside(writer: NameCopyWriter) -> None:
    writer.path.mkdir(parents=True)
    (writer.path / "mine").write_text("kept")
    (writer.folder / "names-notes.sqlite").write_text("mine as well")
    feed = ListedFeed(changes_of([NAME]))
    assert writer.follow(feed.after) == 1
    assert (writer.folder / f"{NAMES_FILE}.aside-1" / "mine").read_text() == "kept"
    assert (writer.folder / "names-notes.sqlite").exists()


def test_a_file_in_place_of_the_link_is_a_copy_too(
    writer: NameCopyWriter, reader: NameCopyReader
) -> None:
    writer.follow(ListedFeed(changes_of([NAME])).after)
    file = writer.folder / writer.path.readlink()
    writer.path.unlink()
    file.rename(writer.path)
    assert told(reader) == {NAME.name: NAME.target}
    feed = ListedFeed(changes_of([NAME, replace(NAME, name="ark:12345/x5b")]))
    assert writer.follow(feed.after) == 2
    assert len(told(reader)) == 2


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_a_copy_is_its_owners_alone_and_a_mirror_is_for_whom_the_umask_lets(
    tmp_path: Path, umask: int
) -> None:
    before = os.umask(umask)
    try:
        for name, modes in (("own", None), ("shared", SHARED)):
            writer = NameCopyWriter(tmp_path / name, *([modes] if modes else []))
            writer.follow(ListedFeed(changes_of([NAME])).after)
            expected = 0o666 & ~umask if modes else 0o600
            assert S_IMODE(writer.path.stat().st_mode) == expected
    finally:
        os.umask(before)


def test_readers_never_wait_and_never_see_half_of_a_batch_while_a_writer_is_killed(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "names"
    reader = NameCopyReader(folder)
    seen: set[str] = set()
    for _ in range(3):
        process = PROCESSES.Process(target=move_names_for_ever, args=(folder,), daemon=True)
        process.start()
        until = time.monotonic() + 60
        rounds = len(seen) + 10
        while len(seen) < rounds and time.monotonic() < until:
            with suppress(NameCopyUnavailable):  # until there is a first copy
                if not reader.version():
                    assert not seen
                    continue
                targets = set(told(reader).values())
                assert len(targets) == 1
                seen |= targets
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        assert len(seen) >= rounds
    assert len(told(reader)) == MOVED
    NameCopyWriter(folder).follow(ListedFeed(changes_of([NAME])).after, feed="last")
    assert told(reader) == {NAME.name: NAME.target}
    files = {one.resolve() for one in folder.glob("names-*.sqlite")}
    assert len(files) == 2  # this one and that of the feed before


def test_any_number_of_threads_read_while_names_change(tmp_path: Path) -> None:
    feed = copy_names(tmp_path, [NAME])
    site, writer = PublishedPlane(tmp_path), NameCopyWriter(tmp_path / "names")
    failures: list[object] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            answer = ask(site, "/ark:12345/x5abc/p")
            if answer.status != 302:
                failures.append(answer)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for number in range(30):
            feed.add(replace(NAME, target=f"https://repo.example/{number}"))
            writer.follow(feed.after, feed=str(number // 10))
            there = ask(site, "/ark:12345/x5abc").headers["Location"]
            assert there == f"https://repo.example/{number}"
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert not failures


def known_of(names: list[str], floor: NameFloor) -> dict[str, AssignedNameRecord]:
    """What is known of each of these names."""
    found = filter(None, map(floor, names))
    return {name: read() for name, read in found}


RECORD = st.builds(
    AssignedNameRecord,
    name=st.text("ab/.", min_size=1, max_size=3).map("ark:12345/".__add__),
    state=st.sampled_from(AssignedNameState),
    target=st.sampled_from(["", "https://a.example/", "https://b.example/ä"]),
    redirect=st.sampled_from([302, 303, 307]),
    extends_anywhere=st.booleans(),
    elements=st.lists(st.tuples(st.text(min_size=1), st.text())).map(tuple),
    persistence=st.text(),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(RECORD, max_size=20), st.integers(0, 20))
def test_a_copy_brought_up_to_date_equals_one_made_at_once(
    tmp_path_factory: pytest.TempPathFactory, records: list[AssignedNameRecord], first: int
) -> None:
    folder = tmp_path_factory.mktemp("copies")
    feed = ListedFeed(changes_of(records[:first]))
    writers = [NameCopyWriter(folder / name) for name in ("followed", "made")]
    writers[0].follow(feed.after)
    feed.add(*records[first:])
    lines = []
    for writer in writers:
        writer.follow(feed.after)
        reader = NameCopyReader(writer.folder)
        assert reader.version()
        lines.append([one.line for one in reader.changes(0, 100)])
        last = {one.name: one.told for one in records}
        assert reader.ask(partial(known_of, list(last))) == last
    assert lines[0] == lines[1]
