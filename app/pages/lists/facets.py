"""The counts beside a list: what there is of each kind, status, reference and year."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from app.exports.search.search_terms import (
    IN_USE,
    NO_YEAR,
    FacetValues,
    ReferenceKind,
    facet_values,
)
from app.pages.lists.list_query import ListQuery
from app.registration.declarations.list_facets import ListFacet
from app.registration.declarations.registries import REGISTRIES
from app.registration.records.registry_records import RegistrySnapshot, Status

Cube = Mapping[FacetValues, int]


@dataclass(frozen=True, slots=True)
class FacetValue:
    """One value to choose, how many names have it under the other filters, and its address."""

    label: str
    count: int
    href: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing that names differ in; ``clear`` is the address without a choice in it.

    ``left_out`` counts the values that are not offered, since few names have them.
    """

    label: str
    choices: tuple[FacetValue, ...]
    clear: str
    left_out: int = 0

    @property
    def chosen(self) -> str:
        """The label of the value that was chosen; empty where none was."""
        return next((choice.label for choice in self.choices if choice.is_chosen), "")


_REFERENCES = {
    ReferenceKind.RFC: "RFC",
    ReferenceKind.DRAFT: "Draft",
    ReferenceKind.ORGANIZATION: "Organization",
    ReferenceKind.PERSON: "Person",
    ReferenceKind.NONE: "None",
}


def _kind(cell: FacetValues) -> str:
    declared = REGISTRIES.get(cell.registry)
    return declared.kind if declared else cell.registry


_VALUES: dict[str, Callable[[FacetValues], str]] = {
    "kind": _kind,
    "status": lambda cell: cell.status,
    "reference": lambda cell: cell.reference,
    "year": lambda cell: cell.year,
}
_LABELS = {"kind": "Kind", "status": "Status", "reference": "Reference", "year": "Year"}


def values_in(cell: FacetValues, name: str) -> tuple[str, ...]:
    """The values of a cell in a facet: one, or any number where a registry declares it."""
    if name in _VALUES:
        return (_VALUES[name](cell),)
    return tuple(value for facet, value in cell.facts if facet == name)


def cube_of(snapshot: RegistrySnapshot) -> Counter[FacetValues]:
    """How many records of a snapshot are in each cell."""
    return Counter(facet_values(t.id, record) for t in snapshot.registries for record in t.records)


def count_cells(cube: Cube, asked: ListQuery, without: str = "") -> Counter[FacetValues]:
    """The cells that pass all filters but one. Names in use, unless a status is asked for."""
    filters = {name: value for name, value in asked.filters.items() if name != without}
    is_in_use = without != "status" and not asked.status
    passed = Counter[FacetValues]()
    for cell, count in cube.items():
        if _passes(cell, filters) and not (is_in_use and cell.status not in IN_USE):
            passed[cell] = count
    return passed


def _passes(cell: FacetValues, filters: Mapping[str, str]) -> bool:
    return all(wanted in values_in(cell, name) for name, wanted in filters.items())


def facets(
    cube: Cube, asked: ListQuery, path: str, declared: Sequence[ListFacet] = ()
) -> tuple[Facet, ...]:
    """Every facet with its counts under the other filters; a chosen value stays, at whatever.

    ``declared`` are those of the registries, in the place of the first reference.
    """
    names = [name for name in _VALUES if not declared or name != "reference"]
    own = {facet.id: facet for facet in declared}
    return tuple(_facet(cube, asked, name, path, own.get(name)) for name in (*own, *names))


def _facet(cube: Cube, asked: ListQuery, name: str, path: str, declared: ListFacet | None) -> Facet:
    counts = Counter[str]()
    for cell, count in count_cells(cube, asked, without=name).items():
        for value in values_in(cell, name):
            counts[value] += count
    chosen = asked.filters.get(name, "")
    choices = tuple(
        FacetValue(
            declared.word(value) if declared else label_of(name, value),
            counts[value],
            asked.where(**{name: value}).shown_at(path),
            value == chosen,
        )
        for value in _offered(counts, chosen, name, declared)
    )
    label = declared.label if declared else _LABELS[name]
    return Facet(
        label, choices, asked.where(**{name: ""}).shown_at(path), _left_out(counts, declared)
    )


def _offered(counts: Counter[str], chosen: str, name: str, declared: ListFacet | None) -> list[str]:
    if declared is None:
        return sorted({*counts, chosen} - {""}, key=_ORDERS.get(name, _as_declared))
    most = sorted(counts, key=lambda value: (-counts[value], value))[: declared.most]
    return [*most, *([chosen] if chosen and chosen not in most else [])]


def _left_out(counts: Counter[str], declared: ListFacet | None) -> int:
    return max(0, len(counts) - declared.most) if declared else 0


def label_of(name: str, value: str) -> str:
    """A value of a facet as people read it; any other text as it was given."""
    if name == "reference" and value in list(ReferenceKind):
        return _REFERENCES[ReferenceKind(value)]
    if name == "year":
        return "Not recorded" if value == NO_YEAR else value
    if name == "kind":
        value = next((each.kind_word for each in REGISTRIES.values() if each.kind == value), value)
    return value[:1].upper() + value[1:]


_DECLARED = (*(registry.kind for registry in REGISTRIES.values()), *Status, *ReferenceKind)


def _as_declared(value: str) -> tuple[int, str]:
    return (_DECLARED.index(value) if value in _DECLARED else len(_DECLARED), value)


def _newest_first(value: str) -> tuple[int, str]:
    return (-int(value) if value.isascii() and value.isdigit() else 1, value)


_ORDERS: dict[str, Callable[[str], tuple[int, str]]] = {"year": _newest_first}


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
