"""The files of the editions that were built, as they are stored; editions by their keys."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path

from app.exports.editions.edition_list import edition_path
from app.exports.manifests.bundle_files import BlobReference, BundleFile
from app.exports.manifests.bundle_paths import blob_path
from app.exports.manifests.manifest import Manifest, ManifestPart, read_manifest
from app.exports.manifests.manifest_parts import all_files, files_below
from app.problems import page_codes
from app.registration.declarations.registry_groups import RegistryGroup
from app.services.refusals import EditionAwaited, NotFound, Refusal
from app.store.editions import edition_rows

_MOST_HELD = 1_024  # editions whose addresses are kept in memory, since they never change
_MOST_READ = 2  # lists that are kept: an edition's and that of the one before


def list_of(edition: int) -> Manifest:
    """The list of an edition's files, or of their parts; KeyError where it is not built."""
    return _list(edition_rows.manifest_digest(edition))


@lru_cache(maxsize=_MOST_READ)  # to build and to lay out an edition each ask for it several times
def _list(digest: str) -> Manifest:
    return read_manifest(edition_rows.content(digest))


def files_of(edition: int) -> tuple[BundleFile, ...]:
    """The files that are kept of an edition, by path; KeyError where it is not built."""
    return tuple(all_files(list_of(edition), _part))


def files_of_below(edition: int, *paths: str) -> tuple[BundleFile, ...]:
    """Those whose paths begin with one of these; KeyError where the edition is not built."""
    listed = list_of(edition)
    return tuple(file for path in paths for file in files_below(listed, path, _part))


def kept_by(edition: int) -> frozenset[str] | None:
    """The addresses at which an edition keeps files for ever; None where it is not built."""
    try:
        digest = edition_rows.manifest_digest(edition)
    except KeyError:
        return None
    return _kept_by(edition, digest)


def lasting_paths(group: RegistryGroup, number: int) -> frozenset[str] | None:
    """The addresses at which an edition of a group keeps files for ever; None likewise."""
    found = edition_rows.find_numbered(group, number)
    return kept_by(found.n) if found else None


@lru_cache(maxsize=_MOST_HELD)
def _kept_by(edition: int, _digest: str) -> frozenset[str]:
    return frozenset(file.path for file in files_of_below(edition, own_path(edition)))


def own_path(edition: int) -> str:
    """The address below which an edition keeps files for ever; KeyError where there is none."""
    found = edition_rows.get_edition(edition)
    return edition_path(found.number, group=found.group_id)


def content_at(edition: int, path: str) -> bytes:
    """The bytes that an edition keeps at a path; KeyError where it keeps none."""
    for file in files_of_below(edition, path):
        if file.path == path:
            return edition_rows.content(file.sha256)
    raise KeyError(path)


def absence_reason(edition: int, path: str) -> Refusal:
    """Say why a file of an edition is missing: it doesn't exist, or isn't published here yet."""
    if _is_listed(edition, path):
        told = "This edition is being published. Try again in 30 seconds."
        return EditionAwaited(page_codes.FILE_UNPUBLISHED, told)
    told = "This edition has no file at this address. Its page lists all files."
    return NotFound(page_codes.FORMAT_UNKNOWN, told)


def _is_listed(edition: int, path: str) -> bool:
    try:
        rests = (file.path.removeprefix(path) for file in files_of_below(edition, path))
        return any(rest[:1] in ("", ".") for rest in rests)
    except KeyError:
        return True


def _part(part: ManifestPart) -> bytes:
    return edition_rows.content(part.sha256)


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
