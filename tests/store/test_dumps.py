"""A database of each migration that landed, filled by its software, comes up to now."""

from collections import Counter
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from app import worker
from app.assigned_names.name_look_alikes import skeleton_number
from app.factory import asset_dir
from app.services.operations.database_binding import require_current
from app.services.operations.edition_verification import verify_database
from app.store.administration.migrations import migrate
from app.store.administration.schema_inspection import read_schema
from app.store.database import db
from app.worker import WorkerContext
from tests import factories
from tests.store.conftest import NewDatabase, opened
from tests.store.dumping import DUMPS, load
from tests.store.filling import LATER, SECRET, go_on
from tests.store.landed import landed
from tests.store.schema import triggers_of
from tests.torture.conftest import WHOLE

SCRIPTS = asset_dir("migrations")
REVISIONS = [name.partition("_")[0] for name in landed()]
KINDS = ("sqlite", "postgresql")
# what comes later is migrated on both with the first: the others take turns
ON_BOTH = {REVISIONS[0], *REVISIONS[-2:]}
CASES = [
    (revision, kind)
    for place, revision in enumerate(REVISIONS)
    for turn, kind in enumerate(KINDS)
    if WHOLE or revision in ON_BOTH or place % 6 == 3 * turn
]
Rows = Counter[tuple[Any, ...]]
# What a migration changes of what stood there: since 0006 links in mail about work are void.
CHANGED = {"sign_in": {"used", "kept"}}


def dump_of(revision: str, url: str) -> Path:
    return DUMPS / f"{revision}.{url.partition(':')[0].partition('+')[0]}.sql.xz"


# What a migration itself notes: where the schema stands, and who may run with it.
NOTED = ("alembic_version", "oldest_software")


def columns_there() -> dict[str, list[str]]:
    with db.engine.connect() as connection:
        tables = read_schema(connection)
    return {
        name: sorted(set(table.columns) - CHANGED.get(name, set()))
        for name, table in tables.items()
        if name not in NOTED and not name.startswith("search_text")
    }


def rows_in(tables: dict[str, list[str]]) -> dict[str, Rows]:
    with db.engine.connect() as connection:
        return {
            table: Counter(
                tuple(row)
                for row in connection.execute(text(f"SELECT {_listed(columns)} FROM {table}"))
            )
            for table, columns in tables.items()
        }


def _listed(columns: list[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)


def schema_here() -> tuple[object, object]:
    with db.engine.connect() as connection:
        return read_schema(connection), triggers_of(connection)


_MADE: dict[str, object] = {}


def made_new(new_database: NewDatabase, folder: Path) -> object:
    kind = db.engine.dialect.name
    if kind not in _MADE:
        with opened(new_database(), folder):
            migrate(SCRIPTS)
            _MADE[kind] = schema_here()
    return _MADE[kind]


def problems() -> list[str]:
    return list(verify_database(lambda _what, _total: lambda _done: None))


def work(folder: Path, taken: list[EmailMessage]) -> WorkerContext:
    return WorkerContext(
        folder=folder / "published",
        making=factories.making(),
        secret=lambda: SECRET,
        sender="registry@registry.example",
        now=lambda: LATER,
        deliver=taken.append,
    )


def numbers_changed() -> int:
    with db.engine.connect() as connection:
        kept = "number = n AND group_id = 'urn-namespaces'"
        asked = f"SELECT count(*) FROM edition WHERE NOT coalesce({kept}, false)"
        return int(connection.execute(text(asked)).scalar_one())


def names_without_number() -> list[str]:
    with db.engine.connect() as connection:
        rows = connection.execute(text("SELECT name, skeleton FROM assigned_name")).all()
    return [name for name, number in rows if number != skeleton_number(name)]


def waiting() -> int:
    with db.engine.connect() as connection:
        asked = "SELECT count(*) FROM outbox WHERE state = 'waiting'"
        return int(connection.execute(text(asked)).scalar_one())


@pytest.mark.parametrize(("revision", "new_database"), CASES, indirect=["new_database"])
def test_a_database_of_that_time_comes_up_to_now(
    revision: str, new_database: NewDatabase, tmp_path: Path
) -> None:
    url = new_database()
    load(dump_of(revision, url), url)
    taken: list[EmailMessage] = []
    with opened(url, tmp_path):
        tables = columns_there()
        before = rows_in(tables)
        migrate(SCRIPTS)
        require_current(SCRIPTS)
        assert schema_here() == made_new(new_database, tmp_path)
        assert rows_in(tables) == before
        assert numbers_changed() == 0
        assert names_without_number() == []
        assert problems() == []
        assert go_on(LATER) == "wombat"
        while waiting():
            sent = len(taken)
            worker.send(work(tmp_path, taken))
            assert len(taken) > sent
        assert {message["To"] for message in taken} >= {
            "robin@org.example",
            "ellis@experts.example",
        }
        assert problems() == []
