"""What a server answers, worked out from a whole snapshot: what databases are compared with."""

from collections.abc import Iterator
from dataclasses import replace

from app.exports.search.search_terms import SearchTerm, asked_terms, facet_values, keys_of, terms_of
from app.pages.lists.facets import count_cells, cube_of
from app.pages.lists.list_query import ListQuery, ListSortOrder, read_list_query
from app.pages.lists.registry_list import RegistryExtract, RegistryListView, view_of
from app.pages.lists.registry_paths import group_of_snapshot
from app.registration.records.registry_records import Registration, RegistrySnapshot, SubRegistry


def answered(snapshot: RegistrySnapshot, **given: str) -> RegistryListView:
    """The view of all that is asked for, in one page."""
    asked = read_list_query(given, group_of_snapshot(snapshot))
    return view_of(extract_of(snapshot, asked), asked)


def extract_of(snapshot: RegistrySnapshot, asked: ListQuery) -> RegistryExtract:
    """All that is asked for."""
    worded = _with(snapshot, [_worded(snapshot, table, asked) for table in snapshot.registries])
    shown = [tuple(_sorted(table, _chosen(table, asked), asked)) for table in worded.registries]
    return RegistryExtract(
        snapshot=_with(worded, shown), cube=cube_of(snapshot), matching=cube_of(worded)
    )


def _with(snapshot: RegistrySnapshot, records: list[tuple[Registration, ...]]) -> RegistrySnapshot:
    tables = zip(snapshot.registries, records, strict=True)
    return replace(snapshot, registries=tuple(replace(t, records=r) for t, r in tables))


def _worded(
    snapshot: RegistrySnapshot, table: SubRegistry, asked: ListQuery
) -> tuple[Registration, ...]:
    people = {person.id: person for person in snapshot.people}
    terms = asked_terms(asked.q)
    if asked.q and not terms:
        return ()
    return tuple(r for r in table.records if _has(terms_of(table.id, r, people).split(), terms))


def _has(words: list[str], terms: tuple[SearchTerm, ...]) -> bool:
    return all(
        any(word.startswith(term.text) if term.is_prefix else word == term.text for word in words)
        for term in terms
    )


def _chosen(table: SubRegistry, asked: ListQuery) -> Iterator[Registration]:
    return (
        record
        for record in table.records
        if count_cells({facet_values(table.id, record): 1}, asked)
    )


def _sorted(
    table: SubRegistry, records: Iterator[Registration], asked: ListQuery
) -> list[Registration]:
    found = list(records)
    if asked.sort is None:
        return found
    keyed = [r for r in found if getattr(keys_of(r), asked.sort)]
    is_down = asked.order is ListSortOrder.DESCENDING
    keyed.sort(key=lambda r: getattr(keys_of(r), asked.sort or ""), reverse=is_down)
    return [*keyed, *(r for r in found if r not in keyed)]
