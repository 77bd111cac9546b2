"""Full-text search over the entries of all registries."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from threading import Lock

from app.exports.content.selection import people_named
from app.exports.search.search_documents import document_of
from app.exports.search.search_terms import IN_USE, SearchTerm, words_of
from app.exports.search.word_index import MOST_WORDS, SearchDocument, WordHit, WordIndex
from app.registration.declarations.registry_groups import GROUPS, RegistryGroup
from app.store.editions import edition_rows
from app.store.registry import person_versions, search_index
from app.store.registry import record_versions as names

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
    """Entries of a group too large for memory that have all the words of a query."""
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
