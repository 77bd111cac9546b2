"""The files that every edition keeps at its own addresses for ever, read from disk."""

import re
from datetime import datetime
from functools import lru_cache

from app.exports.manifests.bundle_files import BadManifest, BlobReference
from app.exports.manifests.bundle_paths import HISTORY, blob_path, edition_path, find_owner
from app.exports.manifests.manifest import read_manifest
from app.published.blobs import BlobFolder, DamagedBlob
from app.published.edition import PublishedEdition
from app.published.http.representation import Representation

_NAME = re.compile(r"([1-9][0-9]{0,17})\.json")
_MOST_HELD = 32


class EditionHistory:
    """Finds the edition that a path belongs to; each is read when it is asked for."""

    def __init__(self, blobs: BlobFolder) -> None:
        self._blobs = blobs
        # They never change, so what is held needs no second look.
        self._edition = lru_cache(maxsize=_MOST_HELD)(self._read)
        self._moments: dict[int, datetime] = {}

    def find(self, path: str) -> PublishedEdition | None:
        """Raises DamagedBlob where its list is not whole."""
        owner = find_owner(path)
        try:
            return self._edition(owner) if owner is not None else None
        except KeyError:
            return None

    def find_file(self, path: str) -> Representation | None:
        """Raises DamagedBlob."""
        owner = self.find(path)
        return owner.find(path) if owner else None

    def find_list(self, number: int) -> BlobReference | None:
        """The bytes that list an edition's files. Raises DamagedBlob."""
        path = self._blobs.folder / edition_path(number)
        try:
            digest = path.readlink().name
            length = (self._blobs.folder / blob_path(digest)).stat().st_size
        except FileNotFoundError:
            if path.is_symlink():
                raise DamagedBlob(f"The list of edition {number} is missing.") from None
            return None
        except OSError as error:
            raise DamagedBlob(str(error)) from error
        return BlobReference(path.name, digest, length)

    def numbers(self) -> list[int]:
        try:
            names = [path.name for path in (self._blobs.folder / HISTORY).iterdir()]
        except OSError:
            return []
        return sorted(int(match[1]) for match in map(_NAME.fullmatch, names) if match)

    def moment(self, number: int) -> datetime:
        """Raises DamagedBlob."""
        try:
            known = self._moments.get(number)
            return known or self._moments.setdefault(number, self._edition(number).moment)
        except KeyError:
            raise DamagedBlob(f"The list of edition {number} is missing.") from None

    def _read(self, number: int) -> PublishedEdition:
        listed = self.find_list(number)
        if listed is None:
            raise KeyError(number)  # not cached: it may come
        try:
            manifest = read_manifest(self._blobs.read(listed))
        except BadManifest as error:
            raise DamagedBlob(str(error)) from error
        if manifest.edition != number:
            raise DamagedBlob(f"The list of edition {number} is for edition {manifest.edition}.")
        return PublishedEdition(manifest, self._blobs, is_lasting=True)
