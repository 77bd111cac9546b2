"""Binding an application to its database."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import Connection, make_url, text
from sqlalchemy.exc import ArgumentError, InternalError, OperationalError, SQLAlchemyError

from app.store import migrating, tables
from app.store.database import db
from app.store.demonstration import SETTING

DatabaseAway = OperationalError
NOT_WRITTEN = (OperationalError, InternalError)  # it is away, or open for reading alone
TABLES = tables.__all__  # importing them is what puts them into the metadata


_CONNECT_WITHIN = 5  # seconds for each host of a database on servers


class NotSetUp(RuntimeError):
    """A database that this software cannot use as it is; the sentence says what to do."""


class Unreachable(NotSetUp):
    """A database that does not answer now; it may later."""


@contextmanager
def reached() -> Iterator[None]:
    """Raise Unreachable, with the reason and nothing of what was asked, for one that is away."""
    try:
        yield
    except OperationalError as error:
        why = str(error.orig or error).strip()  # without what was asked of it
        raise Unreachable(f"The database cannot be reached: {why}") from error


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


def _patience(url: str) -> dict[str, Any]:
    """A host that does not answer is soon given up, so that the next one is tried."""
    made = make_url(url)
    is_open = made.get_backend_name() == "postgresql" and "connect_timeout" not in made.query
    return {"connect_timeout": _CONNECT_WITHIN} if is_open else {}


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


def check(scripts: Path) -> str:
    """What the database is, in words; NotSetUp where it cannot be used now."""
    with reached(), db.engine.connect() as connection:
        numbers = connection.dialect.server_version_info or ()
        name = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.dialect.name]
        is_read_only = _is_read_only(connection)
    require_current(scripts)
    if is_read_only:
        raise NotSetUp(
            "The database can be read but not written. Where it has several hosts, add "
            "?target_session_attrs=read-write to its address."
        )
    return f"The database answers: {name} {'.'.join(map(str, numbers))}, set up for this software."


_READ_ONLY = "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'"


def _is_read_only(connection: Connection) -> bool:
    if connection.dialect.name != "postgresql":
        return False
    return bool(connection.scalar(text(_READ_ONLY)))


def migrate(scripts: Path) -> None:
    """Bring the database to what this software expects; NotSetUp where it cannot be reached."""
    with reached():
        migrating.migrate(scripts)


def is_current(scripts: Path) -> bool:
    """Whether the database is what this software expects; False also when it is away."""
    try:
        return migrating.is_current(scripts)
    except SQLAlchemyError:
        return False


def require_current(scripts: Path) -> None:
    """Raise NotSetUp unless the database is what this software expects."""
    with reached():
        ready = migrating.is_current(scripts)
    if not ready:
        raise NotSetUp(
            "The database is not set up for this software. Run `urn-registry init` first."
        )


def let_go() -> None:
    """Close every connection, before a process forks."""
    db.session.remove()  # it may hold one, which would outlive the others
    db.engine.dispose()
