"""What commands say of their version, of newer databases and of changed ones."""

import os
import signal
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

from app.commands.shell import MISUSED
from app.config import read_settings
from app.factory import asset_dir, open_application
from app.store.administration.migrations import newest_revision
from tests.cli.conftest import Run, SetUp, unmarked_process
from tests.conftest import ROOT
from tests.store.downgrading import migrate_down

SCRIPTS = asset_dir("migrations")


def change(*statements: str) -> None:
    file = Path(os.environ["URN_REGISTRY_DATA_DIR"]) / "registry.sqlite3"
    with sqlite3.connect(file) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_the_version_is_told_with_the_revision_of_the_database(run: Run) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    code, out, err = run("--version")
    assert (code, err) == (0, "")
    assert out == f"urn-registry {version}, database revision {newest_revision(SCRIPTS)}\n"


def test_a_worker_that_is_run_in_a_test_leaves_the_tests_as_they_were(run: Run) -> None:
    def state() -> tuple[object, ...]:
        answers = (signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM))
        return os.getpriority(os.PRIO_PROCESS, 0), *answers

    before = state()
    with unmarked_process():
        assert run("worker")[0] == MISUSED
    assert state() == before


@pytest.mark.parametrize("command", ["serve", "worker", "registry verify"])
def test_on_a_changed_schema_nothing_starts(command: str, run: Run, set_up: SetUp) -> None:
    set_up("--empty")
    change("DROP TABLE mail_choice")
    code, _, err = run(*command.split())
    assert (code, "\n- Table mail_choice is missing." in err) == (2, True)


def test_an_upgrade_says_from_which_revision_to_which(run: Run, set_up: SetUp) -> None:
    set_up("--empty")
    with open_application(read_settings(os.environ)):
        migrate_down(SCRIPTS, "0018")
    newest = f"The database was upgraded from 0018 to {newest_revision(SCRIPTS)}.\n"
    code, _, err = run("init")
    assert (code, err.startswith(newest), "already has a registry" in err) == (0, True, True)
    assert newest not in run("init")[2]


def test_an_upgrade_that_finds_a_changed_table_says_so_and_changes_nothing(
    run: Run, set_up: SetUp
) -> None:
    set_up("--empty")
    change("UPDATE alembic_version SET version_num = '0009'")  # whose columns are there already
    code, _, err = run("init")
    assert code == 2
    assert "nothing was changed" in err
    assert "duplicate column name: demo" in err


def dumped() -> list[str]:
    file = Path(os.environ["URN_REGISTRY_DATA_DIR"]) / "registry.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


LOST = "DROP TABLE alembic_version"
REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "tables of other software": (("CREATE TABLE posts (id INTEGER)",), "other software"),
    "a table of the same name": (("CREATE TABLE host (name TEXT)",), "belongs to other software"),
    "a revision of other software": (
        (
            "CREATE TABLE alembic_version (version_num VARCHAR(32))",
            "INSERT INTO alembic_version VALUES ('a1b2c3d4e5f6')",
            "CREATE TABLE users (id INTEGER)",
        ),
        "belongs to other software",
    ),
}
CHANGED: dict[str, tuple[tuple[str, ...], str]] = {
    "a lost revision": ((LOST,), "alembic_version"),
    "a lost table": (("DROP TABLE mail_choice",), "Table mail_choice is missing."),
    "a table of the record, with its triggers": (("DROP TABLE event",), "Table event is missing."),
    "a renamed column": (
        ("ALTER TABLE host RENAME COLUMN label TO name",),
        "Table host has no column label.",
    ),
    "a lost table of an older revision": (
        ("UPDATE alembic_version SET version_num = '0024'", "DROP TABLE mail_choice"),
        "nothing was changed",
    ),
}


@pytest.mark.parametrize("case", [*REFUSED, *CHANGED])
def test_init_looks_at_the_tables_before_it_changes_any(
    case: str, run: Run, set_up: SetUp, tmp_path: Path
) -> None:
    if case in CHANGED:
        set_up("--empty")
    else:
        (tmp_path / "instance").mkdir()
    statements, words = (REFUSED | CHANGED)[case]
    change(*statements)
    before = dumped()
    code, _, err = run("init")
    assert code == MISUSED
    assert words in err
    assert "newer software" not in err
    assert dumped() == before


@pytest.mark.parametrize("command", ["init", "serve", "worker", "registry verify"])
def test_a_database_of_newer_software_is_refused_with_what_to_do(
    command: str, run: Run, set_up: SetUp
) -> None:
    set_up("--empty")
    change(
        "UPDATE alembic_version SET version_num = '9999'",
        "UPDATE oldest_software SET revision = '9998'",
    )
    code, _, err = run(*command.split())
    assert code == 2
    assert "revision 9999" in err
    assert "Run the newer software" in err
    assert "restore the backups" in err
    assert "beside" not in err


def test_older_software_that_may_run_beside_newer_sets_nothing_up(run: Run, set_up: SetUp) -> None:
    set_up("--empty")
    change("UPDATE alembic_version SET version_num = '9999'")
    code, _, err = run("init")
    assert code == 2
    assert "revision 9999" in err
    assert "still run" in err
    assert run("registry", "verify")[0] == 0
