"""Binding an application to its database."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import Connection, make_url, text
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    IntegrityError,
    InternalError,
    OperationalError,
    SQLAlchemyError,
)

from app.store import tables
from app.store.administration import migrations
from app.store.compatibility import SchemaState
from app.store.database import db, limit_waits_of
from app.store.demonstration import SETTING

DatabaseAway = OperationalError
NOT_WRITTEN = (OperationalError, InternalError)  # it is away, or open for reading alone
TABLES = tables.__all__  # importing them is what puts them into the metadata


# What libpq looks at when it connects and not before (PostgreSQL, libpq, 34.1.2).
_OPTIONS = {
    name: (takes, re.compile(takes.replace(", ", "|").replace("a whole number", "[0-9]{1,9}")))
    for name, takes in {
        "connect_timeout": "a whole number",
        "keepalives": "0, 1",
        "sslmode": "disable, allow, prefer, require, verify-ca, verify-full",
        "target_session_attrs": "any, read-write, read-only, primary, standby, prefer-standby",
    }.items()
}

_SILENT_FOR = 60_000  # milliseconds in which no packet was confirmed
_CONNECT_WITHIN = 5  # seconds for each host of a database on servers


class DatabaseNotReady(RuntimeError):
    """A database that this software cannot use as it is; the sentence says what to do."""


class DatabaseUnreachable(DatabaseNotReady):
    """A database that does not answer now; it may later."""


class DatabaseEmpty(DatabaseNotReady):
    """A database that nothing was set up in, as a file is that was opened where none was."""


@contextmanager
def refuse_unreachable() -> Iterator[None]:
    """Raise DatabaseUnreachable for a database that is away, DatabaseNotReady for what is none.

    With the reason, and nothing of what was asked.
    """
    try:
        yield
    except OperationalError as error:
        why = str(error.orig or error).strip()  # without what was asked of it
        raise DatabaseUnreachable(f"The database cannot be reached: {why}") from error
    except DatabaseError as error:
        why = str(error.orig or error).strip()
        raise DatabaseNotReady(
            f"The database cannot be used: {why}. Look at its address."
        ) from error


class ValueRefused(DatabaseNotReady):
    """A value that breaks a constraint of the database; nothing was kept."""


@contextmanager
def refuse_broken_off() -> Iterator[None]:
    """Raise DatabaseUnreachable for an interrupted command, ValueRefused for a forbidden value.

    A command is interrupted when the database goes away, or when another process locks or writes
    the same rows. A uniqueness constraint is broken by either cause, and the message names both.
    """
    try:
        yield
    except (IntegrityError, DataError) as error:
        why = str(error.orig or error).strip().partition("\n")[0]
        advice = (
            "Another process may have stored the same value at the same moment: run the command "
            "again. If it fails again, the input holds the value twice, or the database has it."
            if "unique" in why.lower()
            else "The input holds this value: correct it and run the command again."
        )
        raise ValueRefused(
            f"The database refused a value: {why}. Nothing was changed. {advice}"
        ) from error
    except OperationalError as error:
        why = str(error.orig or error).strip().partition("\n")[0]
        raise DatabaseUnreachable(
            f"The database broke this off: {why}. Nothing is done by half. Somebody else may have "
            "worked on the same just now: run the command again."
        ) from error


def find_file(url: str) -> Path | None:
    """The file that a database is; None where a server or the memory has it."""
    made = make_url(url)
    is_file = made.get_backend_name() == "sqlite" and made.database not in {None, "", ":memory:"}
    return Path(str(made.database)) if is_file else None


def bind(app: Flask, url: str, *, demo: bool = False) -> None:
    """Give an application its database; ``demo``: what is of a demonstration counts there."""
    app.config[SETTING] = demo
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {
        "pool_pre_ping": True,
        "connect_args": _patience(url),
    }
    db.init_app(app)


def limit_waits(app: Flask) -> None:
    """Let an application that answers people wait for its database for a while only.

    The worker, migrations and commands wait longer: nobody looks at a page meanwhile.
    """
    with app.app_context():
        limit_waits_of(db.engine)


def _patience(url: str) -> dict[str, Any]:
    """A host that does not answer is soon given up, so that the next one is tried.

    One that falls silent later is given up as well, by the worker too, in libpq's words.
    """
    made = make_url(url)
    if made.get_backend_name() != "postgresql":
        return {}
    bounds = {"connect_timeout": _CONNECT_WITHIN, "tcp_user_timeout": _SILENT_FOR}
    return {name: bound for name, bound in bounds.items() if name not in made.query}


def check_url(url: str) -> None:
    """Raise ValueError unless SQLAlchemy and its driver can read an address; nobody is asked."""
    try:
        made = make_url(url)
        _, options = made.get_dialect()().create_connect_args(made)
    except (ArgumentError, ValueError, TypeError):
        raise ValueError("cannot be read as the address of a database") from None
    if made.get_backend_name() == "postgresql":
        _check_options(options)


def _check_options(options: Mapping[str, Any]) -> None:
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import make_conninfo
    except ImportError:  # only who has such a database installs the driver
        raise ValueError(
            "needs psycopg, which is not installed: install urn-registry[postgresql]"
        ) from None
    try:
        make_conninfo(**options)
    except ProgrammingError as error:
        raise ValueError(f"has an option that is none: {str(error).strip()}") from None
    for name, (takes, pattern) in _OPTIONS.items():
        if name in options and not pattern.fullmatch(str(options[name])):
            raise ValueError(f"has an option that cannot be used: {name} takes {takes}")


def check(scripts: Path) -> str:
    """What the database is, in words; DatabaseNotReady where it cannot be used now."""
    with refuse_unreachable(), db.engine.connect() as connection:
        numbers = connection.dialect.server_version_info or ()
        name = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.dialect.name]
        is_read_only = _is_read_only(connection)
    require_current(scripts)
    if is_read_only:
        raise DatabaseNotReady(
            "The database can be read but not written. Where it has several hosts, add "
            "?target_session_attrs=read-write to its address."
        )
    return f"The database answers: {name} {'.'.join(map(str, numbers))}, set up for this software."


_READ_ONLY = "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'"


def _is_read_only(connection: Connection) -> bool:
    if connection.dialect.name != "postgresql":
        return False
    return bool(connection.scalar(text(_READ_ONLY)))


def migrate(scripts: Path) -> SchemaState:
    """Bring the database to what this software expects, or change nothing of it.

    Gives where it stood before. Raises DatabaseNotReady where it cannot be reached, where newer
    software has it, and where somebody changed it so that a migration fails.
    """
    with refuse_unreachable():
        before = migrations.schema_state(scripts)
    try:
        migrations.migrate(scripts)
    except migrations.NewerSchemaError as error:
        beside = f" {_RUNS_BESIDE}" if error.state.can_run else ""
        raise DatabaseNotReady(f"{_of_newer(error.state)}{beside}") from error
    except (SQLAlchemyError, RuntimeError) as error:
        why = str(getattr(error, "orig", None) or error).strip()
        raise DatabaseNotReady(f"{_FAILED} What it said: {why}") from error
    return before


def is_current(scripts: Path) -> bool:
    """Whether this software can run with the database as it is; False also when it is away."""
    try:
        return migrations.schema_state(scripts).can_run
    except SQLAlchemyError:
        return False


def require_current(scripts: Path) -> None:
    """Raise DatabaseNotReady unless the database is what this software can run with."""
    with refuse_unreachable():
        state = migrations.schema_state(scripts)
        problems = migrations.schema_problems(is_newer=state.is_newer) if state.can_run else []
    if not state.can_run and not state.revision:
        raise DatabaseEmpty(_of_older(state))
    if not state.can_run:
        raise DatabaseNotReady(_of_newer(state) if state.is_newer else _of_older(state))
    if problems:
        raise DatabaseNotReady("\n- ".join((_CHANGED, *problems)))


_RUNS_BESIDE = (
    "During a rolling upgrade this software can go on beside the newer one, with `serve` and "
    "`worker`; only the newer one sets the database up."
)
_FAILED = (
    "The database could not be brought to what this software expects, and nothing of it was "
    "changed. Somebody may have changed its tables: undo that, or restore a copy."
)
_CHANGED = (
    "The database is not as this software made it, so that nothing is started. Undo what changed "
    "it, or restore a copy:"
)


def _of_newer(state: SchemaState) -> str:
    return (
        f"The database is of newer software: it stands at revision {state.revision}, and this "
        f"software knows none after {state.expected}. There is no way back by this command, and "
        "nothing was changed. Run the newer software; to go back to this one, restore the copies "
        "of the database and the data folder that were made before the upgrade."
    )


def _of_older(state: SchemaState) -> str:
    stands = f": it stands at revision {state.revision}, not {state.expected}"
    return (
        f"The database is not set up for this software{stands if state.revision else ''}. "
        "Run `urn-registry init` first."
    )


def close_connections() -> None:
    """Close every connection, before a process forks."""
    db.session.remove()  # it may hold one, which would outlive the others
    db.engine.dispose()
