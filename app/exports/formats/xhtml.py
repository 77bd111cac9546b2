"""A snapshot as a page of its own: no script, no style, nothing loaded, in IANA's order.

The page is well-formed XML and reads the same to a parser of HTML.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from xml.etree import ElementTree

from app.exports.content.file_names import registry_file
from app.exports.content.name_presentation import presentation_of, whole_name
from app.exports.content.page_sections import (
    CONTACTS,
    INCLUDED,
    PageSection,
    lines_of,
    record_parts,
    registry_parts,
    table_parts,
    template_of,
)
from app.exports.content.reference_links import xref_url
from app.exports.content.registry_rows import (
    EMPTY_TABLE,
    RegistryRow,
    people_table,
    record_row,
    table_headings,
)
from app.exports.content.selection import current_records
from app.exports.formats.export_format import ExportFormat, RecordExport
from app.exports.serialization.markup import Markup, element, join_markup
from app.exports.serialization.xml_values import fit_text
from app.registration.declarations.formats import Format
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    RichText,
    SubRegistry,
    Xref,
    bracket_reference,
)

_XHTML = "http://www.w3.org/1999/xhtml"


def xhtml_files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, bytes]]:
    """The registry as one page; XmlValueError for a character that XML does not take."""
    page = f"<!DOCTYPE html>\n{_page(snapshot)}\n"
    yield registry_file(snapshot, Format.XHTML), page.encode()


def record_xhtml(
    snapshot: RegistrySnapshot, home: SubRegistry, record: Registration, people: tuple[Person, ...]
) -> bytes:
    """One record as a page, with its template and the people it names.

    Raises XmlValueError for a character that XML does not take.
    """
    alone = replace(snapshot, registries=(home,), people=people)
    name = whole_name(presentation_of(home), record) or record.name
    return f"<!DOCTYPE html>\n{_document(name, _of_record(alone, home, record, name))}\n".encode()


def _page(snapshot: RegistrySnapshot) -> Markup:
    return _document(snapshot.title, _body(snapshot))


def _document(title: str, body: Iterable[Markup]) -> Markup:
    head = element(
        "head",
        element("title", title),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
    )
    return element("html", _lines(head, element("body", _lines(*body))), xmlns=_XHTML, lang="en")


def _of_record(
    snapshot: RegistrySnapshot, home: SubRegistry, record: Registration, name: str
) -> Iterator[Markup]:
    yield element("h1", name)
    notice = (PageSection("Notice", lines_of((snapshot.notice,))),) if snapshot.notice else ()
    yield _parts((*notice, *record_parts(home, record)))
    anchor = None if record.folded in _anchors(snapshot) else record.folded
    yield _table(table_headings(home), [(anchor, record_row(record))])
    if template := template_of(home, record):
        yield element("h2", "Template")
        # a text that was mailed may hold what XML does not take; it stands whole as plain text
        yield element("pre", fit_text(template))
    yield from _contacts(snapshot)


def _body(snapshot: RegistrySnapshot) -> Iterator[Markup]:
    yield element("h1", snapshot.title)
    yield _parts(registry_parts(snapshot))
    yield element("h2", INCLUDED)
    yield element("ul", _lines(*map(_included, snapshot.registries)))
    taken = _anchors(snapshot)
    for registry in snapshot.registries:
        yield from _registry(registry, taken)
        taken |= {record.folded for record in current_records(registry)}
    yield from _contacts(snapshot)


def _contacts(snapshot: RegistrySnapshot) -> Iterator[Markup]:
    contact_headings, people = people_table(snapshot)
    if people:
        ids = [person.id for person in snapshot.people]
        yield element("h2", CONTACTS)
        yield _table(contact_headings, zip(ids, people, strict=True))


def _anchors(snapshot: RegistrySnapshot) -> frozenset[str]:
    ids = [registry.id for registry in snapshot.registries]
    return frozenset(ids + [person.id for person in snapshot.people])


def _included(registry: SubRegistry) -> Markup:
    return element("li", element("a", registry.title, href=f"#{registry.id}"))


def _registry(registry: SubRegistry, taken: frozenset[str]) -> Iterator[Markup]:
    yield element("h2", registry.title, id=registry.id)
    yield _parts(table_parts(registry))
    records = current_records(registry)
    if not records:
        yield element("p", EMPTY_TABLE)
        return
    ids = (None if record.folded in taken else record.folded for record in records)
    yield _table(table_headings(registry), zip(ids, map(record_row, records), strict=True))


def _parts(parts: Iterable[PageSection]) -> Markup:
    return element("dl", _lines(*(piece for part in parts for piece in _part(part))))


def _part(part: PageSection) -> Iterator[Markup]:
    yield element("dt", part.heading)
    for line in part.lines:
        yield element("dd", _rich(line))
    for label, file in part.files:
        yield element("dd", element("a", label, href=file))


def _table(heading: Sequence[str], anchored: Iterable[tuple[str | None, RegistryRow]]) -> Markup:
    head = element("tr", *(element("th", text, scope="col") for text in heading))
    body = (element("tr", *map(_cell, cells), id=anchor) for anchor, cells in anchored)
    return element("table", _lines(element("thead", head), element("tbody", _lines(*body))))


def _cell(content: RichText) -> Markup:
    return element("td", _rich(content))


def _rich(text: RichText) -> Markup:
    return join_markup(*(_link(part) if isinstance(part, Xref) else part for part in text))


def _link(xref: Xref) -> Markup:
    url = xref_url(xref)
    shown = bracket_reference(xref)
    return element("a", shown, href=url) if url else join_markup(shown)


def _lines(*pieces: str) -> Markup:
    return join_markup("\n", join_markup(*pieces, between="\n"), "\n")


def _record_page(one: RecordExport) -> bytes:
    return record_xhtml(one.snapshot, one.home, one.record, one.people)


def _names_in(body: bytes) -> list[str]:
    root = ElementTree.fromstring(body)  # noqa: S314 — our own bytes, made a moment ago
    rows = root.iterfind(f".//{{{_XHTML}}}tbody/{{{_XHTML}}}tr")
    cells = ("".join(row[0].itertext()) for row in rows)
    return [cell for cell in cells if not cell.startswith("[")]  # people stand in brackets


FORMAT = ExportFormat(
    format=Format.XHTML,
    make=lambda snapshot, _place: xhtml_files(snapshot),
    names_in=_names_in,
    record=_record_page,
    rank=3,
)
