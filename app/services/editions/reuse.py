"""What an edition takes over as it is from an earlier one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from app.bundles.edition_files import name_of
from app.bundles.layout import current_files, current_manifest
from app.exports.manifests.bundle_files import BadManifest, BundleFile, DigestMismatch, EncodedForm
from app.exports.manifests.manifest import Manifest
from app.registration.records.record_documents import Document, head_to
from app.registration.records.registry_records import RegistrySnapshot
from app.services.editions.page_renewal import pages_made_by
from app.services.editions.prefixed_names import mark_in
from app.store.edition_groups import group_at
from app.store.editions import edition_rows
from app.store.registry.edition_snapshots import snapshots_of_touched, successors_at


@dataclass(frozen=True, slots=True)
class ReusableFiles:
    """What a host has and need not make again.

    ``pages`` are those of names, by path. ``forms`` are the encoded forms of the other files
    that a host makes, by media type and SHA-256 of the file.
    """

    pages: Mapping[str, BundleFile] = field(default_factory=dict)
    forms: Mapping[tuple[str, str], tuple[EncodedForm, ...]] = field(default_factory=dict)


def names_touched(edition: int) -> frozenset[str] | None:
    """The names, by their keys, that an edition touched; None where more changed than names.

    A name is touched too where one is that it leads to, since its page names the last of them, and
    where one is that lies under it.
    What a registry says of itself and of people stands beside its names too.
    """
    before, after = snapshots_of_touched(edition)
    if before is None or after is None or before.people != after.people:
        return None
    if _said(before) != _said(after):
        return None
    records = (*before.records(), *after.records())
    names = frozenset(record.key for record in records)
    names |= {above for record in records if (above := record.space.above(record.folded))}
    leading = successors_at(edition)
    while more := {name for name, to in leading.items() if to in names} - names:
        names |= more
    return names


def _said(snapshot: RegistrySnapshot) -> tuple[Document, str]:
    return head_to(snapshot), snapshot.notice


def reusable_files(
    folder: Path, newest: int, made_by: str, listed: Iterable[str] = ()
) -> ReusableFiles:
    """What the newest edition's bundle takes from the current one; nothing where none is read.

    Pages come from the same software and settings alone, and are of names that no edition
    since has touched; and of none of ``listed``, under which names are given, where these are
    others since.
    """
    try:
        current = current_manifest(folder)
        if current is None:
            return ReusableFiles()
        is_same = pages_made_by(current.made_by) == pages_made_by(made_by)
        names = _names_since(current, newest) if is_same else None
        if names is not None and mark_in(current.made_by) != mark_in(made_by):
            names |= {*listed}
        return _among(current_files(folder, current), names)
    except (BadManifest, DigestMismatch, OSError):
        return ReusableFiles()


def _names_since(current: Manifest, newest: int) -> frozenset[str] | None:
    """Those touched since, up to the edition of a key.

    None where more changed, or where the database was put back.
    """
    keys = edition_rows.keys_of(group_at(newest))
    here = keys[current.edition]
    if edition_rows.get_edition(here).as_of.isoformat() != current.as_of:
        return None
    names = frozenset[str]()
    for edition in (key for key in keys.values() if here < key <= newest):
        touched_then = names_touched(edition)
        if touched_then is None:
            return None
        names |= touched_then
    return names


def _among(files: Iterable[BundleFile], touched_since: frozenset[str] | None) -> ReusableFiles:
    """In one pass, since a large registry lists very many files."""
    pages, forms = dict[str, BundleFile](), dict[tuple[str, str], tuple[EncodedForm, ...]]()
    for file in files:
        name = name_of(file.path)
        if file.is_page and name and touched_since is not None and name not in touched_since:
            pages[file.path] = file
        elif file.is_page or not name:
            forms[file.media_type, file.sha256] = file.forms
    return ReusableFiles(pages, forms)
