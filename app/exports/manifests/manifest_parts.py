"""A manifest of very many files, as a short list of parts.

A part lists some dozens of files, one a line, and lies by content, as they do. So an edition
that changes a few of 100,000 names shares all but a few of its parts with the one before:
who lays it out, copies it or answers from it reads those few.
"""

import json
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from zlib import crc32

from app.exports.manifests.bundle_files import BadManifest, BundleFile, file_from, file_to
from app.exports.manifests.manifest import Manifest, ManifestPart
from app.registration.records.record_documents import canonical_json

MANY = 2_000  # up to so many files, one list is quicker
_FILES_IN_A_PART = 64  # on average
_BEYOND = "\x7f"  # after every path


def divide_manifest(manifest: Manifest) -> tuple[Manifest, dict[str, bytes]]:
    """The manifest with parts in the place of many files, and their bytes by SHA-256.

    Where a part ends is told by a path alone, so that a file more or less moves no other
    part's end. A manifest of up to ``MANY`` files is given back as it is.
    """
    if len(manifest.files) <= MANY:
        return manifest, {}
    parts: list[ManifestPart] = []
    contents: dict[str, bytes] = {}
    for files in _cut(manifest.files):
        content = _bytes_of(files)
        digest = sha256(content).hexdigest()
        parts.append(ManifestPart(files[0].path, digest, len(content)))
        contents[digest] = content
    return replace(manifest, files=(), parts=tuple(parts)), contents


def read_part(part: ManifestPart, content: bytes, end: str = _BEYOND) -> tuple[BundleFile, ...]:
    """The files that a part lists, from its own path to before ``end``.

    Raises BadManifest for what is no list of files, or one that is not in this order.
    """
    files = tuple(map(_read_line, content.splitlines()))
    if _bytes_of(files) != content:
        raise BadManifest("The part isn't in canonical form.", content)
    paths = [file.path for file in files]
    if paths[:1] != [part.path] or any(a >= b for a, b in pairwise((*paths, end))):
        raise BadManifest(f"The part doesn't list files in order from {part.path} on.", content)
    return files


def find_file(content: bytes, path: str) -> BundleFile | None:
    """The file at a path, from a part that ``read_part`` takes; None if it is not listed."""
    at = content.find(b'"path":%b' % json.dumps(path).encode("ascii"))
    if at < 0:
        return None
    return _read_line(content[content.rfind(b"\n", 0, at) + 1 : content.find(b"\n", at)])


def all_files(
    manifest: Manifest, content_of: Callable[[ManifestPart], bytes], without: Container[str] = ()
) -> Iterator[BundleFile]:
    """Every file of a manifest, in the order of their paths.

    Parts whose SHA-256 is in ``without`` are passed over. Raises BadManifest where another
    is none, or runs into the next.
    """
    yield from manifest.files
    for part, end in pairwise((*manifest.parts, None)):
        if part is not None and part.sha256 not in without:
            yield from read_part(part, content_of(part), end.path if end else _BEYOND)


def files_below(
    manifest: Manifest, path: str, content_of: Callable[[ManifestPart], bytes]
) -> Iterator[BundleFile]:
    """The files whose paths begin with ``path``; parts that can list none of them are not read.

    Raises BadManifest where ``all_files`` does.
    """
    far = {
        part.sha256
        for part, end in pairwise((*manifest.parts, None))
        if part and ((end and end.path <= path) or part.path > path + _BEYOND)
    }
    files = all_files(manifest, content_of, without=far)
    return (file for file in files if file.path.startswith(path))


def _bytes_of(files: Iterable[BundleFile]) -> bytes:
    return "".join(canonical_json(file_to(file)) + "\n" for file in files).encode("ascii")


def _read_line(line: bytes) -> BundleFile:
    try:
        return file_from(json.loads(line))
    except BadManifest:
        raise
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise BadManifest(f"This isn't a list entry of a file: {error}.", line) from error


def _cut(files: tuple[BundleFile, ...]) -> Iterator[list[BundleFile]]:
    part: list[BundleFile] = []
    for file in files:
        part.append(file)
        if crc32(file.path.encode("ascii")) % _FILES_IN_A_PART == 0:
            yield part
            part = []
    if part:
        yield part
