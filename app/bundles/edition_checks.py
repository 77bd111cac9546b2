"""Whether an edition's files tell one story, and lose no name: asked before it is published."""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import StringIO
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree

from app.exports.content.file_names import registry_file, table_file
from app.exports.editions.atom import NAMESPACE, NEWEST, atom_file
from app.exports.extracts.derived_files import derived_file_name
from app.exports.formats.xml_reader import UnreadableRegistry, read_xml
from app.exports.manifests.manifest import ALWAYS_ASK
from app.exports.search.suggestions import MOST_SUGGESTED
from app.pages.lists.registry_paths import registry_path
from app.registration.declarations.registries import DerivedFormat, Format
from app.registration.records.registry_records import RegistrySnapshot, Status


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
    in_use = [record.name for record in every if record.status is not Status.FORMER]
    for format_, names_in in _NAMES_IN.items():
        expected = [record.name for record in every] if format_ in _WITH_FORMER else in_use
        for together in _file_names(snapshot, format_):
            wanted = (registry_path(snapshot) + name for name in together)
            if [name for path in wanted for name in names_in(bodies[path])] != expected:
                raise EditionRefused(f"The {format_} does not hold the names of the registry.")
    _check_derived(bodies, snapshot)
    lost = before - {record.folded for record in snapshot.records()}
    if lost:
        raise EditionRefused(f"Names that were published are missing: {', '.join(sorted(lost))}.")
    feed = bodies.get(registry_path(snapshot) + atom_file(snapshot))
    if feed is not None:
        _check_feed(feed, frozenset(record.folded for record in every), before)


def _check_derived(bodies: Mapping[str, bytes], snapshot: RegistrySnapshot) -> None:
    every = sorted(record.folded for record in snapshot.records())
    in_use = sorted(r.folded for r in snapshot.records() if r.status is not Status.FORMER)
    for derived, names_in in _NAMES_IN_DERIVED.items():
        expected = every if derived in _DERIVED_WITH_FORMER else in_use
        if derived is DerivedFormat.SUGGESTIONS and len(in_use) > MOST_SUGGESTED:
            expected = []
        body = bodies[registry_path(snapshot) + derived_file_name(snapshot, derived)]
        if sorted(names_in(body)) != expected:
            raise EditionRefused(f"The file of {derived} does not hold the names of the registry.")


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


def _file_names(snapshot: RegistrySnapshot, format_: Format) -> Iterator[list[str]]:
    """The files of a format, those together that hold every name once."""
    yield [registry_file(snapshot, format_)]
    if format_ is Format.CSV:
        yield [table_file(table) for table in snapshot.registries]


def _check_feed(body: bytes, names: frozenset[str], before: frozenset[str]) -> None:
    """The feed tells of what is new, as far as it goes, and of no name that is not there."""
    root = ElementTree.fromstring(body)  # noqa: S314 — our own bytes, made a moment ago
    entries = root.findall(f"{_ATOM}entry")
    ids = (entry.findtext(f"{_ATOM}id", "").partition("#names/") for entry in entries)
    told = {unquote(name).lower() for _, of_name, name in ids if of_name}
    titles = (entry.findtext(f"{_ATOM}title", "") for entry in entries)
    # a name that took the place of another has no entry of its own
    said = {word.lower() for title in titles for word in title.split()}
    if told - names or (len(entries) < NEWEST and names - before - said):
        raise EditionRefused("The atom does not hold the names of the registry.")


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


def _in_txt(body: bytes) -> list[str]:
    blocks = (block.splitlines() for block in body.decode().split("\n\n"))
    tables = ((_COLUMNS.match(lines[0]), lines[1:]) for lines in blocks if lines)
    return [line[: at.end(1)].rstrip() for at, lines in tables if at for line in lines]


_COLUMNS = re.compile(r"(\S.*) Template +Reference\Z")  # the first is as wide as its widest name


def _in_rdf(body: bytes) -> list[str]:
    return [match[1].decode() for match in _NOTATION.finditer(body)]


def _in_prefixes(body: bytes) -> list[str]:
    return [record["prefix"] for record in json.loads(body)]


def _in_context(body: bytes) -> list[str]:
    return [*json.loads(body)["@context"]]


def _in_rules(body: bytes) -> list[str]:
    return [json.loads(line)["nid"] for line in body.splitlines()]


def _in_suggestions(body: bytes) -> list[str]:
    return [row[0] for row in json.loads(body)["rows"]]


# As our own writers write it in Turtle, in JSON-LD and in N-Triples.
_NOTATION = re.compile(rb'[:#]notation(?:":|>|) "([^"]*)"')
_ATOM = f"{{{NAMESPACE}}}"
_WITH_FORMER = (Format.TTL, Format.JSONLD, Format.NT)

_NAMES_IN: Mapping[Format, Callable[[bytes], list[str]]] = {
    Format.XML: _in_xml,
    Format.XHTML: _in_xhtml,
    Format.TXT: _in_txt,
    Format.JSON: _in_json,
    Format.CSV: _in_csv,
    **dict.fromkeys(_WITH_FORMER, _in_rdf),
}
_DERIVED_WITH_FORMER = (DerivedFormat.PROFILES, DerivedFormat.RESOLUTION)

_NAMES_IN_DERIVED: Mapping[DerivedFormat, Callable[[bytes], list[str]]] = {
    DerivedFormat.PROFILES: _in_csv,
    DerivedFormat.PREFIXES: _in_prefixes,
    DerivedFormat.CONTEXT: _in_context,
    DerivedFormat.RESOLUTION: _in_rules,
    DerivedFormat.SUGGESTIONS: _in_suggestions,
}
