"""The parts of a snapshot that one page shows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.exports.content.name_presentation import presentation_of
from app.exports.content.selection import people_named
from app.pages.lists.registry_list import RegistryListRow, RegistryListView, row_of
from app.pages.namespaces.timeline import HistoryRow
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    SubRegistry,
)

__all__ = ["people_shown", "record_extract", "rows_below", "rows_related", "standing_edition"]


def people_shown(snapshot: RegistrySnapshot, view: RegistryListView) -> tuple[Person, ...]:
    """All people beside all names; beside some names, those whom these refer to."""
    if view.shown == view.total:
        return snapshot.people
    rows = (row.record for table in view.tables for row in table.rows)
    named = {ident for record in rows for ident in people_named(record)}
    return tuple(person for person in snapshot.people if person.id in named)


def record_extract(
    snapshot: RegistrySnapshot,
    table: SubRegistry,
    record: Registration,
    people: Mapping[str, Person],
) -> RegistrySnapshot:
    """The registry with one record, so that its page takes no longer in a larger registry."""
    named = tuple(people[ident] for ident in sorted(people_named(record)) if ident in people)
    tables = (replace(table, records=(record,)),)
    return replace(snapshot, registries=tables, people=named)


def standing_edition(snapshot: RegistrySnapshot, history: Sequence[HistoryRow]) -> RegistrySnapshot:
    """The edition from which on a record stands as it does; its page changes with it alone."""
    if not history:
        return snapshot
    return replace(snapshot, edition=history[0].edition, updated=history[0].date)


def rows_below(
    snapshot: RegistrySnapshot, people: Mapping[str, Person]
) -> dict[str, list[RegistryListRow]]:
    """The names that lie under another one, by the key of that: shoulders by their NAAN."""
    found: dict[str, list[RegistryListRow]] = {}
    for table in snapshot.registries:
        for record in table.records if presentation_of(table).under else ():
            above = record.space.above(record.folded)
            found.setdefault(above, []).append(row_of(table, record, people))
    return found


def rows_related(
    table: SubRegistry, record: Registration, people: Mapping[str, Person]
) -> tuple[RegistryListRow, ...]:
    """Names that have to do with a name, as far as its profile tells them."""
    named = (Registration(name=name, space=record.space) for name in record.profile.related)
    return tuple(row_of(table, one, people) for one in named)
