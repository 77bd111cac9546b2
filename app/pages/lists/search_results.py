"""Hits of a full-text search as the results page shows them, each with where it matches."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup, escape

from app.exports.search.search_documents import IDENTIFIER
from app.exports.search.search_terms import fold_text
from app.exports.search.word_index import SearchField, WordHit
from app.pages.text.markdown import reveal_unseen
from app.registration.declarations.registries import REGISTRIES
from app.resolution.bare_identifiers import BareIdentifier
from app.resolution.outcome_documents import name_path

_MOST_REASONS = 2
_BEFORE, _MOST_WORDS = 6, 24  # words of a text that are shown around the first match
_TITLES = ("Title", "Organization")
_CONTEXT = ("Identifies", "Description", "Website")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """An entry with its page. ``reasons`` are excerpts with the matching words in bold."""

    whole: str
    name: str
    href: str
    kind: str
    title: Markup
    reasons: tuple[tuple[str, Markup], ...]
    is_near: bool


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """A public review of another request, with the part of its message that matches."""

    request: int
    whole: str
    outcome: str
    at: datetime
    excerpt: Markup


def results_of(hits: Iterable[WordHit]) -> tuple[SearchResult, ...]:
    """Hits as the page shows them."""
    return tuple(map(_result, hits))


def _result(hit: WordHit) -> SearchResult:
    table, name, fields = hit.document
    declared = REGISTRIES[table]
    space = declared.space
    word, label = declared.kind_word, space.label
    kind = label if word == label else f"{word} {label}"
    return SearchResult(
        whole=space.whole(name),
        name=name,
        href=space.page.format(name),
        kind=kind[0].upper() + kind[1:],
        title=next((_whole(one, hit.words) for one in fields if one.label in _TITLES), Markup()),
        reasons=tuple(_reasons(hit)),
        is_near=hit.is_near,
    )


def _reasons(hit: WordHit) -> Iterator[tuple[str, Markup]]:
    matching = [one for one in hit.fields if one.label not in _TITLES]
    beside = [one for one in matching if one.label != IDENTIFIER or hit.is_near][:_MOST_REASONS]
    for field in beside or [one for one in hit.document.fields if one.label in _CONTEXT][:1]:
        yield field.label, excerpt_of(field, hit.words)


def _whole(field: SearchField, words: Mapping[str, str]) -> Markup:
    return _marked(field.text, words, 0, len(field.text))


def excerpt_of(field: SearchField, words: Mapping[str, str]) -> Markup:
    """Return the words of a text around its first match, the matching words in bold."""
    found = list(_WORD.finditer(field.text))
    first = next((n for n, one in enumerate(found) if fold_text(one[0]) in words), 0)
    begin = max(0, first - _BEFORE) if len(found) > _MOST_WORDS else 0
    shown = found[begin : begin + _MOST_WORDS]
    start = shown[0].start() if begin else 0
    is_cut = begin + _MOST_WORDS < len(found)
    end = shown[-1].end() if is_cut else len(field.text)
    text = _marked(field.text, words, start, end)
    return Markup("").join(("… " * bool(start), text, " …" * is_cut))


def _marked(text: str, words: Mapping[str, str], start: int, end: int) -> Markup:
    pieces: list[Markup] = []
    for word in _WORD.finditer(text, start, end):
        if fold_text(word[0]) in words:
            pieces += (_shown(text[start : word.start()]), Markup("<strong>"))
            pieces += (_shown(word[0]), Markup("</strong>"))
            start = word.end()
    return Markup("").join((*pieces, _shown(text[start:end])))


def _shown(text: str) -> Markup:
    return escape(reveal_unseen(text))


@dataclass(frozen=True, slots=True)
class NameSuggestion:
    """An identifier that a query may be: its page, and how it was recognized."""

    urn: str
    href: str
    why: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSuggestions:
    """Suggestions for a query.

    ``offers`` are identifiers that the query is, in another form. ``meant`` are URNs like it in
    namespaces with a similar NID, and ``found`` are entries with its words or similar ones.
    ``name`` is the query as a NID, or empty. Where nothing is similar, ``is_vain`` is true.
    """

    offers: tuple[NameSuggestion, ...] = ()
    meant: tuple[NameSuggestion, ...] = ()
    found: tuple[SearchResult, ...] = ()
    name: str = ""
    is_vain: bool = False


NO_GUESSES = ListSuggestions()


def offer_of(found: BareIdentifier) -> NameSuggestion:
    """Return a bare number, such as an ISBN, as a suggestion."""
    return NameSuggestion(found.urn, name_path(found.urn), found.why, found.source)
