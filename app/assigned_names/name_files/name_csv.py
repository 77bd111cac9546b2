"""Names as CSV, for spreadsheets: a heading of labels, then a row for each name.

An empty cell tells nothing. A cell that a spreadsheet would compute has an apostrophe before it,
as has one that begins so with an apostrophe; one is taken away when it is read.

Source: RFC 4180.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from app.assigned_names.assigned_name_records import AssignedNameRecord
from app.assigned_names.name_files.file_lines import LONGEST_LINE, FileLine, file_lines
from app.assigned_names.name_files.name_rows import (
    COLUMNS,
    NameRow,
    NameRowFault,
    is_element_label,
    label_of,
    read_row,
    row_texts,
)
from app.exports.serialization.csv_text import csv_line, is_computed
from app.identifiers.spelling import spell_text

__all__ = ["read_name_csv", "write_name_csv"]

_CELL = re.compile(r'(?:"([^"]*+(?:""[^"]*+)*+)"|([^",]*+))(,|\Z)')
_MOST_COLUMNS = 100


class _UnreadableRow(ValueError):
    """A row that is none, on the way to its fault."""


def read_name_csv(octets: Iterable[bytes]) -> Iterator[NameRow | NameRowFault]:
    """The rows of a file that comes in pieces, and a fault for each row that is none.

    After a quotation mark that is not closed, reading goes on with the next line. Without a heading
    that names the column ``name`` there is one fault, and nothing else is read. Raises nothing of
    its own, and holds one row at a time.

    Source: RFC 4180 section 2.
    """
    rows = _rows(file_lines(octets))
    heading = next(rows, None)
    labels = _labels(heading) if heading else NameRowFault(1, "heading", _NO_HEADING)
    if isinstance(labels, NameRowFault):
        yield labels
        return
    for line, cells in rows:
        if isinstance(cells, str):
            yield NameRowFault(line, "csv", cells)
        elif not any(map(str.strip, cells)):
            continue  # an empty row, such as ",,,,", which spreadsheets write below the data
        elif len(cells) != len(labels):
            message = (
                f"The row has {len(cells)} cells, but the header has {len(labels)}. Put text that "
                "contains commas in quotation marks."
            )
            yield NameRowFault(line, "cells", message)
        else:
            told = zip(labels, map(_plain, cells), strict=True)
            yield read_row(line, {label: text for label, text in told if text})


_NO_HEADING = (
    "The header row is missing. Make the first line a list of column names, separated by commas, "
    "that includes `name`."
)


def _without_name(labels: list[str]) -> str:
    if not set(COLUMNS).intersection(labels):
        return _NO_HEADING
    found = ", ".join(spell_text(label) for label in labels[:10])
    return f"The file has no column `name`, which contains the identifiers. Its columns: {found}."


def _labels(heading: tuple[int, list[str] | str]) -> list[str] | NameRowFault:
    line, cells = heading
    if isinstance(cells, str):
        return NameRowFault(line, "csv", cells)
    labels = [label_of(_plain(text)) for text in cells]
    if "name" not in labels:
        message = _other_sign(",".join(cells)) or _without_name(labels)
        return NameRowFault(line, "heading", message)
    if len(labels) > _MOST_COLUMNS:
        message = f"There are too many columns. Use at most {_MOST_COLUMNS}."
        return NameRowFault(line, "heading", message)
    twice = next((label for label in labels if labels.count(label) > 1 or not label), None)
    if twice is not None:
        message = (
            f"The column name {spell_text(twice)} appears twice. Rename one."
            if twice
            else "A column has no name. Add one."
        )
        return NameRowFault(line, "heading", message)
    return labels


def _other_sign(heading: str) -> str:
    """Return an error for a heading without comma separators or a database dump; else "".

    Spreadsheets use other separators in languages with decimal commas.
    """
    if heading.startswith("VERSION="):  # as db_dump of Berkeley DB writes, which Noid uses
        return (
            "This is a database dump. Export the identifiers as CSV, JSON Lines or ANVL, with the "
            "full identifier under the label `name`."
        )
    for sign, called in ((";", "semicolons"), ("\t", "tabs")):
        if "name" in map(label_of, heading.split(sign)):
            return (
                f"The columns are separated by {called}. Save the file as CSV with commas, or use "
                "JSON Lines."
            )
    return ""


def _rows(lines: Iterator[FileLine]) -> Iterator[tuple[int, list[str] | str]]:
    """The cells of each row with the number of its first line, or why there are none."""
    again: deque[FileLine] = deque()  # lines that were read on for the end of a quotation
    while (first := _next_line(again, lines)) is not None:
        if first.fault:
            yield first.number, first.fault
        elif '"' not in first.text:
            if first.text.strip():
                yield first.number, first.text.split(",", _MOST_COLUMNS)
        else:
            yield first.number, _quoted_row(first, again, lines)


def _next_line(again: deque[FileLine], lines: Iterator[FileLine]) -> FileLine | None:
    return again.popleft() if again else next(lines, None)


def _quoted_row(
    first: FileLine, again: deque[FileLine], lines: Iterator[FileLine]
) -> list[str] | str:
    """The cells of a row with quotation marks, which ends where their number is even."""
    parts, taken, length = [first.text], list[FileLine](), len(first.text)
    is_open = first.text.count('"') % 2 == 1
    while is_open:
        more = _next_line(again, lines)
        if more is not None:
            taken.append(more)
            length += len(more.text) + 1
        if more is None or more.fault or length > LONGEST_LINE:
            again.extendleft(reversed(taken))
            return "A quotation mark isn't closed. Close it or remove it."
        parts.append(more.text)
        is_open = more.text.count('"') % 2 == 0
    try:
        return list(islice(_cells("\n".join(parts)), _MOST_COLUMNS + 1))
    except _UnreadableRow as error:
        again.extendleft(reversed(taken))
        return str(error)


def _cells(row: str) -> Iterator[str]:
    at = 0
    while found := _CELL.match(row, at):
        quoted, plain, end = found.groups()
        yield plain if quoted is None else quoted.replace('""', '"')
        if not end:
            return
        at = found.end()
    raise _UnreadableRow(
        f"The cell at character {at + 1} has a stray quotation mark. Put the cell in quotation "
        "marks, and double the quotation marks in it."
    )


def _plain(text: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from computing it."""
    return text[1:] if text.startswith("'") and _is_guarded(text[1:]) else text


def _guarded(text: str) -> str:
    """A text with one apostrophe more, where it begins with one that would be taken away."""
    return f"'{text}" if text.startswith("'") and _is_guarded(text) else text


def _is_guarded(text: str) -> bool:
    """Whether what follows its apostrophes begins as a formula does."""
    return is_computed(text.lstrip("'"))


def write_name_csv(
    records: Iterable[AssignedNameRecord], labels: Sequence[str] = ()
) -> Iterator[bytes]:
    """A heading and a row for each record, in pieces; ``labels`` are columns for more elements.

    Where an element has no column of its own, all of its name stand in ``elements``; those that are
    single stand in their columns all the same.

    Source: RFC 4180; RFC 8259 within the column ``elements``.
    """
    fit = (label for label in labels if is_element_label(label) and label not in COLUMNS)
    further = tuple(islice(dict.fromkeys(fit), _MOST_COLUMNS - len(COLUMNS)))
    end = COLUMNS.index("state")
    columns = (*COLUMNS[:end], *further, *COLUMNS[end:])
    yield csv_line(map(_guarded, columns)).encode()
    for record in records:
        texts = row_texts(record, further)
        yield csv_line(_guarded(texts.get(column, "")) for column in columns).encode()
