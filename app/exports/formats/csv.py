"""The tables of a registry as CSV, for spreadsheets and scripts.

Source: RFC 4180, and the columns of IANA's CSV files.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from app.exports.content.file_names import registry_file, table_file
from app.exports.content.name_presentation import kind_of
from app.exports.content.registry_rows import headings, rows
from app.registration.declarations.registries import Format
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    SubRegistry,
    plain,
)

KIND_HEADING = "Kind"
NOTICE_HEADING = "Notice"

# A spreadsheet takes a cell that begins so for a formula, full-width and small forms among them.
_SIGNS = r"=+@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b-"
# What it takes away first: white space, control characters, and what nobody sees.
_UNSEEN = (
    r"\x00-\x20\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    r"\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
)
# The second alternative begins no formula by itself; it is what others warn of.
_FORMULA = re.compile(f"[{_UNSEEN}]*[{_SIGNS}]|[\t\r\n]")
_QUOTED = re.compile('[",\r\n]')


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


def csv_line(cells: Iterable[str]) -> str:
    """One line: the only way in which cells become one, for every table that is given away."""
    return ",".join(map(cell, cells)) + "\r\n"


def cell(text: str) -> str:
    """One cell: quoted only where the form asks for it, and never read as a formula.

    A text that a spreadsheet would compute gets an apostrophe before it; every other text
    is kept to the byte.
    """
    if _FORMULA.match(text):
        return _in_quotes(f"'{text}")
    return _in_quotes(text) if _QUOTED.search(text) else text


def _in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
