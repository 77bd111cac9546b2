"""Lays an edition's bundle out on this host, whole, and only then switches to it."""

import fcntl
import logging
import os
import re
import shutil
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import NamedTuple

from app.bundles.file_modes import FILE_MODE, FOLDER_MODE
from app.exports.manifests.bundle_files import (
    BadManifest,
    BlobReference,
    BundleFile,
    DigestMismatch,
    verify_bytes,
)
from app.exports.manifests.bundle_paths import (
    CURRENT,
    HISTORY,
    MANIFEST,
    blob_path,
    bundle_path,
    edition_path,
    find_edition,
    find_owner,
)
from app.exports.manifests.manifest import Manifest, ManifestPart, manifest_bytes, read_manifest
from app.exports.manifests.manifest_parts import all_files, divide_manifest

_log = logging.getLogger(__name__)

ReadBytes = Callable[[BlobReference], bytes]

_INCOMING = "incoming"
# So many new files are made to last by one sync of the whole system, fewer one by one.
_SYNCED_ALONE, _MOST_STAGED, _LARGEST_STAGED = 500, 5_000, 64 * 1024 * 1024
_EDITION = re.compile(r"([1-9][0-9]{0,17})\.json")


class LayoutModes(NamedTuple):
    """The modes of what is laid out: of files and of folders, before any umask."""

    file: int
    folder: int


OWN = LayoutModes(FILE_MODE, FOLDER_MODE)  # the registry's own data folder
SHARED = LayoutModes(0o666, 0o777)  # a copy is for everybody whom its owner's umask lets


class OlderEditionRefused(ValueError):
    """An edition older than the current one, which is switched to only when told."""

    def __init__(self, edition: int, current: int) -> None:
        super().__init__(f"Edition {edition} is older than the current edition {current}.")
        self.edition, self.current = edition, current


class EditionConflict(ValueError):
    """Other files for an edition whose files are laid out for ever."""

    def __init__(self, edition: int) -> None:
        super().__init__(
            f"Edition {edition} is already published with other files, which can't be replaced."
        )
        self.edition = edition


def lay_out(
    folder: Path,
    manifest: Manifest,
    read_bytes: ReadBytes,
    *,
    allow_older: bool = False,
    modes: LayoutModes = OWN,
) -> Path:
    """Write what is missing of a bundle, make it the current one, return its folder.

    ``read_bytes`` is asked by SHA-256 for the bytes that are not there, each once. Two
    processes take turns. Bytes already there are read again, save those of parts that the
    current edition has too; laying the current edition out once more reads all, and so
    mends it. Whatever goes wrong, the current edition stays as it was.

    Raises DigestMismatch where ``read_bytes`` gives others than the manifest names, BadManifest
    where a part is none, and OlderEditionRefused; what ``read_bytes`` and the file system raise
    goes through.
    """
    head, made = divide_manifest(manifest)
    link = bundle_path(head)
    with _alone_in(folder, modes) as writing:
        if not allow_older:
            refuse_older(folder, head.edition)
        is_current = _find_link(folder / CURRENT) == link
        trusted: frozenset[str] = frozenset() if is_current else _parts_of_current(folder)
        _keep_all(writing, head, trusted, _reading(read_bytes, made))
        writing.write(folder / link / MANIFEST, manifest_bytes(head))
        writing.switch(folder / CURRENT, link)
    return folder / link


def lay_out_edition(
    folder: Path, manifest: Manifest, read_bytes: ReadBytes, *, modes: LayoutModes = OWN
) -> Path:
    """Lay out the files that an edition keeps at its own addresses for ever; give their list.

    Raises EditionConflict where the edition is laid out with other files, BadManifest for a
    file or a redirect that is not the edition's own, and what ``lay_out`` raises.
    """
    _refuse_outside(manifest)
    head, made = divide_manifest(manifest)
    content = manifest_bytes(head)
    listed = BlobReference(edition_path(head.edition), sha256(content).hexdigest(), len(content))
    link, target = folder / listed.path, f"../{blob_path(listed.sha256)}"
    with _alone_in(folder, modes) as writing:
        if _find_link(link) not in (None, target):
            raise EditionConflict(head.edition)
        _keep_all(writing, head, (), _reading(read_bytes, made))
        writing.keep(listed, lambda _: content)
        writing.switch(link, target)
    return link


def keep_bytes(folder: Path, bodies: Mapping[str, bytes]) -> None:
    """Lay bytes, by their SHA-256, where a bundle that is laid out later will find them.

    What is there and damaged is mended. Raises what the file system does.
    """
    blobs = (BlobReference(blob_path(digest), digest, len(body)) for digest, body in bodies.items())
    with _alone_in(folder, OWN) as writing:
        for each in blobs:
            writing.keep(each, lambda blob: bodies[blob.sha256])


def current_manifest(folder: Path) -> Manifest | None:
    """The manifest of the current bundle, None where nothing was laid out yet.

    One of very many files names their parts instead. Raises BadManifest or OSError where
    it cannot be read.
    """
    if not (folder / CURRENT).is_symlink():
        return None
    path = folder / CURRENT / MANIFEST
    at = path.stat()
    return _manifest_at(path, (at.st_dev, at.st_ino, at.st_size, at.st_mtime_ns, at.st_ctime_ns))


@lru_cache(maxsize=4)  # a worker asks several times a second
def _manifest_at(path: Path, _seen: tuple[int, ...]) -> Manifest:
    return read_manifest(path.read_bytes())


def is_laid_out(folder: Path, edition: int, made_by: str) -> bool:
    try:
        manifest = current_manifest(folder)
    except (BadManifest, OSError):
        return False
    return manifest is not None and (manifest.edition, manifest.made_by) == (edition, made_by)


def editions_laid_out(folder: Path) -> frozenset[int]:
    """The editions whose own files lie in this folder for ever."""
    try:
        names = [path.name for path in (folder / HISTORY).iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return frozenset()
    return frozenset(int(match[1]) for match in map(_EDITION.fullmatch, names) if match)


def edition_laid_out(folder: Path, edition: int) -> Manifest:
    """The list of what an edition keeps for ever, as it lies here.

    Raises BadManifest, DigestMismatch or OSError where it is missing or damaged.
    """
    digest = (folder / edition_path(edition)).readlink().name
    content = (folder / blob_path(digest)).read_bytes()
    if sha256(content).hexdigest() != digest:
        raise DigestMismatch(edition_path(edition))
    manifest = read_manifest(content)
    if manifest.edition != edition:
        raise BadManifest(f"This is the manifest of edition {manifest.edition}.", edition)
    return manifest


def current_files(folder: Path, manifest: Manifest) -> Iterator[BundleFile]:
    """Every file of the bundle that lies here, whose manifest is given.

    Raises BadManifest, DigestMismatch or OSError where a part of its list is damaged.
    """
    return all_files(manifest, partial(_read_blob, folder))


def refuse_older(folder: Path, edition: int) -> None:
    """Raise OlderEditionRefused for an edition older than the current one."""
    current = find_edition(_find_link(folder / CURRENT) or "")
    if current is not None and edition < current:
        raise OlderEditionRefused(edition, current)


class _LayoutWriter:
    def __init__(self, folder: Path, modes: LayoutModes) -> None:
        self.folder = folder
        self._modes = modes
        self._incoming = folder / _INCOMING
        self._staged: dict[Path, Path] = {}
        self._kept: set[tuple[str, int]] = set()
        self._length = 0

    def keep(self, blob: BlobReference, read_bytes: ReadBytes) -> Path:
        path, key = self.folder / blob_path(blob.sha256), (blob.sha256, blob.length)
        if key not in self._kept and not _is_whole(self._staged.get(path, path), blob):
            self.write(path, verify_bytes(blob, read_bytes(blob)))
        self._kept.add(key)
        return self._staged.get(path, path)

    def write(self, path: Path, content: bytes) -> None:
        staged = self._incoming / str(len(self._staged))
        descriptor = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL, self._modes.file)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        self._staged[path] = staged
        self._length += len(content)
        if len(self._staged) >= _MOST_STAGED or self._length >= _LARGEST_STAGED:
            self.settle()

    def settle(self) -> None:
        if len(self._staged) > _SYNCED_ALONE:
            os.sync()
        else:
            _sync(self._staged.values())
        for path, staged in self._staged.items():
            _make_folder(path.parent, self._modes.folder)
            _put(staged, path)
        folders = {path.parent for path in self._staged}
        _sync(folders | {folder.parent for folder in folders})
        self._staged, self._length = {}, 0

    def switch(self, link: Path, target: str) -> None:
        self.settle()
        if _find_link(link) != target:
            _make_folder(link.parent, self._modes.folder)
            staged = self._incoming / "link"
            staged.symlink_to(target)
            _put(staged, link)
        _sync({link.parent, self.folder})


@contextmanager
def _alone_in(folder: Path, modes: LayoutModes) -> Iterator[_LayoutWriter]:
    folder.parent.mkdir(mode=modes.folder, parents=True, exist_ok=True)
    _make_folder(folder, modes.folder)
    writing = _LayoutWriter(folder, modes)
    with _opened(folder) as descriptor:
        fcntl.flock(descriptor, fcntl.LOCK_EX)  # the kernel frees it, however the process ends
        _clear(folder / _INCOMING)
        for name in ("blobs", "bundles", _INCOMING):
            _make_folder(folder / name, modes.folder)
        try:
            yield writing
        finally:
            with suppress(OSError):  # the failure itself is what is told
                writing.settle()
            _clear(folder / _INCOMING)


def _make_folder(path: Path, mode: int) -> None:
    try:
        path.mkdir(mode=mode, exist_ok=True)
    except FileExistsError:
        _set_aside(path)
        path.mkdir(mode=mode, exist_ok=True)


def _put(staged: Path, path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        _set_aside(path)
    staged.replace(path)


def _set_aside(path: Path) -> None:
    names = (path.with_name(f"{path.name}.aside-{n}") for n in count(1))
    aside = next(name for name in names if not os.path.lexists(name))
    path.rename(aside)
    _log.warning("%s was in the way; moved to %s", path, aside)


def _clear(incoming: Path) -> None:
    if incoming.is_symlink() or incoming.is_file():
        incoming.unlink()
    shutil.rmtree(incoming, ignore_errors=True)


def _keep_all(
    writing: _LayoutWriter, head: Manifest, trusted: Container[str], read_bytes: ReadBytes
) -> None:
    def content_of(part: ManifestPart) -> bytes:
        return verify_bytes(part, writing.keep(part, read_bytes).read_bytes())

    for file in all_files(head, content_of, without=trusted):
        for blob in file.blobs:
            writing.keep(blob, read_bytes)


def _reading(read_bytes: ReadBytes, made: Mapping[str, bytes]) -> ReadBytes:
    return lambda blob: made[blob.sha256] if blob.sha256 in made else read_bytes(blob)


def _parts_of_current(folder: Path) -> frozenset[str]:
    try:
        manifest = current_manifest(folder)
    except (BadManifest, OSError):
        return frozenset()
    return frozenset(part.sha256 for part in manifest.parts) if manifest else frozenset()


def _refuse_outside(manifest: Manifest) -> None:
    named = [file.path for file in manifest.files] + [part.path for part in manifest.parts]
    for path in (*named, *(source for source, _ in manifest.redirects)):
        if find_owner(path) != manifest.edition:
            own = f"/{HISTORY}/{manifest.edition}/"
            raise BadManifest(f"Files and redirects must be below {own}.", path)


def _read_blob(folder: Path, blob: BlobReference) -> bytes:
    return verify_bytes(blob, (folder / blob_path(blob.sha256)).read_bytes())


def _is_whole(path: Path, blob: BlobReference) -> bool:
    try:
        verify_bytes(blob, path.read_bytes())
    except (OSError, DigestMismatch):  # what cannot be read is written anew
        return False
    return True


def _sync(paths: Iterable[Path]) -> None:
    for path in sorted(paths):
        with _opened(path) as descriptor:
            os.fsync(descriptor)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _find_link(path: Path) -> str | None:
    try:
        return str(path.readlink())
    except OSError:
        return None
