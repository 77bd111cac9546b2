"""One record's own downloads.

They say nothing of the edition or of other records, so that a record that did not change
keeps its bytes from edition to edition.
"""

from collections.abc import Iterator, Mapping

from app.exports.content.file_names import record_file, record_schema_file, registry_folder
from app.exports.content.publication_site import PublicationSite
from app.exports.content.selection import people_named
from app.exports.formats.csv import record_csv
from app.exports.formats.json import SCHEMAS, person_members, record_members
from app.exports.formats.rdf import record_files
from app.exports.formats.txt import record_text
from app.exports.formats.xhtml import record_xhtml
from app.exports.formats.xml import xml_bytes
from app.exports.serialization.json_text import Members, json_bytes
from app.registration.declarations.registries import Format
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    Status,
    SubRegistry,
)


def namespace_files(
    snapshot: RegistrySnapshot, record: Registration, place: PublicationSite | None = None
) -> Iterator[tuple[str, bytes]]:
    """``NID.json``, ``.xml``, ``.csv``, ``.xhtml``, ``.txt``, and at a place ``.ttl``, ``.jsonld``.

    A former name has no ``NID.xml`` and ``NID.csv``: IANA's forms have no place for it.

    Raises ValueError if the snapshot does not hold the record. For all records at once
    ``all_namespace_files`` is quicker.
    """
    for home in snapshot.registries:
        if record in home.records:
            yield from _files(snapshot, _people_by_id(snapshot), home, record, place)
            return
    raise ValueError(f"`{record.name}` is not in this registry.")


def all_namespace_files(
    snapshot: RegistrySnapshot, place: PublicationSite | None = None
) -> Iterator[tuple[str, bytes]]:
    """The files of every record, in the registry's order."""
    people = _people_by_id(snapshot)
    for home in snapshot.registries:
        for record in home.records:
            yield from _files(snapshot, people, home, record, place)


def _people_by_id(snapshot: RegistrySnapshot) -> dict[str, Person]:
    return {person.id: person for person in snapshot.people}


def _files(
    snapshot: RegistrySnapshot,
    people: Mapping[str, Person],
    home: SubRegistry,
    record: Registration,
    place: PublicationSite | None,
) -> Iterator[tuple[str, bytes]]:
    named = tuple(people[id_] for id_ in sorted(people_named(record)) if id_ in people)
    members = _members(snapshot, home, record, named)
    yield record_file(record, Format.JSON), json_bytes(members)
    if record.status is not Status.FORMER:
        alone = _alone(snapshot, home, record, named)
        yield record_file(record, Format.XML), xml_bytes(alone, registry_folder(snapshot.id))
        yield record_file(record, Format.CSV), record_csv(snapshot, home, record)
    page = record_xhtml(snapshot, home, record, named)
    yield record_file(record, Format.XHTML), page
    yield record_file(record, Format.TXT), record_text(home, record, named)
    if place:
        yield from record_files(snapshot, home, record, named, place)


def _members(
    snapshot: RegistrySnapshot, home: SubRegistry, record: Registration, people: tuple[Person, ...]
) -> Members:
    notice = {"notice": snapshot.notice} if snapshot.notice else {}
    return {
        "$schema": SCHEMAS + record_schema_file(snapshot),
        "registry": snapshot.id,
        "table": home.id,
        **notice,
        "record": record_members(home, record),
        "people": [person_members(person) for person in people],
    }


def _alone(
    snapshot: RegistrySnapshot, home: SubRegistry, record: Registration, people: tuple[Person, ...]
) -> RegistrySnapshot:
    """The registry with one record; every table keeps its place, as IANA's schema asks."""
    tables = (
        SubRegistry(id=table.id, title=table.title, records=(record,) if table is home else ())
        for table in snapshot.registries
    )
    return RegistrySnapshot(
        id=snapshot.id,
        title=snapshot.title,
        updated="",  # the registry's date would change with every edition
        notice=snapshot.notice,
        registries=tuple(tables),
        people=people,
    )
