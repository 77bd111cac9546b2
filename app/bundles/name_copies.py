"""The copy of names that a host keeps: an SQLite file, brought up to date from the feed of changes.

``names.sqlite`` is a link to the file itself. Readers never wait and never see half of a batch,
since its journal is written ahead; a file that is made anew is whole before the link leads to it.
"""

import fcntl
import json
import logging
import os
import re
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from app.bundles.copied_changes import copied_batches
from app.bundles.layout import OWN, LayoutModes

__all__ = [
    "APPLICATION",
    "DOUBTED",
    "EARLIER_FILE",
    "FORMAT",
    "MASKS",
    "NAMES_FILE",
    "NAMES_FOLDER",
    "STATEMENTS",
    "ChangesAfter",
    "NameCopyWriter",
    "has_journal",
    "is_damage",
    "is_name_copy",
    "open_copy",
]

_log = logging.getLogger(__name__)
_DAMAGED = "the copy of identifiers in %s is damaged; rebuilding it"

NAMES_FILE = "names.sqlite"
EARLIER_FILE = "names-before.sqlite"  # that of another feed, until one takes its place
DOUBTED = "names-doubted"  # where whoever reads the copy met damage, which is looked at next
NAMES_FOLDER = "names"  # of what is served, where a copy of the whole site has it
# What tells a copy of names from other SQLite files: "URNn", and how its tables are laid out.
APPLICATION, FORMAT = 0x55524E6E, 1
# The changes after one, in their order, each as a document: that of what everybody may know of the
# name, and its number as ``change``.
ChangesAfter = Callable[[int], Iterable[Mapping[str, Any]]]

_MADE, _LINK = "names-{}.sqlite", "names-link"
# What is made here: copies, the files that SQLite keeps beside each, and the link before it is put.
_is_ours = re.compile(r"names-(?:[0-9a-f]{16}\.sqlite(?:-[a-z]+)?|link)").fullmatch
# What a copy tells of prefixes: by which masks names are minted, and what else everybody is told.
MASKS, STATEMENTS = "masks", "statements"
_CACHE_KIB = 128 * 1024  # while a copy is made anew
_TABLES = """
CREATE TABLE names (
    name TEXT PRIMARY KEY, change INTEGER NOT NULL, document TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
"""
_INDEX = "CREATE UNIQUE INDEX names_by_change ON names (change)"
_STAGE = "CREATE TEMP TABLE staged (change INTEGER PRIMARY KEY, name TEXT, document TEXT)"
# of a name that changed several times, the row with its last change
_UNSTAGE = "INSERT INTO names SELECT name, max(change), document FROM staged GROUP BY name"
_PUT = "INSERT OR REPLACE INTO names (change, name, document) VALUES (?, ?, ?)"
_PUT_STAGED = "INSERT INTO staged (change, name, document) VALUES (?, ?, ?)"
_UNREADABLE = "SELECT 1 FROM names WHERE NOT json_valid(document) LIMIT 1"
_TOLD = "SELECT key, value FROM meta WHERE key IN (?, ?)"
_PUT_META = "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)"


class NameCopyWriter:
    """Keeps the copy of names in a folder up to date. There is one writer to a folder at a time.

    ``modes`` are those of what it makes.
    """

    def __init__(self, folder: Path, modes: LayoutModes = OWN) -> None:
        self.folder, self._modes = folder, modes
        self.path = folder / NAMES_FILE
        self._whole: tuple[int, int] | None = None
        self._length = 0  # of the file that was found whole

    def last_change(self) -> int:
        """The last change that the copy has; 0 where there is none that can be read."""
        with suppress(sqlite3.Error), self._read() as connection:
            return _last(connection) if is_name_copy(connection) else 0
        return 0

    def feed(self) -> str | None:
        """Which feed the copy is of; None where there is none that can be read."""
        with suppress(sqlite3.Error), self._read() as connection:
            return str(_meta(connection, "feed")) if is_name_copy(connection) else None
        return None

    def told(self) -> dict[str, dict[str, Any]]:
        """What the copy tells of prefixes, by ``MASKS`` and ``STATEMENTS``; one that it does not
        tell is left out."""
        with suppress(sqlite3.Error, ValueError), self._read() as connection:
            if is_name_copy(connection):
                rows = connection.execute(_TOLD, (MASKS, STATEMENTS)).fetchall()
                return {key: dict(json.loads(str(told))) for key, told in rows}
        return {}

    def is_doubted(self) -> bool:
        """Whether the copy has to be read to its end before it is relied on: it was not yet, it
        became shorter, or whoever reads it met damage."""
        try:
            at = self.path.stat()
        except OSError:
            return False  # there is none, which is seen by its last change
        is_known = self._whole == (at.st_dev, at.st_ino) and at.st_size >= self._length
        if is_known:
            self._length = at.st_size
        return not is_known or (self.folder / DOUBTED).exists()

    def finds_damage(self) -> bool:
        if (self.folder / DOUBTED).exists():
            return True
        try:
            with self._read() as connection:
                return _is_short(connection, self.path)
        except sqlite3.Error as error:
            return self.path.is_file() and is_damage(error)

    def keep_told(self, told: Mapping[str, Mapping[str, Any]]) -> None:
        """Let the copy tell of prefixes, by each key all that is told so.

        Raises BlockingIOError where another writer is at work, and what SQLite raises.
        """
        rows = [
            (key, json.dumps(by_prefix, separators=(",", ":"), sort_keys=True))
            for key, by_prefix in told.items()
        ]
        with self._alone(), self._opened() as connection:
            connection.executemany(_PUT_META, rows)

    def follow(self, changes_after: ChangesAfter, *, feed: str = "") -> int:
        """Bring the copy up to date with a feed; give the last change that it has now.

        Call ``changes_after`` with the number of the last change in the copy. Without an undamaged
        copy of ``feed``, start at 0, write a new file and replace the old one in
        one step. A copy of another feed is kept as ``names-before.sqlite``. Otherwise each batch is
        one transaction: a failure keeps the batches before it.

        Raises BadNameChange, BlockingIOError where another writer is at work, and what
        ``changes_after``, the file system and SQLite raise. A copy that can't be read now, as on a
        full disk, isn't damaged and stays.
        """
        with self._alone():
            if not self._is_whole(feed):
                is_other = self.feed() not in (None, feed)
                if not is_other and self.path.exists():
                    _log.error(_DAMAGED, self.folder)
                last = self._make(changes_after(0), feed, keeps_other=is_other)
                (self.folder / DOUBTED).unlink(missing_ok=True)
                return last
            try:
                with self._opened() as connection:
                    return _apply(connection, changes_after(_last(connection)))
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.IntegrityError) or not is_damage(error):
                    raise
                _log.exception(_DAMAGED, self.folder)
                return self._make(changes_after(0), feed)

    def _is_whole(self, feed: str | None) -> bool:
        """True if there is an undamaged copy of this feed; each file is read whole once, and again
        where it is doubted. Raises an error of SQLite that isn't about the file."""
        if not self.path.is_file():
            return False
        try:
            at, is_doubted = self.path.stat(), self.is_doubted()
            with self._read() as connection:
                if not is_name_copy(connection) or feed not in (None, _meta(connection, "feed")):
                    return False
                if is_doubted:
                    if _is_short(connection, self.path) or not _is_readable(connection):
                        return False
                    self._whole, self._length = (at.st_dev, at.st_ino), at.st_size
                    (self.folder / DOUBTED).unlink(missing_ok=True)
            return True
        except FileNotFoundError:
            return False
        except sqlite3.Error as error:
            if is_damage(error):
                return False
            raise

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        with closing(open_copy(self.path, timeout=5)[0]) as connection:
            yield connection

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        address = f"{self.path.absolute().as_uri()}?mode=rw"
        opened = sqlite3.connect(address, uri=True, isolation_level=None, timeout=5)
        with closing(opened) as connection:
            connection.execute("PRAGMA synchronous = NORMAL")
            yield connection

    def _make(
        self, changes: Iterable[Mapping[str, Any]], feed: str, *, keeps_other: bool = False
    ) -> int:
        made = self.folder / _MADE.format(secrets.token_hex(8))
        try:
            # SQLite gives what it keeps beside a file the mode of that
            os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, self._modes.file))
            with closing(sqlite3.connect(made, isolation_level=None)) as connection:
                last = _fill(connection, changes, feed)
            _sync(made)
            if keeps_other and self.path.is_symlink():
                self._lead(EARLIER_FILE, self.path.readlink().name)
            self._switch(made.name)
        finally:
            self._clear()
        return last

    def _switch(self, name: str) -> None:
        if (
            self.path.is_dir() and not self.path.is_symlink()
        ):  # nothing that somebody else put here is thrown away
            names = (self.folder / f"{NAMES_FILE}.aside-{number}" for number in count(1))
            self.path.rename(next(one for one in names if not os.path.lexists(one)))
        self._lead(NAMES_FILE, name)

    def _lead(self, link: str, name: str) -> None:
        staged = self.folder / _LINK
        staged.unlink(missing_ok=True)
        staged.symlink_to(name)
        staged.replace(self.folder / link)
        _sync(self.folder)

    def _clear(self) -> None:
        links = (self.path, self.folder / EARLIER_FILE)
        kept = tuple(link.readlink().name for link in links if link.is_symlink())
        for one in self.folder.iterdir():
            if _is_ours(one.name) and not one.name.startswith(kept or NAMES_FILE):
                one.unlink(missing_ok=True)

    def make_folder(self) -> None:
        """Make the folder that a copy is to come to, so that readers know of that."""
        self.folder.mkdir(mode=self._modes.folder, parents=True, exist_ok=True)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self.make_folder()
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the kernel frees it
            yield
        finally:
            os.close(descriptor)


def open_copy(path: Path, **options: Any) -> tuple[sqlite3.Connection, bool]:
    """Open a copy of names to read it; give whether it is read as it lies, without its journal.

    SQLite makes a file next to it for the memory that its processes share. On a full disk, or in
    a folder that is read-only, it can't; an intact copy is then read without that file. The caller
    must then check whether the copy changed (``has_journal``), as SQLite doesn't.
    Raises an error of SQLite.
    """
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, **options)
    try:
        connection.execute("PRAGMA schema_version").fetchone()
        return connection, False
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode & 0xFF not in _NO_MEMORY or has_journal(path):
            raise
    address = f"{address}&immutable=1"
    return sqlite3.connect(address, uri=True, isolation_level=None, **options), True


_NO_MEMORY = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
}


def has_journal(path: Path) -> bool:
    """Return whether pages may be in the write-ahead journal and not in the file."""
    journal = Path(f"{path.resolve()}-wal")
    return journal.exists() and journal.stat().st_size > 0


def is_damage(error: Exception) -> bool:
    """Return whether an error of SQLite means that the file is damaged."""
    if not isinstance(error, sqlite3.OperationalError):
        return True
    return getattr(error, "sqlite_errorcode", 0) in _OF_FILE


_OF_FILE = {
    sqlite3.SQLITE_ERROR,  # a table is missing
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_IOERR_READ,
    sqlite3.SQLITE_IOERR_SHORT_READ,
    sqlite3.SQLITE_IOERR_CORRUPTFS,
    sqlite3.SQLITE_IOERR_DATA,
}


def is_name_copy(connection: sqlite3.Connection) -> bool:
    """Whether a file is a copy of names as this software lays them out.

    Raises an error of SQLite where it is no database.
    """
    found = [
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("application_id", "user_version")
    ]
    return found == [APPLICATION, FORMAT]


def _is_short(connection: sqlite3.Connection, path: Path) -> bool:
    pages, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
    )
    return bool(pages * size > path.stat().st_size and not has_journal(path))


def _is_readable(connection: sqlite3.Connection) -> bool:
    is_sound = connection.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]
    return is_sound and not connection.execute(_UNREADABLE).fetchall()


def _fill(connection: sqlite3.Connection, changes: Iterable[Mapping[str, Any]], feed: str) -> int:
    """Make a copy of its own. Names are put in sorted, which takes a third of the time."""
    for pragma in (
        *("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{_CACHE_KIB}"),
        *(f"application_id = {APPLICATION}", f"user_version = {FORMAT}"),
    ):
        connection.execute(f"PRAGMA {pragma}")
    connection.executescript(_TABLES)
    connection.execute(_STAGE)
    connection.execute("BEGIN")
    last = 0
    for batch in copied_batches(changes, 0):
        connection.executemany(_PUT_STAGED, batch.rows)
        last = batch.last
    connection.execute(_UNSTAGE)
    connection.execute(_INDEX)
    connection.executemany(_PUT_META, [("last", last), ("feed", feed)])
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode = WAL")
    return last


def _apply(connection: sqlite3.Connection, changes: Iterable[Mapping[str, Any]]) -> int:
    last = _last(connection)
    for batch in copied_batches(changes, last):
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.executemany(_PUT, batch.rows)
            connection.execute(_PUT_META, ("last", batch.last))
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise
        last = batch.last
    return last


def _last(connection: sqlite3.Connection) -> int:
    last = _meta(connection, "last")
    if type(last) is not int:
        raise sqlite3.DatabaseError("The copy doesn't contain the number of its last change.")
    return last


def _meta(connection: sqlite3.Connection, key: str) -> object:
    found = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return found and found[0]


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
