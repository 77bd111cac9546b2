"""Two versions on one database: the older goes on beside the newer one, or says why it cannot."""

import os
import shutil
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from flask import Flask
from sqlalchemy import text

from app.factory import asset_dir
from app.services.operations import database_binding
from app.services.operations.database_binding import DatabaseNotReady, require_current
from app.services.operations.edition_verification import verify_database
from app.store.administration.migrations import newest_revision, schema_state
from app.store.database import db, write_transaction
from tests import factories
from tests.conftest import LEFT_OUT, ROOT
from tests.store.conftest import NewDatabase, opened
from tests.store.downgrading import migrate_down
from tests.store.filling import LATER, filled, go_on
from tests.torture.conftest import WHOLE

SCRIPTS = asset_dir("migrations")
FIRST = "0016"  # the first that says with which software it can run
# Software that landed before, which goes on while hosts are upgraded one after the other.
BEFORE = "e56ac35ed23023bec139154bed8f1b636ddb5ace"
# The last to call its modules as that one does, and what it does with a database.
STEPS = "db68cb5d0d48bb6c871e25ad00a4bab7e8976219"


def put(*statements: str) -> None:
    with write_transaction(), db.engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))


def at_a_newer_revision(oldest: str) -> None:
    put(
        "UPDATE alembic_version SET version_num = '9999'",
        f"UPDATE oldest_software SET revision = '{oldest}'",
        "ALTER TABLE event ADD COLUMN newer VARCHAR(64)",
        "CREATE TABLE newer (id INTEGER PRIMARY KEY)",
    )


def test_software_runs_on_a_newer_schema_that_names_it(app: Flask) -> None:
    at_a_newer_revision(newest_revision(SCRIPTS))
    require_current(SCRIPTS)
    assert database_binding.is_current(SCRIPTS)
    factories.laid_out(app)
    assert app.test_client().get("/readyz").status_code == 200


def test_software_does_not_run_on_a_newer_schema_that_names_later_software(app: Flask) -> None:
    at_a_newer_revision("9998")
    with pytest.raises(DatabaseNotReady, match=r"revision 9999.*Run the newer software"):
        require_current(SCRIPTS)
    assert not database_binding.is_current(SCRIPTS)
    assert app.test_client().get("/readyz").status_code == 503


def test_a_newer_schema_that_lacks_something_is_refused_all_the_same(app: Flask) -> None:
    at_a_newer_revision(newest_revision(SCRIPTS))
    put("ALTER TABLE comment DROP COLUMN origin")
    with pytest.raises(DatabaseNotReady, match="Table comment has no column origin"):
        require_current(SCRIPTS)


def test_older_software_takes_nothing_back(app: Flask) -> None:
    at_a_newer_revision(newest_revision(SCRIPTS))
    with pytest.raises(DatabaseNotReady, match="upgraded by newer software"):
        database_binding.migrate(SCRIPTS)
    assert schema_state(SCRIPTS).revision == "9999"


def test_an_older_database_is_told_from_one_that_was_never_set_up(app: Flask) -> None:
    migrate_down(SCRIPTS, "0010")
    expected = f"revision 0010; .*: {newest_revision(SCRIPTS)}.*Run `urn-registry init`"
    with pytest.raises(DatabaseNotReady, match=expected):
        require_current(SCRIPTS)


def test_each_migration_says_which_software_can_run_beside_it() -> None:
    scripts = list(reversed(list(ScriptDirectory(str(SCRIPTS)).walk_revisions())))
    revisions = [script.revision for script in scripts]
    said = [script.module.oldest for script in scripts[revisions.index(FIRST) :]]
    places = [revisions.index(oldest) for oldest in said]
    assert places == sorted(places)
    assert places[0] == revisions.index(FIRST)


def test_the_schema_says_it_as_the_newest_migration_does(app: Flask) -> None:
    newest = ScriptDirectory(str(SCRIPTS)).get_revision(newest_revision(SCRIPTS))
    with db.engine.connect() as connection:
        found = connection.execute(text("SELECT id, revision FROM oldest_software")).all()
    assert newest is not None
    assert [tuple(row) for row in found] == [(1, newest.module.oldest)]


@pytest.fixture(scope="session")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    git = shutil.which("git") or "/bin/false"
    asked = subprocess.run([git, "archive", BEFORE], cwd=ROOT, capture_output=True, check=False)
    if asked.returncode:
        # a clone without its past is no fault of the machine, in CI neither
        pytest.skip(f"{LEFT_OUT}the software of {BEFORE[:7]}: this clone has no history")
    folder = tmp_path_factory.mktemp("before")
    with tarfile.open(fileobj=BytesIO(asked.stdout)) as archive:
        archive.extractall(folder, filter="data")
    for path in ("tests/store/filling.py", "tests/store/going_on.py"):
        shown = [git, "show", f"{STEPS}:{path}"]
        steps = subprocess.run(shown, cwd=ROOT, capture_output=True, check=True)
        (folder / path).write_bytes(steps.stdout)
    return folder


def run_before(folder: Path, url: str, *steps: str) -> None:
    command = [sys.executable, "-m", "tests.store.going_on", url, *steps]
    there = os.environ | {"PYTHONPATH": str(folder), "PYTHONWARNINGS": "default"}
    done = subprocess.run(
        command, cwd=folder, env=there, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def problems() -> list[str]:
    return list(verify_database(lambda _what, _total: lambda _done: None))


@pytest.mark.slow
def test_software_that_was_running_goes_on_when_the_schema_is_upgraded(
    new_database: NewDatabase, before: Path, tmp_path: Path
) -> None:
    url = new_database()
    filled(url)
    run_before(before, url, "go-on", "read")
    with opened(url, tmp_path):
        require_current(SCRIPTS)
        assert problems() == []


@pytest.mark.skipif(not WHOLE, reason="`make torture` fills a whole database so")
def test_it_writes_all_that_it_knows_into_the_newer_schema(
    new_database: NewDatabase, before: Path, tmp_path: Path
) -> None:
    url = new_database()
    with opened(url, tmp_path):
        database_binding.migrate(SCRIPTS)
    run_before(before, url, "fill")
    with opened(url, tmp_path):
        assert problems() == []
        assert go_on(LATER) == "wombat"
        assert problems() == []
