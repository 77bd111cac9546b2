"""How the files and pages of a registry stand to each other: the Link header of each.

Source: RFC 8288; RFC 5829 for versions; RFC 6596 for canonical; RFC 8631 and the IANA
registry of link relations for describedby.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from app.exports.content.file_names import (
    delta_schema_file,
    record_schema_file,
    registry_file,
    schema_file,
)
from app.exports.content.name_presentation import (
    has_name_feeds,
    own_forms_of,
    presentation_of,
    registry_path,
)
from app.exports.content.publication_site import PublicationSite
from app.exports.editions.atom import MEDIA_TYPE as ATOM_TYPE
from app.exports.editions.atom import SUFFIX as ATOM
from app.exports.editions.atom import atom_file
from app.exports.editions.edition_list import edition_path, editions_path
from app.exports.extracts.downloads import Download, registry_forms
from app.exports.formats.exporters import FORMATS, NAME_FORMATS
from app.exports.formats.json import SCHEMAS
from app.registration.declarations.formats import Format
from app.registration.records.registry_records import RegistrySnapshot, Status, SubRegistry

PAGE_TYPE = "text/html"


@dataclass(frozen=True, slots=True)
class LinkRelations:
    """The links of one edition's files at their place."""

    snapshot: RegistrySnapshot
    place: PublicationSite

    @property
    def registry(self) -> str:
        """The path of the registry's page."""
        return registry_path(self.snapshot)

    def of_registry(self, file: str = "") -> str:
        """The links of the registry's page, or of a file beside it."""
        others = self._alternates(self.registry, file)
        return _header(
            _link("canonical", self.place.url(self.registry + file)),
            *self._described(file),
            *self._before(file),
            *others,
        )

    def of_edition(self, file: str) -> str:
        """The links of a file that an edition keeps at its own address."""
        at = self._at(self.snapshot.edition)
        return _header(
            _link("canonical", self.place.url(at + file)),
            _link("latest-version", self.registry + file),
            _link("collection", editions_path(self.snapshot.id)),
            *self._described(file),
            *self._before(file),
            *self._alternates(at, file),
        )

    def of_derived(self, file: str, *, is_editions: bool = False) -> str:
        """The links of a file that holds a part of the registry, here or where an edition has it.

        It is no other form of a page, and an edition before this one may have none.
        """
        at = self._at(self.snapshot.edition) if is_editions else self.registry
        newest = (_link("latest-version", self.registry + file),) if is_editions else ()
        return _header(_link("canonical", self.place.url(at + file)), *newest, _link("related", at))

    def of_step(self, path: str) -> str:
        """The links of what leads to this edition from the one before."""
        file = registry_file(self.snapshot, Format.JSON)
        return _header(
            _link("canonical", self.place.url(path)),
            _link("describedby", SCHEMAS + delta_schema_file(self.snapshot.id)),
            _link("related", self._at(self.snapshot.edition, file)),
            _link("collection", editions_path(self.snapshot.id)),
        )

    def of_page(self, path: str) -> str:
        """The links of a page that has no other form."""
        return _header(_link("canonical", self.place.url(path)))

    def by_page(self) -> dict[str, str]:
        """The links of the pages that have other forms: the registry's and each name's."""
        pages = {self.registry: self.of_registry()}
        for table in self.snapshot.registries:
            path = presentation_of(table).page
            for record in table.records if path else ():
                former = record.status is Status.FORMER
                at = path.format(record.folded)
                pages[at] = self.of_name(table, at, former=former)
        return pages

    def of_name(
        self, table: SubRegistry, path: str, suffix: str = "", *, former: bool = False
    ) -> str:
        """The links of one name's page, or of a file that its path has with a suffix."""
        own = f"{path}.{suffix}" if suffix else path
        declared = own_forms_of(table)
        feeds = has_name_feeds(table)
        described = _link("describedby", SCHEMAS + record_schema_file(self.snapshot))
        return _header(
            _link("canonical", self.place.url(own)),
            _link("collection", self.registry),
            *((described,) if suffix == Format.JSON else ()),
            *((_alternate(path, PAGE_TYPE),) if suffix else ()),
            *(
                _alternate(f"{path}.{form}", form.bare_type)
                for form in NAME_FORMATS
                if form in declared and form != suffix and (FORMATS[form].has_former or not former)
            ),
            *((_alternate(f"{path}.{ATOM}", ATOM_TYPE),) if feeds and suffix != ATOM else ()),
        )

    def _alternates(self, at: str, file: str) -> Iterator[str]:
        if file:
            yield _alternate(at, PAGE_TYPE)
        feed = Download("Atom", atom_file(self.snapshot), ATOM_TYPE)
        for other in (*registry_forms(self.snapshot), feed):
            if other.file != file:
                yield _alternate(at + other.file, other.media_type)

    def _described(self, file: str) -> Iterator[str]:
        if file == registry_file(self.snapshot, Format.JSON):
            yield _link("describedby", SCHEMAS + schema_file(self.snapshot))
        if file == registry_file(self.snapshot, Format.XML):
            yield _link("describedby", self.registry + registry_file(self.snapshot, "rng"))

    def _before(self, file: str) -> Iterator[str]:
        if self.snapshot.edition > 1:
            yield _link("predecessor-version", self._at(self.snapshot.edition - 1, file))

    def _at(self, edition: int, file: str = "") -> str:
        return edition_path(edition, file, self.snapshot.id)


def _alternate(href: str, media_type: str) -> str:
    return f'{_link("alternate", href)}; type="{media_type}"'


def _link(rel: str, href: str) -> str:
    return f'<{href}>; rel="{rel}"'


def _header(*links: str) -> str:
    return ", ".join(links)
