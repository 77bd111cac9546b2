"""The bytes of a bundle on disk. None leaves here unless they are those that were named."""

import hashlib
import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from io import BufferedReader
from pathlib import Path

from app.exports.manifests.bundle_files import (
    BadManifest,
    BlobReference,
    BundleFile,
    DigestMismatch,
    verify_bytes,
)
from app.exports.manifests.bundle_paths import blob_path
from app.exports.manifests.manifest import STANDING, Manifest
from app.exports.manifests.manifest_parts import find_file
from app.published.http.problems import MediaTypeOffer

LARGEST_READ = 1024 * 1024  # more bytes than this are sent piece by piece
_BLOCK = 64 * 1024
_MOST_KNOWN = 4_096


class DamagedBlob(Exception):
    """Bytes that cannot be read, or are not the ones that their SHA-256 names."""


class BlobFolder:
    """Reads what lies by content in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._whole: dict[str, tuple[int, ...]] = {}

    def read(self, blob: BlobReference) -> bytes:
        """Raises DamagedBlob."""
        try:
            with self._path(blob).open("rb") as file:
                return verify_bytes(blob, file.read(blob.length + 1))
        except (OSError, DigestMismatch) as error:
            raise DamagedBlob(str(error)) from error

    def open(self, blob: BlobReference) -> BufferedReader:
        """A file of these bytes, verified unless that was done since it last changed. Raises
        DamagedBlob."""
        try:
            file = self._path(blob).open("rb")
        except OSError as error:
            raise DamagedBlob(str(error)) from error
        try:
            self._verify(blob, file)
        except BaseException:
            file.close()
            raise
        return file

    def _path(self, blob: BlobReference) -> Path:
        return self.folder / blob_path(blob.sha256)

    def _verify(self, blob: BlobReference, file: BufferedReader) -> None:
        try:
            at = os.fstat(file.fileno())
            seen = (at.st_dev, at.st_ino, at.st_size, at.st_mtime_ns, at.st_ctime_ns)
            if self._whole.get(blob.sha256) == seen:
                return
            if hashlib.file_digest(file, "sha256").hexdigest() != blob.sha256:
                raise DamagedBlob(str(DigestMismatch(blob.path)))
            file.seek(0)
        except OSError as error:
            raise DamagedBlob(str(error)) from error
        if len(self._whole) >= _MOST_KNOWN:
            self._whole.clear()
        self._whole[blob.sha256] = seen


class FileBody:
    """A run of bytes of an open file, piece by piece; closes it in the end.

    ``whole`` is the file itself where these are all of it, for servers that send files.
    """

    def __init__(self, file: BufferedReader, length: int, *, is_whole: bool = False) -> None:
        self._file, self._left = file, length
        self.whole = file if is_whole else None

    def __iter__(self) -> Iterator[bytes]:
        while self._left > 0:
            piece = self._file.read(min(_BLOCK, self._left))
            if not piece:
                return
            self._left -= len(piece)
            yield piece

    def close(self) -> None:
        self._file.close()


_PARTS_HELD = 512


class ManifestIndex:
    """Finds the files of one manifest, and what Accept may choose; the parts as needed.

    ``named`` are the bytes that the manifest itself names, by SHA-256.
    """

    def __init__(self, manifest: Manifest, blobs: BlobFolder) -> None:
        self._files = {file.path: file for file in manifest.files}
        self._parts = manifest.parts
        self._firsts = [part.path for part in manifest.parts]
        self._read = lru_cache(maxsize=_PARTS_HELD)(blobs.read)
        self._rules = {path: targets for path, targets in manifest.negotiated if path[-1] != "}"}
        self._stems = [
            (path.removesuffix(STANDING), targets)
            for path, targets in manifest.negotiated
            if path.endswith(STANDING)
        ]
        self.named = {part.sha256: BlobReference(*part) for part in manifest.parts} | {
            blob.sha256: blob for file in manifest.files for blob in file.blobs
        }

    @property
    def listed(self) -> Iterable[str]:
        return self._files

    def find(self, path: str) -> BundleFile | None:
        """The file at a path. Raises DamagedBlob where the part that would list it is not whole."""
        if not self._parts:
            return self._files.get(path)
        at = bisect_right(self._firsts, path) - 1
        try:
            return find_file(self._read(self._parts[at]), path) if at >= 0 else None
        except BadManifest as error:
            raise DamagedBlob(f"The part of {path} isn't a list of files: {error}") from error

    def find_offer(self, path: str) -> MediaTypeOffer | None:
        files = [file for target in self._targets(path) if (file := self.find(target))]
        if not files or [file.path for file in files] == [path]:
            return None
        return MediaTypeOffer(tuple(f.media_type for f in files), tuple(f.path for f in files))

    def _targets(self, path: str) -> Iterator[str]:
        if path in self._rules:
            yield from self._rules[path]
            return
        for stem, targets in self._stems:
            rest = path.removeprefix(stem)
            if rest and rest != path:
                yield from (target.replace(STANDING, rest) for target in targets)
