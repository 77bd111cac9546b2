"""The bytes of a bundle on disk. None leaves here unless they are those that were named."""

import hashlib
import os
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path

from app.exports.manifests.bundle_files import BlobReference, DigestMismatch, verify_bytes
from app.exports.manifests.bundle_paths import blob_path

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
