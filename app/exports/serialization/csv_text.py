"""Lines of CSV, and what stands in their first column.

Source: RFC 4180.
"""

import re
from collections.abc import Iterable

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
# Most cells: nothing in them is quoted, and nothing is taken for a formula.
_is_plain = re.compile(r"(?:[0-9A-Za-z][ !#-+\--~]*)?").fullmatch
_CELL = re.compile(r'(?:"((?:[^"]|"")*+)"|([^",\r\n]*+))(,|\r\n)')


def csv_line(cells: Iterable[str]) -> str:
    """One line: the only way in which cells become one, for every table that is given away."""
    return ",".join(map(cell, cells)) + "\r\n"


def cell(text: str) -> str:
    """One cell: quoted only where the form asks for it, and never read as a formula.

    A text that a spreadsheet would compute gets an apostrophe before it; every other text
    is kept to the byte.
    """
    if _is_plain(text):
        return text
    if is_computed(text):
        return _in_quotes(f"'{text}")
    return _in_quotes(text) if _QUOTED.search(text) else text


def is_computed(text: str) -> bool:
    """Whether a spreadsheet would take a cell for a formula."""
    is_word = text[:1].isalnum() and text.isascii()  # it begins with no sign and nothing unseen
    return not is_word and _FORMULA.match(text) is not None


def _in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def csv_rows(body: bytes) -> list[list[str]]:
    """The rows of a file of ours, its heading first, each cell as it stands there.

    Whatever ``csv_line`` writes is read, however long a cell is. Raises ValueError for a file that
    was written by others.

    Source: RFC 4180 section 2.
    """
    text, rows, at = body.decode(), [list[str]()], 0
    while at < len(text):
        found = _CELL.match(text, at)
        if found is None:
            raise ValueError(f"No table cell starts at character {at}.")
        quoted, plain, ended = found.groups()
        rows[-1].append(plain if quoted is None else quoted.replace('""', '"'))
        at = found.end()
        if ended != ",":
            rows.append([])
    return rows[:-1]


def first_cells(body: bytes) -> list[str]:
    """The first cell of each row below the heading, of a file of ours."""
    _heading, *rows = csv_rows(body)
    return [row[0] for row in rows]
