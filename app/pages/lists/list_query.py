"""What somebody asks of the registry's list, as its address says it and back."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from urllib.parse import urlencode

from app.exports.search.search_terms import NO_YEAR, ReferenceKind
from app.registration.declarations.list_facets import ListFacet
from app.registration.declarations.registries import REGISTRIES
from app.registration.declarations.registry_groups import RegistryGroup
from app.registration.records.registry_records import Status

MAX_QUERY = 200
LIST_FORM = "filter"  # the id of the form that asks, with the answer below it
_LONGEST = 64
_LONGEST_FACT = 253  # a host may be so long


class ListSortKey(StrEnum):
    """What the rows can be sorted by: the columns of the table."""

    NAME = "name"
    TEMPLATE = "template"
    REFERENCE = "reference"
    DATE = "date"


class ListSortOrder(StrEnum):
    """Which way the rows are sorted."""

    ASCENDING = "asc"
    DESCENDING = "desc"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListQuery:
    """Words, what to leave out, the order, and the name after which a page begins.

    ``sort`` is None for the registry's own order; an empty text asks for nothing. ``facts`` are the
    values of facets that the registries of the group declare, each with its facet's id, and
    ``words`` those by which an address tells the columns of the group.
    """

    q: str = ""
    kind: str = ""
    status: str = ""
    reference: str = ""
    year: str = ""
    sort: ListSortKey | None = None
    order: ListSortOrder = ListSortOrder.ASCENDING
    after: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    words: tuple[tuple[ListSortKey, str], ...] = field(default=(), compare=False)

    @property
    def sort_word(self) -> str:
        """By what the rows are sorted, as an address says it; empty for the usual order."""
        return dict(self.words).get(self.sort, str(self.sort)) if self.sort else ""

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out, in whatever order."""
        return not (self.q or self.filters)

    @property
    def filters(self) -> dict[str, str]:
        """What is asked for besides the words, by the names that addresses have for it."""
        chosen = {name: getattr(self, name) for name in FILTERS} | dict(self.facts)
        return {name: value for name, value in chosen.items() if value}

    @property
    def is_plain(self) -> bool:
        """Whether this is the page that is published."""
        return self == ListQuery()

    def where(self, **changes: str) -> "ListQuery":
        """The query with other words or facets, from its first page on."""
        facts = dict(self.facts)
        facts.update((name, changes.pop(name)) for name in [*changes] if name not in _TEXTS)
        kept = tuple((name, value) for name, value in facts.items() if value)
        return replace(self, facts=kept, **({"after": ""} | changes))  # type: ignore[arg-type]  # as declared

    @property
    def query(self) -> str:
        """The part of an address that asks this; empty where nothing is asked."""
        turned = self.sort and self.order == ListSortOrder.DESCENDING
        given = asdict(self) | {"order": self.order if turned else "", "sort": self.sort_word}
        given = {name: value for name, value in given.items() if name not in NOT_ASKED}
        given |= dict(self.facts)
        parts = {name: value for name, value in given.items() if value}
        return f"?{urlencode(parts, errors='replace')}" if parts else ""

    def shown_at(self, path: str) -> str:
        """Where the page of the list answers this: on a narrow screen below all that it begins
        with.
        """
        return f"{path}{self.query}#{LIST_FORM}"


def sort_words(group: RegistryGroup) -> dict[ListSortKey, str]:
    """What an address calls each column of a group: by its declaration, where that has columns."""
    declared = next((c for each in group.registries if (c := REGISTRIES[each].columns)), ())
    own = zip((ListSortKey.TEMPLATE, ListSortKey.REFERENCE), declared, strict=False)
    return {key: str(key) for key in ListSortKey} | {key: column.id for key, column in own}


def published_query(group: RegistryGroup) -> ListQuery:
    """What the published page of a group answers."""
    return ListQuery(words=tuple(sort_words(group).items()))


def declared_facets(group: RegistryGroup) -> tuple[ListFacet, ...]:
    """What the registries of a group declare to count by, each once."""
    return tuple(dict.fromkeys(f for each in group.registries for f in REGISTRIES[each].facets))


def read_list_query(given: Mapping[str, str], group: RegistryGroup) -> ListQuery:
    """What an address asks for. Takes any text.

    An unknown sort is the registry's own order, an unknown order ascends; what is too long
    is cut.
    """
    words = {name: given.get(name, "")[:_LONGEST].strip() for name in _FACETS}
    columns = sort_words(group)
    known = {str(key): key for key in ListSortKey} | {word: key for key, word in columns.items()}
    sort, order = known.get(given.get("sort", "")), given.get("order", "")
    return ListQuery(
        q=" ".join(given.get("q", "")[:MAX_QUERY].split()),
        sort=sort,
        order=ListSortOrder(order)
        if sort and order in list(ListSortOrder)
        else ListSortOrder.ASCENDING,
        facts=tuple(_facts_in(given, group)),
        words=tuple(columns.items()),
        **words,
    )


def _facts_in(given: Mapping[str, str], group: RegistryGroup) -> Iterable[tuple[str, str]]:
    for facet in declared_facets(group):
        if value := given.get(facet.id, "")[:_LONGEST_FACT].strip():
            yield facet.id, value


FILTERS = ("kind", "status", "reference", "year")
_FACETS = (*FILTERS, "after")
# What an address says in other words, or what is known beside it.
NOT_ASKED = frozenset({"facts", "words"})
_TEXTS = frozenset({*_FACETS, "q", "sort", "order"})


def check_list_parameters(given: Mapping[str, str], group: RegistryGroup) -> tuple[str, ...]:
    """What of an address of a group asks for nothing that there is, in a sentence each."""
    return tuple(_doubts(given, group))


def _doubts(given: Mapping[str, str], group: RegistryGroup) -> Iterable[str]:
    facets = [facet.id for facet in declared_facets(group)]
    names = [*(one.name for one in fields(ListQuery) if one.name not in NOT_ASKED), *facets]
    kinds = tuple(REGISTRIES[each].kind for each in group.registries)
    values = {**_VALUES, "kind": kinds, "sort": tuple(sort_words(group).values())}
    for name, value in given.items():
        if name not in names:
            yield (f"`{name[:_LONGEST]}` isn't a parameter of this list. Use {_listed(names)}.")
        elif name == "sort" and value.strip() in list(ListSortKey):
            continue  # as addresses of every list said it once
        elif name in values and value.strip() and value.strip() not in values[name]:
            yield (
                f"`{value[:_LONGEST]}` isn't a value of `{name}`. Use "
                f"{_listed(values[name], 'or')}."
            )
        elif name == "year" and not _YEAR.fullmatch(value.strip()):
            yield (
                f"`{value[:_LONGEST]}` isn't a year. Enter a year such as `2001`, or `{NO_YEAR}`."
            )


def _listed(words: Iterable[str], link: str = "and") -> str:
    *first, last = (f"`{word}`" for word in words)
    return f"{', '.join(first)} {link} {last}"


_YEAR = re.compile(f"[0-9]{{4}}|{NO_YEAR}|")
_VALUES: Mapping[str, tuple[str, ...]] = {
    "kind": tuple(registry.kind for registry in REGISTRIES.values()),
    "status": tuple(Status),
    "reference": tuple(ReferenceKind),
    "order": tuple(ListSortOrder),
}
