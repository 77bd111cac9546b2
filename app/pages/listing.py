"""A snapshot's rows as somebody asked for them: filtered, sorted, counted."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from app.exports.rows import row
from app.exports.selection import current, xrefs_in
from app.exports.spaces import space_of, whole_name
from app.pages.places import name_path
from app.registration.records import (
    Person,
    Registration,
    RegistrySnapshot,
    RichText,
    Status,
    SubRegistry,
    Xref,
    XrefType,
    bracketed,
    plain,
)

NO_DATE = "date not recorded"
MAX_QUERY = 200


class Sort(StrEnum):
    """What the rows can be sorted by: the columns of the table."""

    NAME = "name"
    TEMPLATE = "template"
    REFERENCE = "reference"
    DATE = "date"


class Order(StrEnum):
    """Which way the rows are sorted."""

    ASCENDING = "asc"
    DESCENDING = "desc"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One record as it is shown in a table, with the titles of what it refers to.

    ``about`` is the shortest that can be said of what the names are for, or whose they are.
    """

    record: Registration
    whole_name: str
    path: str
    template: RichText
    references: RichText
    titles: tuple[str, ...]
    about: str

    @property
    def words(self) -> str:
        """All that the row shows: what a query is looked for in."""
        record = self.record
        shown = (self.whole_name, plain(self.template), plain(self.references), *self.titles)
        dates = (record.date or NO_DATE, f"changed {record.updated}" if record.updated else "")
        status = "" if record.status is Status.REGISTERED else str(record.status)
        return " ".join((*shown, *dates, status)).casefold()


@dataclass(frozen=True, slots=True)
class Table:
    """One table with the rows that are shown of it."""

    registry: SubRegistry
    rows: tuple[Row, ...]
    total: int


@dataclass(frozen=True, slots=True)
class RegistryView:
    """The tables as somebody asked for them; ``sort`` is None for the registry's own order."""

    q: str
    sort: Sort | None
    order: Order
    tables: tuple[Table, ...]

    @property
    def shown(self) -> int:
        """How many rows are shown."""
        return sum(len(table.rows) for table in self.tables)

    @property
    def total(self) -> int:
        """How many names are registered."""
        return sum(table.total for table in self.tables)


def listed(
    snapshot: RegistrySnapshot, q: str = "", sort: str = "", order: str = ""
) -> RegistryView:
    """The rows that hold every word of the query, sorted as asked.

    Takes any text: an unknown sort is the registry's own order, an unknown order ascends.
    What has no date, template or reference comes last in either order.
    """
    q = " ".join(q[:MAX_QUERY].split())
    by = Sort(sort) if sort in list(Sort) else None
    way = Order(order) if order in list(Order) else Order.ASCENDING
    people = {person.id: person for person in snapshot.people}
    tables = (_table(registry, people, q, by, way) for registry in snapshot.registries)
    return RegistryView(q, by, way, tuple(tables))


def _table(
    registry: SubRegistry, people: Mapping[str, Person], q: str, sort: Sort | None, order: Order
) -> Table:
    rows = tuple(row_of(registry, record, people) for record in current(registry))
    found = tuple(row for row in rows if matches(row, q))
    return Table(registry, _sorted(found, sort, order), len(rows))


def row_of(registry: SubRegistry, record: Registration, people: Mapping[str, Person]) -> Row:
    """One record as a row; informal namespaces show their contact where others show references."""
    _, template, references = row(record)
    titles = tuple(_titles(template + references, people))
    owners = (_owner(xref, people) for xref in xrefs_in(references))
    return Row(
        record=record,
        whole_name=whole_name(space_of(registry), record) or record.folded,
        path=name_path(registry, record),
        template=template,
        references=references,
        titles=titles,
        about=next(chain(titles, owners), ""),
    )


def _owner(xref: Xref, people: Mapping[str, Person]) -> str:
    person = people.get(xref.data) if xref.type is XrefType.PERSON else None
    return (person and person.name) or xref.label or bracketed(xref)


def _titles(text: RichText, people: Mapping[str, Person]) -> Iterator[str]:
    for xref in xrefs_in(text):
        if title := title_of(xref, people):
            yield title


def title_of(xref: Xref, people: Mapping[str, Person]) -> str:
    """What a reference does not say itself of where it leads; empty where it says it all."""
    title = xref.title
    if xref.type is XrefType.PERSON and (person := people.get(xref.data)):
        title = ", ".join(filter(None, (person.name, person.org)))
    return (
        "" if title.replace(" ", "_") in {xref.label, xref.data} or title == xref.label else title
    )


def matches(row: Row, q: str) -> bool:
    """Whether a row holds every word of a query; of a URN, only the namespace counts."""
    words = row.words
    return all(_namespace(word) in words for word in q.casefold().split())


def _namespace(word: str) -> str:
    return re.sub(r"(urn:[^:]*:).*", r"\1", word, count=1) if word.startswith("urn:") else word


def _sorted(rows: tuple[Row, ...], sort: Sort | None, order: Order) -> tuple[Row, ...]:
    if sort is None:
        return rows
    key = _KEYS[sort]
    with_key = [row for row in rows if key(row)]
    with_key.sort(key=lambda row: _natural(key(row)), reverse=order is Order.DESCENDING)
    return (*with_key, *(row for row in rows if not key(row)))


_KEYS: Mapping[Sort, Callable[[Row], str]] = {
    Sort.NAME: lambda row: row.record.folded,
    Sort.TEMPLATE: lambda row: plain(row.template),
    Sort.REFERENCE: lambda row: plain(row.references),
    Sort.DATE: lambda row: row.record.date or "",
}


def _natural(text: str) -> list[tuple[int, str]]:
    """A text so that 3gpp2 comes before 3gpp10."""
    parts = re.split(r"([0-9]+)", text.casefold())
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


# What the registry as a whole has to tell


@dataclass(frozen=True, slots=True)
class News:
    """What the last change of the registry was about."""

    added: tuple[Row, ...]
    changed: tuple[Row, ...]


def news(snapshot: RegistrySnapshot) -> News:
    """The names that were added or changed on the day the registry was last updated."""
    rows = list(_rows(snapshot))
    added = tuple(row for row in rows if row.record.date == snapshot.updated)
    changed = (row for row in rows if row.record.updated == snapshot.updated)
    return News(added, tuple(row for row in changed if row not in added))


def newest(snapshot: RegistrySnapshot, count: int = 5) -> tuple[Row, ...]:
    """The names registered last, the newest first; those without a date are left out."""
    dated = [row for row in _rows(snapshot) if row.record.date]
    return tuple(sorted(dated, key=lambda row: row.record.date or "", reverse=True)[:count])


def years(snapshot: RegistrySnapshot) -> tuple[Counter[int], int]:
    """How many names were registered in each year, and how many have no recorded date."""
    dates = [row.record.date for row in _rows(snapshot)]
    known = Counter(int(date[:4]) for date in dates if date)
    return known, len(dates) - known.total()


def _rows(snapshot: RegistrySnapshot) -> Iterator[Row]:
    for table in listed(snapshot).tables:
        yield from table.rows
