"""The numbers that names were given by, kept beside the database, a file for each prefix.

A database that is restored from a backup does not know which names were given since, and would
give them again. What lies here was not restored with it.
"""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

from app.bundles.file_modes import make_folder

__all__ = ["DamagedGivenNumber", "GivenNumberFolder", "SeenNameChange"]

_LOCK, _SEEN = ".lock", "seen"
_SEED = "seed"  # the suffix of the file with the secret order of a prefix
_DIGITS = 18  # at most, as a database has
_is_number_file = re.compile("[0-9a-f]{64}").fullmatch
_is_seed = re.compile("[0-9a-f]{32,128}").fullmatch
_read_seen = re.compile(f"([0-9a-f]{{0,32}}) ([0-9]{{1,{_DIGITS}}}) ([0-9a-f]{{64}})\n").fullmatch


class DamagedGivenNumber(Exception):
    """A file that does not say which numbers were given, or is not to be had; tells which."""


class SeenNameChange(NamedTuple):
    """The last change of a name that a host saw: its line, its number, the leaf of its event."""

    line: str
    change: int
    leaf: str


class GivenNumberFolder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def next_of(self, prefix: str) -> int:
        """The number after the highest one that is known to be given; 0 where none is.

        Raises DamagedGivenNumber: nobody knows then what was given.
        """
        path = self._path(prefix)
        try:
            lines = _lines_of(path)
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise DamagedGivenNumber(f"{path} can't be read: {error}.") from error
        # without its end the number may have lost digits
        number = lines[1] if len(lines) == 3 and lines[0] == prefix and not lines[2] else ""
        if not (number.isascii() and number.isdigit() and len(number) <= _DIGITS):
            raise DamagedGivenNumber(
                f"{path} doesn't contain the counter of {prefix}. Restore the file from a backup, "
                "or write the prefix and the next number into it."
            )
        return int(number)

    def seed_of(self, prefix: str) -> str:
        """Return the order seed by which numbers of a prefix were given, or "" if none is known.

        Raises DamagedGivenNumber.
        """
        path = self._path(prefix).with_suffix(f".{_SEED}")
        try:
            lines = _lines_of(path)
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise DamagedGivenNumber(f"{path} can't be read: {error}.") from error
        if len(lines) != 3 or lines[0] != prefix or not _is_seed(lines[1]) or lines[2]:
            raise DamagedGivenNumber(
                f"{path} doesn't contain the order seed of {prefix}. "
                "Restore the file from a backup."
            )
        return lines[1]

    def keep(self, prefix: str, following: int, seed: str = "") -> None:
        """Keep that all numbers below one are given; a lower one than is kept changes nothing.

        ``seed`` is the order seed of the prefix, "" to leave it as it is. It is on disk when this
        returns. Raises DamagedGivenNumber.
        """
        try:
            self._keep(prefix, following, seed)
        except OSError as error:
            raise DamagedGivenNumber(f"{self._folder} can't be written: {error}.") from error

    def _keep(self, prefix: str, following: int, seed: str) -> None:
        with self._alone():
            if seed and seed != self.seed_of(prefix):  # first: a number without it means none
                self._put(self._path(prefix).with_suffix(f".{_SEED}"), f"{prefix}\n{seed}\n")
            if following > self.next_of(prefix):
                self._put(self._path(prefix), f"{prefix}\n{following}\n")

    def all_numbers(self) -> dict[str, tuple[int, str]]:
        """Return the number that follows the highest and the order seed, for each prefix.

        Raises DamagedGivenNumber and OSError.
        """
        if not self._folder.exists():
            return {}
        files = [one for one in self._folder.iterdir() if _is_number_file(one.name)]
        prefixes = {file: _lines_of(file)[0] for file in files}
        for file, prefix in prefixes.items():
            if self._path(prefix) != file:
                raise DamagedGivenNumber(
                    f"{file} doesn't contain a counter and its prefix. Restore the file from a "
                    "backup."
                )
        return {one: (self.next_of(one), self.seed_of(one)) for one in prefixes.values()}

    def seen(self) -> SeenNameChange | None:
        """The last change that was seen here; None where none was, or nobody can tell."""
        try:
            found = _read_seen((self._folder / _SEEN).read_text(encoding="ascii"))
        except (OSError, UnicodeDecodeError):
            return None
        return SeenNameChange(found[1], int(found[2]), found[3]) if found else None

    def keep_seen(self, seen: SeenNameChange) -> None:
        """Keep the last change that was seen. It is on disk when this returns."""
        with self._alone():
            self._put(self._folder / _SEEN, f"{seen.line} {seen.change} {seen.leaf}\n")

    def _put(self, path: Path, text: str) -> None:
        with NamedTemporaryFile("w", dir=self._folder, encoding="utf-8", delete=False) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(path)
        _settle(self._folder)

    def _path(self, prefix: str) -> Path:
        return self._folder / sha256(prefix.encode()).hexdigest()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        make_folder(self._folder)
        with (self._folder / _LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _lines_of(path: Path) -> list[str]:
    return path.read_bytes().decode("utf-8", "replace").split("\n")


def _settle(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
