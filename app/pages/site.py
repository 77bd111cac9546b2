"""A snapshot as the pages that anybody sees, from page templates and nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app.exports.links import xref_url
from app.exports.rows import EMPTY_TABLE
from app.exports.selection import current, people_named
from app.pages.asking import Asked, Sort
from app.pages.chart import chart
from app.pages.chrome import Chrome
from app.pages.facets import Cube, cube_of
from app.pages.listing import (
    NO_DATE,
    RegistryView,
    listed,
    newest,
    row_of,
    title_of,
    totals,
)
from app.pages.markdown import render
from app.pages.places import (
    HOME,
    formats,
    kind_of,
    name_path,
    registry_path,
    table_of,
    template_path,
)
from app.pages.visible import revealed
from app.pages.wording import counted, in_words, with_ids
from app.registration.declarations import FIELDS
from app.registration.records import Person, Registration, RegistrySnapshot, bracketed


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

    def home(self, snapshot: RegistrySnapshot, chrome: Chrome, cube: Cube | None = None) -> str:
        """The first page: one field to search with, what is new, what can be done here.

        ``cube`` counts all names where the snapshot does not hold them.
        """
        return self._render(
            "published/home.html",
            chrome=chrome.at(HOME),
            snapshot=snapshot,
            newest=newest(snapshot),
            tables=totals(snapshot, cube_of(snapshot) if cube is None else cube),
            **_places(snapshot),
        )

    def registry(
        self, snapshot: RegistrySnapshot, chrome: Chrome, view: RegistryView | None = None
    ) -> str:
        """The registry, in IANA's order of parts; without a view, the page that is published."""
        shown = view or listed(snapshot)
        people = _people_shown(snapshot, shown)
        return self._render(
            "published/registry.html",
            chrome=chrome.at(registry_path(snapshot)),
            snapshot=snapshot,
            view=shown,
            people=people,
            sorts=Sort,
            everything=Asked(),
            chart=chart(shown.years),
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
            template_path=template_path(table, record) if record.fields else "",
            versions=versions,
            **_places(snapshot),
        )

    def _render(self, template: str, **context: object) -> str:
        return self._environment.get_template(template).render(context)


def _people_shown(snapshot: RegistrySnapshot, view: RegistryView) -> tuple[Person, ...]:
    """All people beside all names; beside some names, those whom these refer to."""
    if view.shown == view.total:
        return snapshot.people
    rows = (row.record for table in view.tables for row in table.rows)
    named = {ident for record in rows for ident in people_named(record)}
    return tuple(person for person in snapshot.people if person.id in named)


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
