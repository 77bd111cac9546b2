"""The files of the editions that were built, as they are stored."""

from app.exports.bundle import BundleFile, Manifest, Part, read_manifest
from app.exports.parts import all_files, files_below
from app.store import editions


def list_of(edition: int) -> Manifest:
    """The list of an edition's files, or of their parts; KeyError where it is not built."""
    return read_manifest(editions.manifest_of(edition))


def files_of(edition: int) -> tuple[BundleFile, ...]:
    """The files that are kept of an edition, by path; KeyError where it is not built."""
    return tuple(all_files(list_of(edition), _part))


def files_of_below(edition: int, *paths: str) -> tuple[BundleFile, ...]:
    """Those whose paths begin with one of these; KeyError where the edition is not built."""
    listed = list_of(edition)
    return tuple(file for path in paths for file in files_below(listed, path, _part))


def content_at(edition: int, path: str) -> bytes:
    """The bytes that an edition keeps at a path; KeyError where it keeps none."""
    for file in files_of_below(edition, path):
        if file.path == path:
            return editions.content(file.sha256)
    raise KeyError(path)


def _part(part: Part) -> bytes:
    return editions.content(part.sha256)
