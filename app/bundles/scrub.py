"""Looking again at the bytes that lie in a folder: what was damaged there since is found."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import file_digest
from pathlib import Path
from typing import NamedTuple

from app.bundles.layout import current_files, current_manifest, edition_laid_out, editions_laid_out
from app.exports.manifests.bundle_files import BadManifest, DigestMismatch
from app.exports.manifests.bundle_paths import blob_path, edition_path
from app.exports.manifests.manifest import Manifest

_MOST, _LARGEST = 2_000, 16 * 1024 * 1024  # of one turn, in files looked at and in bytes read
_REST = 40  # times as long as it took of the processor: what is whole costs a host next to nothing
_MOST_KNOWN = 200_000
_KNOWN_FOR = timedelta(days=1)  # a disk can lose bytes without a word

_Seen = tuple[int, int, int, int]


class Damage(NamedTuple):
    """Bytes that are missing or are others: their SHA-256, and the edition whose list they are."""

    sha256: str
    edition: int = 0


class Scrub:
    """Reads what lies in a folder, some of it in each turn, and begins anew at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._place = folder, os.fspath(folder)
        self._rest = _listed(folder)
        self._whole: dict[str, _Seen] = {}
        self._since: datetime | None = None
        self._next: datetime | None = None

    def find_damage(self, at: datetime) -> tuple[Damage, ...]:
        """What is damaged of what this turn looks at; nothing is looked at in too short a time
        after the turn before."""
        if self._next is not None and at < self._next:
            return ()
        begun = time.thread_time()
        found = self._turn(at)
        self._next = at + timedelta(seconds=_REST * (time.thread_time() - begun))
        return found

    def _turn(self, at: datetime) -> tuple[Damage, ...]:
        if self._since is None or at - self._since > _KNOWN_FOR:
            self._whole, self._since = {}, at
        found: list[Damage] = []
        left = _LARGEST
        for _ in range(_MOST):
            blob = next(self._rest, None)
            if blob is None:  # the end: the next turn begins anew
                self._rest = _listed(self._folder)
                break
            read = self._read(blob)
            found += [blob] if read is None else []
            left -= read or 0
            if left < 0:
                break
        return tuple(found)

    def _read(self, blob: Damage) -> int | None:
        path = f"{self._place}/{blob_path(blob.sha256)}"
        try:
            at = os.stat(path)  # noqa: PTH116 — no Path is made for each of very many files
            seen = (at.st_ino, at.st_size, at.st_mtime_ns, at.st_ctime_ns)
            if self._whole.get(blob.sha256) == seen:
                return 0
            with Path(path).open("rb") as file:
                is_whole = file_digest(file, "sha256").hexdigest() == blob.sha256
        except OSError:
            is_whole = False
        if not is_whole:
            return None
        if len(self._whole) >= _MOST_KNOWN:
            self._whole.clear()
        self._whole[blob.sha256] = seen
        return at.st_size


def _listed(folder: Path) -> Iterator[Damage]:
    with suppress(OSError, BadManifest, DigestMismatch):
        yield from _named(folder, current_manifest(folder))
    for number in sorted(editions_laid_out(folder), reverse=True):
        yield from _of_edition(folder, number)


def _of_edition(folder: Path, number: int) -> Iterator[Damage]:
    try:
        yield Damage((folder / edition_path(number)).readlink().name, number)
    except OSError:
        yield Damage("", number)  # no link, so that no list is found
    with suppress(OSError, BadManifest, DigestMismatch):
        yield from _named(folder, edition_laid_out(folder, number))


def _named(folder: Path, manifest: Manifest | None) -> Iterator[Damage]:
    if manifest is None:
        return
    yield from (Damage(part.sha256) for part in manifest.parts)
    for file in current_files(folder, manifest):
        yield from (Damage(blob.sha256) for blob in file.blobs)


@lru_cache(maxsize=8)
def scrub_of(folder: Path) -> Scrub:
    return Scrub(folder)
