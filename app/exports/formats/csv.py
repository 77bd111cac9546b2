"""The tables of a registry as CSV, for spreadsheets and scripts.

Source: RFC 4180, and the columns of IANA's CSV files.
"""

from collections.abc import Iterator
from dataclasses import replace

from app.exports.content.file_names import registry_file, table_file
from app.exports.content.name_presentation import kind_of
from app.exports.content.registry_rows import headings, rows
from app.exports.formats.export_format import ExportFormat, RecordExport
from app.exports.serialization.csv_text import NOTICE_HEADING, csv_line, first_cells
from app.registration.declarations.formats import Format
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    SubRegistry,
    plain,
)

KIND_HEADING = "Kind"


def csv_files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, bytes]]:
    """The whole registry as one file, then one file for each of its tables in IANA's columns.

    In the file of the whole a last column says of which kind each name is.
    """
    yield registry_file(snapshot, Format.CSV), _whole(snapshot).encode()
    for registry in snapshot.registries:
        heading = csv_line((*headings(registry), *_heading(snapshot)))
        yield table_file(registry), f"{heading}{_rows(snapshot, registry)}".encode()


def record_csv(snapshot: RegistrySnapshot, home: SubRegistry, record: Registration) -> bytes:
    """One record in the columns of the file of the whole registry."""
    heading = csv_line((*headings(home), KIND_HEADING, *_heading(snapshot)))
    alone = replace(home, records=(record,))
    return f"{heading}{_rows(snapshot, alone, kind_of(home))}".encode()


def _whole(snapshot: RegistrySnapshot) -> str:
    first = snapshot.registries[0] if snapshot.registries else SubRegistry(id="", title="")
    heading = csv_line((*headings(first), KIND_HEADING, *_heading(snapshot)))
    rows_of_all = (_rows(snapshot, table, kind_of(table)) for table in snapshot.registries)
    return heading + "".join(rows_of_all)


def _heading(snapshot: RegistrySnapshot) -> tuple[str, ...]:
    # a file that travels without its page still has to say what its registry is
    return (NOTICE_HEADING,) if snapshot.notice else ()


def _rows(snapshot: RegistrySnapshot, registry: SubRegistry, *said: str) -> str:
    notice = (plain((snapshot.notice,)),) if snapshot.notice else ()
    return "".join(csv_line((*map(plain, cells), *said, *notice)) for cells in rows(registry))


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
