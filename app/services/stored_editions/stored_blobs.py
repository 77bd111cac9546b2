"""Reads the stored bytes of a bundle from the database, many at once, in the bundle's order."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from app.exports.manifests.bundle_files import BlobReference
from app.exports.manifests.bundle_paths import blob_path
from app.exports.manifests.manifest import Manifest
from app.store.editions import edition_rows

_MOST, _LARGEST = 200, 16 * 1024 * 1024  # of one reading, in blobs and in bytes


class BlobMissing(KeyError):
    """Bytes that a manifest names and that are neither stored nor whole in the folder."""


class BlobReader:
    """The bytes that a manifest names and that a folder does not hold yet."""

    def __init__(self, manifest: Manifest, folder: Path) -> None:
        self._batches = {
            digest: batch for batch in _batched(_missing(manifest, folder)) for digest in batch
        }
        self._held: dict[str, bytes] = {}

    def read(self, blob: BlobReference) -> bytes:
        """The bytes with this hash; raises BlobMissing."""
        digest = blob.sha256
        if digest not in self._held:
            self._held = edition_rows.contents(self._batches.get(digest, (digest,)))
        if digest not in self._held:
            raise BlobMissing(digest)
        return self._held[digest]


def _missing(manifest: Manifest, folder: Path) -> Iterator[BlobReference]:
    seen = set[str]()
    for blob in chain.from_iterable(file.blobs for file in manifest.files):
        if blob.sha256 not in seen and not (folder / blob_path(blob.sha256)).exists():
            seen.add(blob.sha256)
            yield blob


def _batched(blobs: Iterator[BlobReference]) -> Iterator[tuple[str, ...]]:
    batch: list[str] = []
    length = 0
    for blob in blobs:
        batch.append(blob.sha256)
        length += blob.length
        if len(batch) >= _MOST or length >= _LARGEST:
            yield tuple(batch)
            batch, length = [], 0
    yield tuple(batch)
