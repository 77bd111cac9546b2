"""A registry's rows as a page shows them, and what it tells of all the others."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice

from app.exports.content.name_presentation import kind_of, presentation_of, whole_name
from app.exports.content.registry_rows import record_row
from app.exports.content.selection import current_records, xrefs_in
from app.exports.search.search_terms import NO_YEAR, FacetValues
from app.pages.diagrams.growth_chart import GrowthChart, YearCount, growth_chart
from app.pages.lists.facets import Cube, Facet, FacetShares, count_cells, cube_of, facets, shares_of
from app.pages.lists.list_query import ListQuery, ListSortKey, declared_facets, published_query
from app.pages.lists.registry_paths import group_of_snapshot, name_path, registry_path
from app.pages.lists.search_results import NO_GUESSES, ListSuggestions
from app.registration.declarations.registries import REGISTRIES, IdentifierSpace, space_of
from app.registration.declarations.registry_groups import RegistryGroup
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    RichText,
    Status,
    SubRegistry,
    Xref,
    XrefType,
    bracket_reference,
)

NO_DATE = "date not recorded"
WHOLE = 500  # a registry of no more names is one page
PAGE = 100
_BESIDE_DRAWINGS = 50
MOST_NEWS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryListRow:
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


@dataclass(frozen=True, slots=True)
class RegistryListTable:
    """One table with the rows that are shown of it.

    ``total`` counts the names in use; ``more`` is the address of the rows that follow, if any.
    """

    registry: SubRegistry
    rows: tuple[RegistryListRow, ...]
    total: int
    more: str = ""

    @property
    def space(self) -> IdentifierSpace:
        """What its names are unique in."""
        return presentation_of(self.registry)

    @property
    def title(self) -> str:
        """The title of the list; what all its names are called, where nobody gave it one."""
        declared, plural = REGISTRIES.get(self.registry.id), self.space.plural
        is_label = declared is not None and self.registry.title == declared.label
        return plural[0].upper() + plural[1:] if is_label else self.registry.title

    @property
    def headings(self) -> tuple[str, str]:
        """What stands above its second and third column."""
        declared = REGISTRIES.get(self.registry.id)
        own = declared.columns if declared else ()
        return (own[0].label, own[1].label) if own else ("Template", "Reference")


@dataclass(frozen=True, slots=True)
class OtherListLink:
    """Another group of names, and how many of them have the words of a query.

    ``href`` is where those are told, ``whole`` where all are.
    """

    title: str
    whole: str
    href: str
    count: int


@dataclass(frozen=True, slots=True)
class NameLink:
    """A name that is told of, and where it stands: on this page, or on its own."""

    name: str
    href: str


@dataclass(frozen=True, slots=True)
class LatestChanges:
    """What the last change of the registry was about; the first names of each."""

    added: tuple[NameLink, ...] = ()
    changed: tuple[NameLink, ...] = ()
    has_more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryListView:
    """The tables as somebody asked for them.

    ``matching`` counts the names that were asked for, ``total`` those that are registered;
    ``first`` and ``next`` are the addresses of other pages of the answer, or empty. ``told``
    says what of the address was not understood, and ``guesses`` what may have been meant.
    ``elsewhere`` tells of each other group how many of its names match, ``former`` how many match
    here that are in use no more.
    ``shares`` and ``growth`` are drawn of all names, where their registry declares facets.
    """

    asked: ListQuery
    tables: tuple[RegistryListTable, ...]
    facets: tuple[Facet, ...]
    matching: int
    total: int
    years: Counter[int]
    undated: int
    news: LatestChanges
    first: str = ""
    next: str = ""
    told: tuple[str, ...] = ()
    guesses: ListSuggestions = NO_GUESSES
    shares: tuple[FacetShares, ...] = ()
    growth: GrowthChart | None = None
    elsewhere: tuple[OtherListLink, ...] = ()
    former: int = 0
    former_href: str = ""

    @property
    def shown(self) -> int:
        """How many rows are shown."""
        return sum(len(table.rows) for table in self.tables)

    @property
    def is_whole(self) -> bool:
        """Whether the page holds every name, so that it can be filtered in place."""
        return self.shown == self.total and self.asked.is_everything

    @property
    def is_complete(self) -> bool:
        """Whether the page holds all that was asked for, so that it can be sorted in place."""
        return self.shown == self.matching


def page_size(total: int) -> int:
    """How many rows stand on a page: all of a registry that one page can hold."""
    return WHOLE if total <= WHOLE else PAGE


def first_size(total: int, group: RegistryGroup) -> int:
    """How many rows of each table stand on the plain page; fewer where drawings stand there too."""
    size = page_size(total)
    return _BESIDE_DRAWINGS if size == PAGE and declared_facets(group) else size


Placed = tuple[str, str]  # the id of a table, and a name in it


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryExtract:
    """The part of a registry that one page shows, and the counts of all of it.

    ``snapshot`` holds the records that are shown and the people whom they name. ``matching``
    counts the names with the words that were asked for, ``cube`` all names. ``added`` and
    ``changed`` are the first names of the last update. ``leaves_out`` says that more rows
    follow the last one.
    """

    snapshot: RegistrySnapshot
    cube: Cube
    matching: Cube
    added: tuple[Placed, ...] = ()
    changed: tuple[Placed, ...] = ()
    leaves_out: bool = False


def published_view(snapshot: RegistrySnapshot) -> RegistryListView:
    """The page that is published: all rows, or of a large registry each table's first."""
    cube = cube_of(snapshot)
    size = first_size(_in_use(cube).total(), group_of_snapshot(snapshot))
    tables = (
        replace(table, records=current_records(table)[:size]) for table in snapshot.registries
    )
    shown = replace(snapshot, registries=tuple(tables))
    added, changed = _of_last_update(snapshot)
    return view_of(
        RegistryExtract(snapshot=shown, cube=cube, matching=cube, added=added, changed=changed),
        published_query(group_of_snapshot(snapshot)),
    )


def _of_last_update(snapshot: RegistrySnapshot) -> tuple[tuple[Placed, ...], tuple[Placed, ...]]:
    day = snapshot.updated
    records = [
        (table.id, record) for table in snapshot.registries for record in current_records(table)
    ]
    added = ((table, r.folded) for table, r in records if r.date == day)
    changed = ((table, r.folded) for table, r in records if r.updated == day and r.date != day)
    return tuple(islice(added, MOST_NEWS + 1)), tuple(islice(changed, MOST_NEWS + 1))


def view_of(extract: RegistryExtract, asked: ListQuery) -> RegistryListView:
    """The tables of an answer, with all that stands round them."""
    snapshot, path = extract.snapshot, registry_path(extract.snapshot)
    declared = declared_facets(group_of_snapshot(snapshot))
    everything = _in_use(extract.cube)
    matching = count_cells(extract.matching, asked)
    people = {person.id: person for person in snapshot.people}
    tables = tuple(_table(table, people, everything, asked, path) for table in snapshot.registries)
    years, undated = _years(everything)
    last = [row.record.folded for table in tables for row in table.rows][-1:]
    following = replace(asked, after=last[0]).query if last and extract.leaves_out else ""
    former = replace(asked.where(), status=str(Status.FORMER))
    return RegistryListView(
        asked=asked,
        tables=tables,
        facets=facets(extract.matching, asked, path, declared),
        shares=shares_of(everything, declared) if asked.is_plain else (),
        growth=growth_of(extract.cube) if declared and asked.is_plain else None,
        matching=matching.total(),
        total=everything.total(),
        years=years,
        undated=undated,
        news=_news(extract, tables),
        first=path + asked.where().query if asked.after else "",
        next=path + following if following else "",
        former=count_cells(extract.matching, former).total() if asked.q and not asked.status else 0,
        former_href=path + former.query,
    )


def _in_use(cube: Cube) -> Counter[FacetValues]:
    return count_cells(cube, ListQuery())


def _years(cube: Cube) -> tuple[Counter[int], int]:
    years = Counter[int]()
    for cell, count in cube.items():
        if cell.year != NO_YEAR:
            years[int(cell.year)] += count
    return years, sum(cube.values()) - years.total()


def growth_of(cube: Cube) -> GrowthChart | None:
    """How many of the names in use there were at the end of each year; those without a date are
    left out."""
    cube = _in_use(cube)
    tables = dict.fromkeys(sorted({cell.registry for cell in cube}), 0)
    years: list[YearCount] = []
    for year in sorted({cell.year for cell in cube} - {NO_YEAR}):
        for cell, count in cube.items():
            tables[cell.registry] += count if cell.year == year else 0
        years.append(YearCount(int(year), 0, dict(tables)))
    return growth_chart(years)


def _table(
    table: SubRegistry, people: Mapping[str, Person], cube: Cube, asked: ListQuery, path: str
) -> RegistryListTable:
    rows = tuple(row_of(table, record, people) for record in table.records)
    total = sum(count for cell, count in cube.items() if cell.registry == table.id)
    more = ""
    if asked.is_plain and len(rows) < total:
        more = path + ListQuery(kind=kind_of(table), after=rows[-1].record.folded).query
    return RegistryListTable(table, rows, total, more)


def _news(extract: RegistryExtract, tables: tuple[RegistryListTable, ...]) -> LatestChanges:
    here = {row.record.folded for table in tables for row in table.rows}
    registries = {table.registry.id: table.registry for table in tables}

    def named(placed: Placed) -> NameLink:
        table, name = placed
        own_page = name_path(registries[table], Registration(name=name, space=space_of(table)))
        return NameLink(name, f"#{name}" if name in here else own_page)

    return LatestChanges(
        tuple(map(named, extract.added[:MOST_NEWS])),
        tuple(map(named, extract.changed[:MOST_NEWS])),
        has_more=max(len(extract.added), len(extract.changed)) > MOST_NEWS,
    )


def row_of(
    registry: SubRegistry, record: Registration, people: Mapping[str, Person]
) -> RegistryListRow:
    """One record as a row; informal namespaces show their contact where others show references."""
    _, template, references = record_row(record, registry.id)
    titles = tuple(_titles(template + references, people))
    owners = (_owner(xref, people) for xref in xrefs_in(references))
    return RegistryListRow(
        record=record,
        whole_name=whole_name(presentation_of(registry), record) or record.folded,
        path=name_path(registry, record),
        template=template,
        references=references,
        titles=titles,
        about=next(chain(titles, owners), ""),
    )


def _owner(xref: Xref, people: Mapping[str, Person]) -> str:
    person = people.get(xref.data) if xref.type is XrefType.PERSON else None
    return (person and person.name) or xref.label or bracket_reference(xref)


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


def newest_names(snapshot: RegistrySnapshot, count: int = 5) -> tuple[RegistryListRow, ...]:
    """The names registered last, the newest first; those without a date are left out."""
    people = {person.id: person for person in snapshot.people}
    dated = [
        (table, record)
        for table in snapshot.registries
        for record in current_records(table)
        if record.date
    ]
    dated.sort(key=lambda pair: pair[1].date or "", reverse=True)
    return tuple(row_of(table, record, people) for table, record in dated[:count])


def table_totals(snapshot: RegistrySnapshot, cube: Cube) -> tuple[RegistryListTable, ...]:
    """The tables without their rows, with the names in use counted."""
    return tuple(
        _table(replace(table, records=()), {}, _in_use(cube), ListQuery(sort=ListSortKey.NAME), "")
        for table in snapshot.registries
    )
