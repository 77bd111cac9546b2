"""The tables of a registry as CSV, for spreadsheets and scripts.

Source: RFC 4180, and the columns of IANA's CSV files.
"""

from collections.abc import Iterator
from dataclasses import replace

from app.exports.content.file_names import registry_file, table_file
from app.exports.content.name_presentation import kind_of
from app.exports.content.registry_rows import record_row, record_rows, table_headings
from app.exports.content.selection import current_records
from app.exports.formats.export_format import ExportFormat, RecordExport
from app.exports.serialization.csv_text import NOTICE_HEADING, csv_line, first_cells
from app.registration.declarations.formats import Format
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    SubRegistry,
    plain_words,
)

OWN_HEADINGS = ("Kind", "Status", "Successor")


def csv_files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, bytes]]:
    """The whole registry as one file, then one file for each of its tables in IANA's columns.

    In the file of the whole, which is no form of IANA's, more columns say of which kind each name
    is, whether it is deprecated, and which one takes its place.
    """
    yield registry_file(snapshot, Format.CSV), _whole(snapshot).encode()
    for registry in snapshot.registries:
        heading = csv_line((*table_headings(registry), *_heading(snapshot)))
        yield table_file(registry), f"{heading}{_rows(snapshot, registry)}".encode()


def record_csv(snapshot: RegistrySnapshot, home: SubRegistry, record: Registration) -> bytes:
    """One record in the columns of the file of the whole registry."""
    alone = replace(home, records=(record,))
    return f"{_own_heading(snapshot, home)}{_own_rows(snapshot, alone)}".encode()


def _whole(snapshot: RegistrySnapshot) -> str:
    first = snapshot.registries[0] if snapshot.registries else SubRegistry(id="", title="")
    rows_of_all = (_own_rows(snapshot, table) for table in snapshot.registries)
    return _own_heading(snapshot, first) + "".join(rows_of_all)


def _own_heading(snapshot: RegistrySnapshot, registry: SubRegistry) -> str:
    return csv_line((*table_headings(registry), *OWN_HEADINGS, *_heading(snapshot)))


def _own_rows(snapshot: RegistrySnapshot, registry: SubRegistry) -> str:
    kind, notice = kind_of(registry), _notice(snapshot)
    return "".join(
        csv_line(
            (
                *map(plain_words, record_row(record)),
                kind,
                record.status,
                record.successor or "",
                *notice,
            )
        )
        for record in current_records(registry)
    )


def _heading(snapshot: RegistrySnapshot) -> tuple[str, ...]:
    # a file that travels without its page still has to say what its registry is
    return (NOTICE_HEADING,) if snapshot.notice else ()


def _notice(snapshot: RegistrySnapshot) -> tuple[str, ...]:
    return (plain_words((snapshot.notice,)),) if snapshot.notice else ()


def _rows(snapshot: RegistrySnapshot, registry: SubRegistry) -> str:
    notice = _notice(snapshot)
    return "".join(csv_line((*map(plain_words, cells), *notice)) for cells in record_rows(registry))


def _record_row(one: RecordExport) -> bytes:
    return record_csv(one.snapshot, one.home, one.record)


FORMAT = ExportFormat(
    format=Format.CSV,
    make=lambda snapshot, _place: csv_files(snapshot),
    names_in=first_cells,
    record=_record_row,
    has_former=False,  # IANA's form has no place for a former name
    rank=4,
)
