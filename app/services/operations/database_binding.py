"""Binding an application to its database."""

import errno
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from flask import Flask
from sqlalchemy import Engine, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    DBAPIError,
    IntegrityError,
    InternalError,
    OperationalError,
    SQLAlchemyError,
)

from app.store import tables
from app.store.accounts import attempts
from app.store.administration import migrations
from app.store.compatibility import SchemaState
from app.store.database import DatabaseTrouble, db, is_disk_full, limit_waits_of, trouble_of
from app.store.demonstration import SETTING

Trouble, DatabaseAway, DatabaseFailure = DatabaseTrouble, OperationalError, DBAPIError
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


_SENTENCES = {
    DatabaseTrouble.DISK_FULL: "The disk of the database is full: {}. Free some space on it.",
    DatabaseTrouble.READ_ONLY: (
        "The database accepts no changes: {}. If it has several hosts, add "
        "?target_session_attrs=read-write to its address."
    ),
    DatabaseTrouble.BUSY: (
        "The database is busy: {}. Another user may have changed the same data just now."
    ),
    DatabaseTrouble.AWAY: "The database cannot be reached: {}.",
}
_STATES = {
    DatabaseTrouble.DISK_FULL: "the disk of the database is full",
    DatabaseTrouble.READ_ONLY: "the database accepts no changes",
    DatabaseTrouble.BUSY: "the database is busy",
    DatabaseTrouble.AWAY: "the database cannot be reached",
}
PROBE_EVERY = 10.0  # seconds between two test writes of a process


class DatabaseFault(NamedTuple):
    """A database problem and the first line of the database's error message."""

    trouble: DatabaseTrouble
    why: str

    @property
    def state(self) -> str:
        """A short public description, without the error message."""
        return _STATES[self.trouble]

    @property
    def sentence(self) -> str:
        """The problem and its solution, for operators."""
        return _SENTENCES[self.trouble].format(self.why)


def fault_of(error: BaseException) -> DatabaseFault | None:
    """Return the database problem; None for an error with another cause."""
    trouble = trouble_of(error)
    return None if trouble is None else DatabaseFault(trouble, _first_line(error))


def _first_line(error: BaseException) -> str:
    """The database's message, without the statement and its parameters."""
    cause = getattr(error, "orig", None) or error
    return str(cause).strip().partition("\n")[0].rstrip(".")


def is_passing(error: BaseException) -> bool:
    """Return whether the database did not answer, or was busy, when this error was raised."""
    return trouble_of(error) in (DatabaseTrouble.AWAY, DatabaseTrouble.BUSY)


def outage_of(error: BaseException) -> tuple[str, str] | None:
    """Return the work that a full disk or the database prevents, and the reason.

    Return None for an error with another cause.
    """
    fault = None if isinstance(error, IntegrityError) else fault_of(error)
    if fault is not None:
        return _CANNOT[fault.trouble], fault.why
    return (
        ("cannot write, as a disk of this host is full", str(error))
        if is_disk_full(error)
        else None
    )


_CANNOT = {
    DatabaseTrouble.DISK_FULL: "cannot write, as the disk of the database is full",
    DatabaseTrouble.READ_ONLY: "cannot write, as the database accepts no changes",
    DatabaseTrouble.BUSY: "cannot use the database, which is busy",
    DatabaseTrouble.AWAY: "cannot reach the database",
}


def write_fault() -> DatabaseFault | None:
    """Why the database saves nothing new now; None if it does.

    A test write is made at most every 10 seconds, and undone. Until then, and while another
    thread makes one, the last result counts.
    """
    engine = db.engine
    made, fault = _probes.get(engine, (0.0, None))
    if made and time.monotonic() - made < PROBE_EVERY:
        return fault
    _probes[engine] = time.monotonic(), fault
    fault = _probe()
    _probes[engine] = time.monotonic(), fault
    return fault


_probes: WeakKeyDictionary[Engine, tuple[float, DatabaseFault | None]] = WeakKeyDictionary()


def _probe() -> DatabaseFault | None:
    try:
        attempts.try_write()
    except DBAPIError as error:
        fault = DatabaseFault(trouble_of(error) or DatabaseTrouble.AWAY, _first_line(error))
        # another user writes at this moment, so that writing works
        return None if fault.trouble is DatabaseTrouble.BUSY else fault
    except OSError as error:
        if is_disk_full(error):
            return DatabaseFault(DatabaseTrouble.DISK_FULL, str(error))
        if error.errno == errno.EROFS:
            return DatabaseFault(DatabaseTrouble.READ_ONLY, str(error))
    return None


@contextmanager
def refuse_unreachable() -> Iterator[None]:
    """Raise DatabaseUnreachable for a database that is away, DatabaseNotReady for what is none.

    With the reason, and nothing of what was asked.
    """
    try:
        yield
    except DatabaseError as error:
        fault = fault_of(error)
        if fault is None:
            why = str(error.orig or error).strip()
            raise DatabaseNotReady(
                f"The database cannot be used: {why}. Look at its address."
            ) from error
        raise DatabaseUnreachable(fault.sentence) from error


class ValueRefused(DatabaseNotReady):
    """A value that breaks a constraint of the database; nothing was kept."""


@contextmanager
def refuse_broken_off() -> Iterator[None]:
    """Raise DatabaseUnreachable for an interrupted command, ValueRefused for a forbidden value.

    A command is interrupted when the database goes away or is full, or when another process locks
    or writes the same rows. Either cause can break a uniqueness constraint: the message names both.
    """
    try:
        yield
    except (IntegrityError, DataError) as error:
        why = str(error.orig or error).strip().partition("\n")[0]
        advice = (
            "Another process may have stored the same value at the same moment: run the command "
            "again. If it fails again, the value is in the input twice or in the database already."
            if "unique" in why.lower()
            else "The input has this value: correct it and run the command again."
        )
        raise ValueRefused(
            f"The database refused a value: {why}. Nothing was changed. {advice}"
        ) from error
    except DBAPIError as error:
        fault = fault_of(error)
        if fault is None:
            raise
        said = f"The database broke this off: {_first_line(error)}."
        if fault.trouble is not DatabaseTrouble.AWAY:
            said = fault.sentence
        raise DatabaseUnreachable(
            f"{said} The change in progress was undone. Run the command again."
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
    require_current(scripts)
    fault = write_fault()
    if fault is not None:
        raise DatabaseNotReady(fault.sentence)
    return f"The database answers: {name} {'.'.join(map(str, numbers))}, set up for this software."


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
    except migrations.UnknownSchemaError as error:
        raise DatabaseNotReady(_of_unknown(error.own, error.other)) from error
    except migrations.ChangedSchemaError as error:
        raise DatabaseNotReady("\n- ".join((_CHANGED, *error.problems))) from error
    except (SQLAlchemyError, RuntimeError) as error:
        fault = fault_of(error)
        if fault is not None and fault.trouble is not DatabaseTrouble.AWAY:
            raise DatabaseUnreachable(f"{fault.sentence} Nothing was changed.") from error
        why = str(getattr(error, "orig", None) or error).strip()
        raise DatabaseNotReady(f"{_FAILED} What it said: {why}") from error
    return before


def is_current(scripts: Path) -> bool:
    """Return whether this software can run with the schema of the database.

    Raises what the database raises.
    """
    return migrations.schema_state(scripts).can_run


def require_current(scripts: Path) -> None:
    """Raise DatabaseNotReady unless the database is what this software can run with."""
    with refuse_unreachable():
        state = migrations.schema_state(scripts)
        problems = migrations.schema_problems(is_newer=state.is_newer) if state.can_run else []
    if state.is_foreign:
        raise DatabaseNotReady(_FOREIGN)
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
    "The tables were changed outside this software. Nothing was started or changed. "
    "Undo that change, or restore a backup:"
)


_FOREIGN = (
    "The database belongs to other software, and nothing was changed. Check its address "
    "(URN_REGISTRY_DATABASE_URL), and give the registry a database of its own."
)


def _of_unknown(own: list[str], other: list[str]) -> str:
    """Return advice on tables of unknown revision: the registry's own ones, or others."""
    if not (own or other):
        return (
            "The database has a table alembic_version with the revision of other software, and no "
            "other table. Nothing was changed. Check its address (URN_REGISTRY_DATABASE_URL). If "
            "nothing else uses this database, drop that table and run `urn-registry init` again."
        )
    if 2 * len(own) < len(TABLES):
        return f"{_FOREIGN} It has these tables: {', '.join((*own, *other)[:10])}."
    return (
        "The database has tables of a registry, but not their revision, which is in its table "
        "alembic_version. Nothing was changed. Restore a copy of the database."
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
