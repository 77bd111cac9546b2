"""Migrations, run from code: the same on a laptop, in a test and on a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from app.store.administration.schema_comparison import (
    schema_differences,
    table_differences,
    tables_there,
)
from app.store.compatibility import SchemaState, state_of
from app.store.database import db, write_transaction

_LOCK = 8141  # any number will do, as long as every upgrade takes the same


class NewerSchemaError(RuntimeError):
    """A database of newer software, which this one can bring nowhere."""

    def __init__(self, state: SchemaState) -> None:
        super().__init__(f"unknown revision {state.revision}")
        self.state = state


class UnknownSchemaError(RuntimeError):
    """A database with tables, but not at a revision of this software: ``own`` or ``other``."""

    def __init__(self, own: list[str], other: list[str]) -> None:
        super().__init__("the tables have no known revision")
        self.own, self.other = own, other


class ChangedSchemaError(RuntimeError):
    """A database whose tables aren't as this software makes them; ``problems`` are sentences."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("the tables were changed")
        self.problems = problems


def migrate(scripts: Path) -> None:
    """Bring the database to the newest revision; one process at a time, all or nothing.

    Raises NewerSchemaError if newer software upgraded it further, UnknownSchemaError and
    ChangedSchemaError. Nothing is changed then.
    """
    with _alone() as connection:
        state = state_of(connection, ScriptDirectory(str(scripts)))
        if state.is_newer:
            raise NewerSchemaError(state)
        own, other = tables_there(connection)
        if state.is_foreign or (state.revision is None and (own or other)):
            raise UnknownSchemaError(own, other)
        if state.is_current:
            _require_unchanged(connection)  # a changed table would break what is made below
        command.upgrade(_config(scripts, connection), "head")
        _require_unchanged(connection)


def _require_unchanged(connection: Connection) -> None:
    problems = list(table_differences(connection))
    if problems:
        raise ChangedSchemaError(problems)


def schema_state(scripts: Path) -> SchemaState:
    with db.engine.connect() as connection:
        return state_of(connection, ScriptDirectory(str(scripts)))


def schema_problems(*, is_newer: bool) -> list[str]:
    with db.engine.connect() as connection:
        return list(schema_differences(connection, is_newer=is_newer))


def newest_revision(scripts: Path) -> str:
    """The revision that this software expects a database to stand at."""
    return str(ScriptDirectory(str(scripts)).get_current_head())


def _config(scripts: Path, connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


@contextmanager
def _alone() -> Iterator[Connection]:
    with (
        write_transaction(),
        db.engine.connect() as connection,
        _without_keys(connection),
        connection.begin(),
    ):
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        yield connection


@contextmanager
def _without_keys(connection: Connection) -> Iterator[None]:
    if connection.dialect.name != "sqlite":
        yield
        return
    cursor = connection.connection.cursor()
    cursor.execute("PRAGMA foreign_keys=OFF")  # has no effect once a transaction has begun
    try:
        yield
    finally:
        cursor.execute("PRAGMA foreign_keys=ON")
