"""The fixtures of the web's tests, and a world with everybody in it who may ask."""

import hashlib
from typing import NamedTuple

import pytest

from app.services.editions import edition_build
from app.store.database import db
from tests.attack.tables.people import with_everybody
from tests.attack.tables.routes import ROWS, Row, ask
from tests.cli.conftest import run
from tests.factories import PLACE
from tests.web.conftest import MakeWorld, World, dump, fleeting, fresh, make_world
from tests.web.conftest import both as both_without_naans
from tests.web.visitor import Page

__all__ = ["both_without_naans", "dump", "fleeting", "fresh", "make_world", "run", "world"]


@pytest.fixture(scope="package")
def world(make_world: MakeWorld, tmp_path_factory: pytest.TempPathFactory) -> World:
    """A world whose editions are built, as they are a moment after each decision."""
    made = with_everybody(make_world(tmp_path_factory.mktemp("attacked")))
    with made.app.app_context():
        edition_build.build_pending(None, PLACE)
    return made


@pytest.fixture(scope="package")
def both(both_without_naans: tuple[World, World]) -> tuple[World, World]:
    """This world on SQLite and on PostgreSQL, to be compared."""
    on_sqlite, on_postgresql = both_without_naans
    return with_everybody(on_sqlite), with_everybody(on_postgresql)


class Reading(NamedTuple):
    """What somebody was shown."""

    row: Row
    who: str
    page: Page


class Readings(NamedTuple):
    """All that everybody was shown, and what the database held before and after it."""

    shown: list[Reading]
    before: str
    after: str


@pytest.fixture(scope="package")
def readings(world: World) -> Readings:
    """Every row that reads, read by everybody; nothing keeps what they might write."""
    before = _held(world)
    rows = [(row, who) for row in ROWS if row.method == "GET" for who in row.askers]
    shown = [
        Reading(row, who, ask(world.visitor(who), world, row, row.of(who))) for row, who in rows
    ]
    return Readings(shown, before, _held(world))


def _held(world: World) -> str:
    """A digest of every table."""
    digest = hashlib.sha256()
    with world.app.app_context(), db.engine.connect() as connection:
        for table in db.metadata.sorted_tables:
            rows = sorted(map(repr, connection.execute(table.select())))
            digest.update("\n".join([table.name, *rows]).encode())
    return digest.hexdigest()
