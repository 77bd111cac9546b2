"""Whether an edition's files tell one story, and lose no name: asked before it is published."""

import csv
import json
import re
from collections.abc import Callable, Iterable, Mapping
from io import StringIO
from typing import NamedTuple
from xml.etree import ElementTree

from app.exports.bundle import ALWAYS_ASK
from app.exports.file_names import registry_file, table_file
from app.exports.xml_reader import UnreadableRegistry, read_xml
from app.pages.places import registry_path
from app.registration.declarations import Format
from app.registration.records import RegistrySnapshot, Status


class File(NamedTuple):
    """A file as it is published: its path, media type, bytes and headers."""

    path: str
    media_type: str
    content: bytes
    link: str = ""
    cache_control: str = ALWAYS_ASK


class EditionRefused(Exception):
    """The files of an edition contradict each other or lose a name; it is not published."""


def check_files(files: Iterable[File], snapshot: RegistrySnapshot, before: frozenset[str]) -> None:
    """Raise EditionRefused unless the formats agree and no name that was there is gone.

    The plain text is for readers alone and is not read back.
    """
    bodies = {file.path: file.content for file in files}
    every = list(snapshot.records())
    in_use = [record.name for record in every if record.status is not Status.FORMER]
    for format_, names_in in _NAMES_IN.items():
        expected = [record.name for record in every] if format_ in _WITH_FORMER else in_use
        wanted = (registry_path(snapshot) + name for name in _file_names(snapshot, format_))
        if [name for path in wanted for name in names_in(bodies[path])] != expected:
            raise EditionRefused(f"The {format_} does not hold the names of the registry.")
    lost = before - {record.folded for record in snapshot.records()}
    if lost:
        raise EditionRefused(f"Names that were published are missing: {', '.join(sorted(lost))}.")


def withdrawn(
    snapshot: RegistrySnapshot, listed_before: frozenset[str], recorded: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """The names that were listed and are not any more, each with what took its place.

    ``recorded`` are those of which this edition says what became of them, with their
    successors; empty for none. Raises EditionRefused for any other, since a name that was
    given is never lost.
    """
    listed = {record.folded for record in snapshot.records() if record.status is not Status.FORMER}
    gone = sorted(listed_before - listed)
    unexplained = [name for name in gone if name not in recorded]
    if unexplained:
        raise EditionRefused(
            "Names that were listed are not any more, and no correction says why: "
            f"{', '.join(unexplained)}."
        )
    return tuple((name, recorded[name]) for name in gone)


def _file_names(snapshot: RegistrySnapshot, format_: Format) -> list[str]:
    if format_ is Format.CSV:
        return [table_file(table) for table in snapshot.registries]
    return [registry_file(snapshot, format_)]


def _in_xml(body: bytes) -> list[str]:
    try:
        read = read_xml(body, at_most=len(body))
    except UnreadableRegistry as error:
        raise EditionRefused(
            f"The {Format.XML} is not what IANA’s grammar allows: {error}"
        ) from error
    return [record.name for record in read.records()]


def _in_xhtml(body: bytes) -> list[str]:
    root = ElementTree.fromstring(body)  # noqa: S314 — our own bytes, made a moment ago
    space = "{http://www.w3.org/1999/xhtml}"
    cells = ("".join(row[0].itertext()) for row in root.iterfind(f".//{space}tbody/{space}tr"))
    return [cell for cell in cells if not cell.startswith("[")]  # people stand in brackets


def _in_json(body: bytes) -> list[str]:
    tables = json.loads(body)["tables"]
    records = (record for table in tables for record in table["records"])
    return [record["name"] for record in records if record["status"] != Status.FORMER]


def _in_csv(body: bytes) -> list[str]:
    _heading, *rows = csv.reader(StringIO(body.decode(), newline=""))
    return [row[0] for row in rows]


def _in_rdf(body: bytes) -> list[str]:
    return [match[1].decode() for match in _NOTATION.finditer(body)]


# As our own writers write it in Turtle, in JSON-LD and in N-Triples.
_NOTATION = re.compile(rb'[:#]notation(?:":|>|) "([^"]*)"')
_WITH_FORMER = (Format.TTL, Format.JSONLD, Format.NT)

_NAMES_IN: Mapping[Format, Callable[[bytes], list[str]]] = {
    Format.XML: _in_xml,
    Format.XHTML: _in_xhtml,
    Format.JSON: _in_json,
    Format.CSV: _in_csv,
    **dict.fromkeys(_WITH_FORMER, _in_rdf),
}
