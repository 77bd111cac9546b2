"""The files of an edition, made once and kept as bytes: the same on every host, and for ever."""

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path

from app.assigned_names.name_prefixes import read_prefix
from app.assigned_names.name_schemes import NameScheme, find_scheme
from app.bundles.edition_checks import (
    EditionFile,
    EditionRefused,
    check_files,
    withdrawn_names,
)
from app.bundles.edition_files import (
    KnownForms,
    entries_of,
    is_of_archive,
    name_files,
    name_of,
    registry_files,
)
from app.bundles.layout import current_files, current_manifest
from app.exports.content.name_presentation import derived_formats, forms_of
from app.exports.content.publication_site import PublicationSite
from app.exports.editions.atom import SUFFIX as ATOM
from app.exports.editions.atom import atom_bytes, atom_file
from app.exports.extracts.derived_files import DERIVED_FILES, derived_file_name
from app.exports.formats.exporters import FORMATS
from app.exports.manifests.bundle_files import BadManifest, BundleFile, DigestMismatch, EncodedForm
from app.exports.manifests.manifest import Manifest, manifest_bytes
from app.exports.manifests.manifest_parts import divide_manifest
from app.problems import operation_codes, page_codes
from app.registration.declarations.registries import DerivedFormat, Format
from app.registration.declarations.registry_groups import RegistryGroup
from app.registration.records.record_documents import Document, canonical_json, head_to
from app.registration.records.registry_records import Registration, RegistrySnapshot, Status
from app.resolution.outcome_documents import names_under_path
from app.services.editions.page_renewal import pages_made_by
from app.services.editions.version_history import history, step_to
from app.services.refusals import NotFound, Refusal
from app.services.registrations.corrections import is_explained
from app.services.registrations.transfer_decisions import delisting_cause
from app.services.registry.snapshots import current_snapshot, key_of, snapshot_of
from app.services.software_fingerprint import fingerprint
from app.services.stored_editions.stored_files import (
    files_of,
    list_of,
)
from app.store.assigned_names import prefix_rows
from app.store.database import DatabaseTrouble, read_transaction, transaction, trouble_of
from app.store.digests import sha256
from app.store.edition_groups import find_before, group_at
from app.store.editions import edition_rows
from app.store.editions.edition_digests import digests_until
from app.store.editions.edition_lock import sole_builder
from app.store.event_log import event_rows
from app.store.registry.edition_snapshots import snapshots_of_touched, successors_at
from app.store.registry.name_rows import names_made_former
from app.store.registry.record_versions import count_withheld
from app.store.tables.requests import EventSubject

_MARK = "names:"
_LENGTH = 12


def list_paths(group: RegistryGroup) -> Mapping[str, str]:
    """Where it is listed what lies under each name of a group that has a prefix, by its key.

    What lies under a shoulder lies under its NAAN too.
    """
    return dict(_list_paths(group, prefix_rows.registered_names()))


def _list_paths(
    group: RegistryGroup, registered: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    spaces = {space.id: space for space in group.spaces}
    for ident, folded in registered:
        space, scheme = spaces.get(ident), find_scheme(ident)
        if space is None or scheme is None:
            continue
        yield space.about(folded), _list_path(scheme, folded)
        if space.under:
            yield space.above(folded), _list_path(scheme, folded.partition("/")[0])


@lru_cache(maxsize=4_096)  # the worker asks for all of them at each turn
def _list_path(scheme: NameScheme, folded: str) -> str:
    return names_under_path(read_prefix(f"{scheme.id}:{folded}").text)


def mark_of(names: Iterable[str]) -> str:
    """What tells pages that lead to the lists of these from others; empty for no name."""
    keys = sorted(names)
    return f"{_MARK}{sha256(chr(10).join(keys).encode())[:_LENGTH]}" if keys else ""


def mark_in(made_by: str) -> str:
    """The mark in that by which a bundle was made."""
    return next((one for one in made_by.split(" ") if one.startswith(_MARK)), "")


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
    pages, forms = dict[str, BundleFile](), dict[tuple[str, str], tuple[EncodedForm, ...]]()
    for file in files:
        name = name_of(file.path)
        if file.is_page and name and touched_since is not None and name not in touched_since:
            pages[file.path] = file
        elif file.is_page or not name:
            forms[file.media_type, file.sha256] = file.forms
    return ReusableFiles(pages, forms)


BUILT = "edition built"  # the kind of the entry that says so

_log = logging.getLogger(__name__)

_LONGEST_WHY = 2000
_FIND_RECORDS = " To list the records that cause this, run `urn-registry registry withhold`."
_LONGEST_BUILD = timedelta(minutes=15)  # of a hundred thousand names, and more
_AT_ONCE = 2000  # files whose bytes are in memory


def build_pending(
    at: datetime | None, place: PublicationSite, built: Callable[[], None] = lambda: None
) -> list[int]:
    """Make the files of every edition that lacks them, oldest first; give those made.

    ``built`` is called after each that is made, before the next is begun.

    They are told by their keys. An edition that cannot be built is noted for the operator and
    tried again later; those after it are built all the same, since each is whole in itself.
    Without a moment all are tried, also those that failed just now. Where another worker builds,
    this one leaves it to that, unless it takes too long: a process that was stopped holds its
    right.
    """
    if not _unbuilt(at):
        return []
    with sole_builder() as is_alone:
        waiting = _unbuilt(at) if is_alone else _overdue(at)
        return [edition for edition in waiting if _build_or_note(edition, at, place, built)]


def require_built() -> None:
    """Raise Refusal if a newest edition couldn't be built, so that its records aren't published."""
    with read_transaction():
        failed = edition_rows.standing_failures(1)
        numbers = edition_rows.numbers_of([n for n, _, _ in failed])
    for n, _, why in failed:
        raise Refusal(
            operation_codes.EDITION_UNBUILT, f"Edition {numbers[n]} cannot be published. {why}"
        )


def _unbuilt(at: datetime | None) -> list[int]:
    with read_transaction():
        return edition_rows.unbuilt(at)


def _overdue(at: datetime | None) -> list[int]:
    with read_transaction():
        waiting = edition_rows.unbuilt(at) if at else []
        return [
            n for n in waiting if at and at - edition_rows.get_edition(n).as_of > _LONGEST_BUILD
        ]


def _build_or_note(
    edition: int, at: datetime | None, place: PublicationSite, built: Callable[[], None]
) -> bool:
    try:
        _build(edition, place)
    except Exception as error:  # whatever it is, the old edition stays and the operator is told
        if trouble_of(error) in (DatabaseTrouble.DISK_FULL, DatabaseTrouble.READ_ONLY):
            raise  # the cause isn't this edition, and the failure can't be noted either
        why = f"{type(error).__name__}: {error}"[:_LONGEST_WHY]
        if isinstance(error, EditionRefused | ValueError):  # the records, not the machine
            why += _FIND_RECORDS
            _log.error("edition %s cannot be built: %s", edition, why)
        else:
            _log.exception("edition %s cannot be built", edition)
        with transaction():
            edition_rows.note_failure(edition, why, at)
        return False
    built()
    return True


def maker_of(place: PublicationSite) -> str:
    """By what the files of an edition are made: the site, and a fingerprint of the software."""
    return f"{place.base_url} {fingerprint()}"


def _build(edition: int, place: PublicationSite) -> None:
    made_by = maker_of(place)
    with read_transaction():
        snapshot, group = snapshot_of(edition), group_at(edition)
        before = edition_rows.built(group, until=edition)
        earlier = files_of(before[-1]) if before else ()
        kept, names = _kept(edition, earlier, made_by)
        previous = edition_rows.manifest_digest(before[-1]) if before else ""
        rows = history(group, edition)
        archive = _archive(earlier, before, place)
        archived = frozenset(path.rpartition("/")[2] for path in archive)
        files = list(registry_files(snapshot, place, rows, archived))
        records = _records_before(edition)
        check_files(files, snapshot, frozenset(record.key for record in records))
        listed = (record.key for record in records if record.status is not Status.FORMER)
        gone = withdrawn_names(snapshot, frozenset(listed), _recorded(edition))
        files += step_to(snapshot, files, place)
        as_of, modified = moments_of(edition)
        digests, withheld = digests_until(edition)[edition], count_withheld()
    known = {(file.media_type, file.sha256): file.forms for file in earlier}
    own = name_files(snapshot, place, rows, names)
    made = manifest_entries(chain(files, own), known, _storing(earlier))
    manifest = Manifest(
        edition=snapshot.edition,
        as_of=as_of,
        modified=modified,
        previous=previous,
        made_by=made_by,
        files=(*made, *kept, *archive.values()),
        corrections=gone,
    )
    head, parts = divide_manifest(manifest)
    head_bytes = manifest_bytes(head)
    digest = sha256(head_bytes)
    _keep({**parts, digest: head_bytes})
    with transaction():
        if edition_rows.keep_files(edition, digest):
            if count_withheld() != withheld:
                raise EditionRefused(
                    "A record was withheld during the build. The edition is built again."
                )
            _note_built(edition, digest, digests)


def _archive(
    earlier: tuple[BundleFile, ...], before: Sequence[int], place: PublicationSite
) -> Mapping[str, BundleFile]:
    if not before or list_of(before[-1]).made_by.partition(" ")[0] != place.base_url:
        return {}
    return {file.path: file for file in earlier if is_of_archive(file.path)}


def _note_built(edition: int, manifest: str, digests: Mapping[str, str]) -> None:
    event = event_rows.NewEvent(
        at=edition_rows.clock_time(edition_rows.get_edition(edition).as_of),
        kind=BUILT,
        subject=EventSubject.REGISTRY,
        about=str(edition),
        role="registry",
        body=canonical_json({"manifest": manifest}),
    )
    event_rows.append(event, secrets.token_hex(16), digests)


def moments_of(edition: int) -> tuple[str, str]:
    """When an edition was opened; and its Last-Modified, where that is another second."""
    opened, modified = edition_rows.get_edition(edition).as_of, edition_rows.last_modified(edition)
    is_same = modified == opened.replace(microsecond=0)
    return opened.isoformat(), "" if is_same else f"{modified:%Y-%m-%dT%H:%M:%SZ}"


def manifest_entries(
    files: Iterator[EditionFile], known: KnownForms, keep: Callable[[dict[str, bytes]], None]
) -> Iterator[BundleFile]:
    """The files as a manifest lists them; ``keep`` gets their bytes by SHA-256, some at once.

    So the memory holds but some files of a large registry.
    """
    while batch := list(islice(files, _AT_ONCE)):
        entries, bodies = entries_of(batch, known)
        keep(bodies)
        yield from entries


def _storing(earlier: tuple[BundleFile, ...]) -> Callable[[dict[str, bytes]], None]:
    held = {blob.sha256 for file in earlier for blob in file.blobs}

    def keep(bodies: dict[str, bytes]) -> None:
        _keep({digest: body for digest, body in bodies.items() if digest not in held})

    return keep


def _keep(bodies: Mapping[str, bytes]) -> None:
    made = edition_rows.packed_bytes(bodies)
    with transaction():
        edition_rows.keep_bytes(made)


def _records_before(edition: int) -> tuple[Registration, ...]:
    before = find_before(edition)
    return tuple(snapshot_of(before).records()) if before else ()


def _recorded(edition: int) -> dict[str, str]:
    why = delisting_cause(edition)
    return {
        name: successor or why
        for name, (cause, successor) in names_made_former(edition).items()
        if is_explained(cause, edition)
    }


def _kept(
    edition: int, earlier: tuple[BundleFile, ...], made_by: str
) -> tuple[tuple[BundleFile, ...], frozenset[str] | None]:
    before, group = find_before(edition), group_at(edition)
    if before is None or before not in edition_rows.built(group, until=edition):
        return (), None
    is_same = list_of(before).made_by == made_by
    names = names_touched(edition) if is_same else None
    if names is None:
        return (), None
    kept = (file for file in earlier if (name := name_of(file.path)) and name not in names)
    return tuple(kept), names


def export_files(
    group: RegistryGroup, form: str, number: int | None, place: PublicationSite
) -> list[tuple[str, bytes]]:
    """The files of a format, of the feed or of a derived file by name, that of the whole first.

    They are the group's newest edition's where none is named; NotFound where it is not there, or
    the group has no such files.
    """
    asked = None if number is None else key_of(group, number)
    snapshot = current_snapshot(group) if asked is None else snapshot_of(asked)
    _refuse_undeclared(form, snapshot)
    if form == ATOM:
        feed = atom_bytes(snapshot, history(group, asked), place)
        return [(atom_file(snapshot), feed)]
    if form in frozenset(map(str, DerivedFormat)):
        derived = DerivedFormat(form)
        return [
            (
                derived_file_name(snapshot, derived),
                DERIVED_FILES[derived].bytes_of(snapshot, derived),
            )
        ]
    return list(FORMATS[Format(form)].files(snapshot, place))


def _refuse_undeclared(form: str, snapshot: RegistrySnapshot) -> None:
    tables = snapshot.registries
    forms = {str(each) for table in tables for each in forms_of(table)} if tables else {*Format}
    having = {*forms, ATOM, *map(str, derived_formats(snapshot))}
    if form not in having:
        told = f"`{snapshot.id}` has no {form} format. Choose one of: {', '.join(sorted(having))}."
        raise NotFound(page_codes.FORMAT_UNKNOWN, told)
