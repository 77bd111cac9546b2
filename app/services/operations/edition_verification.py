"""Reading again all that was published: is every byte the one that was promised?"""

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

# What is read, and how many of it -> whom to tell how many are done.
Begin = Callable[[str, int], Callable[[int], None]]
Say = Callable[[str], None]  # what is so and is no problem, a sentence
# SHA-256s -> the bytes of those that are there.
ReadMany = Callable[[Sequence[str]], dict[str, bytes]]

_UNTOLD = (
    "The record does not tell of drafts, private values, who acts for a name, panels, mail and "
    "sessions, so that nothing is said of these."
)
_AT_ONCE, _LARGEST = 200, 32 * 1024 * 1024  # of one reading, in files and in bytes


def verify_database(begin: Begin, say: Say = lambda _: None) -> Iterator[str]:
    """What is wrong with what the database keeps, a sentence each.

    Every manifest, part, file and form is read, and every version of a record; the numbers
    and the moments of the editions follow each other, and no name is lost without a word.
    Every entry of the record is whole, and what the tables hold follows from the entries.
    ``say`` is told what is known to be so, and what nobody can know.
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
    """Entries that are not whole, and what does not follow from them."""
    tell = begin("entries of the record read", event_rows.count())
    for replay, problems in replay_events():
        yield from problems
        tell(replay.last)
    yield from replay_differences(replay)
    say(_UNTOLD)
    if replay.older:
        say(
            f"{replay.older} entries of the record are of older software: they are whole, but "
            "nobody can tell whether the texts, reviews and comments of those are as they were."
        )


def _other_moments(every: Sequence[Edition], listed: Mapping[int, ListedEdition]) -> Iterator[str]:
    # the lists of these were given by their SHA-256 when other editions stood before them
    given = {number: one.manifest for number, one in recovered_editions().items()}
    for edition in every:
        known = listed.get(edition.n)
        if known is not None and known.digest == given.get(edition.n):
            continue
        if known is not None and known.as_of != edition.as_of.isoformat():
            moment = edition.as_of.isoformat()
            yield f"{edition_label(edition)} is of {moment}, and its list says {known.as_of}."


def verify_folder(folder: Path, begin: Begin) -> Iterator[str]:
    """What is wrong with what is laid out in a folder, a sentence each.

    That is the current edition, and what every edition keeps at its own addresses for ever.
    """
    files, numbers = _EditionFileChecker(_reading_below(folder)), sorted(editions_laid_out(folder))
    tell = begin("editions read on disk", len(numbers))
    yield from _of_current(folder, files)
    for number in sorted(set(range(1, max(numbers, default=0) + 1)) - set(numbers)):
        yield f"Edition {number} is not laid out in {folder}, and later ones are."
    for done, number in enumerate(numbers, 1):
        yield from _of_lasting(folder, number, files)
        tell(done)


def _of_current(folder: Path, files: "_EditionFileChecker") -> Iterator[str]:
    link = folder / CURRENT
    try:
        manifest = read_manifest((link / MANIFEST).read_bytes())
    except (OSError, BadManifest) as error:
        yield f"{link}: the list of the current edition cannot be read: {error}"
        return
    if Path(bundle_path(manifest)).name != link.readlink().name:
        yield f"{link}: the list of the current edition is not the one its folder is named by."
    yield from files.problems_in(manifest, f"{folder}: edition {manifest.edition}")


def _of_lasting(folder: Path, number: int, files: "_EditionFileChecker") -> Iterator[str]:
    try:
        digest = (folder / edition_path(number)).readlink().name
    except OSError as error:
        yield f"{folder}: the list of edition {number} cannot be found: {error}"
        return
    yield from files.problems_of(number, number, digest, f"{folder}: edition {number}")


def _reading_below(folder: Path) -> ReadMany:
    def read(digests: Sequence[str]) -> dict[str, bytes]:
        paths = {digest: folder / blob_path(digest) for digest in digests}
        return {digest: path.read_bytes() for digest, path in paths.items() if path.is_file()}

    return read


def _out_of_order(every: Sequence[Edition], say: Say) -> Iterator[str]:
    """Numbers with a gap, and moments that do not grow: damaged, of older software, or known."""
    for expected, number in enumerate((edition.n for edition in every), 1):
        if number != expected:
            yield f"Edition {expected} is missing: in its place stands {number}."
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
                f"{told}: known since {entry.at.isoformat()} by entry {entry.n} of the "
                f"record, and taken as opened in the order of their numbers. {entry.reason}"
            )
        elif changed.keys() & {one.edition, one.before}:
            yield f"{told}: one of the two was changed."
        else:
            yield (
                f"{told}. The record tells the same, so that nothing is damaged: older "
                "software did this where several registered at once. Look at both, then run "
                "`urn-registry registry acknowledge-order`."
            )


def _misnumbered(every: Sequence[Edition]) -> Iterator[str]:
    """Each group counts its editions from 1 on, in the order of all."""
    for of_group in editions_by_group(every):
        for expected, edition in enumerate(of_group, 1):
            if edition.number != expected:
                yield (
                    f"{edition_label(edition)} stands where number {expected} of its group belongs."
                )
                break


def _unbuilt(every: Mapping[int, Edition]) -> Iterator[str]:
    waiting, built = set(edition_rows.unbuilt()), set(edition_rows.manifest_digests())
    for key in sorted(every.keys() - waiting - built):
        yield f"{edition_label(every[key])} is said to be built and has no list of its files."
    for key in sorted(waiting & built):
        yield (
            f"{edition_label(every[key])} is said to be still to build and has a list of its files."
        )
    for key, _attempts, why in edition_rows.failures(len(every)):
        yield f"{edition_label(every[key])} could not be built: {why}"


def _broken_names(begin: Begin) -> Iterator[str]:
    """Versions of records that are damaged or missing, and names lost without a word."""
    tell = begin("versions of records read", names.count_versions())
    listed, latest = set[str](), dict[str, int]()
    numbers = {edition.n: edition.number for edition in edition_rows.every_edition()}
    for done, kept in enumerate(names.all_versions(), 1):
        where = numbers.get(kept.edition, kept.edition)
        version = f"Version {kept.n} of the record of `{kept.name}`, in edition {where}"
        if sha256(kept.document) != kept.sha256:
            yield f"{version}: its words are not those of its SHA-256."
        if kept.n != latest.get(kept.name, 0) + 1:
            yield f"{version}: version {latest.get(kept.name, 0) + 1} is missing before it."
        latest[kept.name] = kept.n
        if kept.status is not Status.FORMER:
            listed.add(kept.name)
        elif kept.name in listed:
            listed.remove(kept.name)
            if not is_explained(kept.cause, kept.edition):
                yield f"{version}: the name is listed no more, and no correction says why."
        tell(done)
    for name in sorted(name_rows.registered_names() - latest.keys()):
        yield f"The name `{name}` was given and has no record."
    for name in sorted(names.withheld_keys()):
        if event_rows.last_of(EventSubject.NAME, name, WITHHELD) is None:
            yield f"A version of `{name}` is withheld, and no entry of the record says so."


class _EditionFileChecker:
    """Reads the files of many editions; bytes that were found whole are not read again."""

    def __init__(self, read: ReadMany) -> None:
        self._read = read
        self._whole: dict[str, int] = {}
        self._decoded = set[tuple[str, str]]()
        self.listed: dict[int, ListedEdition] = {}  # by key, where the list could be read

    def problems_of(self, key: int, number: int, digest: str, called: str) -> Iterator[str]:
        """What is wrong with the edition whose manifest has this SHA-256."""
        content = self._read([digest]).get(digest)
        if content is None or sha256(content) != digest:
            yield f"{called}: its list is {_what(content)}."
            return
        try:
            manifest = read_manifest(content)
        except BadManifest as error:
            yield f"{called}: its list cannot be read: {error}"
            return
        if manifest.edition != number:
            yield f"{called}: its list is that of edition {manifest.edition}."
        self.listed[key] = ListedEdition(digest, manifest.as_of, manifest.previous)
        yield from self.problems_in(manifest, called)

    def problems_in(self, manifest: Manifest, called: str) -> Iterator[str]:
        """What is wrong with the files that a manifest lists."""
        try:
            for batch in _batched(all_files(manifest, self._part)):
                for problem in self._of_files(batch):
                    yield f"{called}: {problem}"
        except (DigestMismatch, BadManifest, KeyError) as error:
            yield f"{called}: a part of its list is missing or damaged: {error}"

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
                yield f"{file.path}, as {form.coding}, is not what the file itself says."


def _what(content: bytes | None) -> str:
    return "missing" if content is None else "damaged: these are not the bytes that were published"


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
