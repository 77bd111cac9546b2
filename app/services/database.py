"""Binding an application to its database."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask
from sqlalchemy import make_url
from sqlalchemy.exc import InternalError, OperationalError, SQLAlchemyError

from app.store import migrating, tables
from app.store.database import db
from app.store.demonstration import SETTING

DatabaseAway = OperationalError
NOT_WRITTEN = (OperationalError, InternalError)  # it is away, or open for reading alone
TABLES = tables.__all__  # importing them is what puts them into the metadata


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
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {"pool_pre_ping": True}
    db.init_app(app)


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
