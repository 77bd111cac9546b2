"""What somebody may have meant whose search found little or nothing."""

from dataclasses import dataclass

from app.exports.search.suggestions import Suggestion
from app.pages.tools.naan_match_view import NaanMatchView
from app.resolution.bare_identifiers import BareIdentifier
from app.resolution.name_paths import name_path


@dataclass(frozen=True, slots=True)
class NameSuggestion:
    """A whole name that a query is: its page, and by what it was recognized."""

    urn: str
    href: str
    why: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSuggestions:
    """``offers`` are names that were asked for by their number or whole; ``near`` the namespaces
    whose names or titles are like what was asked for, the best first; ``told`` those of which one
    of its words is told.

    ``meant`` are whole names as they are in a namespace that is like the one asked for, and
    ``spelt`` is the query with its misspelt words as they are spelt. ``name`` is what was asked
    for where it can be the name of a namespace. ``holders`` are the NAANs whose holders have a name
    like it. Where nothing at all is like a query, ``is_vain`` says so.
    """

    offers: tuple[NameSuggestion, ...] = ()
    near: tuple[Suggestion, ...] = ()
    told: tuple[Suggestion, ...] = ()
    meant: tuple[NameSuggestion, ...] = ()
    holders: tuple[NaanMatchView, ...] = ()
    spelt: str = ""
    name: str = ""
    is_vain: bool = False


NO_GUESSES = ListSuggestions()


def offer_of(found: BareIdentifier) -> NameSuggestion:
    """A number as the page of a list offers it."""
    return NameSuggestion(found.urn, name_path(found.urn), found.why, found.source)
