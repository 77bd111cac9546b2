"""A snapshot as a page of plain text with padded columns, in the order of IANA's."""

from collections.abc import Iterator, Sequence

from app.exports.file_names import registry_file
from app.exports.page_parts import (
    CONTACTS,
    INCLUDED,
    Part,
    registry_parts,
    table_parts,
)
from app.exports.rows import EMPTY_TABLE, Row, headings, people_table, rows
from app.registration.declarations import Format
from app.registration.records import RegistrySnapshot, SubRegistry, plain

_INDENT = " " * 8


def txt_files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, bytes]]:
    """The registry as one page of text; columns are counted in characters."""
    text = "\n\n".join(_blocks(snapshot)) + "\n"
    yield registry_file(snapshot, Format.TXT), text.encode()


def _blocks(snapshot: RegistrySnapshot) -> Iterator[str]:
    yield plain((snapshot.title,))
    yield from map(_part, registry_parts(snapshot))
    yield _under(INCLUDED, [plain((registry.title,)) for registry in snapshot.registries])
    for registry in snapshot.registries:
        yield from _registry(registry)
    contact_headings, people = people_table(snapshot)
    if people:
        yield CONTACTS
        yield _columns(contact_headings, people)


def _registry(registry: SubRegistry) -> Iterator[str]:
    yield plain((registry.title,))
    yield from map(_part, table_parts(registry))
    table = list(rows(registry))
    yield _columns(headings(registry), table) if table else EMPTY_TABLE


def _part(part: Part) -> str:
    files = [f"{label}: {file}" for label, file in part.files]
    return _under(part.heading, [*map(plain, part.lines), *files])


def _under(heading: str, lines: list[str]) -> str:
    return "\n".join([heading, *(_INDENT + line for line in lines)])


def _columns(heading: Sequence[str], table: list[Row]) -> str:
    shown = [tuple(heading), *(tuple(map(plain, row)) for row in table)]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    return "\n".join(_padded(row, widths) for row in shown)


def _padded(row: Sequence[str], widths: list[int]) -> str:
    return " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
