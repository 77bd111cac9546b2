"""The right to build editions: of all workers one at a time has it, since to build takes seconds.

It is held by a connection or an open file, so that it is free again however its holder ends.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import text

from app.store.database import db

_NUMBER = 8143  # any will do, as long as every worker takes the same
_SUFFIX = "-building"
_MODE = 0o600


@contextmanager
def sole_builder() -> Iterator[bool]:
    if db.engine.dialect.name == "postgresql":
        with _by_connection() as is_alone:
            yield is_alone
    elif file := db.engine.url.database:
        with _by_file(f"{file}{_SUFFIX}") as is_alone:
            yield is_alone
    else:  # a database in memory is one process's own
        yield True


@contextmanager
def _by_connection() -> Iterator[bool]:
    options = {"isolation_level": "AUTOCOMMIT"}  # no transaction stays open while files are made
    with db.engine.connect().execution_options(**options) as connection:
        number = {"number": _NUMBER}
        is_alone = connection.scalar(text("SELECT pg_try_advisory_lock(:number)"), number)
        try:
            yield bool(is_alone)
        finally:
            if is_alone:
                connection.execute(text("SELECT pg_advisory_unlock(:number)"), number)


@contextmanager
def _by_file(path: str) -> Iterator[bool]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, _MODE)
    try:
        yield _has_lock(descriptor)
    finally:
        os.close(descriptor)


def _has_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
