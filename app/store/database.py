"""The database: one session, transactions that hold on SQLite and PostgreSQL alike."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import BigInteger, DateTime, Dialect, Engine, Integer, MetaData, event
from sqlalchemy.engine import Connection
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import TypeDecorator

READ_ONLY: ContextVar[bool] = ContextVar("read_only", default=False)

Key = BigInteger().with_variant(Integer(), "sqlite")


class Moment(TypeDecorator[datetime]):
    """A moment in UTC: SQLite keeps no time zone, so it is taken off and put back."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """A moment without a time zone is refused: nobody could say when it was."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs its time zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """The moment, in UTC."""
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """The models' base; its naming convention lets a migration find every constraint."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(model_class=Base, disable_autonaming=True)


@event.listens_for(Engine, "connect")
def _configure(connection: Any, _record: object) -> None:
    if type(connection).__module__ != "sqlite3":
        return
    connection.isolation_level = None  # the driver must send no BEGIN of its own
    for pragma in ("busy_timeout=30000", "journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")


@event.listens_for(Engine, "begin")
def _begin(connection: Connection) -> None:
    read_only = READ_ONLY.get()
    if connection.dialect.name == "sqlite":
        # a deferred lock dies half-way when another writer was quicker
        connection.exec_driver_sql(f"PRAGMA query_only={int(read_only)}")
        connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")
    elif read_only:
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")


@contextmanager
def transaction() -> Iterator[None]:
    """One use case: everything in it is kept together, or nothing is.

    What was read before belongs to an older, read-only transaction; it is ended first.
    """
    db.session.rollback()
    token = READ_ONLY.set(False)
    try:
        yield
        db.session.commit()
    except BaseException:
        db.session.rollback()
        raise
    finally:
        READ_ONLY.reset(token)


@contextmanager
def reading() -> Iterator[None]:
    """A read of one consistent moment, which can change nothing."""
    token = READ_ONLY.set(True)
    try:
        yield
    finally:
        db.session.rollback()
        READ_ONLY.reset(token)
