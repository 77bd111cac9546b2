"""A damaged copy of names is made anew at the worker's next turn, though no name changed."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from flask import current_app

from app.assigned_names.bound_names import NameFloor
from app.bundles.name_copies import DOUBTED, NAMES_FOLDER, NameCopyWriter
from app.published.names.name_copy_reader import NameCopyReader, NameCopyUnavailable
from app.services.assigned_names import name_feed
from app.web.middleware.session import settings
from app.web.public import health_endpoints
from tests.services.assigned_names.conftest import NameDesk, revision

TARGET = "https://a.example/" + "0" * 2_000


def _clear_journal(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _cut(path: Path) -> None:
    _clear_journal(path)
    os.truncate(path, path.stat().st_size - 8_192)


def _overwrite(path: Path) -> None:
    _clear_journal(path)
    with path.open("r+b") as file:
        file.seek(8_192)
        file.write(b"\xff" * (path.stat().st_size - 8_192))


def _garble_a_row(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE names SET document = '{'")


class Host:
    """A host with a copy of names that is answered from."""

    def __init__(self, desk: NameDesk, folder: Path) -> None:
        self.desk, self.copy = desk, NameCopyWriter(folder / NAMES_FOLDER)
        self.names = desk.mint(40)
        for name in self.names:
            desk.change(revision(name, target=TARGET))
        self.turn()
        self.turn()
        self.reader = NameCopyReader(self.copy.folder)
        assert self.can_read()

    def turn(self) -> int:
        return name_feed.follow(self.copy, self.desk.given)

    def can_read(self) -> bool:
        try:
            self.reader.version()
            return all(self._target_of(name) == TARGET for name in self.names)
        except NameCopyUnavailable:
            return False

    def _target_of(self, name: str) -> str:
        def ask(floor: NameFloor) -> str:
            found = floor(name)
            return found[1]().target if found else ""

        return self.reader.ask(ask)


@pytest.fixture
def host(desk: NameDesk, tmp_path: Path) -> Host:
    return Host(desk, tmp_path)


@pytest.mark.parametrize("damage", [_cut, _overwrite, _garble_a_row])
def test_what_readers_cannot_read_is_made_anew_at_the_next_turn(
    host: Host, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    damage(host.copy.path)
    assert not host.can_read()
    assert NameCopyWriter(host.copy.folder).finds_damage()
    assert host.turn() >= 40
    assert host.can_read()
    assert not host.copy.finds_damage()
    assert "is damaged; rebuilding" in caplog.text
    host.turn()  # the new file is read once
    assert not host.copy.is_doubted()


@pytest.mark.parametrize("damage", [_cut, _overwrite, _garble_a_row])
def test_a_worker_that_starts_reads_the_copy_to_its_end(
    host: Host, damage: Callable[[Path], None]
) -> None:
    damage(host.copy.path)
    host.copy = NameCopyWriter(host.copy.folder)
    assert host.turn() >= 40
    assert host.can_read()


def test_a_copy_that_becomes_shorter_is_made_anew_though_nobody_read_it(host: Host) -> None:
    _cut(host.copy.path)
    assert host.turn() >= 40
    assert host.can_read()


def test_a_copy_that_was_doubted_and_is_whole_stays(host: Host) -> None:
    (host.copy.folder / DOUBTED).touch()
    before = host.copy.path.resolve()
    assert host.turn() == 0
    assert host.copy.path.resolve() == before
    assert not host.copy.finds_damage()


def test_a_turn_without_news_does_not_read_the_copy(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.turn()
    monkeypatch.setattr(host.copy, "follow", None)
    assert host.turn() == 0


def test_a_name_that_is_no_text_is_no_damage(host: Host) -> None:
    with pytest.raises(NameCopyUnavailable):
        host.reader.find_floor("ark:\ud800")
    assert not host.copy.finds_damage()


def test_a_host_with_a_damaged_copy_says_so(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_endpoints, "_edition_here", lambda: 1)
    client = current_app.test_client()
    folder = settings().names_dir
    folder.mkdir(parents=True, exist_ok=True)
    (folder / DOUBTED).touch()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "damaged" in answer.get_json()["status"]
