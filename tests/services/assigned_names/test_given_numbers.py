"""What is kept beside the database: no number is given by what cannot be read."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from stat import S_ISDIR
from typing import Any

import pytest

from app.bundles.given_numbers import DamagedGivenNumber, GivenNumberFolder
from app.bundles.name_copies import NameCopyWriter
from app.problems import assigned_name_codes as codes
from app.services.assigned_names import minting, name_feed
from app.services.assigned_names.minting import CHANGES
from app.services.refusals import Refusal
from tests.services.assigned_names.conftest import NameDesk, revision

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _told: b"",
    "cut off": lambda told: told[:-2],
    "without its end": lambda told: told[:-1],
    "of another prefix": lambda told: told.replace(b"x5", b"x6"),
    "no number": lambda told: told.replace(b"3", b"three"),
    "no digits of ASCII": lambda told: told.replace(b"3", "٣".encode()),
    "no text": lambda _told: b"\xff\x00",
    "too long a number": lambda told: told.replace(b"3", b"9" * 5_000),
    "more behind it": lambda told: told + b"7\n",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_in_words_and_no_number_is_given(
    desk: NameDesk, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    names = desk.mint(3)
    path = next(file for file in desk.numbers.iterdir() if b"x5" in file.read_bytes())
    right = path.read_bytes()
    path.write_bytes(DAMAGES[damage](right))
    with pytest.raises(Refusal, match="Nothing was minted") as refused:
        desk.mint()
    assert refused.value.code is codes.GIVEN_NUMBERS_DAMAGED
    assert str(path) not in refused.value.message
    assert str(path) in caplog.text
    path.write_bytes(right)
    assert desk.mint()[0] not in names


def test_a_damaged_order_seed_is_refused_and_a_number_is_not_lost(desk: NameDesk) -> None:
    desk.mint(3)
    (path,) = desk.numbers.glob("*.seed")
    right = path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    path.write_text(right[:-2])
    with pytest.raises(Refusal, match="Nothing was minted") as refused:
        desk.mint()
    assert refused.value.code is codes.GIVEN_NUMBERS_DAMAGED
    path.write_text(right)
    assert desk.mint()


def test_a_number_is_on_disk_before_it_is_put_in_place_and_its_place_before_a_name_is_given(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a machine does that loses its power is not tried: the order of its orders is."""
    desk.mint()
    done: list[str] = []
    fsync, replace, write = os.fsync, Path.replace, minting.write_batch

    def synced(number: int) -> None:
        kind = "folder" if S_ISDIR(os.fstat(number).st_mode) else "file"
        done.append(f"{kind} synced")
        fsync(number)

    def replaced(path: Path, target: Path) -> Path:
        done.append("put in place")
        return replace(path, target)

    def written(*told: Any, **more: Any) -> int:
        done.append("names given")
        return write(*told, **more)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    monkeypatch.setattr(minting, "write_batch", written)
    desk.mint()
    kept = ["file synced", "put in place", "folder synced"]
    assert done[: done.index("names given")] == kept
    assert done[done.index("names given") + 1 :] == kept  # the number of the change


def test_where_numbers_cannot_be_kept_no_name_is_given(desk: NameDesk) -> None:
    names = desk.mint(2)
    for file in desk.numbers.iterdir():
        file.unlink()
    desk.numbers.rmdir()
    desk.numbers.write_bytes(b"no folder")
    with pytest.raises(Refusal, match="Nothing was minted"):
        desk.mint()
    desk.numbers.unlink()
    assert desk.mint()[0] not in names


def test_names_are_answered_on_a_host_that_cannot_keep_numbers(desk: NameDesk) -> None:
    desk.mint(3)
    shutil.rmtree(desk.numbers)
    desk.numbers.write_bytes(b"no folder")
    copy = NameCopyWriter(desk.numbers.parent / "names")
    assert name_feed.follow(copy, desk.given) == 3
    assert copy.last_change() == 3


def test_changes_are_not_numbered_by_what_is_damaged(desk: NameDesk) -> None:
    name = desk.mint()[0]
    path = next(file for file in desk.numbers.iterdir() if b"changes" in file.read_bytes())
    path.write_bytes(b"changes\n")
    with pytest.raises(Refusal) as refused:
        desk.change(revision(name, target="https://a.example/"))
    assert refused.value.code is codes.GIVEN_NUMBERS_DAMAGED
    assert desk.known(name).n == 1


def test_names_are_answered_on_a_host_whose_numbers_are_damaged(desk: NameDesk) -> None:
    desk.mint(3)
    for file in desk.numbers.iterdir():
        file.write_bytes(b"\0")
    copy = NameCopyWriter(desk.numbers.parent / "names")
    assert name_feed.follow(copy, desk.given) == 3
    assert copy.last_change() == 3
    with pytest.raises(DamagedGivenNumber):
        desk.given.next_of("ark:10099/x5")


def test_what_other_hosts_numbered_is_kept_beside_the_database_here_too(desk: NameDesk) -> None:
    desk.change(revision(desk.mint(3)[0], target="https://a.example/"))
    here = desk.numbers.parent / "here"
    given = GivenNumberFolder(here / "given")
    name_feed.follow(NameCopyWriter(here / "names"), given)
    assert given.next_of("ark:10099/x5") == desk.given.next_of("ark:10099/x5") == 3
    assert given.seed_of("ark:10099/x5") == desk.given.seed_of("ark:10099/x5") != ""
    assert given.next_of(CHANGES) == desk.given.next_of(CHANGES) == 5


def test_a_number_that_cannot_be_kept_is_logged_once_and_again_when_it_is_kept(
    desk: NameDesk, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "app.services.assigned_names.name_feed")
    desk.mint(1)
    path = next(file for file in desk.numbers.iterdir() if b"x5" in file.read_bytes())
    right = path.read_bytes()
    copy, given = NameCopyWriter(tmp_path / "copy"), GivenNumberFolder(tmp_path / "other")
    name_feed.follow(copy, given, "a line")
    kept = next(file for file in (tmp_path / "other").iterdir() if b"x5" in file.read_bytes())
    kept.write_bytes(b"damaged")
    for _ in range(3):
        desk.mint(1)
        name_feed.follow(copy, given, "a line")
    (record,) = [one for one in caplog.records if one.levelname == "ERROR"]
    assert str(kept) in record.getMessage()
    assert record.exc_info is None
    kept.write_bytes(right)
    desk.mint(1)
    name_feed.follow(copy, given, "a line")
    assert "saves the counters of its prefixes again" in caplog.text
