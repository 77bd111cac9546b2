"""Notes of the leases that workers of this host have in the database.

A lease outlives a killed worker by minutes, but the lock on a file ends with its process. An
unlocked note was therefore left by a killed worker, and the next worker gives its lease back.
"""

import fcntl
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.bundles.file_modes import FILE_MODE, make_folder

__all__ = ["LeaseNotes"]


class LeaseNotes:
    """The notes of one kind of lease in a folder: one file for each worker, locked while it runs.

    ``kind`` is the beginning of their names, in lower-case letters.
    """

    def __init__(self, folder: Path, kind: str) -> None:
        self._folder, self._kind = folder, kind
        self._own: int | None = None  # the descriptor of this worker's file

    def note(self, lease: str) -> None:
        """Note the lease that this worker has now, "" for none."""
        with suppress(OSError):
            if self._own is None:
                with self._alone():
                    self._own = self._begin()
            os.ftruncate(self._own, 0)
            os.pwrite(self._own, lease.encode(), 0)

    def release_left(self, release: Callable[[str], None]) -> None:
        """Call ``release`` with each lease that a killed worker left, then remove its note.

        Raises what ``release`` raises, other than OSError; that note stays for the next call.
        """
        if not self._folder.is_dir():
            return
        with suppress(OSError), self._alone():  # a lease also ends by itself
            for path in sorted(self._folder.glob(f"{self._kind}-*")):
                descriptor = os.open(path, os.O_RDONLY)
                try:
                    if not _lock(descriptor):
                        continue
                    lease = path.read_text(encoding="utf-8", errors="replace")
                    if lease:
                        release(lease)
                    path.unlink()
                finally:
                    os.close(descriptor)

    def _begin(self) -> int:
        path = self._folder / f"{self._kind}-{secrets.token_hex(8)}"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE)
        _lock(descriptor)
        return descriptor

    @contextmanager
    def _alone(self) -> Iterator[None]:
        make_folder(self._folder)
        descriptor = os.open(self._folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
