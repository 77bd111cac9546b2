"""What somebody may have meant whose words find nothing as they were written."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from app.exports.search.search_terms import IN_USE, SearchTerm, asked_terms
from app.exports.search.spelling_index import SpellingIndex
from app.exports.search.suggestions import MOST_SUGGESTED, Suggestion, suggestion_of, suggestions_in
from app.exports.search.title_index import (
    EDIT,
    TitleHit,
    TitleIndex,
    best_hits,
    characters_in,
    words_asked,
)
from app.identifiers.corrections import unwrap_identifier
from app.identifiers.errors import InvalidURN
from app.identifiers.nid_index import skeleton
from app.identifiers.uri_schemes import (
    find_scheme_look_alike,
    look_alike_sentence,
    with_plain_scheme,
)
from app.identifiers.urn import parse_urn
from app.pages.lists.list_suggestions import ListSuggestions, NameSuggestion, offer_of
from app.pages.tools.naan_match_view import match_view_of
from app.registration.declarations.registries import FORMAL
from app.registration.declarations.registry_groups import URN_GROUP
from app.resolution.arks.ark_requests import read_ark_request
from app.resolution.bare_identifiers import recognize_bare
from app.resolution.judgement import judge_text
from app.resolution.name_paths import name_path
from app.resolution.rule_books import edits_between
from app.services.names.rule_book import rule_book
from app.services.registry.naan_holders import holders_meant
from app.store.editions import edition_rows
from app.store.registry import record_versions as names
from app.store.registry import search_index

_MOST = 8  # of each kind of guess
_MOST_TRIED = 4  # words that may be a name each
_MOST_READ = 40  # names for one word
_SHORTEST_MISSPELT = 4  # characters: one edit makes of three nearly any other three
_NID = re.compile(r"[A-Za-z0-9-]{1,32}")
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
    """Of a URN, an ARK, or a NAAN with its scheme; empty for what is none."""
    if text.startswith("ark:"):
        return read_ark_request(text).normal_form
    try:
        return parse_urn(text).normal_form
    except InvalidURN:
        return ""


def guesses_of(query: str) -> ListSuggestions:
    """What a query that found nothing may have been meant for."""
    costs = _name_costs(query)
    alike = _offered(costs)
    near = _nearest(query, costs, alike)
    offers = names_offered(query)
    spelt = "" if offers else _spelt(query, {one.nid for one in near})
    told = () if near or spelt else _with_any(query)
    return ListSuggestions(
        offers=offers,
        near=near,
        told=told,
        meant=_meant(query, alike),
        spelt=spelt,
        name="" if " " in query.strip() else next(iter(_names_tried(query)), ""),
        is_vain=not (offers or near or told or spelt),
    )


def with_holders(guesses: ListSuggestions, query: str) -> ListSuggestions:
    """Guesses with the NAANs whose holders a query may have been meant for."""
    named = () if _OF_URN.match(unwrap_identifier(query)) else holders_meant(query)
    holders = tuple(map(match_view_of, named))
    return replace(guesses, holders=holders, is_vain=guesses.is_vain and not holders)


def _nearest(
    query: str, costs: Mapping[str, int], alike: tuple[Suggestion, ...]
) -> tuple[Suggestion, ...]:
    """The namespaces whose names or titles are like a query, the best first."""
    if _OF_URN.match(unwrap_identifier(query)):
        return alike
    hits = [TitleHit(costs[one.nid], one) for one in alike]
    ranked = best_hits([*hits, *_titles().hits(query)], query)
    return tuple(dict.fromkeys(hit.suggestion for hit in ranked))[:_MOST]


def _spelt(query: str, offered: Container[str]) -> str:
    """The query as its words are spelt, where that finds something else than what is offered."""
    spelt = "" if _OF_URN.match(unwrap_identifier(query)) else _spellings().corrected(query)
    if not spelt or spelt in offered:
        return ""
    here = URN_GROUP.registries
    wanted = search_index.SearchIndexQuery(registries=here, terms=asked_terms(spelt))
    found = search_index.page(wanted, search_index.SearchIndexOrder(), 1)
    return spelt if found else ""


def _meant(query: str, near: Iterable[Suggestion]) -> tuple[NameSuggestion, ...]:
    """The URN that a query is, under the names that are like its own, where it can be one there."""
    try:
        urn = parse_urn(unwrap_identifier(query))
    except InvalidURN:
        return ()
    wholes = (f"urn:{one.nid}:{urn.nss}" for one in near if one.nid != FORMAL.fold(urn.nid))
    return tuple(
        NameSuggestion(whole, name_path(whole), "A URN of a namespace that is written like it.", "")
        for whole in wholes
        if judge_text(whole, rule_book()).is_name
    )


def _name_costs(query: str) -> dict[str, int]:
    """Names that are like a query or a word of it, the nearest first, each with how far it is."""
    costs: dict[str, int] = {}
    book, characters = rule_book(), characters_in(query)
    for tried in _names_tried(query):
        rest = max(0, characters - characters_in(tried))
        for name in book.nearest(tried):
            if rest and _is_chance(tried, name):
                continue
            cost = _name_cost(tried, name, rest)
            costs[name] = min(cost, costs.get(name, cost))
    return dict(sorted(costs.items(), key=lambda item: item[1]))


def _is_chance(word: str, name: str) -> bool:
    """Whether a short word among others is like a name as nearly any would be: `of`, and `ogf`."""
    return len(word) < _SHORTEST_MISSPELT and skeleton(word) != skeleton(name)


def _name_cost(tried: str, name: str, rest: int) -> int:
    """A word that is a name, or nearly one, says more than the words beside it."""
    if skeleton(tried) == skeleton(name):
        return EDIT * (tried != name) + (rest > 0)
    edits = edits_between(tried, name) or 1
    if edits == 1 and len(tried) >= _SHORTEST_MISSPELT:
        return EDIT + (rest > 0)
    return EDIT * (edits + rest)


def _names_tried(query: str) -> list[str]:
    """What of a query may be a name: of a URN its namespace, otherwise all of it, or a word."""
    urn = _OF_URN.match(unwrap_identifier(query))
    if urn:
        return [FORMAL.fold(urn[1])]
    words = query.split()[:_MOST_TRIED]
    tried = ("-".join(words), "".join(words), *words)
    return [FORMAL.fold(one) for one in dict.fromkeys(tried) if _NID.fullmatch(one)]


def _offered(names_alike: Iterable[str]) -> tuple[Suggestion, ...]:
    """Those of the names that are in use, the nearest first."""
    offered = []
    for name in list(names_alike)[: 2 * _MOST]:
        found = names.find_record(FORMAL.space.id, name)
        if found and found[1].status in IN_USE:
            offered.append(suggestion_of(found[1]))
    return tuple(offered[:_MOST])


def find_by_title(query: str) -> tuple[Suggestion, ...]:
    """The namespaces whose names or titles have the words of a query, or words like them; where
    none has, those with the most of the words in all that is said of them."""
    found = () if _OF_URN.match(unwrap_identifier(query)) else _titles().find(query, _MOST)
    return found or _with_any(query)


def _known() -> tuple[str, int, datetime | None]:
    """What changes whenever the registry does: its database, and its last edition."""
    latest = edition_rows.latest_edition(URN_GROUP)
    return names.database_name(), *((latest.n, latest.as_of) if latest else (0, None))


def _titles() -> TitleIndex:
    return _titles_of(*_known())


@lru_cache(maxsize=2)
def _titles_of(_database: str, _edition: int, _as_of: datetime | None) -> TitleIndex:
    wanted = search_index.SearchIndexQuery(registries=URN_GROUP.registries, statuses=IN_USE)
    found = search_index.page(wanted, search_index.SearchIndexOrder(), MOST_SUGGESTED + 1)
    return TitleIndex(suggestions_in(row.record for row in found))


def _spellings() -> SpellingIndex:
    return _spellings_of(*_known())


@lru_cache(maxsize=2)
def _spellings_of(_database: str, _edition: int, _as_of: datetime | None) -> SpellingIndex:
    return SpellingIndex(search_index.terms_in(URN_GROUP.registries, IN_USE, MOST_SUGGESTED))


def _with_any(query: str) -> tuple[Suggestion, ...]:
    """Each word is looked for by itself, since together they found nothing; those of a URN say
    nothing of what it is about.
    """
    if _OF_URN.match(unwrap_identifier(query)):
        return ()
    counts, records = Counter[str](), {}
    for word in words_asked(query)[:_MOST_TRIED]:
        terms = (SearchTerm(word),)
        here = URN_GROUP.registries
        wanted = search_index.SearchIndexQuery(registries=here, statuses=IN_USE, terms=terms)
        for row in search_index.page(wanted, search_index.SearchIndexOrder(), _MOST_READ):
            counts[row.record.folded] += 1
            records[row.record.folded] = row.record
    return tuple(suggestion_of(records[name]) for name, _ in counts.most_common(_MOST))
