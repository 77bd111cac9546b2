"""Which part of a snapshot a published form shows."""

from collections.abc import Callable, Mapping

from app.registration.records.registry_records import (
    Registration,
    RichText,
    Status,
    SubRegistry,
    Xref,
    XrefType,
)
from app.registration.records.succession import last_successor


def current_records(registry: SubRegistry) -> tuple[Registration, ...]:
    """The records of one table without former names, which IANA's forms have no place for."""
    return tuple(record for record in registry.records if record.status is not Status.FORMER)


def successor_name(record: Registration, find: Callable[[str], Registration | None]) -> str:
    """The name that people are to use in place of one, however often it was renamed.

    ``find`` gives the record of a folded name, if there is one. Empty where a name has no
    successor; of names that lead round in a circle, the last before it closes.
    """
    return last_successor(record, find, record.space.fold)


def successor_among(record: Registration, records: Mapping[str, Registration]) -> str:
    """The name that people are to use in place of one of some records, which come by their keys."""
    return successor_name(record, lambda folded: records.get(record.space.about(folded)))


def xrefs_in(text: RichText) -> tuple[Xref, ...]:
    """The references that stand in a mixed text."""
    return tuple(part for part in text if isinstance(part, Xref))


def people_named(record: Registration) -> frozenset[str]:
    """The ids of the people whom one record refers to."""
    xrefs = record.references + xrefs_in(record.template) + xrefs_in(record.contact or ())
    return frozenset(xref.data for xref in xrefs if xref.type is XrefType.PERSON)
