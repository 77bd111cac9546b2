"""What a query may have been meant for that is no identifier and finds no row."""

import re

from app.identifiers.corrections import unwrap_identifier
from app.identifiers.errors import InvalidURN
from app.identifiers.uri_schemes import (
    find_scheme_look_alike,
    look_alike_sentence,
    with_plain_scheme,
)
from app.identifiers.urn import parse_urn
from app.pages.lists.list_suggestions import ListSuggestions, NameSuggestion, offer_of
from app.pages.lists.search_results import SearchResult, results_of
from app.registration.declarations.registries import FORMAL
from app.registration.declarations.registry_groups import URN_GROUP, RegistryGroup
from app.resolution.ark_resolver import read_ark_request
from app.resolution.bare_identifiers import recognize_bare
from app.resolution.judgement import judge_text
from app.resolution.outcome_documents import name_path
from app.services.names.rule_book import rule_book
from app.services.names.word_search import entries_named, find_entries

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
    """Of a URN, an ARK, or a NAAN with its scheme; empty for what is none."""
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
    """The folded NID of a URN, or a single word that can be one; "" for anything else."""
    text = unwrap_identifier(query)
    urn = _OF_URN.match(text)
    nid = urn[1] if urn else text
    return FORMAL.fold(nid) if _NID.fullmatch(nid) else ""
