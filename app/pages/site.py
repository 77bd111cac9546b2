"""A snapshot as the pages that anybody sees, from page templates and nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app.exports.history import EDITIONS, EditionRow, edition_path
from app.exports.links import xref_url
from app.exports.rows import EMPTY_TABLE
from app.exports.selection import current
from app.pages.chart import chart
from app.pages.chrome import Chrome
from app.pages.growth import Year, growth_chart
from app.pages.listing import (
    NO_DATE,
    RegistryView,
    Sort,
    listed,
    newest,
    news,
    row_of,
    title_of,
    years,
)
from app.pages.markdown import render
from app.pages.places import (
    HOME,
    formats,
    formats_of_edition,
    kind_of,
    name_path,
    registry_path,
    table_of,
    template_path,
)
from app.pages.visible import revealed
from app.pages.wording import counted, in_words, with_ids
from app.registration.declarations import FIELDS
from app.registration.records import Registration, RegistrySnapshot, bracketed


@dataclass(frozen=True, slots=True)
class VersionLink:
    """One registered version of a template, and where it is shown."""

    number: int
    href: str
    date: str | None = None
    is_shown: bool = False


def configure(environment: Environment) -> None:
    """Give an environment all that the shared page templates rely on.

    To be called before the first of them is read. Every value is escaped, and shows its
    unseen characters; ``value | e`` gives one back to a form as it was typed.
    """
    environment.autoescape = True
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.finalize = _shown
    environment.filters.update(
        in_words=in_words, counted=counted, with_ids=with_ids, bracketed=bracketed
    )
    environment.globals.update(xref_url=xref_url, NO_DATE=NO_DATE)


def _shown(value: object) -> object:
    return revealed(value) if type(value) is str else value


class Site:
    """The published pages, made from the page templates in a folder."""

    def __init__(self, templates: Path) -> None:
        self._environment = Environment(loader=FileSystemLoader(templates), autoescape=True)
        configure(self._environment)

    def pages(self, snapshot: RegistrySnapshot, chrome: Chrome) -> Iterator[tuple[str, str]]:
        """Every page of an edition with its path, as a visitor without an account sees it."""
        yield HOME, self.home(snapshot, chrome)
        yield registry_path(snapshot), self.registry(snapshot, chrome)
        for table in snapshot.registries:
            for record in table.records:
                yield name_path(table, record), self.namespace(snapshot, record, chrome)

    def home(self, snapshot: RegistrySnapshot, chrome: Chrome) -> str:
        """The first page: one field to search with, what is new, what can be done here."""
        return self._render(
            "published/home.html",
            chrome=chrome.at(HOME),
            snapshot=snapshot,
            newest=newest(snapshot),
            tables=listed(snapshot).tables,
            **_places(snapshot),
        )

    def registry(
        self, snapshot: RegistrySnapshot, chrome: Chrome, view: RegistryView | None = None
    ) -> str:
        """The whole registry, in IANA's order of parts; without a view, all of its rows."""
        counts, undated = years(snapshot)
        return self._render(
            "published/registry.html",
            chrome=chrome.at(registry_path(snapshot)),
            snapshot=snapshot,
            view=view or listed(snapshot),
            sorts=Sort,
            news=news(snapshot),
            chart=chart(counts),
            undated=undated,
            empty_table=EMPTY_TABLE,
            **_places(snapshot),
        )

    def namespace(
        self,
        snapshot: RegistrySnapshot,
        record: Registration,
        chrome: Chrome,
        versions: Sequence[VersionLink] = (),
        rendered: Mapping[str, str] | None = None,
    ) -> str:
        """One registered name: what it is, its template, its versions and its downloads.

        ``rendered`` holds HTML that ``render`` made of the long fields; what is missing
        there is made here. LookupError where no table holds the name.
        """
        table = table_of(snapshot, record)
        people = {person.id: person for person in snapshot.people}
        return self._render(
            "published/namespace.html",
            chrome=chrome.at(name_path(table, record), section=registry_path(snapshot)),
            snapshot=snapshot,
            table=table,
            record=record,
            row=row_of(table, record, people),
            successor=record.successor
            and row_of(table, Registration(name=record.successor), people),
            title_of=lambda xref: title_of(xref, people),
            fields=dict(record.fields),
            statements=tuple(_statements(record, rendered or {})),
            template_path=template_path(table, record) if record.has_template else "",
            versions=versions,
            **_places(snapshot),
        )

    def history_pages(
        self,
        snapshot: RegistrySnapshot,
        rows: Sequence[EditionRow],
        years: Sequence[Year],
        chrome: Chrome,
    ) -> Iterator[tuple[str, str]]:
        """The list of all editions and a page for each; ``rows`` come oldest first."""
        yield EDITIONS, self.editions(snapshot, rows, years, chrome)
        for row in rows:
            yield edition_path(row.number), self.edition(snapshot, row, rows[-1].number, chrome)

    def editions(
        self,
        snapshot: RegistrySnapshot,
        rows: Sequence[EditionRow],
        years: Sequence[Year],
        chrome: Chrome,
    ) -> str:
        """Every edition with what it changed, and how the registry grew."""
        return self._render(
            "published/editions.html",
            chrome=chrome.at(EDITIONS, section=registry_path(snapshot)),
            rows=tuple(reversed(rows)),
            years=tuple(reversed(years)),
            chart=growth_chart(years),
            registry_path=registry_path(snapshot),
        )

    def edition(
        self, snapshot: RegistrySnapshot, row: EditionRow, newest: int, chrome: Chrome
    ) -> str:
        """One edition: what it changed, and its files for ever."""
        return self._render(
            "published/edition.html",
            chrome=chrome.at(edition_path(row.number), section=registry_path(snapshot)),
            row=row,
            newest=newest,
            formats=formats_of_edition(replace(snapshot, edition=row.number)),
            registry_path=registry_path(snapshot),
        )

    def _render(self, template: str, **context: object) -> str:
        return self._environment.get_template(template).render(context)


def _places(snapshot: RegistrySnapshot) -> dict[str, object]:
    return {
        "registry_path": registry_path(snapshot),
        "formats": formats(snapshot),
        "kind_of": kind_of,
        "current": current,
    }


def _statements(record: Registration, rendered: Mapping[str, str]) -> Iterator[tuple[str, Markup]]:
    """The registrant's own words under their headings; what is a fact is shown as one."""
    for name, text in record.fields:
        field = FIELDS.get(name)
        if text and (field is None or field.is_long):
            label = field.label if field else name.replace("_", " ").capitalize()
            yield label, Markup(rendered.get(name) or render(text))  # noqa: S704  render made it
