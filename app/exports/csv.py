"""The tables of a registry as CSV, for spreadsheets and scripts.

Source: RFC 4180, and the columns of IANA's CSV files.
"""

import re
from collections.abc import Iterable, Iterator

from app.exports.file_names import table_file
from app.exports.rows import headings, rows
from app.registration.records import RegistrySnapshot, SubRegistry, plain

NOTICE_HEADING = "Notice"

# A spreadsheet takes a cell that begins so for a formula; the last four are full-width forms.
_FORMULA = re.compile("[=+@\t\r\n\uff1d\uff0b\uff0d\uff20-]")
_QUOTED = re.compile('[",\r\n]')


def csv_files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, bytes]]:
    """One file for each table of the registry."""
    for registry in snapshot.registries:
        yield table_file(registry), _table(registry, snapshot.notice).encode()


def _table(registry: SubRegistry, notice: str) -> str:
    # a file that travels without its page still has to say what its registry is
    said = (plain((notice,)),) if notice else ()
    heading = (NOTICE_HEADING,) if notice else ()
    lines = [_line((*headings(registry), *heading))]
    lines += [_line((*map(plain, cells), *said)) for cells in rows(registry)]
    return "".join(lines)


def _line(cells: Iterable[str]) -> str:
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
