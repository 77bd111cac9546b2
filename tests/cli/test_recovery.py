"""The command that leads out of an older backup under a newer folder."""

import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.config import read_settings
from app.factory import create_app, now
from app.server import work_of
from app.services.operations import database_binding
from app.services.refusals import Refusal
from tests import factories
from tests.cli.conftest import Run
from tests.conftest import few_names
from tests.rounds import run_once

_FILE = "registry.sqlite3"


def save(folder: Path, name: str) -> None:
    with sqlite3.connect(folder / _FILE) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    shutil.copy(folder / _FILE, folder / name)


def put_back(folder: Path, name: str) -> None:
    for suffix in ("-wal", "-shm"):
        (folder / f"{_FILE}{suffix}").unlink(missing_ok=True)
    shutil.copy(folder / name, folder / _FILE)


def publish(folder: Path, name: str = "") -> None:
    settings = read_settings({"URN_REGISTRY_DATA_DIR": str(folder)})
    with create_app(settings).app_context():
        if name:
            factories.registered(factories.cast(now()), now(), namespace_identifier=name)
        run_once(replace(work_of(settings), deliver=None))
        database_binding.close_connections()


@pytest.fixture
def older(run: Run, tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "instance"
    with few_names():
        assert run("init")[0] == 0
        publish(folder)
        save(folder, "saved")
        publish(folder, "quokka")
        put_back(folder, "saved")
        yield folder


def test_it_tells_takes_back_and_then_has_nothing_to_do(run: Run, older: Path) -> None:
    code, out, _ = run("registry", "verify")
    assert code == 1
    assert "Edition 2 is published" in out
    with pytest.raises(Refusal, match="urn-registry recover"):
        publish(older, "wombat")
    code, _, err = run("recover", "--dry-run")
    assert code == 1
    assert "missing editions: 2\n" in err
    assert "registered names: quokka\n" in err
    assert "Nothing was changed." in err
    code, _, err = run("recover")
    assert (code, err.splitlines()[-1]) == (0, "Restored.")
    assert run("registry", "verify")[:2] == (0, "")
    assert "Nothing to restore" in run("recover")[2]
    publish(older, "numbat")
    assert run("registry", "verify")[:2] == (0, "")


def test_it_takes_everything_from_a_copy_of_the_folder(
    run: Run, older: Path, tmp_path: Path
) -> None:
    (older / "published").rename(tmp_path / "copy")
    assert run("recover", "--from", str(tmp_path / "copy"))[0] == 0
    publish(older)
    assert run("registry", "verify")[:2] == (0, "")
    assert (
        b"quokka" in (older / "published/current").resolve().joinpath("manifest.json").read_bytes()
    )


def test_a_registry_whose_database_is_lost_altogether_comes_back(run: Run, older: Path) -> None:
    for file in older.glob(f"{_FILE}*"):
        file.unlink()
    code, _, err = run("init")
    assert (code, "urn-registry recover" in err) == (1, True)
    code, _, err = run("recover")
    assert code == 0
    assert "missing editions: 1, 2\n" in err
    assert run("registry", "verify")[:2] == (0, "")
    publish(older, "wombat")
    assert run("registry", "verify")[:2] == (0, "")


def test_wrong_use_says_what_to_do(run: Run, older: Path, tmp_path: Path) -> None:
    code, _, err = run("recover", "--from", str(tmp_path / "absent"))
    assert (code, "isn't a folder" in err) == (2, True)
    code, _, err = run("recover", "--from", "http://127.0.0.1:9/")
    assert code == 1
    assert "http://127.0.0.1:9/" in err
