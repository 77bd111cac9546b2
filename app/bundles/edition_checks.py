"""Whether an edition's files tell one story, and lose no name: asked before it is published."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree

from app.exports.content.file_names import registry_file, table_file
from app.exports.content.name_presentation import (
    derived_formats,
    derived_tables,
    forms_of,
    registry_path,
)
from app.exports.editions.atom import NAMESPACE, NEWEST, atom_file
from app.exports.extracts.derived_files import DERIVED_FILES, derived_file_name
from app.exports.formats.export_format import ExportFormat, UnreadableFile
from app.exports.formats.exporters import FORMATS
from app.exports.manifests.bundle_files import ALWAYS_ASK
from app.registration.declarations.formats import Format, FormatUse
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    Status,
    SubRegistry,
)

_ATOM = f"{{{NAMESPACE}}}"


class EditionFile(NamedTuple):
    """A file as it is published: its path, media type, bytes and headers."""

    path: str
    media_type: str
    content: bytes
    link: str = ""
    cache_control: str = ALWAYS_ASK


class EditionRefused(Exception):
    """The files of an edition contradict each other or lose a name; it is not published."""


def check_files(
    files: Iterable[EditionFile], snapshot: RegistrySnapshot, before: frozenset[str]
) -> None:
    """Raise EditionRefused unless the formats agree and no name that was there is gone."""
    bodies = {file.path: file.content for file in files}
    every = list(snapshot.records())
    for row in FORMATS.values():
        tables = tuple(t for t in snapshot.registries if row.format in forms_of(t))
        held = (record for table in tables for record in table.records)
        expected = [r.name for r in held if row.lists_former or r.status is not Status.FORMER]
        for together in _file_names(snapshot, tables, row.format):
            wanted = (registry_path(snapshot) + name for name in together)
            held_names = [name for path in wanted for name in _names_in(row, bodies[path])]
            if held_names != expected:
                raise EditionRefused(
                    f"The {row.format} file doesn't match the names of the registry"
                    f"{_difference(expected, held_names)}."
                )
    _check_derived(bodies, snapshot)
    lost = before - {record.key for record in snapshot.records()}
    if lost:
        raise EditionRefused(f"Published names are missing: {', '.join(sorted(lost))}.")
    feed = bodies.get(registry_path(snapshot) + atom_file(snapshot))
    if feed is not None:
        _check_feed(feed, every, before)


def _difference(expected: Sequence[str], found: Sequence[str]) -> str:
    for wanted, read in zip_longest(expected, found):
        if wanted != read:
            return f": it has {read!r:.80} instead of {wanted!r:.80}"
    return ""


def _check_derived(bodies: Mapping[str, bytes], snapshot: RegistrySnapshot) -> None:
    for derived in derived_formats(snapshot):
        maker = DERIVED_FILES[derived]
        held = derived_tables(snapshot, derived).records()
        of_records = [r.folded for r in held if maker.lists_former or r.status is not Status.FORMER]
        expected = sorted({*of_records, *maker.beside(snapshot)})
        if maker.at_most is not None and len(expected) > maker.at_most:
            expected = []
        body = bodies[registry_path(snapshot) + derived_file_name(snapshot, derived)]
        if sorted(maker.names_in(body)) != expected:
            raise EditionRefused(f"The {derived} file doesn't match the names of the registry.")


def withdrawn_names(
    snapshot: RegistrySnapshot, listed_before: frozenset[str], recorded: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """The names that were listed and are not any more, each with what took its place.

    ``recorded`` are those of which this edition says what became of them, with their
    successors or the order that was cited. Raises EditionRefused for any other, since a name
    that was given is never lost.
    """
    listed = {record.key for record in snapshot.records() if record.status is not Status.FORMER}
    gone = sorted(listed_before - listed)
    unexplained = [name for name in gone if name not in recorded]
    if unexplained:
        raise EditionRefused(f"Names were removed without a correction: {', '.join(unexplained)}.")
    return tuple((name, recorded[name]) for name in gone)


def _file_names(
    snapshot: RegistrySnapshot, tables: tuple[SubRegistry, ...], format_: Format
) -> Iterator[list[str]]:
    if tables or not snapshot.registries:
        yield [registry_file(snapshot, format_)]
    if format_.use is FormatUse.TABLES:
        yield [table_file(table) for table in tables]


def _names_in(row: ExportFormat, body: bytes) -> list[str]:
    try:
        return row.names_in(body)
    except UnreadableFile as error:
        raise EditionRefused(f"The {row.format} {error}") from error


def _check_feed(body: bytes, every: Collection[Registration], before: frozenset[str]) -> None:
    keys, spaces = frozenset(record.key for record in every), {record.space for record in every}

    def keys_of(text: str) -> set[str]:
        bare = ((space, text.removeprefix(space.about(""))) for space in spaces)
        return {space.about(space.fold(name)) for space, name in bare}

    root = ElementTree.fromstring(body)  # noqa: S314 — our own bytes, made a moment ago
    entries = root.findall(f"{_ATOM}entry")
    ids = (entry.findtext(f"{_ATOM}id", "").partition("#names/") for entry in entries)
    strange = [name for _, of_name, name in ids if of_name and not keys_of(unquote(name)) & keys]
    titles = (entry.findtext(f"{_ATOM}title", "") for entry in entries)
    # a name that took the place of another has no entry of its own
    said = {key for title in titles for word in title.split() for key in keys_of(word)}
    if strange or (len(entries) < NEWEST and keys - before - said):
        raise EditionRefused("The Atom feed doesn't match the names of the registry.")
