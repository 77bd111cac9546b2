"""What a search may have been meant for."""

from dataclasses import dataclass

from app.pages.lists.search_results import SearchResult
from app.resolution.bare_identifiers import BareIdentifier
from app.resolution.outcome_documents import name_path


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
