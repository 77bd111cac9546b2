"""How often names lead somewhere is counted, handed on, and counted once."""

from collections import Counter
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from threading import Thread

import pytest

from app.bundles.resolution_counts import ResolutionCountFolder, WaitingCount
from app.published.names import resolution_tally
from app.published.names.resolution_tally import ResolutionTally

TODAY = date(2026, 11, 24)
NEVER = 3_600.0


def _tally(left: list[Mapping[tuple[date, str], int]]) -> ResolutionTally:
    return ResolutionTally(left.append, lambda: TODAY, NEVER)


def test_names_that_threads_note_at_once_are_all_counted() -> None:
    left: list[Mapping[tuple[date, str], int]] = []
    tally = _tally(left)

    def note_all() -> None:
        for name in "ab" * 500:
            tally.note(name)

    threads = [Thread(target=note_all) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tally.flush()
    tally.flush()
    assert left == [{(TODAY, "a"): 2_000, (TODAY, "b"): 2_000}]


def test_counts_that_cannot_be_left_wait_for_the_next_time() -> None:
    disk: list[Mapping[tuple[date, str], int]] = []
    is_full = [True]

    def leave(counts: Mapping[tuple[date, str], int]) -> None:
        if is_full[0]:
            raise OSError("No space is left.")
        disk.append(counts)

    tally = ResolutionTally(leave, lambda: TODAY, NEVER)
    tally.note("a")
    tally.flush()
    tally.note("a")
    is_full[0] = False
    tally.flush()
    assert disk == [{(TODAY, "a"): 2}]


def test_no_more_names_wait_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolution_tally, "_MOST", 2)
    left: list[Mapping[tuple[date, str], int]] = []
    tally = _tally(left)
    for name in "abcab":
        tally.note(name)
    tally.flush()
    assert left == [{(TODAY, "a"): 2, (TODAY, "b"): 2}]


def test_what_waits_is_used_once_whatever_comes_between(tmp_path: Path) -> None:
    folder = ResolutionCountFolder(tmp_path / "resolutions")
    used: Counter[str] = Counter()

    def use(rows: list[WaitingCount]) -> None:
        used.update({name: count for _, name, count in rows})

    def fail(_rows: list[WaitingCount]) -> None:
        raise RuntimeError("The database is away.")

    folder.take(use)
    folder.leave({(TODAY, "a"): 3})
    with pytest.raises(RuntimeError):
        folder.take(fail)
    folder.take(use)
    folder.take(use)
    assert used == {"a": 3}


def test_counts_that_a_process_was_killed_over_do_not_count_twice(tmp_path: Path) -> None:
    folder = ResolutionCountFolder(tmp_path)
    folder.leave({(TODAY, "a"): 3})
    (waiting,) = tmp_path.iterdir()
    waiting.rename(waiting.with_suffix(".taken"))
    used: list[list[WaitingCount]] = []
    folder.take(used.append)
    assert used == [] and not any(tmp_path.iterdir())


def test_a_damaged_file_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[["2026-11-24", "a"')
    (tmp_path / "b.json").write_text("{}")
    used: list[list[WaitingCount]] = []
    ResolutionCountFolder(tmp_path).take(used.append)
    assert used == [[], []] and not any(tmp_path.iterdir())
