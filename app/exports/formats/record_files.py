"""One record's own downloads.

They say nothing of the edition or of other records, so that a record that did not change
keeps its bytes from edition to edition.
"""

from collections.abc import Iterator, Mapping

from app.exports.content.file_names import record_file
from app.exports.content.publication_site import PublicationSite
from app.exports.content.selection import people_named
from app.exports.formats.export_format import RecordExport
from app.exports.formats.exporters import FORMATS, name_forms
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
    one = RecordExport(snapshot, home, record, named, place)
    for form in name_forms(home, former=record.status is Status.FORMER):
        write = FORMATS[form].record
        content = write(one) if write else None
        if content is not None:
            yield record_file(record, form), content
