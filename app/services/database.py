"""Binding an application to its database."""

from pathlib import Path

from flask import Flask
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from app.store import migrating, tables
from app.store.database import db

DatabaseAway = OperationalError
TABLES = tables.__all__  # importing them is what puts them into the metadata


def bind(app: Flask, url: str) -> None:
    """Give an application its database."""
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {"pool_pre_ping": True}
    db.init_app(app)


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
    db.session.remove()  # it may hold one, which would outlive the others
    db.engine.dispose()
