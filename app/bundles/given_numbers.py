"""The numbers that names were given by, kept beside the database, a file for each prefix.

A database that is restored from a backup does not know which names were given since, and would
give them again. What lies here was not restored with it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from app.bundles.file_modes import make_folder

__all__ = ["DamagedGivenNumber", "GivenNumberFolder"]

_LOCK = ".lock"
_DIGITS = 18  # at most, as a database has


class DamagedGivenNumber(Exception):
    """A file that does not say which numbers were given; tells which, and how it is mended."""


class GivenNumberFolder:
    """A folder of files, each of which has a prefix in its first line and a number in its second.

    Any number of processes of a host may use it at once.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def next_of(self, prefix: str) -> int:
        """The number after the highest one that is known to be given; 0 where none is.

        Raises DamagedGivenNumber: nobody knows then what was given.
        """
        path = self._path(prefix)
        try:
            lines = path.read_bytes().decode("utf-8", "replace").split("\n")
        except FileNotFoundError:
            return 0
        # without its end the number may have lost digits
        number = lines[1] if len(lines) == 3 and lines[0] == prefix and not lines[2] else ""
        if not (number.isascii() and number.isdigit() and len(number) <= _DIGITS):
            raise DamagedGivenNumber(
                f"{path} does not say which numbers were given under {prefix}. Bring it back from "
                "a backup, or write in it the prefix and the number after the last one given."
            )
        return int(number)

    def keep(self, prefix: str, following: int) -> None:
        """Keep that all numbers below one are given; a lower one than is kept changes nothing.

        It is on disk when this returns. Raises DamagedGivenNumber.
        """
        with self._alone():
            if following <= self.next_of(prefix):
                return
            with NamedTemporaryFile("w", dir=self._folder, encoding="utf-8", delete=False) as file:
                file.write(f"{prefix}\n{following}\n")
                file.flush()
                os.fsync(file.fileno())
            Path(file.name).replace(self._path(prefix))
            _settle(self._folder)

    def _path(self, prefix: str) -> Path:
        return self._folder / sha256(prefix.encode()).hexdigest()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        make_folder(self._folder)
        with (self._folder / _LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _settle(folder: Path) -> None:
    """Let a rename be on disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
