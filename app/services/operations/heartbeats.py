"""Heartbeats: the status of a host, reported by its worker every few seconds."""

import os
import re
import secrets
import shutil
import socket
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from email.message import EmailMessage
from importlib.metadata import version
from pathlib import Path
from threading import Lock

from app.bundles.file_modes import make_file, make_folder
from app.exports.manifests.bundle_paths import CURRENT, find_edition
from app.messages.delivery_errors import DeliveryError, MessageDeferred, MessageRejected
from app.messages.mailed_tokens import without_tokens
from app.services.operations.database_binding import is_passing, outage_of
from app.store.administration import host_rows
from app.store.administration.host_rows import HostHeartbeat
from app.store.database import db, transaction

PUBLISHING, MAILING = "publishing", "mailing"  # the tasks whose last success is reported
_FILE = "host-id"
_IDENT = re.compile(r"[0-9a-f]{32}")
_ADDRESS = re.compile(r"(?<![^\s<>@])[^\s<>@]*@[^\s<>]*")  # only at the start of a word
_LONGEST_WORDS, _LONGEST_LABEL = 300, 255

Deliver = Callable[[EmailMessage], None]


class WorkLog:
    """Last results of a worker's tasks, with their ages because clocks of hosts differ."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._began = clock()
        self._done: dict[str, float] = {}
        self._heard: tuple[float, str] | None = None
        self.trouble = ""

    def note(self, lane: str, failures: Sequence[Exception]) -> None:
        """Note the success or the failures of a task."""
        with self._lock:
            if not failures:
                self._done[lane] = self._clock()
            if lane == PUBLISHING:
                # a sign of life that is saved shows that the database is there again
                standing = [error for error in failures if not is_passing(error)]
                self.trouble = "; ".join(map(_words, standing))

    def hearing(self, deliver: Deliver) -> Deliver:
        """Wrap ``deliver`` and note the replies of the mail server."""

        def heard(message: EmailMessage) -> None:
            try:
                deliver(message)
            except (MessageRejected, MessageDeferred):  # only this message was refused
                raise
            except Exception as error:
                self._hear(_words(error))
                raise
            self._hear("")

        return heard

    def _hear(self, words: str) -> None:
        with self._lock:
            self._heard = self._clock(), words

    @property
    def age(self) -> timedelta:
        """How long the worker has been running."""
        return timedelta(seconds=self._clock() - self._began)

    def since(self, lane: str) -> timedelta | None:
        """Return the time since a task last succeeded, or None."""
        with self._lock:
            done = self._done.get(lane)
        return None if done is None else timedelta(seconds=self._clock() - done)

    @property
    def heard(self) -> tuple[timedelta | None, str]:
        """The time since the last reply of the mail server, and its error or ""."""
        with self._lock:
            heard = self._heard
        return (None, "") if heard is None else (_seconds(self._clock() - heard[0]), heard[1])


def _seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


def _words(error: Exception) -> str:
    outage = outage_of(error)
    told = ": ".join(outage) if outage else str(error)
    said = _ADDRESS.sub("(an address)", without_tokens(told)).replace("\0", "")
    kind = "" if outage or isinstance(error, DeliveryError) else type(error).__name__
    return ": ".join(filter(None, (kind, said)))[:_LONGEST_WORDS] or type(error).__name__


def give_sign(folder: Path, log: WorkLog, *, sends: bool) -> None:
    """Store a heartbeat: the edition of this host and the results of its tasks."""
    sign = _sign(folder, log, sends=sends)
    with transaction():
        host_rows.keep_sign(sign)


def sign_off(folder: Path) -> None:
    """Remove this host from the list, because its worker was stopped on purpose."""
    ident = find_identity(folder.parent)
    if ident is not None:
        with transaction():
            host_rows.forget_host(ident)


def _sign(folder: Path, log: WorkLog, *, sends: bool) -> HostHeartbeat:
    disk = shutil.disk_usage(folder.parent)
    heard, said = log.heard
    return HostHeartbeat(
        id=host_identity(folder.parent),
        label=socket.gethostname()[:_LONGEST_LABEL],
        version=version("urn-registry"),
        edition=edition_in(folder),
        free_bytes=disk.free,
        total_bytes=disk.total,
        sends=sends,
        age=log.age,
        published=log.since(PUBLISHING),
        mailed=log.since(MAILING),
        trouble=log.trouble,
        heard=heard,
        said=said,
    )


def edition_in(folder: Path) -> int | None:
    """Return the current edition in a folder, or None."""
    try:
        return find_edition(str((folder / CURRENT).readlink()))
    except OSError:
        return None


def find_identity(data_dir: Path) -> str | None:
    """Return the ID of this host, or None if its worker never ran."""
    try:
        text = (data_dir / _FILE).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return text if _IDENT.fullmatch(text) else None


def host_identity(data_dir: Path) -> str:
    """Return the ID of this host. Create a random one if it is missing."""
    known = find_identity(data_dir)
    if known is None:
        _keep_identity(data_dir / _FILE, secrets.token_hex(16))
        known = find_identity(data_dir)
    if known is None:
        raise OSError(f"{data_dir / _FILE} can't be read. Remove it: a new one is created.")
    return known


def _keep_identity(kept: Path, ident: str) -> None:
    make_folder(kept.parent)
    made = kept.with_suffix(f".{secrets.token_hex(8)}")  # several threads can create it
    make_file(made)
    made.write_text(ident, encoding="ascii")
    try:
        with suppress(FileExistsError):
            os.link(made, kept)
    finally:
        made.unlink()


class ChangeWatch:
    """A number that SQLite changes when another connection commits.

    Reading it takes a few microseconds and no lock. Other databases have no such number.
    """

    def __init__(self) -> None:
        self._connection: sqlite3.Connection | None = None
        path = db.engine.url.database
        if db.engine.dialect.name == "sqlite" and path and Path(path).is_absolute():
            with suppress(sqlite3.Error):
                address = f"{Path(path).as_uri()}?mode=ro"
                self._connection = sqlite3.connect(address, uri=True, isolation_level=None)

    def version(self) -> int | None:
        """Return a number that stays the same while nothing changes; None where unknown."""
        if self._connection is None:
            return None
        try:
            number: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        except sqlite3.Error:
            return None
        return number

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
