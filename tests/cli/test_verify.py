"""The command that reads again all that was published."""

from pathlib import Path

from flask import Flask

from app.exports.bundle import blob_path
from tests.cli.conftest import Run
from tests.conftest import Clock
from tests.services.test_verifying import XML, published


def test_the_command_tells_each_problem_on_a_line_and_ends_with_one(
    app: Flask, clock: Clock, tmp_path: Path, run: Run
) -> None:
    manifest = published(clock, tmp_path / "copy")
    code, out, err = run("registry", "verify", "--published", str(tmp_path / "copy"))
    assert (code, out) == (0, "")
    assert err.endswith("Everything is as it was published.\n")
    assert "editions read on disk" in err
    file = next(file for file in manifest.files if file.path == XML)
    (tmp_path / "copy" / blob_path(file.sha256)).write_bytes(b"other")
    code, out, err = run("registry", "verify", "--published", str(tmp_path / "copy"))
    assert (code, out.count("\n")) == (1, 2)
    assert all(XML in line or "/editions/2/" in line for line in out.splitlines())
    assert err.endswith("2 problems.\n")
    assert run("registry", "verify", "--published", str(tmp_path / "absent"))[0] == 2


def test_without_a_folder_the_command_reads_the_database(tmp_path: Path, run: Run) -> None:
    assert run("registry", "verify")[0] == 2, "there is no database yet"
    assert run("init")[0] == 0
    code, out, err = run("registry", "verify")
    assert (code, out) == (0, "")
    assert "1 of 1 editions read\n" in err
