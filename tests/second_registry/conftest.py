"""The shelf marks, declared for the length of a test, in the test's own database."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from flask import Flask
from sqlalchemy import create_engine, text

from app.registration.declarations.registries import REGISTRIES, declared_procedures
from app.registration.declarations.registry_groups import GROUPS, NAAN_GROUP
from app.workflow.transitions import TABLES
from tests.conftest import MakeApp
from tests.second_registry.library_group import DRAWERS, LENT, LIBRARY
from tests.second_registry.shelf_marks import SHELVES
from tests.second_registry.shelf_transitions import SHELF_TABLES

_MIGRATED = tuple(declared_procedures())


def _widen(url: str) -> None:
    """What the migration of a new procedure does: its word may stand where procedures do."""
    words = dict.fromkeys([*_MIGRATED, *declared_procedures()])
    here, before = (f"IN ({', '.join(map(repr, map(str, some)))})" for some in (words, _MIGRATED))
    if url.startswith("sqlite"):
        _widen_file(url.removeprefix("sqlite:///"), before, here)
        return
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("SET TRANSACTION READ WRITE"))
        for column in ("procedure", "asked_procedure"):
            name = f"ck_request_{column}"
            connection.execute(text(f"ALTER TABLE request DROP CONSTRAINT {name}"))
            rule = f"CHECK ({column} {here})"
            connection.execute(text(f"ALTER TABLE request ADD CONSTRAINT {name} {rule}"))
    engine.dispose()


def _widen_file(path: str, before: str, here: str) -> None:
    """A changed CHECK alters no row, so that the schema alone is written anew.

    Source: https://sqlite.org/lang_altertable.html, section 7.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = 'request'",
            (before, here),
        )


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shelf marks are a registry of this software while the test runs."""
    monkeypatch.setitem(REGISTRIES, SHELVES.id, SHELVES)
    for procedure, table in SHELF_TABLES.items():
        monkeypatch.setitem(TABLES, procedure, table)


@pytest.fixture
def declared_apart(declared: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shelf marks are a registry in a group of its own while the test runs, beside no other."""
    monkeypatch.delitem(GROUPS, NAAN_GROUP.id)
    for each in NAAN_GROUP.registries:
        monkeypatch.delitem(REGISTRIES, each)
    monkeypatch.setitem(GROUPS, LIBRARY.id, LIBRARY)
    monkeypatch.setitem(REGISTRIES, LENT.id, LENT)
    monkeypatch.setitem(REGISTRIES, DRAWERS.id, DRAWERS)


@pytest.fixture
def libraries(declared_apart: None, database_url: str, make_app: MakeApp) -> Iterator[Flask]:
    """The application, which runs two groups."""
    _widen(database_url)
    app = make_app()
    with app.app_context():
        yield app


@pytest.fixture
def library(declared: None, database_url: str, make_app: MakeApp) -> Iterator[Flask]:
    """The application, which runs both registries."""
    _widen(database_url)
    app = make_app()
    with app.app_context():
        yield app
