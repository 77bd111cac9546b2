"""Binding an application to its database."""

from pathlib import Path

from flask import Flask
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from app.store import migrating, tables
from app.store.database import READ_ONLY, db

DatabaseAway = OperationalError
TABLES = tables.__all__  # importing them is what puts them into the metadata


def bind(app: Flask, url: str) -> None:
    """Give an application its database. A request reads; only a use case writes."""
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {"pool_pre_ping": True}
    db.init_app(app)
    app.before_request(_read_only)


def _read_only() -> None:
    READ_ONLY.set(True)


def migrate(scripts: Path) -> None:
    """Bring the database to what this software expects."""
    migrating.migrate(scripts)


def is_current(scripts: Path) -> bool:
    """Whether the database is what this software expects; False also when it is away."""
    try:
        return migrating.is_current(scripts)
    except SQLAlchemyError:
        return False


def let_go() -> None:
    """Close every connection, before a process forks."""
    db.engine.dispose()
