"""The files of an edition, made once and kept as bytes: the same on every host, and for ever."""

import logging
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain, islice

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
from app.exports.content.publication_site import PublicationSite
from app.exports.manifests.bundle_files import BundleFile
from app.exports.manifests.manifest import Manifest, manifest_bytes
from app.exports.manifests.manifest_parts import divide_manifest
from app.problems import operation_codes
from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import Registration, Status
from app.services.editions.changelog import history
from app.services.editions.deltas import step_to
from app.services.editions.reuse import names_touched
from app.services.refusals import Refusal
from app.services.registrations.corrections import is_explained
from app.services.registrations.former_names import delisting_cause
from app.services.registry.snapshots import snapshot_of
from app.services.software_fingerprint import fingerprint
from app.services.stored_editions.stored_files import (
    files_of,
    list_of,
)
from app.store.database import DatabaseTrouble, read_transaction, transaction, trouble_of
from app.store.digests import sha256
from app.store.edition_groups import find_before, group_at
from app.store.editions import edition_rows
from app.store.editions.edition_digests import digests_until
from app.store.editions.edition_lock import sole_builder
from app.store.event_log import event_rows
from app.store.registry.name_rows import names_made_former
from app.store.registry.record_versions import count_withheld
from app.store.tables.requests import EventSubject

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
    """What whoever builds should have built by now; to build it twice does no harm."""
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
    """An edition never changes, so that its files are made before anything is locked.

    Bytes go into the database as they are made: of a large registry they would fill the
    memory, and to write them at once would keep everybody else from writing for minutes.
    """
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
    """The pages of the feed's archive that there are: each is made once, unless the site moved."""
    if not before or list_of(before[-1]).made_by.partition(" ")[0] != place.base_url:
        return {}
    return {file.path: file for file in earlier if is_of_archive(file.path)}


def _note_built(edition: int, manifest: str, digests: Mapping[str, str]) -> None:
    """Whoever knows this entry of the record knows every byte of the edition, and of all before."""
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
    """What became of the names that an edition says why it no longer lists.

    It is the name that took its place, or by what else it left the list.
    """
    why = delisting_cause(edition)
    return {
        name: successor or why
        for name, (cause, successor) in names_made_former(edition).items()
        if is_explained(cause, edition)
    }


def _kept(
    edition: int, earlier: tuple[BundleFile, ...], made_by: str
) -> tuple[tuple[BundleFile, ...], frozenset[str] | None]:
    """The files of names that this edition did not touch, and the names that it did.

    None and no files where all are to be made: after other software or another address,
    and where more changed than names.
    """
    before, group = find_before(edition), group_at(edition)
    if before is None or before not in edition_rows.built(group, until=edition):
        return (), None
    is_same = list_of(before).made_by == made_by
    names = names_touched(edition) if is_same else None
    if names is None:
        return (), None
    kept = (file for file in earlier if (name := name_of(file.path)) and name not in names)
    return tuple(kept), names
