"""What somebody may have meant whose words find nothing as they were written."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache

from app.exports.search.search_terms import IN_USE, SearchTerm
from app.exports.search.suggestions import MOST_SUGGESTED, Suggestion, suggestion_of, suggestions_in
from app.exports.search.title_index import TitleIndex, words_asked
from app.identifiers.errors import InvalidURN
from app.identifiers.urn import parse_urn
from app.pages.lists.list_suggestions import ListSuggestions, NameSuggestion, offer_of
from app.registration.declarations.registries import FORMAL
from app.registration.declarations.registry_groups import URN_GROUP
from app.resolution.bare_identifiers import recognize, unwrap
from app.resolution.judgement import judge
from app.resolution.name_paths import name_path
from app.services.names.rule_book import rule_book
from app.store.editions import edition_rows
from app.store.registry import record_versions as names
from app.store.registry import search_index

_MOST = 8  # of each kind of guess
_MOST_TRIED = 4  # words that may be a name each
_MOST_READ = 40  # names for one word
_NID = re.compile(r"[A-Za-z0-9-]{1,32}")
_OF_URN = re.compile(r"urn:([A-Za-z0-9-]{1,32})", re.IGNORECASE | re.ASCII)


def names_offered(query: str) -> tuple[NameSuggestion, ...]:
    """The names that a query is, whole or by their bare numbers; mostly none."""
    book, text = rule_book(), unwrap(query)
    try:
        urn = parse_urn(text)
    except InvalidURN:
        return tuple(map(offer_of, recognize(text, book.find)))
    if book.find(FORMAL.fold(urn.nid)) is None:
        return ()
    normal = urn.normal_form
    return (NameSuggestion(normal, name_path(normal), "A whole URN.", "RFC 8141 section 2"),)


def guesses_of(query: str) -> ListSuggestions:
    """What a query that found nothing may have been meant for."""
    near = near_names(query)
    known = {one.nid for one in near}
    titled = tuple(one for one in titled_with(query) if one.nid not in known)
    offers, meant = names_offered(query), _meant(query, near)
    return ListSuggestions(
        offers=offers,
        near=near,
        titled=titled,
        meant=meant,
        name="" if " " in query.strip() else next(iter(_names_tried(query)), ""),
        is_vain=not (offers or near or titled),
    )


def _meant(query: str, near: Iterable[Suggestion]) -> tuple[NameSuggestion, ...]:
    """The URN that a query is, under the names that are like its own, where it can be one there."""
    try:
        urn = parse_urn(unwrap(query))
    except InvalidURN:
        return ()
    wholes = (f"urn:{one.nid}:{urn.nss}" for one in near if one.nid != FORMAL.fold(urn.nid))
    return tuple(
        NameSuggestion(whole, name_path(whole), "A URN of a namespace that is written like it.", "")
        for whole in wholes
        if judge(whole, rule_book()).is_name
    )


def near_names(query: str) -> tuple[Suggestion, ...]:
    """The namespaces in use whose names are like a query, or like a word of it."""
    book = rule_book()
    near = (name for tried in _names_tried(query) for name in book.nearest(tried))
    return tuple(_offered(dict.fromkeys(near)))[:_MOST]


def _names_tried(query: str) -> list[str]:
    """What of a query may be a name: of a URN its namespace, otherwise all of it, or a word."""
    urn = _OF_URN.match(unwrap(query))
    if urn:
        return [FORMAL.fold(urn[1])]
    words = query.split()[:_MOST_TRIED]
    tried = ("-".join(words), "".join(words), *words)
    return [FORMAL.fold(one) for one in dict.fromkeys(tried) if _NID.fullmatch(one)]


def _offered(folded: dict[str, None]) -> Iterator[Suggestion]:
    for name in list(folded)[: 2 * _MOST]:
        found = names.find_record(FORMAL.space.id, name)
        if found and found[1].status in IN_USE:
            yield suggestion_of(found[1])


def titled_with(query: str) -> tuple[Suggestion, ...]:
    """The namespaces whose titles have the words of a query, or words like them; where none has,
    those with the most of the words in all that is said of them."""
    latest = edition_rows.latest_edition(URN_GROUP)
    known = (latest.n, latest.as_of) if latest else (0, None)
    if _OF_URN.match(unwrap(query)):
        return ()
    return _titles(names.database_name(), *known).find(query, _MOST) or _with_any(query)


@lru_cache(maxsize=2)
def _titles(_database: str, _edition: int, _as_of: datetime | None) -> TitleIndex:
    wanted = search_index.SearchIndexQuery(statuses=IN_USE)
    found = search_index.page(wanted, search_index.SearchIndexOrder(), MOST_SUGGESTED + 1)
    return TitleIndex(suggestions_in(row.record for row in found))


def _with_any(query: str) -> tuple[Suggestion, ...]:
    """Each word is looked for by itself, since together they found nothing."""
    counts, records = Counter[str](), {}
    for word in words_asked(query)[:_MOST_TRIED]:
        wanted = search_index.SearchIndexQuery(statuses=IN_USE, terms=(SearchTerm(word),))
        for row in search_index.page(wanted, search_index.SearchIndexOrder(), _MOST_READ):
            counts[row.record.folded] += 1
            records[row.record.folded] = row.record
    return tuple(suggestion_of(records[name]) for name, _ in counts.most_common(_MOST))
