"""Lays an edition's bundle out on this host, whole, and only then switches to it."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.exports.bundle import (
    CURRENT,
    MANIFEST,
    BundleFile,
    Manifest,
    WrongBytes,
    blob_path,
    bundle_path,
    find_edition,
    manifest_bytes,
    read_manifest,
    verified,
)

# For everybody to read: the worker that writes and the server that reads may be two users.
_FILE_MODE, _FOLDER_MODE = 0o644, 0o755


class OlderEdition(ValueError):
    """An edition older than the current one, which is switched to only when told."""

    def __init__(self, edition: int, current: int) -> None:
        super().__init__(f"Edition {edition} is older than edition {current}, which is current.")
        self.edition, self.current = edition, current


def lay_out(
    folder: Path,
    manifest: Manifest,
    read_bytes: Callable[[BundleFile], bytes],
    *,
    allow_older: bool = False,
) -> Path:
    """Write what is missing of a bundle, make it the current one, return its folder.

    Two processes take turns. Bytes already there are read again, so that laying a bundle
    out once more mends it. Whatever goes wrong, the current edition stays as it was.

    Raises WrongBytes where ``read_bytes`` gives others than the manifest names, and
    OlderEdition; what ``read_bytes`` and the file system raise goes through.
    """
    link = bundle_path(manifest)
    with _alone_in(folder) as incoming:
        if not allow_older:
            _refuse_older(folder, manifest.edition)
        blobs = {(file.sha256, file.length): file for file in manifest.files}
        _sync({_keep(incoming, folder, file, read_bytes) for file in blobs.values()})
        _write(incoming, folder / link / MANIFEST, manifest_bytes(manifest))
        _sync({folder / link, folder / "bundles", folder / "blobs"})
        _switch(incoming, folder / CURRENT, link)
        _sync({folder})
    return folder / link


def current_manifest(folder: Path) -> Manifest | None:
    """The manifest of the current bundle, None where nothing was laid out yet.

    Raises BadManifest or OSError where it cannot be read.
    """
    if not (folder / CURRENT).is_symlink():
        return None
    return read_manifest((folder / CURRENT / MANIFEST).read_bytes())


@contextmanager
def _alone_in(folder: Path) -> Iterator[Path]:
    """Hold the folder; yield the one temporary name, free before and after."""
    folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    incoming = folder / "incoming"
    with _opened(folder) as descriptor:
        fcntl.flock(descriptor, fcntl.LOCK_EX)  # the kernel frees it, however the process ends
        incoming.unlink(missing_ok=True)
        for name in ("blobs", "bundles"):
            (folder / name).mkdir(mode=_FOLDER_MODE, exist_ok=True)
        try:
            yield incoming
        finally:
            incoming.unlink(missing_ok=True)


def _refuse_older(folder: Path, edition: int) -> None:
    current = find_edition(_find_link(folder / CURRENT) or "")
    if current is not None and edition < current:
        raise OlderEdition(edition, current)


def _keep(
    incoming: Path, folder: Path, file: BundleFile, read_bytes: Callable[[BundleFile], bytes]
) -> Path:
    """See that the bytes of one file are there; return the folder they are in."""
    path = folder / blob_path(file.sha256)
    if not _is_whole(path, file):
        _write(incoming, path, verified(file, read_bytes(file)))
    return path.parent


def _is_whole(path: Path, file: BundleFile) -> bool:
    try:
        verified(file, path.read_bytes())
    except (FileNotFoundError, WrongBytes):
        return False
    return True


def _write(incoming: Path, path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=_FOLDER_MODE, exist_ok=True)
    incoming.touch(mode=_FILE_MODE, exist_ok=False)
    with incoming.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    incoming.replace(path)


def _switch(incoming: Path, current: Path, link: str) -> None:
    if _find_link(current) != link:
        incoming.symlink_to(link)
        incoming.replace(current)


def _sync(folders: set[Path]) -> None:
    """Make the names in these folders outlast a loss of power."""
    for folder in sorted(folders):
        with _opened(folder) as descriptor:
            os.fsync(descriptor)


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _find_link(path: Path) -> str | None:
    try:
        return str(path.readlink())
    except OSError:
        return None
