"""Verify published editions, records and the event log."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from app.bundles.layout import editions_laid_out
from app.exports.manifests.bundle_files import (
    BadManifest,
    BlobReference,
    BundleFile,
    DigestMismatch,
    EncodedForm,
    verify_bytes,
)
from app.exports.manifests.bundle_paths import (
    CURRENT,
    MANIFEST,
    blob_path,
    bundle_path,
    edition_path,
)
from app.exports.manifests.encodings import decode_form
from app.exports.manifests.manifest import Manifest, ManifestPart, read_manifest
from app.exports.manifests.manifest_parts import all_files
from app.registration.records.registry_records import Status
from app.services.operations.edition_chain import ListedEdition, broken_chain, recovered_editions
from app.services.operations.edition_order import (
    acknowledged_editions,
    changed_moments,
    disorder_told,
    edition_label,
    editions_by_group,
    editions_out_of_order,
)
from app.services.operations.event_replay import replay_differences, replay_events
from app.services.registrations.corrections import is_explained
from app.services.registry.withheld_records import WITHHELD
from app.store.database import read_transaction
from app.store.digests import sha256
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import name_rows
from app.store.registry import record_versions as names
from app.store.tables import Edition
from app.store.tables.requests import EventSubject

# What is read and how many -> a function that reports progress.
Begin = Callable[[str, int], Callable[[int], None]]
Say = Callable[[str], None]  # a note that isn't a problem
# SHA-256s -> the bytes of those that are there.
ReadMany = Callable[[Sequence[str]], dict[str, bytes]]

_UNTOLD = (
    "Not verified, because the event log doesn't cover them: drafts, private values, managers of "
    "namespaces, panels, mail and sessions."
)
_AT_ONCE, _LARGEST = 200, 32 * 1024 * 1024  # of one reading, in files and in bytes


def verify_database(begin: Begin, say: Say = lambda _: None) -> Iterator[str]:
    """Yield the problems of the database, one sentence each.

    Checks every manifest, file and encoded form, every version of a record, the numbers and dates
    of editions, removed names, every entry of the event log, and that the tables match the entries.
    ``say`` gets notes that aren't problems.
    """
    with read_transaction():
        every = edition_rows.every_edition()
        yield from _out_of_order(every, say)
        yield from _unbuilt({row.n: row for row in every})
        yield from _broken_names(begin)
        yield from _not_replayed(begin, say)
        digests, files = edition_rows.manifest_digests(), _EditionFileChecker(edition_rows.contents)
        tell = begin("editions read", len(digests))
        for done, (key, digest) in enumerate(digests.items(), 1):
            edition = edition_rows.get_edition(key)
            yield from files.problems_of(key, edition.number, digest, edition_label(edition))
            tell(done)
        yield from broken_chain(every, digests, files.listed)
        yield from _other_moments(every, files.listed)


def _not_replayed(begin: Begin, say: Say) -> Iterator[str]:
    tell = begin("entries of the event log read", event_rows.count())
    for replay, problems in replay_events():
        yield from problems
        tell(replay.last)
    yield from replay_differences(replay)
    say(_UNTOLD)
    if replay.older:
        say(
            f"{replay.older} entries of the event log were written by older software. They are "
            "unchanged, but their texts, reviews and comments can't be verified."
        )


def _other_moments(every: Sequence[Edition], listed: Mapping[int, ListedEdition]) -> Iterator[str]:
    # recovered manifests were named by SHA-256 after other editions
    given = {number: one.manifest for number, one in recovered_editions().items()}
    for edition in every:
        known = listed.get(edition.n)
        if known is not None and known.digest == given.get(edition.n):
            continue
        if known is not None and known.as_of != edition.as_of.isoformat():
            moment = edition.as_of.isoformat()
            yield (
                f"{edition_label(edition)} has the date {moment}, but its manifest has "
                f"{known.as_of}."
            )


def verify_folder(folder: Path, begin: Begin) -> Iterator[str]:
    """Yield the problems of the published files in a folder, one sentence each."""
    files, numbers = _EditionFileChecker(_reading_below(folder)), sorted(editions_laid_out(folder))
    tell = begin("editions read on disk", len(numbers))
    yield from _of_current(folder, files)
    for number in sorted(set(range(1, max(numbers, default=0) + 1)) - set(numbers)):
        yield f"Edition {number} is missing in {folder}, but later ones are there."
    for done, number in enumerate(numbers, 1):
        yield from _of_lasting(folder, number, files)
        tell(done)


def _of_current(folder: Path, files: "_EditionFileChecker") -> Iterator[str]:
    link = folder / CURRENT
    try:
        manifest = read_manifest((link / MANIFEST).read_bytes())
    except (OSError, BadManifest) as error:
        yield f"{link}: the manifest of the current edition can't be read: {error}"
        return
    if Path(bundle_path(manifest)).name != link.readlink().name:
        yield f"{link}: the manifest of the current edition doesn't match the name of its folder."
    yield from files.problems_in(manifest, f"{folder}: edition {manifest.edition}")


def _of_lasting(folder: Path, number: int, files: "_EditionFileChecker") -> Iterator[str]:
    try:
        digest = (folder / edition_path(number)).readlink().name
    except OSError as error:
        yield f"{folder}: the manifest of edition {number} can't be found: {error}"
        return
    yield from files.problems_of(number, number, digest, f"{folder}: edition {number}")


def _reading_below(folder: Path) -> ReadMany:
    def read(digests: Sequence[str]) -> dict[str, bytes]:
        paths = {digest: folder / blob_path(digest) for digest in digests}
        return {digest: path.read_bytes() for digest, path in paths.items() if path.is_file()}

    return read


def _out_of_order(every: Sequence[Edition], say: Say) -> Iterator[str]:
    for expected, number in enumerate((edition.n for edition in every), 1):
        if number != expected:
            yield f"Edition {expected} is missing; the next one is {number}."
            break
    else:
        yield from _misnumbered(every)
    changed = dict(changed_moments(every))
    yield from changed.values()
    known = acknowledged_editions()
    for one in editions_out_of_order(every):
        entry, told = known.get(one), disorder_told(one)
        if entry is not None:
            say(
                f"{told}. Acknowledged on {entry.at.isoformat()} in entry {entry.n} of the event "
                f"log. {entry.reason}"
            )
        elif changed.keys() & {one.edition, one.before}:
            yield f"{told}. One of the two was changed."
        else:
            yield (
                f"{told}. Nothing is damaged: older software caused this when several requests "
                "were registered at once. Compare both, then run `urn-registry registry "
                "acknowledge-order`."
            )


def _misnumbered(every: Sequence[Edition]) -> Iterator[str]:
    for of_group in editions_by_group(every):
        for expected, edition in enumerate(of_group, 1):
            if edition.number != expected:
                yield (f"{edition_label(edition)} has the wrong number. Expected: {expected}.")
                break


def _unbuilt(every: Mapping[int, Edition]) -> Iterator[str]:
    waiting, built = set(edition_rows.unbuilt()), set(edition_rows.manifest_digests())
    for key in sorted(every.keys() - waiting - built):
        yield f"{edition_label(every[key])} is marked as built but has no manifest."
    for key in sorted(waiting & built):
        yield (f"{edition_label(every[key])} is marked as not built but has a manifest.")
    for key, _attempts, why in edition_rows.failures(len(every)):
        yield f"{edition_label(every[key])} couldn't be built: {why}"


def _broken_names(begin: Begin) -> Iterator[str]:
    tell = begin("versions of records read", names.count_versions())
    listed, latest = set[str](), dict[str, int]()
    numbers = {edition.n: edition.number for edition in edition_rows.every_edition()}
    for done, kept in enumerate(names.all_versions(), 1):
        where = numbers.get(kept.edition, kept.edition)
        version = f"Version {kept.n} of the record of `{kept.name}`, in edition {where}"
        if sha256(kept.document) != kept.sha256:
            yield f"{version}: the text doesn't match its SHA-256."
        if kept.n != latest.get(kept.name, 0) + 1:
            yield f"{version}: version {latest.get(kept.name, 0) + 1} is missing."
        latest[kept.name] = kept.n
        if kept.status is not Status.FORMER:
            listed.add(kept.name)
        elif kept.name in listed:
            listed.remove(kept.name)
            if not is_explained(kept.cause, kept.edition):
                yield f"{version}: the name is no longer listed, and no correction explains this."
        tell(done)
    for name in sorted(name_rows.registered_names() - latest.keys()):
        yield f"The registered name `{name}` has no record."
    for name in sorted(names.withheld_keys()):
        if event_rows.last_of(EventSubject.NAME, name, WITHHELD) is None:
            yield f"A version of `{name}` is withheld without an entry in the event log."


class _EditionFileChecker:
    def __init__(self, read: ReadMany) -> None:
        self._read = read
        self._whole: dict[str, int] = {}
        self._decoded = set[tuple[str, str]]()
        self.listed: dict[int, ListedEdition] = {}  # readable manifests by key

    def problems_of(self, key: int, number: int, digest: str, called: str) -> Iterator[str]:
        content = self._read([digest]).get(digest)
        if content is None or sha256(content) != digest:
            yield f"{called}: the manifest is {_what(content)}."
            return
        try:
            manifest = read_manifest(content)
        except BadManifest as error:
            yield f"{called}: the manifest can't be read: {error}"
            return
        if manifest.edition != number:
            yield f"{called}: the manifest belongs to edition {manifest.edition}."
        self.listed[key] = ListedEdition(digest, manifest.as_of, manifest.previous)
        yield from self.problems_in(manifest, called)

    def problems_in(self, manifest: Manifest, called: str) -> Iterator[str]:
        try:
            for batch in _batched(all_files(manifest, self._part)):
                for problem in self._of_files(batch):
                    yield f"{called}: {problem}"
        except (DigestMismatch, BadManifest, KeyError) as error:
            yield f"{called}: a part of the manifest is missing or damaged: {error}"

    def _part(self, part: ManifestPart) -> bytes:
        return verify_bytes(part, self._read([part.sha256])[part.sha256])

    def _of_files(self, files: Sequence[BundleFile]) -> Iterator[str]:
        wanted = {
            blob.sha256
            for file in files
            for blob in file.blobs
            if blob.sha256 not in self._whole or not self._is_decoded(file)
        }
        held = self._read(sorted(wanted))
        for file in files:
            problems = [*self._of_blobs(file, held)]
            yield from problems or self._of_forms(file, held)

    def _is_decoded(self, file: BundleFile) -> bool:
        return all((form.sha256, file.sha256) in self._decoded for form in file.forms)

    def _of_blobs(self, file: BundleFile, held: dict[str, bytes]) -> Iterator[str]:
        for blob, form in zip(file.blobs, ("", *(f.coding for f in file.forms)), strict=True):
            if self._whole.get(blob.sha256) == blob.length:
                continue
            content = held.get(blob.sha256)
            if content is None or not _is_whole(blob, content):
                as_what = f", as {form}," if form else ""
                yield f"{file.path}{as_what} is {_what(content)} (SHA-256 {blob.sha256})."
            else:
                self._whole[blob.sha256] = blob.length

    def _of_forms(self, file: BundleFile, held: dict[str, bytes]) -> Iterator[str]:
        for form in file.forms:
            if (form.sha256, file.sha256) in self._decoded:
                continue
            if _stands_for(form, held[form.sha256], file):
                self._decoded.add((form.sha256, file.sha256))
            else:
                yield f"{file.path}, as {form.coding}, differs from the file itself."


def _what(content: bytes | None) -> str:
    return "missing" if content is None else "damaged: it differs from the published bytes"


def _is_whole(blob: BlobReference, content: bytes) -> bool:
    try:
        verify_bytes(blob, content)
    except DigestMismatch:
        return False
    return True


def _stands_for(form: EncodedForm, content: bytes, file: BundleFile) -> bool:
    try:
        return sha256(decode_form(form.coding, content, file.length)) == file.sha256
    except ValueError:
        return False


def _batched(files: Iterable[BundleFile]) -> Iterator[list[BundleFile]]:
    batch: list[BundleFile] = []
    length = 0
    for file in files:
        batch.append(file)
        length += sum(blob.length for blob in file.blobs)
        if len(batch) >= _AT_ONCE or length >= _LARGEST:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch
