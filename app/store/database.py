"""The database: one session, transactions that hold on SQLite and PostgreSQL alike."""

import errno
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    BigInteger,
    DateTime,
    Dialect,
    Engine,
    Executable,
    Integer,
    MetaData,
    Table,
    event,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, ExceptionContext
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.orm import DeclarativeBase, SessionTransaction
from sqlalchemy.types import TypeDecorator

from app.store.demonstration import is_on

Given = ParamSpec("Given")
Found = TypeVar("Found")
Built = TypeVar("Built")

_WRITING: ContextVar[bool] = ContextVar("writing", default=False)
_TOGETHER: ContextVar[SessionTransaction | None] = ContextVar("together", default=None)

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
            raise ValueError("a time needs a time zone")
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


class DatabaseTrouble(StrEnum):
    """Why a database did not do its work, where the cause isn't a mistake in the software."""

    DISK_FULL = "disk full"
    READ_ONLY = "read-only"
    BUSY = "busy"  # with another user's change, or the two changes exclude each other
    AWAY = "away"


# SQLSTATE codes, PostgreSQL appendix A. Psycopg raises a read-only transaction as an InternalError.
_OF_SQLSTATE = {
    "25006": DatabaseTrouble.READ_ONLY,
    "42501": DatabaseTrouble.READ_ONLY,  # permission denied
    "40001": DatabaseTrouble.BUSY,  # serialization failure
    "40P01": DatabaseTrouble.BUSY,  # deadlock
    "55P03": DatabaseTrouble.BUSY,  # lock timeout
    "57014": DatabaseTrouble.BUSY,  # statement timeout
    "23505": DatabaseTrouble.BUSY,  # another user was first with a unique value
    "23503": DatabaseTrouble.BUSY,  # another user removed the row that is referred to
}
_OF_SQLITE = {
    sqlite3.SQLITE_READONLY: DatabaseTrouble.READ_ONLY,
    sqlite3.SQLITE_BUSY: DatabaseTrouble.BUSY,
    sqlite3.SQLITE_LOCKED: DatabaseTrouble.BUSY,
    sqlite3.SQLITE_CONSTRAINT_UNIQUE: DatabaseTrouble.BUSY,
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY: DatabaseTrouble.BUSY,
    sqlite3.SQLITE_CONSTRAINT_ROWID: DatabaseTrouble.BUSY,
    sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY: DatabaseTrouble.BUSY,
}


def trouble_of(error: BaseException | None) -> DatabaseTrouble | None:
    """Classify an error of the database; return None for a mistake and for any other error."""
    if not isinstance(error, DBAPIError):
        return None
    if is_disk_full(error):
        return DatabaseTrouble.DISK_FULL
    state, code = getattr(error.orig, "sqlstate", None), _sqlite_code(error.orig)
    found = _OF_SQLSTATE.get(state or "") or _OF_SQLITE.get(code) or _OF_SQLITE.get(code & 0xFF)
    if found is None and isinstance(error, OperationalError):
        return DatabaseTrouble.AWAY
    return found


def is_disk_full(error: BaseException | None) -> bool:
    """True if the file system, SQLite or PostgreSQL reported that a disk has no space left."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, OSError):
        return cause.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    code = _sqlite_code(cause)
    # SQLite reports a full disk as an I/O error where it shares memory between processes
    is_full = code == sqlite3.SQLITE_IOERR_SHMSIZE or code & 0xFF == sqlite3.SQLITE_FULL
    # a connection that PostgreSQL refuses has no SQLSTATE
    is_told = any(words in str(cause) for words in _FULL_WORDS)
    return is_full or is_told or getattr(cause, "sqlstate", None) == _FULL


_FULL, _FULL_WORDS = "53100", ("No space left on device", "could not write init file")


def _sqlite_code(cause: BaseException | None) -> int:
    return getattr(cause, "sqlite_errorcode", None) or 0


_PATIENCE = 30  # seconds that a connection waits for another's lock
_PRAGMAS = (
    f"busy_timeout={_PATIENCE * 1000}",
    "synchronous=FULL",
    "foreign_keys=ON",
    "recursive_triggers=ON",  # without it INSERT OR REPLACE deletes rows past their triggers
)


@event.listens_for(Engine, "connect")
def _configure(connection: Any, _record: object) -> None:
    if type(connection).__module__ != "sqlite3":
        return
    connection.isolation_level = None  # the driver must send no BEGIN of its own
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    _write_ahead(connection)


@event.listens_for(Engine, "handle_error")
def _keep_first_error(context: ExceptionContext) -> BaseException | None:
    first = context.original_exception.__context__
    is_of_savepoint = (context.statement or "").startswith("ROLLBACK TO SAVEPOINT")
    return first if is_of_savepoint and trouble_of(first) else None


_LOCK_SECONDS, _STATEMENT_SECONDS = 10, 20  # of who answers people
_LATE_SECONDS = 5  # until the server's own message about a statement that took too long arrives


def limit_waits_of(engine: Engine) -> None:
    event.listen(engine, "connect", _limit_waits)


def _limit_waits(connection: Any, _record: object) -> None:
    if type(connection).__module__ == "sqlite3":
        connection.execute(f"PRAGMA busy_timeout={_LOCK_SECONDS * 1000}")
        return
    connection.execute(
        f"SET statement_timeout = '{_STATEMENT_SECONDS}s'; SET lock_timeout = '{_LOCK_SECONDS}s'"
    )
    connection.commit()
    connection.longest_silence = _STATEMENT_SECONDS + _LATE_SECONDS


@event.listens_for(Engine, "do_connect")
def _watch(dialect: Dialect, _record: object, words: Any, given: Any) -> Any:
    if dialect.name != "postgresql":
        return None
    from app.store.postgresql_connection import DatabaseConnection  # needs psycopg

    return DatabaseConnection.connect(*words, **given)


def _write_ahead(connection: sqlite3.Connection) -> None:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return


@event.listens_for(Engine, "begin")
def _begin(connection: Connection) -> None:
    writing = _WRITING.get()
    if connection.dialect.name == "sqlite":
        # a deferred lock dies half-way when another writer was quicker
        connection.exec_driver_sql(f"PRAGMA query_only={int(not writing)}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
    elif not writing:
        # what a page shows belongs to one moment, as it does on SQLite
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


@contextmanager
def write_transaction() -> Iterator[None]:
    if _WRITING.get():
        raise RuntimeError("a use case can't begin inside another one")
    token = _WRITING.set(True)
    try:
        yield
    finally:
        _WRITING.reset(token)


@contextmanager
def discarded_transaction() -> Iterator[Connection]:
    """A write transaction on a connection of its own, which waits for no lock and is undone."""
    token = _WRITING.set(True)
    try:
        with db.engine.connect() as connection, _without_patience(connection):
            begun = connection.begin()
            try:
                yield connection
            finally:
                begun.rollback()
    finally:
        _WRITING.reset(token)


@contextmanager
def _without_patience(connection: Connection) -> Iterator[None]:
    if connection.dialect.name != "sqlite":
        yield
        return
    cursor = connection.connection.cursor()
    (before,) = cursor.execute("PRAGMA busy_timeout").fetchone()
    cursor.execute("PRAGMA busy_timeout=0")
    try:
        yield
    finally:
        cursor.execute(f"PRAGMA busy_timeout={before}")


@contextmanager
def joint_transaction(*, dry_run: bool = False) -> Iterator[None]:
    """Run several use cases in one transaction: all are committed, or none."""
    with transaction(dry_run=dry_run):
        whole = db.session().get_transaction() or db.session().begin()
        token = _TOGETHER.set(whole)
        try:
            yield
        finally:
            _TOGETHER.reset(token)
        _see_going_on(whole)


@contextmanager
def _one_of_several(whole: SessionTransaction) -> Iterator[None]:
    token = _TOGETHER.set(None)  # one inside of it is refused as everywhere
    try:
        with _undone_alone(whole):
            db.session.expire_all()
            yield
            db.session.flush()
    finally:
        _TOGETHER.reset(token)
    db.session.expire_all()


@contextmanager
def _undone_alone(whole: SessionTransaction) -> Iterator[None]:
    _see_going_on(whole)
    behind = db.session.begin_nested()
    try:
        yield
        _see_going_on(whole)
        behind.commit()
    except BaseException:
        db.session().info.pop(_READ_BEFORE, None)
        if db.session().get_transaction() is whole:
            behind.rollback()
        raise


def _see_going_on(whole: SessionTransaction) -> None:
    if db.session().get_transaction() is not whole:
        raise RuntimeError("a joint transaction was ended early")


@contextmanager
def _only_read() -> Iterator[None]:
    connection = db.session.connection()
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        yield
        return
    connection.exec_driver_sql("PRAGMA query_only=1")
    try:
        yield
    finally:
        if not connection.closed:
            connection.exec_driver_sql("PRAGMA query_only=0")


@contextmanager
def transaction(*, dry_run: bool = False) -> Iterator[None]:
    """One use case: everything in it is kept together, or nothing is.

    A dry run does the same work, including the database's constraints, and then rolls
    it back. Raises RuntimeError for a dry run inside a joint transaction, which has its own.
    """
    if whole := _TOGETHER.get():
        if dry_run:
            raise RuntimeError("make the joint transaction a dry run")
        with _one_of_several(whole):
            yield
        return
    with write_transaction():
        db.session.rollback()  # what was read before belongs to an older, read-only transaction
        try:
            yield
            db.session.flush()
            if dry_run:
                db.session.rollback()
            else:
                db.session.commit()
        except BaseException:
            db.session.rollback()
            raise


@contextmanager
def read_transaction() -> Iterator[None]:
    """A read of one moment, which ends when it is done and not when its request ends."""
    if whole := _TOGETHER.get():
        with _one_of_several(whole), _only_read():
            yield
            db.session.flush()  # refuses what was put into the session
        return
    try:
        yield
    finally:
        db.session.rollback()


_READ_BEFORE = "read before"


def read_once(read: Callable[Given, Found]) -> Callable[Given, Found]:
    """A read that is not repeated in a read-only transaction, all of which shows one moment."""

    @wraps(read)
    def remembering(*args: Given.args, **named: Given.kwargs) -> Found:
        key = (read, args, tuple(sorted(named.items())))
        before = _read_before()
        if key in before:
            found: Found = before[key]
            return found
        found = read(*args, **named)
        _read_before()[key] = found  # the first read of a transaction begins it
        return found

    return remembering


def read_for_good(read: Callable[Given, Found | None]) -> Callable[Given, Found | None]:
    """A read of what never changes once it is there; no transaction repeats it, nor changes it."""

    @wraps(read)
    def remembering(*args: Given.args, **named: Given.kwargs) -> Found | None:
        key = (read, args, tuple(sorted(named.items())))
        found: Found | None = _read_before(may_write=True).get(key)
        if found is None:
            found = read(*args, **named)
            _read_before(may_write=True)[key] = found
        return found

    return remembering


def _read_before(*, may_write: bool = False) -> dict[Any, Any]:
    session = db.session()
    under_way = session.get_transaction()
    if (_WRITING.get() and not may_write) or under_way is None:
        return {}
    whose: object
    before: dict[Any, Any]
    whose, before = session.info.get(_READ_BEFORE, (None, {}))
    if whose is not under_way:
        before = {}
        session.info[_READ_BEFORE] = under_way, before
    return before


def built_once(build: Callable[[], Built]) -> Callable[[], Built]:
    """A statement that is always the same but for the values that it is given when it is asked."""
    known: dict[tuple[str, bool], Built] = {}

    @wraps(build)
    def statement() -> Built:
        kind = db.engine.dialect.name, is_on()
        found = known.get(kind)
        if found is None:
            found = known[kind] = build()
        return found

    return statement


def insert(model: type[Base]) -> sqlite.Insert | postgresql.Insert:
    """An INSERT that can say what happens where a row is there already."""
    if db.engine.dialect.name == "sqlite":
        return sqlite.insert(model)
    return postgresql.insert(model)


def add_row(model: type[Base], **columns: Any) -> None:
    """Insert a row that nobody goes on with as an object, which takes a sixth of the time."""
    db.session.flush()  # what the row refers to
    db.session.execute(_insert_row(model), columns)


@cache
def _insert_row(model: type[Base]) -> Executable:
    return table_of(model).insert()


def add_missing(model: type[Base], rows: Sequence[Mapping[str, Any]]) -> int:
    """Insert the rows that are not there, and say how many."""
    if not rows:
        return 0
    db.session.flush()  # what the rows refer to
    made = _insert_missing(db.engine.dialect.name, model)
    return len(db.session.execute(made, list(rows)).all())


@cache
def _insert_missing(dialect: str, model: type[Base]) -> Executable:
    table = table_of(model)
    into = sqlite.insert if dialect == "sqlite" else postgresql.insert
    return into(table).on_conflict_do_nothing().returning(*table.primary_key)


def table_of(model: type[Base]) -> Table:
    """The table of a model, for rows that nobody goes on with as objects."""
    return Base.metadata.tables[model.__tablename__]
