"""A snapshot as a page of plain text with padded columns, in the order of IANA's."""

import re
from collections.abc import Iterator, Sequence

from app.exports.content.file_names import registry_file
from app.exports.content.name_presentation import presentation_of, whole_name
from app.exports.content.page_sections import (
    CONTACTS,
    INCLUDED,
    PageSection,
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
    record_rows,
    table_headings,
)
from app.exports.content.selection import xrefs_in
from app.exports.formats.export_format import ExportFormat, RecordExport
from app.registration.declarations.formats import Format
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    SubRegistry,
    Xref,
    bracket_reference,
    plain_words,
)

_INDENT = " " * 8
_COLUMNS = re.compile(r"(\S.*) Template +Reference\Z")  # the first is as wide as its widest name


def txt_files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, bytes]]:
    """The registry as one page of text; columns are counted in characters."""
    text = "\n\n".join(_blocks(snapshot)) + "\n"
    yield registry_file(snapshot, Format.TXT), text.encode()


def record_text(registry: SubRegistry, record: Registration, people: Sequence[Person]) -> bytes:
    """One record as plain text: its facts, where its references lead, and its template."""
    facts = (_under(heading, lines) for heading, lines in _facts(registry, record, people) if lines)
    name, template = (
        whole_name(presentation_of(registry), record) or record.name,
        template_of(registry, record),
    )
    blocks = (name, *facts, template.rstrip())
    return ("\n\n".join(filter(None, blocks)) + "\n").encode()


def _facts(
    registry: SubRegistry, record: Registration, people: Sequence[Person]
) -> Iterator[tuple[str, list[str]]]:
    for part in record_parts(registry, record):
        yield part.heading, [*map(plain_words, part.lines)]
    yield "Template", _led(xrefs_in(record.template))
    yield "Reference", _led(record.references)
    yield "Contact", [plain_words(record.contact)] if record.contact else []
    yield CONTACTS, [", ".join(filter(None, (p.id, p.name, p.org, p.updated))) for p in people]


def _led(xrefs: Sequence[Xref]) -> list[str]:
    urls = ((bracket_reference(xref), xref_url(xref) or "") for xref in xrefs)
    return [f"{shown} {'' if url.startswith('#') else url}".rstrip() for shown, url in urls]


def _blocks(snapshot: RegistrySnapshot) -> Iterator[str]:
    yield plain_words((snapshot.title,))
    yield from map(_part, registry_parts(snapshot))
    yield _under(INCLUDED, [plain_words((registry.title,)) for registry in snapshot.registries])
    for registry in snapshot.registries:
        yield from _registry(registry)
    contact_headings, people = people_table(snapshot)
    if people:
        yield CONTACTS
        yield _columns(contact_headings, people)


def _registry(registry: SubRegistry) -> Iterator[str]:
    yield plain_words((registry.title,))
    yield from map(_part, table_parts(registry))
    table = list(record_rows(registry))
    yield _columns(table_headings(registry), table) if table else EMPTY_TABLE


def _part(part: PageSection) -> str:
    files = [f"{label}: {file}" for label, file in part.files]
    return _under(part.heading, [*map(plain_words, part.lines), *files])


def _under(heading: str, lines: list[str]) -> str:
    return "\n".join([heading, *(_INDENT + line for line in lines)])


def _columns(heading: Sequence[str], table: list[RegistryRow]) -> str:
    shown = [tuple(heading), *(tuple(map(plain_words, row)) for row in table)]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    return "\n".join(_padded(row, widths) for row in shown)


def _padded(row: Sequence[str], widths: list[int]) -> str:
    return " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _record_page(one: RecordExport) -> bytes:
    return record_text(one.home, one.record, one.people)


def _names_in(body: bytes) -> list[str]:
    blocks = (block.splitlines() for block in body.decode().split("\n\n"))
    tables = ((_COLUMNS.match(lines[0]), lines[1:]) for lines in blocks if lines)
    return [line[: at.end(1)].rstrip() for at, lines in tables if at for line in lines]


FORMAT = ExportFormat(
    format=Format.TXT,
    make=lambda snapshot, _place: txt_files(snapshot),
    names_in=_names_in,
    record=_record_page,
    rank=5,
)
