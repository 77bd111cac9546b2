"""A snapshot as the pages that anybody sees, from page templates and nothing else."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from app.exports.content.name_presentation import kind_in_words, kind_of, kind_word, space_among
from app.exports.content.registry_rows import EMPTY_TABLE
from app.exports.content.selection import current_records, successor_among
from app.exports.discovery.schema_org import name_members, registry_members
from app.exports.documents.citation import bibtex_entry, citation_line
from app.exports.editions.edition_list import EditionRow, edition_path, editions_path
from app.exports.formats.exporters import name_forms
from app.identifiers.errors import spell_list
from app.pages.diagrams.growth_chart import YearCount, edition_marks, growth_chart
from app.pages.diagrams.year_chart import chart
from app.pages.lists.facets import Cube, cube_of
from app.pages.lists.list_query import ListQuery, ListSortKey, declared_facets
from app.pages.lists.registry_list import (
    RegistryListRow,
    RegistryListView,
    growth_of,
    newest_names,
    published_view,
    row_of,
    table_totals,
    title_of,
)
from app.pages.lists.registry_paths import (
    HOME,
    formats,
    formats_of_edition,
    group_of_snapshot,
    has_home,
    name_path,
    registry_path,
    suggestions_path,
    table_of,
    template_path,
)
from app.pages.namespaces.profile_view import parts_of_page, profile_on_page
from app.pages.namespaces.registrants import registrant_in
from app.pages.namespaces.template_summary import components_in, with_template_fields
from app.pages.namespaces.timeline import (
    EditionLink,
    HistoryRow,
    NameHistoryView,
    VersionLink,
    names_former_holder_at,
    timeline,
)
from app.pages.site.chrome import (
    Chrome,
    NavigationLink,
    SiteTally,
    configure_environment,
    data_block,
    place_of,
)
from app.pages.site.name_pages import (
    fill_shell,
    people_shown,
    record_extract,
    rows_below,
    rows_related,
    standing_edition,
    unlit_shell,
)
from app.pages.text.markdown import markdown_html
from app.pages.text.template_diff import DiffView, difference
from app.problems.problem_codes import ProblemCode
from app.registration.declarations.registries import find_field
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    Status,
    SubRegistry,
    broken_rules,
)


class Site:
    """The published pages, made from the page templates in a folder."""

    def __init__(self, templates: Path) -> None:
        self._environment = Environment(loader=FileSystemLoader(templates), autoescape=True)
        configure_environment(self._environment)

    def pages(
        self,
        snapshot: RegistrySnapshot,
        chrome: Chrome,
        pasts: Mapping[str, NameHistoryView] | None = None,
        kept: Container[str] = (),
        tally: SiteTally | None = None,
        lists: Mapping[str, str] | None = None,
    ) -> Iterator[tuple[str, str]]:
        """Every page of an edition with its path, as a visitor without an account sees it.

        ``pasts``, ``kept`` and ``lists`` are those of ``name_pages``. ``tally`` is what the first
        page counts besides.
        """
        if has_home(snapshot):
            yield HOME, self.home(snapshot, chrome, tally=tally)
        yield registry_path(snapshot), self.registry(snapshot, chrome)
        yield from self.name_pages(snapshot, chrome, pasts, kept, lists=lists)

    def name_pages(
        self,
        snapshot: RegistrySnapshot,
        chrome: Chrome,
        pasts: Mapping[str, NameHistoryView] | None = None,
        kept: Container[str] = (),
        *,
        only: Container[str] | None = None,
        lists: Mapping[str, str] | None = None,
    ) -> Iterator[tuple[str, str]]:
        """The pages of names with their paths.

        ``pasts`` tells by a name's key what became of those that were changed, and ``lists`` where
        it is listed what lies under one. Pages at paths that are ``kept`` are not made, nor those
        of other names than of ``only`` these keys.
        """
        told, people = pasts or {}, {person.id: person for person in snapshot.people}
        records = {record.key: record for record in snapshot.records()}
        below = rows_below(snapshot, people)
        for table in snapshot.registries:
            for record in table.records:
                path = name_path(table, record)
                if path in kept or (only is not None and record.key not in only):
                    continue
                past = told.get(record.key, NameHistoryView())
                seen = record_extract(snapshot, table, record, people)
                page = self.namespace(
                    seen,
                    record,
                    chrome,
                    past.versions,
                    past.history,
                    instead=successor_among(record, records),
                    below=below.get(record.key, ()),
                    list_path=(lists or {}).get(record.key, ""),
                )
                yield path, page

    def shell(self, chrome: Chrome, section: str = "", *, has_numbers: bool = False) -> str:
        """What stands round the page of a name, with the marks where its title and words go.

        ``section`` is the list under which it stands, where that is in the navigation. Where it
        ``has_numbers``, the shell tells with what those begin that hold here alone.
        """
        numbers = chrome.number_prefix if has_numbers else ""
        if chrome.account:  # the same page answers people who are signed in and those who aren't
            chrome = replace(chrome, account=NavigationLink("Account", "/account"))
        return self._render("published/shell.html", chrome=chrome.at("", section), numbers=numbers)

    def home(
        self,
        snapshot: RegistrySnapshot,
        chrome: Chrome,
        cube: Cube | None = None,
        tally: SiteTally | None = None,
    ) -> str:
        """The first page: one field to search with, what is new, what can be done here.

        ``cube`` counts all names where the snapshot does not hold them, ``tally`` what is beside
        them on this site.
        """
        counts = cube_of(snapshot) if cube is None else cube
        return self._render(
            "published/home.html",
            chrome=chrome.at(HOME),
            snapshot=snapshot,
            group=group_of_snapshot(snapshot),
            newest=newest_names(snapshot),
            tables=table_totals(snapshot, counts),
            growth=growth_of(counts),
            tally=tally or SiteTally(),
            **_places(snapshot),
        )

    def registry(
        self, snapshot: RegistrySnapshot, chrome: Chrome, view: RegistryListView | None = None
    ) -> str:
        """The registry, in IANA's order of parts; without a view, the page that is published."""
        shown = view or published_view(snapshot)
        people, place = people_shown(snapshot, shown), place_of(chrome)
        counts = {table.registry.id: table.total for table in shown.tables}
        group = group_of_snapshot(snapshot)
        return self._render(
            "published/registry.html",
            chrome=chrome.offering(has_home(snapshot)).at(registry_path(snapshot)),
            space=space_among(snapshot),
            snapshot=snapshot,
            group=group,
            plurals=spell_list(list(dict.fromkeys(t.space.plural for t in shown.tables))),
            fielded=bool(declared_facets(group)),
            view=shown,
            people=people,
            sorts=ListSortKey,
            everything=ListQuery(),
            chart=chart(shown.years),
            linked=place and data_block(registry_members(snapshot, place, counts)),
            empty_table=EMPTY_TABLE,
            **_places(snapshot),
        )

    def namespace(
        self,
        snapshot: RegistrySnapshot,
        record: Registration,
        chrome: Chrome,
        versions: Sequence[VersionLink] = (),
        history: Sequence[HistoryRow] = (),
        *,
        rendered: Mapping[str, str] | None = None,
        earlier: VersionLink | None = None,
        standing: EditionLink | None = None,
        instead: str = "",
        below: Sequence[RegistryListRow] = (),
        list_path: str = "",
    ) -> str:
        """One registered name: what it is, its template, its versions and its downloads.

        ``rendered`` holds HTML that ``markdown_html`` made of the long fields; what is missing
        there is made here. ``earlier`` is the version that is shown where it is not the
        newest, ``standing`` the edition of which it is shown; ``instead`` is the name to use
        in the place of this one, its successor if nothing is said; ``below`` are the names that lie
        under it, and ``list_path`` is where those that its holder gives are listed, empty where it
        gives none here. LookupError where no table holds the name.
        """
        snapshot = standing_edition(snapshot, history)
        table, instead = table_of(snapshot, record), instead or record.successor or ""
        people = {person.id: person for person in snapshot.people}
        row = row_of(table, record, people)
        place, told = place_of(chrome), with_template_fields(record)
        shown, is_former = standing or earlier, names_former_holder_at(history)
        return self._render(
            "published/namespace.html",
            chrome=chrome.at(shown.href if shown else row.path, registry_path(snapshot)),
            snapshot=snapshot,
            table=table,
            kind=kind_in_words(table),
            below=below,
            list_path=list_path,
            group=group_of_snapshot(snapshot),
            record=record,
            legacy=broken_rules(record.name, table.id),
            row=row,
            successor=instead
            and row_of(table, Registration(name=instead, space=record.space), people),
            related=rows_related(table, record, people),
            title_of=lambda xref: title_of(xref, people),
            registrant=registrant_in(told) if is_former else _registrant_of(record, told),
            names_former_holder=is_former,
            fields=dict(told.fields),
            statements=tuple(_statements(told, rendered or {})),
            forms=name_forms(table, former=record.status is Status.FORMER),
            template_path=template_path(table, record) if record.has_template else "",
            versions=versions,
            history=history,
            earlier=earlier,
            standing=standing,
            known=profile_on_page(told),
            milestones=timeline(record, versions, history),
            components=components_in(told),
            citations=_citations(
                snapshot,
                table,
                record,
                chrome.canonical + (standing.href if standing else row.path),
            ),
            **parts_of_page(table, told, chrome.canonical and chrome.canonical + row.path),
            linked=place and data_block(name_members(snapshot, table, record, place)),
            **_places(snapshot),
        )

    def difference(
        self,
        snapshot: RegistrySnapshot,
        chrome: Chrome,
        old: Registration,
        new: Registration,
        versions: tuple[int, int],
        newest: int,
        view: DiffView = DiffView.INLINE,
    ) -> str:
        """What changed in a template between two of its versions, word by word."""
        table = table_of(snapshot, new)
        row = row_of(table, new, {})
        return self._render(
            "published/difference.html",
            chrome=chrome.at(f"{row.path}/diff", registry_path(snapshot)),
            row=row,
            record=new,
            table=table,
            versions=versions,
            newest=newest,
            view=view,
            views=tuple(DiffView),
            difference=difference(dict(old.fields), dict(new.fields)),
            **_places(snapshot),
        )

    def history_pages(
        self,
        snapshot: RegistrySnapshot,
        rows: Sequence[EditionRow],
        years: Sequence[YearCount],
        chrome: Chrome,
        kept_by: Callable[[int], Container[str] | None],
    ) -> Iterator[tuple[str, str]]:
        """The list of all editions and a page for each; ``rows`` come oldest first.

        ``kept_by`` gives the addresses of the files that an edition keeps.
        """
        yield editions_path(snapshot.id), self.editions(snapshot, rows, years, chrome)
        for row in rows:
            page = self.edition(snapshot, row, rows[-1].number, chrome, kept_by(row.number))
            yield edition_path(row.number, group=snapshot.id), page

    def editions(
        self,
        snapshot: RegistrySnapshot,
        rows: Sequence[EditionRow],
        years: Sequence[YearCount],
        chrome: Chrome,
        cube: Cube | None = None,
    ) -> str:
        """Every edition with what it changed, and how the registry grew.

        That is told by its editions, of several years; else by the days of its names, of which
        ``cube`` counts all where the snapshot does not hold them.
        """
        by_editions = growth_chart(years)
        drawn = by_editions or growth_of(cube_of(snapshot) if cube is None else cube)
        return self._render(
            "published/editions.html",
            chrome=chrome.at(editions_path(snapshot.id), section=registry_path(snapshot)),
            rows=tuple(reversed(rows)),
            years=tuple(reversed(years)),
            chart=drawn,
            by_days=drawn is not by_editions,
            marks=edition_marks(drawn, [(row.as_of.year, row.number) for row in rows]),
            **_addresses(snapshot),
        )

    def edition(
        self,
        snapshot: RegistrySnapshot,
        row: EditionRow,
        newest: int,
        chrome: Chrome,
        kept: Container[str] | None,
    ) -> str:
        """One edition: what it changed, and the files at ``kept`` that it has for ever."""
        return self._render(
            "published/edition.html",
            chrome=chrome.at(edition_path(row.number, group=snapshot.id), registry_path(snapshot)),
            row=row,
            newest=newest,
            formats=formats_of_edition(replace(snapshot, edition=row.number), kept),
            **_addresses(snapshot),
        )

    def _render(self, template: str, **context: object) -> str:
        return self._environment.get_template(template).render(context)


def _addresses(snapshot: RegistrySnapshot) -> dict[str, object]:
    group = group_of_snapshot(snapshot)
    return {
        "registry_path": registry_path(snapshot),
        "registry_word": "Registry" if group.is_root else group.title,
        "editions_path": editions_path(snapshot.id),
        "file_day": group.file_day(snapshot.on_file),
    }


def _places(snapshot: RegistrySnapshot) -> dict[str, object]:
    return _addresses(snapshot) | {
        "formats": formats(snapshot),
        "suggestions_path": suggestions_path(snapshot),
        "kind_of": kind_of,
        "kind_word": kind_word,
        "current": current_records,
    }


def _citations(
    snapshot: RegistrySnapshot, table: SubRegistry, record: Registration, url: str
) -> tuple[str, str]:
    return citation_line(snapshot, table, record, url), bibtex_entry(snapshot, table, record, url)


def _registrant_of(record: Registration, told: Registration) -> str:
    return (record.profile.holder if record.request else "") or registrant_in(told)


def _statements(
    record: Registration, rendered: Mapping[str, str]
) -> Iterator[tuple[str, str, Markup]]:
    for name, text in record.fields:
        field = find_field(name)
        if text and (field is None or field.is_long):
            label = field.label if field else name.replace("_", " ").capitalize()
            html = Markup(rendered.get(name) or markdown_html(text))  # noqa: S704  render made it
            yield name, label, html


class ToldProblem(Protocol):
    """What a page tells of a problem; ``choices`` are media types with where they are, ``there``
    the address at which another site has what is asked for."""

    @property
    def code(self) -> ProblemCode: ...
    @property
    def status(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def detail(self) -> str: ...
    @property
    def choices(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def there(self) -> str: ...


class ProblemPages:
    """Makes pages of problems from the page templates in a folder."""

    def __init__(self, templates: Path) -> None:
        self._environment = Environment(loader=FileSystemLoader(templates), autoescape=True)
        configure_environment(self._environment)

    def page(self, shell: str, problem: ToldProblem) -> str:
        """The page of a problem in the shell of an edition."""
        main = self._environment.get_template("published/problem.html").render(problem=problem)
        return fill_shell(unlit_shell(shell), str(escape(problem.title)), "", main)
