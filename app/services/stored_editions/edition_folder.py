"""The editions as a folder holds them: their lists, their bytes, and the registry in them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from app.bundles.edition_files import editions_file
from app.bundles.layout import current_files, current_manifest, edition_laid_out, editions_laid_out
from app.exports.editions.edition_list import TRANSFER
from app.exports.editions.edition_list import edition_path as edition_address
from app.exports.formats.json_reader import read_json
from app.exports.formats.xml_reader import UnreadableRegistry
from app.exports.manifests.bundle_files import BadManifest, BundleFile, DigestMismatch, verify_bytes
from app.exports.manifests.bundle_paths import FOR_COPIES, blob_path, edition_path, find_owner
from app.exports.manifests.manifest import Manifest
from app.pages.lists.registry_paths import template_path
from app.problems import operation_codes
from app.registration.declarations.registries import Format
from app.registration.declarations.registry_groups import RegistryGroup
from app.registration.records.registry_records import Registration, RegistrySnapshot, SubRegistry
from app.registration.submissions.submission_rules import find_unfit
from app.services.refusals import Refusal
from app.store.tables.registry import Cause

# Made by each host for itself.
_OF_HOST = ("/static/", "/sitemap", "/robots.txt", "/dns/", FOR_COPIES)


class UnreadableEditions(Refusal):
    """What was published cannot be read in this folder; says where, and what to do."""


@dataclass(frozen=True)
class EditionFolder:
    """What lies in a group's folder, every byte verified when it is read.

    Raises UnreadableEditions.
    """

    folder: Path
    group: RegistryGroup

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The editions that lie here with all that they keep for ever, oldest first."""
        return tuple(sorted(editions_laid_out(self.folder)))

    def list_of(self, number: int) -> Manifest:
        """What an edition is to keep in the database: its own files, and all if it is current."""
        own = self._own(number)
        files = {file.path: file for file in (*self._current(number), *self._files(number, own))}
        return replace(own, files=tuple(files.values()), parts=(), negotiated=(), redirects=())

    def is_whole(self, number: int) -> bool:
        """Whether the current files of an edition lie here beside those that it keeps for ever."""
        return bool(self._current(number))

    def snapshot(self, number: int) -> RegistrySnapshot:
        """The registry as an edition tells it, with the templates that came as texts."""
        path = edition_address(number, f"{self.group.id}.{Format.JSON}", self.group.id)
        files = (file for file in self._files(number, self._own(number)) if file.path == path)
        file = next(files, None)
        if file is None:
            raise UnreadableEditions(
                operation_codes.EDITIONS_UNREADABLE,
                f"Edition {number} in {self.folder} has no JSON file of the registry.",
            )
        try:
            read = read_json(self.read(file))
            if not {table.id for table in read.registries} <= {*self.group.registries}:
                raise UnreadableRegistry("It contains tables of another registry.")
            if (read.id, read.edition) != (self.group.id, number):
                raise UnreadableRegistry("It belongs to another registry or edition.")
            return self._with_texts(read)
        except UnreadableRegistry as error:
            raise self._unreadable(number, error.message) from error
        except UnicodeDecodeError as error:
            raise self._unreadable(number, error) from error

    def said_of(self, number: int) -> tuple[Cause, str]:
        """Why an edition was made, as the list of editions says; an import where it does not."""
        return self._said.get(number, (Cause.IMPORT, ""))

    def read(self, file: BundleFile) -> bytes:
        """The bytes of a file."""
        return self.content(file.sha256, file)

    def content(self, digest: str, of: BundleFile) -> bytes:
        """Bytes of a file by their hash, as themselves or in one of its forms."""
        blob = next(blob for blob in of.blobs if blob.sha256 == digest)
        try:
            return verify_bytes(blob, (self.folder / blob_path(digest)).read_bytes())
        except (OSError, DigestMismatch) as error:
            raise UnreadableEditions(
                operation_codes.EDITIONS_UNREADABLE,
                f"{of.path} is missing or damaged in {self.folder}. Recover from a mirror: "
                "`urn-registry recover --from URL`.",
            ) from error

    def _own(self, number: int) -> Manifest:
        try:
            return edition_laid_out(self.folder, number)
        except (OSError, BadManifest, DigestMismatch) as error:
            raise self._unreadable(number, error) from error

    def _files(self, number: int, own: Manifest) -> tuple[BundleFile, ...]:
        try:
            return tuple(current_files(self.folder, own))
        except (OSError, BadManifest, DigestMismatch) as error:
            raise self._unreadable(number, error) from error

    def _unreadable(self, number: int, error: Exception | str) -> UnreadableEditions:
        return UnreadableEditions(
            operation_codes.EDITIONS_UNREADABLE,
            f"Edition {number} ({edition_path(number)}) is missing or damaged in {self.folder}: "
            f"{error} Recover from a mirror: `urn-registry recover --from URL`.",
        )

    def _current(self, number: int) -> tuple[BundleFile, ...]:
        files = self._of_current
        return tuple(files.values()) if self._newest == number else ()

    @cached_property
    def _newest(self) -> int:
        try:
            manifest = current_manifest(self.folder)
        except (OSError, BadManifest):
            return 0
        return manifest.edition if manifest else 0

    @cached_property
    def _of_current(self) -> dict[str, BundleFile]:
        try:
            manifest = current_manifest(self.folder)
            every = tuple(current_files(self.folder, manifest)) if manifest else ()
        except (OSError, BadManifest, DigestMismatch):
            return {}
        return {file.path: file for file in every if _is_of_registry(file)}

    @cached_property
    def _said(self) -> dict[int, tuple[Cause, str]]:
        file = self._of_current.get(editions_file(self.group.id))
        try:
            listed = json.loads(self.read(file))["editions"] if file else []
            return {row["edition"]: (_cause(row["cause"]), _reason(row)) for row in listed}
        except (UnreadableEditions, ValueError, LookupError, TypeError):
            return {}

    def _with_texts(self, read: RegistrySnapshot) -> RegistrySnapshot:
        tables = (
            replace(table, records=tuple(self._with_text(table, each) for each in table.records))
            for table in read.registries
        )
        return replace(read, registries=tuple(tables))

    def _with_text(self, table: SubRegistry, record: Registration) -> Registration:
        file = None if record.fields else self._of_current.get(template_path(table, record))
        return replace(record, text=self.read(file).decode()) if file else record


def _reason(row: Mapping[str, object]) -> str:
    """Return the reason in a row of the list of editions. Raises ValueError for no plain text."""
    reason = row.get("reason", "")
    if not isinstance(reason, str) or find_unfit(reason) is not None:
        raise ValueError("A reason is no text.")
    return reason


def _cause(told: str) -> Cause:
    return Cause.CORRECTION if told == TRANSFER else Cause(told)


def _is_of_registry(file: BundleFile) -> bool:
    of_host = file.is_page or file.path.startswith(_OF_HOST)
    return not of_host and find_owner(file.path) is None


def blobs_of(files: Iterable[BundleFile]) -> Iterator[tuple[str, BundleFile]]:
    """Every hash that files name, each with a file that it is of."""
    return ((blob.sha256, file) for file in files for blob in file.blobs)
