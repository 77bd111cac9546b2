"""The command that reads again all that was published."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

from app.config import Settings
from app.exports.manifests.bundle_paths import blob_path
from app.factory import create_app, now
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.registry import snapshots
from app.store.database import db, transaction
from app.store.event_log import event_rows
from app.store.tables.registry import Cause
from app.store.tables.requests import EventSubject
from app.store.triggers import drop_triggers, make_triggers
from tests.cli.conftest import Run, SetUp
from tests.conftest import Clock
from tests.services.test_verifying import XML, published


def late_import(folder: Path) -> None:
    settings = Settings(data_dir=folder / "instance", secret_key="of a test")
    with create_app(settings).app_context():
        naive = "2020-01-01 00:00:00"
        with transaction():
            connection = db.session.connection()
            drop_triggers(connection)
            snapshots.open_edition(URN_GROUP, now(), Cause.CORRECTION, "")
            at = datetime(2020, 1, 1, tzinfo=UTC)
            event = event_rows.NewEvent(
                at=at, kind="corrected", subject=EventSubject.REGISTRY, about="2", edition=2
            )
            event_rows.append(event, "0" * 32)
            connection.execute(text(f"UPDATE edition SET as_of = '{naive}' WHERE n = 2"))
            make_triggers(connection)


@pytest.mark.usefixtures("quokka")
def test_the_command_tells_each_problem_on_a_line_and_ends_with_one(
    app: Flask, clock: Clock, tmp_path: Path, run: Run
) -> None:
    manifest = published(clock, tmp_path / "copy")
    code, out, err = run("registry", "verify", "--published", str(tmp_path / "copy"))
    assert (code, out) == (0, "")
    assert err.endswith("No problems found.\n")
    assert "\n2 of 2 editions read on disk\n" in f"\n{err}"
    file = next(file for file in manifest.files if file.path == XML)
    (tmp_path / "copy" / blob_path(file.sha256)).write_bytes(b"other")
    code, out, err = run("registry", "verify", "--published", str(tmp_path / "copy"))
    assert (code, out.count("\n")) == (1, 2)
    assert all(XML in line or "/editions/2/" in line for line in out.splitlines())
    assert err.endswith("2 problems.\n")
    assert run("registry", "verify", "--published", str(tmp_path / "absent"))[0] == 2


def test_without_a_folder_the_command_reads_the_database(
    tmp_path: Path, run: Run, set_up: SetUp
) -> None:
    assert run("registry", "verify")[0] == 2, "there is no database yet"
    set_up()
    code, out, err = run("registry", "verify")
    assert (code, out) == (0, "")
    assert "1 of 1 editions read\n" in err
    assert "cover them: drafts" in err
    assert err.endswith("No problems found.\n")


def test_editions_out_of_order_are_acknowledged_by_an_operator(
    tmp_path: Path, run: Run, set_up: SetUp
) -> None:
    set_up()
    known = ("registry", "acknowledge-order", "--reason", "So it was.", "--by")
    code, _, err = run(*known, "nobody@registry.example")
    assert (code, "isn't an operator" in err) == (1, True)
    assert run("account", "grant", "operator@registry.example", "operator")[0] == 0
    code, _, err = run(*known, "Operator@registry.example")
    assert (code, "acknowledged" in err) == (1, True)
    assert run("registry", "verify")[0] == 0
    late_import(tmp_path)
    code, out, _ = run("registry", "verify")
    assert (code, "acknowledge-order" in out) == (1, True)
    code, _, err = run(*known, "operator@registry.example")
    assert (code, "Acknowledged: " in err) == (0, True)
    code, out, err = run("registry", "verify")
    assert (code, out) == (0, "")
    assert "So it was." in err
