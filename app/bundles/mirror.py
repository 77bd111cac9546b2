"""Follows another registry: fetches what it publishes, and lays it out here once verified."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

from app.bundles.layout import (
    SHARED,
    current_manifest,
    editions_laid_out,
    lay_out,
    lay_out_edition,
    refuse_older,
)
from app.exports.manifests.bundle_files import BadManifest, BlobReference
from app.exports.manifests.bundle_paths import copies_path, edition_path
from app.exports.manifests.manifest import Manifest, read_manifest
from app.registration.declarations.group_paths import root_group
from app.registration.declarations.registry_groups import GROUPS, RegistryGroup

# A URL, whom to hand its bytes, and how many there may be -> the status of the answer.
Fetch = Callable[[str, Callable[[bytes], object], int], int]

LARGEST_LIST = 64 * 1024 * 1024
LARGEST_FILE = 1024 * 1024 * 1024
LARGEST_RUN = 32 * 1024 * 1024 * 1024  # octets that one run fetches at most
_TRIES = 3


class MirrorSourceError(Exception):
    """The source does not give what it says it publishes; says which address failed."""


class _MirrorFileMissing(MirrorSourceError):
    """What the source's list names is there no longer: it may have published since."""


def mirror_registry(source_url: str, folder: Path, fetch: Fetch, *, mend: bool = False) -> int:
    """Lay out here what the registry at ``source_url`` publishes now; give its edition.

    Each group of registries that it publishes is followed into its own folder, and one that fails
    keeps no other from being followed.
    Only bytes that are not here are fetched, so an interrupted run goes on where it was.
    What editions keep for ever comes first, then the current edition, which is switched to
    in one step. ``mend`` reads again all that lies here, and fetches what is damaged.

    Raises OlderEditionRefused where the source is behind this copy, EditionConflict where its
    history is another, MirrorSourceError, BadManifest or DigestMismatch where it does not give what
    it should or more than ``LARGEST_RUN``, and what ``fetch`` raises; what was current here then
    stays.
    """
    site, fetched = source_url.rstrip("/"), _FetchedOctets()
    followed: dict[str, int] = {}
    failed: list[Exception] = []
    for group in sorted(GROUPS.values(), key=lambda group: not group.is_root):
        source = _MirrorSource(site + copies_path(group), fetch, fetched)
        try:
            if group.is_root or source.is_published():
                followed[group.id] = _try_to_follow(source, folder / group.folder, mend=mend)
        except Exception as error:  # told when the others were followed
            failed.append(error)
    if failed:
        raise failed[0]
    return followed[root_group().id]


def held_editions(folder: Path) -> Iterator[tuple[RegistryGroup, int]]:
    """Each group that a copy holds, that of the whole site first, and its current edition."""
    for group in sorted(GROUPS.values(), key=lambda group: not group.is_root):
        manifest = current_manifest(folder / group.folder)
        if manifest is not None:
            yield group, manifest.edition


def _try_to_follow(source: "_MirrorSource", folder: Path, *, mend: bool) -> int:
    for _ in range(_TRIES - 1):
        with suppress(_MirrorFileMissing):
            return _follow(source, folder, mend=mend)
    return _follow(source, folder, mend=mend)


def _follow(source: "_MirrorSource", folder: Path, *, mend: bool) -> int:
    manifest = source.manifest("manifest.json")
    refuse_older(folder, manifest.edition)
    known = frozenset() if mend else editions_laid_out(folder)
    for number in source.editions():
        if number <= manifest.edition and number not in known:
            lay_out_edition(folder, source.edition(number), source.read, modes=SHARED)
    if mend or not _is_current(folder, manifest):
        lay_out(folder, manifest, source.read, modes=SHARED)
    return manifest.edition


def _is_current(folder: Path, manifest: Manifest) -> bool:
    try:
        return current_manifest(folder) == manifest
    except (BadManifest, OSError):
        return False


@dataclass(slots=True)
class _FetchedOctets:
    total: int = 0


@dataclass(frozen=True, slots=True)
class _MirrorSource:
    root: str
    fetch: Fetch
    fetched: _FetchedOctets

    def is_published(self) -> bool:
        absent = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE, HTTPStatus.SERVICE_UNAVAILABLE)
        return self.fetch(f"{self.root}manifest.json", lambda _: None, LARGEST_LIST) not in absent

    def manifest(self, name: str) -> Manifest:
        return read_manifest(self._content(name, LARGEST_LIST))

    def editions(self) -> list[int]:
        try:
            numbers = json.loads(self._content("editions.json", LARGEST_LIST))["editions"]
            return sorted(int(number) for number in numbers)
        except (ValueError, LookupError, TypeError, RecursionError, OverflowError) as error:
            raise MirrorSourceError(
                f"{self.root}editions.json has no valid list of editions: {error}."
            ) from error

    def edition(self, number: int) -> Manifest:
        manifest = self.manifest(edition_path(number))
        if manifest.edition != number:
            words = (
                f"{self.root}{edition_path(number)} is the manifest of edition {manifest.edition}."
            )
            raise MirrorSourceError(words)
        return manifest

    def read(self, blob: BlobReference) -> bytes:
        if blob.length > LARGEST_FILE:
            raise MirrorSourceError(
                f"{blob.path} is too large: {blob.length} bytes (limit: {LARGEST_FILE})."
            )
        query = f"?path={quote(blob.path, safe='')}"
        return self._content(f"blobs/{blob.sha256}{query}", blob.length)

    def _content(self, name: str, largest: int) -> bytes:
        if self.fetched.total > LARGEST_RUN:
            raise MirrorSourceError(
                f"{self.root} sent more than {LARGEST_RUN:,} bytes in one run. If the source is "
                "really so large, run the command again to continue."
            )
        pieces: list[bytes] = []
        status = self.fetch(self.root + name, pieces.append, largest)
        self.fetched.total += sum(map(len, pieces))
        if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
            raise _MirrorFileMissing(f"{self.root}{name} is missing.")
        if status != HTTPStatus.OK:
            raise MirrorSourceError(f"{self.root}{name} returned status {status}.")
        return b"".join(pieces)
