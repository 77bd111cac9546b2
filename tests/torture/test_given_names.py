"""Processes that give names at once, or are killed while they bring names in: none twice."""

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import select

from app.assigned_names.assigned_name_records import assigned_name_to
from app.assigned_names.name_formats import NAME_FORMATS
from app.assigned_names.name_rows import NameRow
from app.services.assigned_names.name_import import findings_of, imports_of
from app.store.assigned_names import assigned_name_rows
from app.store.database import db, read_transaction
from app.store.tables import AssignedName
from tests.services.assigned_names.conftest import NameDesk, desk
from tests.torture.conftest import rounds

__all__ = ["desk"]
ROOT = Path(__file__).resolve().parents[2]
PREFIX = "ark:10099/x5"
CALLS, AT_ONCE = rounds(10, 5), rounds(1_000, 100)  # 10,000 names for each of two processes
ROWS, AT_A_COMMIT, KILLS = rounds(100_000, 5_000), rounds(2_000, 250), rounds(10, 3)


@contextmanager
def naming(desk: NameDesk, url: str, *words: str) -> Iterator["subprocess.Popen[str]"]:
    line = [sys.executable, "-m", "tests.torture.naming", url, str(desk.numbers), *words]
    with subprocess.Popen(
        line, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_two_processes_that_mint_at_once_give_no_name_twice_and_leave_no_gap(
    desk: NameDesk, database_url: str
) -> None:
    email, words = desk.people.registrant.email, (PREFIX, str(CALLS), str(AT_ONCE))
    with (
        naming(desk, database_url, "mint", email, *words) as first,
        naming(desk, database_url, "mint", email, *words) as second,
    ):
        for one in (first, second):
            assert one.stdout is not None and one.stdout.readline() == "ready\n"
        began = time.monotonic()
        for one in (first, second):
            assert one.stdin is not None
            one.stdin.write("go\n")
            one.stdin.flush()
        names = [one.stdout.read().split() for one in (first, second) if one.stdout]
        assert [first.wait(), second.wait()] == [0, 0]
    took = time.monotonic() - began
    count = CALLS * AT_ONCE
    assert [len(some) for some in names] == [count, count], took
    assert len({*names[0], *names[1]}) == 2 * count
    with read_transaction():
        rows = assigned_name_rows.changes_after(0, 3 * count)
        assert sorted(row.number for row in rows if row.number is not None) == [*range(2 * count)]
        assert [row.change for row in rows] == [*range(1, 2 * count + 1)]
    assert desk.next_number() == 2 * count
    assert desk.given.next_of(PREFIX) == 2 * count


def a_file(folder: Path) -> bytes:
    """Rows of names, of which some are refused, and one comes twice with another target."""
    refused = {7: "ftp://a.example/", ROWS // 2: "http://127.0.0.1/", ROWS - 3: "no address"}
    lines = ["name,target,who,what"]
    for row in range(ROWS):
        target = refused.get(row, f"https://a.example/{row}")
        lines.append(f"ark:10099/z5{row:06d},{target},Somebody,Thing {row}")
    lines.append("ark:10099/z5000001,https://a.example/moved,Somebody,Thing 1")
    octets = ("\n".join(lines) + "\n").encode()
    (folder / "names.csv").write_bytes(octets)
    return octets


@pytest.mark.slow
def test_an_import_that_is_killed_and_resumed_is_as_one_that_nobody_disturbed(
    desk: NameDesk, database_url: str, tmp_path: Path
) -> None:
    octets, chance = a_file(tmp_path), Random(19)
    desk.add("ark:10099/z5", mask="")
    words = ("import", desk.people.registrant.email, str(tmp_path / "names.csv"), str(AT_A_COMMIT))
    commits = ROWS // AT_A_COMMIT
    reached = []
    for _ in range(KILLS):
        with naming(desk, database_url, *words) as one:
            assert one.stdout is not None
            begun = int(one.stdout.readline())
            reached.append(begun)
            for _ in range(chance.randint(0, commits // (KILLS + 1))):
                one.stdout.readline()
            time.sleep(chance.random() * 0.2)  # anywhere between two commits
            one.send_signal(signal.SIGKILL)
            one.wait()
    with naming(desk, database_url, *words) as last:
        assert last.stdout is not None
        reached.append(int(last.stdout.readline()))
        last.stdout.read()
        assert last.wait() == 0
    assert reached == sorted(reached)
    assert 0 < reached[-1] < ROWS  # else nothing was disturbed
    _is_whole(desk, octets)


def _is_whole(desk: NameDesk, octets: bytes) -> None:
    """All is there as the file has it, once."""
    read = [row for row in NAME_FORMATS["csv"].read(BytesIO(octets)) if isinstance(row, NameRow)]
    bad = {row.record.name for row in read if not row.record.target.startswith("https://")}
    wanted = {row.record.name: row.record for row in read if row.record.name not in bad}
    with read_transaction():
        names = db.session.scalars(select(AssignedName.name).order_by(AssignedName.name)).all()
        assert names == sorted(wanted)
        known = assigned_name_rows.known(names)
        told = {name: json.loads(stored.document) for name, stored in known.items()}
        assert told == {name: assigned_name_to(record) for name, record in wanted.items()}
        versions = {name: stored.n for name, stored in known.items()}
        assert {name for name, n in versions.items() if n != 1} == {"ark:10099/z5000001"}
        changes = [row.change for row in assigned_name_rows.changes_after(0, 2 * ROWS)]
    assert len(changes) == len({*changes}) == ROWS - len(bad) + 1
    (made,) = imports_of(desk.command().actor)
    assert (made.is_done, made.rows, made.taken) == (True, ROWS + 1, ROWS + 1 - len(bad))
    assert (made.refused, made.same) == (len(bad), 0)
    found = findings_of(desk.command().actor, made.ident, 0, 100)
    assert [(one.line, one.code) for one in found] == [
        (9, "target_scheme"),
        (ROWS // 2 + 2, "target_host"),
        (ROWS - 1, "target_scheme"),
        (ROWS + 2, "name_repeated"),
    ]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_backup_that_is_restored_gives_no_name_again(
    desk: NameDesk, database_url: str, tmp_path: Path
) -> None:
    file, backup = Path(str(db.engine.url.database)), tmp_path / "backup"
    email = desk.people.registrant.email

    def mint() -> list[str]:
        with naming(desk, database_url, "mint", email, PREFIX, "2", "50") as one:
            names = one.communicate("go\n")[0].split()[1:]
        assert len(names) == 100
        return names

    before = mint()
    with closing(sqlite3.connect(file)) as one, closing(sqlite3.connect(backup)) as other:
        one.backup(other)
    lost = mint()
    db.session.remove()
    db.engine.dispose()
    for part in ("", "-wal", "-shm"):
        Path(f"{file}{part}").unlink(missing_ok=True)
    backup.rename(file)
    after = mint()
    assert len({*before, *lost, *after}) == 300
    with read_transaction():
        batch = assigned_name_rows.changes_after(100, 1_000)
    assert [row.change for row in batch] == [*range(201, 301)]  # nor the number of any change
