"""Finding names: what a page shows of the registry, and no more than that is read."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from threading import Lock

from app.exports.content.selection import people_named, successor_name
from app.exports.search.search_documents import document_of
from app.exports.search.search_terms import (
    IN_USE,
    FacetValues,
    ReferenceKind,
    SearchTerm,
    asked_terms,
    fact_term,
    words_of,
)
from app.exports.search.word_index import MOST_WORDS, SearchDocument, WordHit, WordIndex
from app.identifiers.corrections import unwrap_identifier
from app.identifiers.errors import InvalidURN
from app.identifiers.uri_schemes import (
    find_scheme_look_alike,
    look_alike_sentence,
    with_plain_scheme,
)
from app.identifiers.urn import parse_urn
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
from app.pages.lists.search_results import (
    ListSuggestions,
    NameSuggestion,
    SearchResult,
    offer_of,
    results_of,
)
from app.pages.site.chrome import SiteTally
from app.problems import use_case_codes
from app.registration.declarations.registries import FORMAL, REGISTRIES, IdentifierSpace
from app.registration.declarations.registry_groups import (
    GROUPS,
    URN_GROUP,
    RegistryGroup,
    group_of_space,
)
from app.registration.records.registry_records import Registration, RegistrySnapshot, Status
from app.resolution.ark_resolver import read_ark_request
from app.resolution.bare_identifiers import recognize_bare
from app.resolution.judgement import judge_text
from app.resolution.outcome_documents import name_path
from app.services.editions import edition_build, page_renewal
from app.services.names.rule_book import rule_book
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
        return edition_build.list_paths(group_of_space(record.space)).get(record.key, "")


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
    kinds = tuple(r for r in group.registries if asked.kind in {"", REGISTRIES[r].kind})
    return search_index.SearchIndexQuery(
        terms=(*asked_terms(asked.q), *(SearchTerm(fact_term(*fact)) for fact in asked.facts)),
        registries=kinds,
        statuses=(Status(asked.status),) if asked.status else IN_USE,
        reference=ReferenceKind(asked.reference) if asked.reference else None,
        year=asked.year,
    )


def _matching(asked: ListQuery, cube: Cube, group: RegistryGroup) -> Cube:
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


MOST_INDEXED = 20_000  # entries of a group that are held in memory
_BUILDING = Lock()
_CANDIDATES = 50  # entries that the database returns of a larger group


def find_entries(query: str, most: int, group: RegistryGroup | None = None) -> tuple[WordHit, ...]:
    """Return the entries in use that match a query, of one group or of all, the best first."""
    groups = tuple(GROUPS.values()) if group is None else (group,)
    tables = frozenset(table for each in groups for table in each.registries)
    large = [document for each in groups for document in _candidates(each, query)]
    found = (*_index().find(query, most, tables), *WordIndex(large).find(query, most))
    return tuple(sorted(found, key=lambda hit: -hit.score))[:most]


def entries_named(registries: Iterable[str], folded: Iterable[str]) -> tuple[WordHit, ...]:
    """Return the entries with these names as hits of a search."""
    return _index().named(registries, folded)


def _index() -> WordIndex:
    latest = ((group.id, edition_rows.latest_edition(group)) for group in GROUPS.values())
    editions = ((ident, edition.n, edition.as_of) for ident, edition in latest if edition)
    with _BUILDING:  # by one thread; the others wait for it
        return _index_of(names.database_name(), tuple(editions))


@lru_cache(maxsize=2)  # the newest editions, and those before
def _index_of(_database: str, editions: tuple[tuple[str, int, datetime], ...]) -> WordIndex:
    small = (GROUPS[ident] for ident, _, _ in editions if not _is_large(GROUPS[ident]))
    return WordIndex(document for group in small for document in _documents(group, MOST_INDEXED))


def _is_large(group: RegistryGroup) -> bool:
    wanted = search_index.SearchIndexQuery(registries=group.registries, statuses=IN_USE)
    return search_index.count(wanted) > MOST_INDEXED


def _candidates(group: RegistryGroup, query: str) -> Iterator[SearchDocument]:
    if _is_large(group):
        terms = tuple(SearchTerm(word) for word in words_of(query))[:MOST_WORDS]
        yield from _documents(group, _CANDIDATES, terms) if terms else ()


def _documents(
    group: RegistryGroup, most: int, terms: tuple[SearchTerm, ...] = ()
) -> Iterator[SearchDocument]:
    wanted = search_index.SearchIndexQuery(
        registries=group.registries, statuses=IN_USE, terms=terms
    )
    found = search_index.page(wanted, search_index.SearchIndexOrder(), most)
    named = {ident for hit in found for ident in people_named(hit.record)}
    people = {person.id: person for person in person_versions.people_of(named)}
    return (document_of(hit.registry, hit.record, people) for hit in found)


_MOST = 8  # suggestions of each kind
_NID = re.compile(r"[A-Za-z0-9-]{2,32}")
_OF_URN = re.compile(r"urn:([A-Za-z0-9-]{1,32})", re.IGNORECASE | re.ASCII)


def names_offered(query: str) -> tuple[NameSuggestion, ...]:
    """The names that a query is, whole, by their bare numbers, or but for the look of their scheme;
    mostly none.
    """
    book, text = rule_book(), unwrap_identifier(query)
    if alike := look_alike_offers(text):
        return alike
    try:
        urn = parse_urn(text)
    except InvalidURN:
        return tuple(map(offer_of, recognize_bare(text, book.find)))
    if book.find(FORMAL.fold(urn.nid)) is None:
        return ()
    normal = urn.normal_form
    return (NameSuggestion(normal, name_path(normal), "A whole URN.", "RFC 8141 section 2"),)


def look_alike_offers(text: str) -> tuple[NameSuggestion, ...]:
    """The name that a text is whose scheme only looks like one, as ``аrk:`` does; mostly none."""
    for scheme, source in (
        ("urn", "RFC 8141 section 2"),
        ("ark", "The ARK URI scheme section 8.1"),
    ):
        alike = find_scheme_look_alike(text, scheme)
        normal = _normal_form_of(with_plain_scheme(text, scheme)) if alike else ""
        if alike and normal:
            why = look_alike_sentence(alike, scheme)
            return (NameSuggestion(normal, name_path(normal), why, source),)
    return ()


def _normal_form_of(text: str) -> str:
    if text.startswith("ark:"):
        return read_ark_request(text).normal_form
    try:
        return parse_urn(text).normal_form
    except InvalidURN:
        return ""


def guesses_of(query: str) -> ListSuggestions:
    """Return what a query that no row of a list has may have been meant for."""
    offers, meant, found = names_offered(query), names_meant(query), find_similar(query, _MOST)
    return ListSuggestions(
        offers=offers,
        meant=meant,
        found=found,
        name=_nid_in(query),
        is_vain=not (offers or meant or found),
    )


def find_similar(
    query: str, most: int, group: RegistryGroup | None = None
) -> tuple[SearchResult, ...]:
    """Return entries with the words of a query, or with similar words; of a URN, with its NID."""
    nid = _nid_in(query)
    hits = find_entries(nid if _OF_URN.match(unwrap_identifier(query)) else query, most, group)
    found = {hit.document.name: hit for hit in hits}
    if nid and all(hit.is_near for hit in hits):
        for hit in entries_named(URN_GROUP.registries, rule_book().nearest(nid)):
            found.setdefault(hit.document.name, hit)
    return results_of(list(found.values())[:most])


def names_meant(query: str) -> tuple[NameSuggestion, ...]:
    """Return the URN that a query is, in each namespace with a similar NID where it is valid."""
    try:
        urn = parse_urn(unwrap_identifier(query))
    except InvalidURN:
        return ()
    nid = FORMAL.fold(urn.nid)
    every = (f"urn:{name}:{urn.nss}" for name in rule_book().nearest(nid) if name != nid)
    return tuple(
        NameSuggestion(whole, name_path(whole), "A URN of a namespace with a similar NID.", "")
        for whole in every
        if judge_text(whole, rule_book()).is_name
    )


def _nid_in(query: str) -> str:
    text = unwrap_identifier(query)
    urn = _OF_URN.match(text)
    nid = urn[1] if urn else text
    return FORMAL.fold(nid) if _NID.fullmatch(nid) else ""
