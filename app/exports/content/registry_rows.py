"""The tables of the registry page, as cells that every form for readers prints its own way.

Source: IANA's pages, which show an informal namespace's links under Template and its
contact under Reference.
"""

from collections.abc import Iterator

from app.exports.content.name_presentation import presentation_of
from app.exports.content.selection import current_records
from app.registration.declarations.registries import REGISTRIES
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    RichText,
    SubRegistry,
    Xref,
    XrefType,
)

EMPTY_TABLE = "No registrations at this time."

RegistryRow = tuple[RichText, ...]


def table_headings(registry: SubRegistry) -> tuple[str, str, str]:
    """What stands above the columns of one table."""
    return presentation_of(registry).heading, "Template", "Reference"


def record_rows(registry: SubRegistry) -> Iterator[RegistryRow]:
    """One row for each name that is in use, in the registry's order."""
    for record in current_records(registry):
        yield record_row(record)


def record_row(record: Registration, registry: str = "") -> RegistryRow:
    """The name, the template and the references of one record.

    Where the registry with that id declares columns of its own, their texts stand there.
    """
    name, declared = (record.name,), REGISTRIES.get(registry)
    if declared and declared.columns:
        texts = (column.text(dict(record.fields)) for column in declared.columns)
        return name, *((text,) if text else () for text in texts)
    if record.contact is None:
        return name, record.template, record.references
    return name, record.template + record.references, record.contact


def people_table(snapshot: RegistrySnapshot) -> tuple[tuple[str, ...], list[RegistryRow]]:
    """Headings and rows of the people; a column that would be empty is left out, as at IANA."""
    table = [_person_row(person) for person in snapshot.people]
    shown = [n for n in range(len(_PEOPLE_HEADINGS)) if any(any(row[n]) for row in table)]
    return (
        tuple(_PEOPLE_HEADINGS[n] for n in shown),
        [tuple(row[n] for n in shown) for row in table],
    )


_PEOPLE_HEADINGS = ("ID", "Name", "Organization", "Contact URI", "Last Updated")


def _person_row(person: Person) -> RegistryRow:
    uris = ", ".join(person.uris)
    itself = Xref(XrefType.PERSON, person.id)
    return (itself,), (person.name or "",), (person.org or "",), (uris,), (person.updated or "",)
