"""Pages that tell of more than their edition, which are made anew between two of them.

The first page tells of the whole site: of names that other groups published, and of decisions. So
it is made anew when another group has a newer edition and, where decisions are counted, once a
day. So are pages of names, when names are given under another one of them. Every other file of the
bundle stays as it is.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from app.bundles.edition_checks import EditionFile
from app.bundles.edition_files import entries_of
from app.bundles.layout import current_files, current_manifest, keep_bytes, lay_out
from app.exports.content.file_names import registry_folder
from app.exports.manifests.bundle_files import BadManifest, BundleFile, DigestMismatch
from app.pages.site.chrome import SiteTally
from app.registration.declarations.registry_groups import GROUPS, RegistryGroup
from app.services.stored_editions.stored_files import BlobReader
from app.store.editions import edition_rows
from app.store.registry import edition_snapshots
from app.store.requests.decision_times import median_days_to_decision

RenewedPages = Iterable[tuple[str, bytes]]


def maker_of(made_by: str, group: RegistryGroup, mark: str) -> str:
    """By what a group's bundle is made: what makes its pages, and behind that the ``mark`` of what
    they lead to between editions, and what is counted on the first page, where the group has it."""
    made_by = f"{made_by} {mark}".rstrip()
    if not group.is_root:
        return made_by
    newest = {one.id: edition_rows.newest_built(one) for one in GROUPS.values() if one != group}
    told = [f"{name}:{edition}" for name, edition in newest.items() if edition]
    return " ".join([made_by, *told])


def pages_made_by(made_by: str) -> str:
    """What made the pages of a bundle, whatever they tell of what is no part of the edition."""
    return made_by.partition(" ")[0]


def has_its_pages(folder: Path, edition: int, made_by: str) -> bool:
    """Whether an edition lies in a folder with pages so made, whatever they tell besides."""
    try:
        current = current_manifest(folder)
    except (BadManifest, OSError):
        return False
    return (
        current is not None
        and current.edition == edition
        and pages_made_by(current.made_by) == pages_made_by(made_by)
    )


def tally_of(group: RegistryGroup) -> SiteTally:
    """Return the first page's figures: entries of the other groups, and days to a decision."""
    if not group.is_root:
        return SiteTally()
    newest = {one.id: edition_rows.newest_built(one) for one in GROUPS.values() if one != group}
    names = {
        registry_folder(name): edition_snapshots.counts(edition)
        for name, edition in newest.items()
        if edition
    }
    return SiteTally(names, median_days_to_decision())


def renew(
    folder: Path, edition: tuple[int, str], made_by: str, pages: Callable[[str], RenewedPages]
) -> bool:
    """Lay the current bundle out with some pages anew; whether that was all there was to do.

    ``edition`` is the number and the moment of that which is to lie there; ``pages`` are those that
    tell something else since the bundle was made by what it is given. Nothing is done where another
    edition lies there, where the pages were made by something else, or where a file is damaged.
    """
    try:
        current = current_manifest(folder)
        if current is None or (current.edition, current.as_of) != edition:
            return False
        if pages_made_by(current.made_by) != pages_made_by(made_by):
            return False
        files = {file.path: file for file in current_files(folder, current)}
        for path, page in pages(current.made_by):
            files[path] = _entry(folder, files[path], page)
        manifest = replace(current, made_by=made_by, files=tuple(files.values()), parts=())
        lay_out(folder, manifest, BlobReader(manifest, folder).read)
    except (BadManifest, DigestMismatch, OSError, LookupError):
        return False
    return True


def _entry(folder: Path, old: BundleFile, page: bytes) -> BundleFile:
    (made,), bodies = entries_of([EditionFile(old.path, old.media_type, page, old.link)], {})
    keep_bytes(folder, bodies)
    return made
