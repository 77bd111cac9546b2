"""The copy of names on this host, as the published plane reads it."""

import json
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from enum import Enum, auto
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TypeVar

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.bound_names import NameFloor
from app.assigned_names.name_prefixes import BEHIND_ALL
from app.bundles.copied_changes import CopiedName
from app.bundles.name_copies import (
    DOUBTED,
    NAMES_FILE,
    has_journal,
    is_damage,
    is_name_copy,
    open_copy,
)

_log = logging.getLogger(__name__)

_TRY_AGAIN_AFTER = 5.0  # seconds, until a file that could not be read is opened again
_DOUBT_AGAIN_AFTER = 60.0  # seconds: what is doubted is read to its end by the worker
_MOST_MAPPED = 1 << 40  # octets; SQLite maps as much of it as it was made for
_READ_AHEAD = 0.3  # seconds, of which a million names that are in memory take a tenth
_STEPS = 10_000  # of SQLite, after which it is looked at the clock
_FLOOR = "SELECT name, document FROM names WHERE name <= ? ORDER BY name DESC LIMIT 1"
# Row by row, so that it can be left off, and in the order in which the names stand.
_ALL = "SELECT count(*) FROM names NOT INDEXED WHERE name > ''"
_META = "SELECT key, value FROM meta"
_CHANGES = "SELECT change, name, document FROM names WHERE change > ? ORDER BY change LIMIT ?"
_UNDER = (
    "SELECT change, name, document FROM names WHERE name > ? AND name < ? ORDER BY name LIMIT ?"
)
_LAST_CHANGE = "SELECT ifnull(max(change), 0) FROM names"
_MOST_OCTETS = 1_000_000  # of changes that are given at once
_MOST_LISTED = 200_000  # octets of names that are listed at once

# What is wrong with a file, however it shows, is that it is damaged.
_FAULTS = (sqlite3.Error, ValueError, KeyError, TypeError, AttributeError)
_STATES = {state.value: state for state in AssignedNameState}

_NO_NAME = "", ""

Found = TypeVar("Found")
_Identity = tuple[int, int]


class NameCopyState(Enum):
    """Why a copy of names is not read."""

    AWAITED = auto()  # there is none yet
    DAMAGED = auto()
    UNREADABLE = auto()  # now: its file may be intact


class NameCopyUnavailable(Exception):
    """There is a copy of names, or is to be one, and it cannot be read; ``state`` is why."""

    def __init__(self, message: str, state: NameCopyState = NameCopyState.UNREADABLE) -> None:
        super().__init__(message)
        self.state = state


class _AskedOn(Exception):
    pass


class _FirstFloor:
    __slots__ = ("_floor", "_is_asked")

    def __init__(self, floor: NameFloor) -> None:
        self._floor, self._is_asked = floor, False

    def __call__(self, text: str) -> tuple[str, Callable[[], AssignedNameRecord]] | None:
        if self._is_asked:
            raise _AskedOn
        self._is_asked = True
        return self._floor(text)


class NameCopyReader:
    """Reads the copy of names in a folder; any number of threads may ask at once."""

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], float] = time.monotonic,
        *,
        file: str = NAMES_FILE,
    ) -> None:
        self._path, self._folder = os.fspath(folder / file), os.fspath(folder)
        self._clock, self._lock = clock, RLock()
        self._connection: sqlite3.Connection | None = None
        self._opened: tuple[_Identity, int] | None = None
        self._frozen: tuple[int, int] | None = None  # of a file that is read as it lies
        self._broken: _Identity | None = None
        self._state = NameCopyState.UNREADABLE  # of what is broken
        self._try_again = self._doubt_again = 0.0
        self._count = 0

    def version(self) -> str:
        """Return a text that changes whenever names may have changed; "" without a copy. Raises
        NameCopyUnavailable."""
        if self._has_none():
            return ""
        at = self._look()
        try:
            with self._lock:
                connection = self._current(at)
                changed: int = connection.execute("PRAGMA data_version").fetchall()[0][0]
                return f"{self._count}.{changed}"
        except _FAULTS as error:
            raise self._damaged(error) from error

    def find_floor(self, text: str) -> tuple[str, str] | None:
        """Return the greatest name up to a text, with its document; None without a copy. Raises
        NameCopyUnavailable."""
        if self._has_none():
            return None
        at = self._look()
        try:
            with self._lock:
                connection = self._current(at)
                rows = connection.execute(_FLOOR, (text,)).fetchall()
                if self._frozen is not None:
                    self._require_unchanged()
        except _FAULTS as error:
            raise self._damaged(error) from error
        return rows[0] if rows else _NO_NAME

    def _has_none(self) -> bool:
        """Whether no copy of names is kept at all, nor was one: as on many hosts, for which each
        request asks, so that no error is raised to tell it."""
        return not self._count and not os.access(self._folder, os.F_OK)

    def _look(self) -> os.stat_result:
        try:
            return os.stat(self._path)  # noqa: PTH116 — no Path is made for each request
        except OSError:
            self._close()
            state = NameCopyState.UNREADABLE if self._count else NameCopyState.AWAITED
            told = "There is no copy of the identifiers."
            raise NameCopyUnavailable(told, state) from None

    def ask(self, question: Callable[[NameFloor], Found]) -> Found:
        """The answer to a question about a name, or about all, by names as they are at one moment.
        Raises NameCopyUnavailable."""
        try:
            with self._reading():
                try:
                    return question(_FirstFloor(self._floor))
                except _AskedOn:
                    return self._ask_on(question)
        except _FAULTS as error:
            raise self._damaged(error) from error

    def _ask_on(self, question: Callable[[NameFloor], Found]) -> Found:
        execute = self._readable().execute
        execute("BEGIN")
        try:
            return question(self._floor)
        finally:
            execute("COMMIT")

    def changes(self, after: int, most: int) -> list[CopiedName]:
        """Raises NameCopyUnavailable."""
        try:
            with self._reading(), closing(self._rows(_CHANGES, after, most)) as rows:
                return list(_limit_octets(map(CopiedName._make, rows), _MOST_OCTETS))
        except _FAULTS as error:
            raise self._damaged(error) from error

    def names_under(self, beginning: str, after: str, most: int) -> list[AssignedNameRecord]:
        """Names that begin so and go on, in their order, from behind ``after`` on.

        They are as many as ``most`` and about 200,000 octets allow, at least one where there is
        any; no more than that is read. Raises NameCopyUnavailable.
        """
        bounds = max(beginning, after), beginning + BEHIND_ALL
        try:
            with self._reading(), closing(self._rows(_UNDER, *bounds, most)) as rows:
                found = list(_limit_octets(map(CopiedName._make, rows), _MOST_LISTED))
            return [_record_of(one.name, one.document) for one in found]
        except _FAULTS as error:
            raise self._damaged(error) from error

    def find(self, name: str) -> AssignedNameRecord | None:
        """Raises NameCopyUnavailable."""
        floor = self.ask(lambda found: found(name))
        return floor[1]() if floor and floor[0] == name else None

    def last_change(self) -> int:
        """Return the number of the last change of all names; 0 without names. Raises
        NameCopyUnavailable."""
        try:
            with self._reading():
                last: int = self._readable().execute(_LAST_CHANGE).fetchall()[0][0]
                return last
        except _FAULTS as error:
            raise self._damaged(error) from error

    def meta(self) -> dict[str, str | int]:
        """Raises NameCopyUnavailable."""
        try:
            with self._reading():
                return dict(self._readable().execute(_META).fetchall())
        except _FAULTS as error:
            raise self._damaged(error) from error

    def _floor(self, text: str) -> tuple[str, Callable[[], AssignedNameRecord]] | None:
        rows = self._readable().execute(_FLOOR, (text,)).fetchall()
        return (rows[0][0], partial(_record_of, *rows[0])) if rows else None

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock:
            yield
            if self._frozen is not None:
                self._require_unchanged()

    def _require_unchanged(self) -> None:
        if not self._is_frozen(self._look()):
            raise NameCopyUnavailable("The file changed while it was read.")

    def _is_frozen(self, at: os.stat_result) -> bool:
        is_same = (at.st_mtime_ns, at.st_size) == self._frozen
        return is_same and not has_journal(Path(self._path))

    def _rows(self, statement: str, *values: str | int) -> sqlite3.Cursor:
        return self._readable().execute(statement, values)

    def _readable(self) -> sqlite3.Connection:
        if self._connection is None:
            raise NameCopyUnavailable("There is no readable copy of the identifiers.", self._state)
        return self._connection

    def _damaged(self, error: Exception) -> NameCopyUnavailable:
        _log.error("The copy of names in %s cannot be read: %s", self._folder, error)
        if not _is_of_file(error):
            return NameCopyUnavailable(str(error))
        if self._clock() >= self._doubt_again:
            self._doubt_again = self._clock() + _DOUBT_AGAIN_AFTER
            with suppress(OSError):  # the folder may be there to be read alone
                Path(self._folder, DOUBTED).touch()
        return NameCopyUnavailable(str(error), NameCopyState.DAMAGED)

    def _current(self, at: os.stat_result) -> sqlite3.Connection:
        identity, size = (at.st_dev, at.st_ino), at.st_size
        if self._frozen is not None and not self._is_frozen(at):
            self._close()
        if self._connection is not None and self._opened is not None:
            known, length = self._opened
            # What is mapped into memory and is no longer there would end the process.
            if known == identity and size < length:
                self._close()
                self._put_off(identity, NameCopyState.DAMAGED)
                raise ValueError("The file became shorter.")
            if known == identity:
                if size > length:
                    self._opened = identity, size
                return self._connection
        if identity != self._broken or self._clock() >= self._try_again:
            self._open(at)
        if self._connection is None:
            raise NameCopyUnavailable("It could not be opened a moment ago.", self._state)
        return self._connection

    def _put_off(self, identity: _Identity, state: NameCopyState) -> None:
        self._broken, self._try_again = identity, self._clock() + _TRY_AGAIN_AFTER
        self._state = state

    def _open(self, at: os.stat_result) -> None:
        identity, size = (at.st_dev, at.st_ino), at.st_size
        connection = None
        try:
            connection, is_frozen = open_copy(
                Path(self._path), timeout=0.25, check_same_thread=False
            )
            connection.execute("PRAGMA query_only = ON")
            _check(connection, Path(self._path), size, is_frozen=is_frozen)
            connection.execute(f"PRAGMA mmap_size = {_MOST_MAPPED}")
        except (sqlite3.Error, ValueError) as error:
            if connection is not None:
                connection.close()
            is_of_file = _is_of_file(error)
            self._put_off(
                identity, NameCopyState.DAMAGED if is_of_file else NameCopyState.UNREADABLE
            )
            if self._connection is None:
                raise
            _log.exception("The new copy of names in %s cannot be read.", self._folder)
            return
        _read_ahead(connection)
        self._close()
        self._connection, self._broken = connection, None
        self._opened = identity, size
        self._frozen = (at.st_mtime_ns, size) if is_frozen else None
        self._count += 1

    def _close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = self._opened = self._frozen = None


def _is_of_file(error: Exception) -> bool:
    return is_damage(error) and not isinstance(error, UnicodeError)


def _record_of(name: str, document: str) -> AssignedNameRecord:
    members = json.loads(document)
    return AssignedNameRecord(
        name=name,
        state=_STATES[members.pop("state")],
        elements=tuple(map(tuple, members.pop("elements", ()))),
        **members,
    )


def _check(connection: sqlite3.Connection, path: Path, size: int, *, is_frozen: bool) -> None:
    if not is_name_copy(connection):
        raise ValueError("It isn't a copy of the identifiers, or was made by newer software.")
    pages, length = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
    )
    journal = connection.execute("PRAGMA journal_mode").fetchone()[0]
    is_short = pages * length > size and not has_journal(path)
    if is_short or (journal != "wal" and not is_frozen):
        raise ValueError("It is incomplete.")
    connection.execute(_FLOOR, ("",)).fetchall()


def _read_ahead(connection: sqlite3.Connection) -> None:
    ends = time.monotonic() + _READ_AHEAD
    connection.set_progress_handler(lambda: time.monotonic() > ends, _STEPS)
    with suppress(sqlite3.Error):
        connection.execute(_ALL).fetchall()
    connection.set_progress_handler(None, 0)


def _limit_octets(found: Iterable[CopiedName], most_octets: int) -> Iterator[CopiedName]:
    length = 0
    for one in found:
        length += len(one.name.encode()) + len(one.document.encode())
        yield one
        if length >= most_octets:
            return
