"""Finding names: what a page shows of the registry, and no more than that is read."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from app.exports.content.selection import people_named, successor_name
from app.exports.search.search_terms import (
    IN_USE,
    FacetValues,
    ReferenceKind,
    SearchTerm,
    asked_terms,
    fact_term,
)
from app.pages.lists.facets import Cube, count_cells
from app.pages.lists.list_query import ListQuery, ListSortOrder
from app.pages.lists.registry_list import (
    MOST_NEWS,
    RegistryExtract,
    RegistryListRow,
    first_size,
    page_size,
    row_of,
)
from app.pages.lists.registry_paths import name_path_in
from app.pages.site.site_tally import SiteTally
from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES, IdentifierSpace
from app.registration.declarations.registry_groups import URN_GROUP, RegistryGroup, group_of_space
from app.registration.records.registry_records import Registration, RegistrySnapshot, Status
from app.services.editions import page_renewal, prefixed_names
from app.services.refusals import NotFound
from app.services.registry.snapshots import current_snapshot, empty_snapshot_of
from app.store.database import read_transaction, transaction
from app.store.editions import edition_rows
from app.store.registry import edition_snapshots, person_versions, search_index
from app.store.registry import record_versions as names
from app.store.registry.search_index import SearchIndexHit

_NEWEST = 5


def front() -> tuple[RegistrySnapshot, Cube]:
    """What the first page tells: the newest names, and how many there are."""
    return _with(search_index.newest(_NEWEST, URN_GROUP.registries), URN_GROUP), cube_of_group(
        URN_GROUP
    )


def list_path_of(record: Registration) -> str:
    """Where it is listed what lies under a registered name; empty where no prefix belongs to it."""
    with read_transaction():
        return prefixed_names.list_paths(group_of_space(record.space)).get(record.key, "")


def site_tally() -> SiteTally:
    """Return the counts of the names of other groups, for the first page."""
    return page_renewal.tally_of(URN_GROUP)


def refresh_index() -> int:
    """Let names be found as this software reads them, and say of how many older software did not.

    What is searched and counted by is kept beside the records, as it was when they changed last.
    """
    with transaction():
        return search_index.refresh()


def find(name: str, space: IdentifierSpace) -> RegistrySnapshot | None:
    """The registry as if it held one name, in whatever case it is written; None without it."""
    if not space.may_be_name(space.fold(name)):
        return None
    found = names.find_record(space.id, space.fold(name))
    return None if found is None else _with([SearchIndexHit(*found)], group_of_space(space))


def find_at(edition: int, name: str, space: IdentifierSpace) -> RegistrySnapshot | None:
    """The registry as it stood at an edition, as if it held one name; None without it."""
    if not space.may_be_name(space.fold(name)):
        return None
    then = edition_snapshots.record_at(edition, space.id, space.fold(name))
    if then is None or not any(then.records()):
        return None
    named = {ident for record in then.records() for ident in people_named(record)}
    return replace(then, people=tuple(person for person in then.people if person.id in named))


def final_successor(record: Registration) -> str:
    """The name to use in the place of one, at the end of its successors; empty for none."""

    def record_of(name: str) -> Registration | None:
        found = names.find_record(record.space.id, name)
        return found[1] if found else None

    return successor_name(record, record_of)


def rows_beneath(snapshot: RegistrySnapshot, record: Registration) -> list[RegistryListRow]:
    """The names that lie under another one, such as the shoulders of a NAAN, as a list has them."""
    tables = {table.id: table for table in snapshot.registries}
    found = search_index.beneath(record)
    return [row_of(tables[hit.registry], hit.record, {}) for hit in found]


def rows_beneath_at(
    edition: int, then: RegistrySnapshot, record: Registration
) -> list[RegistryListRow]:
    """The names that lay under another one at an edition, each led to as it stood there."""
    tables = {table.id: table for table in then.registries}
    return [
        replace(row_of(tables[table], one, {}), path=name_path_in(then.edition, one))
        for table, found in edition_snapshots.beneath_at(edition, record).items()
        for one in found
    ]


def listing(asked: ListQuery, group: RegistryGroup) -> RegistryExtract:
    """The names of a group that were asked for, a page of them.

    Raises NotFound where no page begins so.
    """
    cube = cube_of_group(group)
    matching = _matching(asked, cube, group)
    total = count_cells(cube, ListQuery()).total()
    size = first_size(total, group) if asked.is_plain else page_size(total)
    rows = _rows(asked, size, group) if count_cells(matching, asked).total() else []
    left_out = not asked.is_plain and len(rows) > size
    shown = rows[:size] if left_out else rows
    latest, which = edition_rows.latest_edition(group), group.registries
    added, changed = (
        search_index.dated(latest.updated, MOST_NEWS + 1, which) if latest else ([], [])
    )
    return RegistryExtract(
        snapshot=_with(shown, group, everybody=asked.is_everything and len(shown) == total),
        cube=cube,
        matching=matching,
        added=_placed(added),
        changed=_placed(changed),
        leaves_out=left_out,
    )


def matching(asked: ListQuery, group: RegistryGroup) -> int:
    """How many names in use of a group have the words of a query; none where it has no words."""
    return search_index.count(_wanted(asked, group)) if asked_terms(asked.q) else 0


def is_begun(space: IdentifierSpace) -> bool:
    """Whether there is an edition of the group that publishes the names of a space."""
    return edition_rows.latest_edition(group_of_space(space)) is not None


def _rows(asked: ListQuery, size: int, group: RegistryGroup) -> list[SearchIndexHit]:
    """One row more than a page holds, if there is one; of the plain page, each table's first."""
    wanted = _wanted(asked, group)
    if asked.is_plain:
        tables = (replace(wanted, registries=(table,)) for table in wanted.registries)
        return [
            row
            for table in tables
            for row in search_index.page(table, search_index.SearchIndexOrder(), size)
        ]
    order = search_index.SearchIndexOrder(asked.sort or "", asked.order is ListSortOrder.DESCENDING)
    folded = [(space, space.fold(asked.after)) for space in group.spaces]
    after = [name for space, name in folded if space.may_be_name(name)]
    if asked.after and not after:
        raise _no_such_page(asked, group)
    try:
        return search_index.page(wanted, order, size + 1, after[0] if after else "")
    except LookupError as error:
        raise _no_such_page(asked, group) from error


def _no_such_page(asked: ListQuery, group: RegistryGroup) -> NotFound:
    return NotFound(
        use_case_codes.LIST_PAGE_UNKNOWN,
        f"No page begins after `{asked.after}`: no {group.spaces[0].label} has this name. "
        "Take `after=` out of the address to see the first page.",
        field="after",
    )


def _wanted(asked: ListQuery, group: RegistryGroup) -> search_index.SearchIndexQuery:
    """What is asked of the index; every value is one that some name has."""
    kinds = tuple(r for r in group.registries if asked.kind in {"", REGISTRIES[r].kind})
    return search_index.SearchIndexQuery(
        terms=(*asked_terms(asked.q), *(SearchTerm(fact_term(*fact)) for fact in asked.facts)),
        registries=kinds,
        statuses=(Status(asked.status),) if asked.status else IN_USE,
        reference=ReferenceKind(asked.reference) if asked.reference else None,
        year=asked.year,
    )


def _matching(asked: ListQuery, cube: Cube, group: RegistryGroup) -> Cube:
    """The counts of the names with the words of a query, whatever else is asked for."""
    if not asked.q:
        return cube
    terms = asked_terms(asked.q)
    return search_index.cells(group.registries, terms) if terms else {}


def cube_of_group(group: RegistryGroup) -> Cube:
    """The counts of a group's names; they change with an edition, and are counted once for each.

    A use case asks before it opens an edition of its own.
    """
    latest = edition_rows.latest_edition(group)
    if latest is None:
        return {}
    return _counted(names.database_name(), latest.n, latest.as_of, group.registries)


@lru_cache(maxsize=4)  # of two groups, before an edition and after it
def _counted(
    _database: str, _edition: int, _as_of: datetime, registries: tuple[str, ...]
) -> Mapping[FacetValues, int]:
    return search_index.cells(registries)


def _with(
    found: Iterable[SearchIndexHit], group: RegistryGroup, *, everybody: bool = False
) -> RegistrySnapshot:
    """The registry as if it held these records alone, and the people whom they name."""
    tables: dict[str, list[Registration]] = defaultdict(list)
    for registry, record in found:
        tables[registry].append(record)
    latest = edition_rows.latest_edition(group)
    if latest is None:
        return current_snapshot(group)  # before the first name there is nothing that could be long
    edition, empty = latest.n, empty_snapshot_of(latest.n)
    shown = (replace(t, records=tuple(tables[t.id])) for t in empty.registries)
    named = {ident for table in tables.values() for r in table for ident in people_named(r)}
    who = person_versions.people(edition) if everybody else person_versions.people_of(named)
    return replace(empty, registries=tuple(shown), people=who)


def _placed(found: Iterable[SearchIndexHit]) -> tuple[tuple[str, str], ...]:
    return tuple((registry, record.folded) for registry, record in found)
