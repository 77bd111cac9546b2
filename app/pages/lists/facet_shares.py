"""How names are spread over the values of what their registry declares to count by, as bars."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from app.pages.lists.facets import Cube, values_in
from app.registration.declarations.list_facets import ListFacet

_MOST = 6  # bars of one drawing
_WHOLE = 100


@dataclass(frozen=True, slots=True)
class FacetShare:
    """One bar: what it is of, how many names have that, and its length of 100."""

    label: str
    count: int
    length: float


@dataclass(frozen=True, slots=True)
class FacetShares:
    """The bars of a facet, the longest first."""

    label: str
    shares: tuple[FacetShare, ...]


def shares_of(cube: Cube, declared: Sequence[ListFacet]) -> tuple[FacetShares, ...]:
    """The bars of each declared facet that has few values, of the names that are counted."""
    every = (_shares(cube, facet) for facet in declared)
    return tuple(each for each in every if 1 < len(each.shares) <= _MOST)


def _shares(cube: Cube, facet: ListFacet) -> FacetShares:
    counts = Counter[str]()
    for cell, count in cube.items():
        for value in values_in(cell, facet.id):
            counts[value] += count
    most = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    longest = max(counts.values(), default=1)
    bars = (
        FacetShare(facet.word(value), count, round(count * _WHOLE / longest, 1))
        for value, count in most
    )
    return FacetShares(facet.label, tuple(bars))
