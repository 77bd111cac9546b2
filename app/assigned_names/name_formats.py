"""The forms in which files of names are read and written, declared."""

import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Never

from app.assigned_names.assigned_name_records import ELEMENTS, KERNEL, AssignedNameRecord
from app.assigned_names.name_rows import (
    COLUMNS,
    LONGEST_LINE,
    FileLine,
    NameRow,
    NameRowFault,
    file_lines,
    is_element_label,
    label_of,
    read_row,
    row_texts,
)
from app.exports.serialization.csv_text import csv_line, is_computed
from app.identifiers.errors import spell_text

_HEADING = "erc:\n"
_SPACE = " \t"
# What would end a value or a label, or be taken away at an end of it.
_OF_VALUES = re.compile(r"[%\r\n]|\A[ \t]|[ \t]\Z")
_OF_LABELS = re.compile(r"[%:\r\n]|\A[# \t]|[ \t]\Z")
_IN_VALUES = re.compile(r"%(25|0[AaDd])|\A%(20|09)|%(20|09)\Z")
_IN_LABELS = re.compile(r"%(25|3[Aa]|0[AaDd])|\A%(23|20|09)|%(20|09)\Z")
_MOST_LINES = 1_000  # of one name


def read_name_anvl(octets: Iterable[bytes]) -> Iterator[NameRow | NameRowFault]:
    """The rows of a file that comes in pieces, and a fault for each block of lines that is none.

    A first line without a value, as ``erc:``, is a heading and tells nothing. Raises nothing of its
    own, and holds one block at a time.

    Source: ANVL, A Name-Value Language.
    """
    block, length, is_long = list[FileLine](), 0, False
    for line in file_lines(octets):
        if line.text.strip(_SPACE) or line.fault:
            length += len(line.text) + 1
            is_long = length > LONGEST_LINE or len(block) >= _MOST_LINES
            block += [] if is_long else [line]
            continue
        yield from _read(block, is_long=is_long)
        block, length, is_long = [], 0, False
    yield from _read(block, is_long=is_long)


def _read(block: list[FileLine], *, is_long: bool) -> Iterator[NameRow | NameRowFault]:
    lines = [line for line in block if not line.text.startswith("#")]
    if not lines:
        return
    number = lines[0].number
    fault = next((line for line in lines if line.fault), None)
    if is_long:
        message = (
            f"This record has more than {_MOST_LINES:,} lines or {LONGEST_LINE:,} characters. "
            "Add an empty line after each record."
        )
        yield NameRowFault(number, "anvl", message)
    elif fault:
        message = f"Line {fault.number}: {fault.fault}"
        yield NameRowFault(number, "anvl", message)
    else:
        yield from _row(number, lines)


def _row(number: int, lines: list[FileLine]) -> Iterator[NameRow | NameRowFault]:
    pairs: list[tuple[str, list[str]]] = []
    for line in lines:
        label, colon, value = line.text.partition(":")
        if line.text[0] in _SPACE and pairs:
            pairs[-1][1].append(line.text.strip(_SPACE))
        elif colon and line.text[0] not in _SPACE:
            pairs.append((_decoded(_IN_LABELS, label), [value.strip(_SPACE)]))
        else:
            message = f"Line {line.number} has no label. Start the line with a label and a colon."
            yield NameRowFault(number, "anvl", message)
            return
    told = [(label_of(label), " ".join(filter(None, parts))) for label, parts in pairs]
    if told[0][0] not in COLUMNS and not told[0][1]:
        del told[0]
    if told:
        yield _told(number, [(label, _decoded(_IN_VALUES, value)) for label, value in told])


def _told(number: int, told: list[tuple[str, str]]) -> NameRow | NameRowFault:
    texts = dict(told)
    if len(texts) < len(told):
        labels = [label for label, _ in told]
        own = set(COLUMNS) - {*KERNEL}
        twice = next((label for label in labels if label in own and labels.count(label) > 1), "")
        if twice or ELEMENTS in texts:
            message = f"The label {spell_text(twice or ELEMENTS)} appears twice. Remove one."
            return NameRowFault(number, "member", message)
        elements = [[label, value] for label, value in told if label not in own and value]
        texts[ELEMENTS] = json.dumps(elements, ensure_ascii=False)
    return read_row(number, texts)


def _decoded(encoded: re.Pattern[str], text: str) -> str:
    return encoded.sub(lambda found: chr(int(found[found.lastindex or 0], 16)), text)


def write_name_anvl(
    records: Iterable[AssignedNameRecord],
    labels: Sequence[str] = (),  # noqa: ARG001 - each element has a line of its own
) -> Iterator[bytes]:
    """A block of lines for each record, an empty line after it; ``labels`` change nothing.

    Source: ANVL, A Name-Value Language.
    """
    for record in records:
        lines = (
            f"{_encoded(_OF_LABELS, label)}: {_encoded(_OF_VALUES, value)}\n"
            for label, value in row_texts(record).items()
        )
        yield f"{_HEADING}{''.join(lines)}\n".encode()


def _encoded(unfit: re.Pattern[str], text: str) -> str:
    return unfit.sub(lambda found: f"%{ord(found[0]):02X}", text)


_CELL = re.compile(r'(?:"([^"]*+(?:""[^"]*+)*+)"|([^",]*+))(,|\Z)')
_MOST_COLUMNS = 100


class _UnreadableRow(ValueError):
    pass


def read_name_csv(octets: Iterable[bytes]) -> Iterator[NameRow | NameRowFault]:
    """The rows of a file that comes in pieces, and a fault for each row that is none.

    Without a heading that names the column ``name`` there is one fault, and nothing else is read.
    Raises nothing of its own, and holds one row at a time.

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


def _without_name(labels: list[str]) -> str:
    if not set(COLUMNS).intersection(labels):
        return _NO_HEADING
    found = ", ".join(spell_text(label) for label in labels[:10])
    return f"The file has no column `name`, which contains the identifiers. Its columns: {found}."


def _other_sign(heading: str) -> str:
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
    return text[1:] if text.startswith("'") and _is_guarded(text[1:]) else text


def _guarded(text: str) -> str:
    return f"'{text}" if text.startswith("'") and _is_guarded(text) else text


def _is_guarded(text: str) -> bool:
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


class _Members(list[tuple[str, Any]]):
    """The members of an object, in order, so that two of one name are seen."""


def _refuse_constant(text: str) -> Never:
    raise ValueError(text)


# numbers are taken as they are spelled, as a year is
_DECODER = json.JSONDecoder(
    object_pairs_hook=_Members, parse_int=str, parse_float=str, parse_constant=_refuse_constant
)


def read_name_json_lines(octets: Iterable[bytes]) -> Iterator[NameRow | NameRowFault]:
    """The rows of a file that comes in pieces, and a fault for each line that is none. Raises
    nothing of its own, and holds one line at a time.

    Source: RFC 8259.
    """
    for line in file_lines(octets):
        if line.fault:
            yield NameRowFault(line.number, "json", line.fault)
        elif line.text.strip():
            yield _name_read(line)


def _name_read(line: FileLine) -> NameRow | NameRowFault:
    try:
        members = _DECODER.decode(line.text)
    except json.JSONDecodeError as error:
        message = f"Character {error.pos + 1} isn't valid JSON. Write one object per line."
        return NameRowFault(line.number, "json", message)
    except (ValueError, RecursionError):
        message = "The line isn't valid JSON, or is nested too deeply. Write one object per line."
        return NameRowFault(line.number, "json", message)
    if not isinstance(members, _Members):
        message = 'The line isn\'t an object. Write it as {"name": "ark:12345/x5abc"}.'
        return NameRowFault(line.number, "json", message)
    texts: dict[str, str] = {}
    for name, value in members:
        label, text = label_of(name), _text(name, value)
        if text is None or label in texts:
            why = (
                "appears twice. Remove one"
                if text is not None
                else "isn't a string. Write a string"
            )
            message = f"The member {spell_text(name)} {why}."
            return NameRowFault(line.number, "member", message)
        texts[label] = text
    return read_row(line.number, texts)


def _text(name: str, value: object) -> str | None:
    if value is None or isinstance(value, bool):
        return {None: "", True: "yes", False: "no"}[value]
    if type(value) is list and label_of(name) == ELEMENTS:
        return json.dumps(value) if all(map(_is_pair, value)) else None
    return value if isinstance(value, str) else None


def _is_pair(value: object) -> bool:
    return type(value) is list and [type(part) for part in value] == [str, str]


def write_name_json_lines(
    records: Iterable[AssignedNameRecord],
    labels: Sequence[str] = (),  # noqa: ARG001 - each element is a member of its own
) -> Iterator[bytes]:
    """A line for each record; ``labels`` change nothing.

    Source: RFC 8259; JSON Lines.
    """
    for record in records:
        members: dict[str, Any] = dict(row_texts(record))
        if "redirect" in members:
            members["redirect"] = record.redirect
        if "extends_anywhere" in members:
            members["extends_anywhere"] = record.extends_anywhere
        if ELEMENTS in members:
            members[ELEMENTS] = record.elements
        yield f"{json.dumps(members, ensure_ascii=False, separators=(',', ':'))}\n".encode()


NameReader = Callable[[Iterable[bytes]], Iterator[NameRow | NameRowFault]]
NameWriter = Callable[[Iterable[AssignedNameRecord], Sequence[str]], Iterator[bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameFormat:
    """One form. ``purpose`` says to whoever chooses what it is for.

    ``write`` takes the records, and the labels of elements that get columns of their own where the
    form has columns; ``read`` gives what it wrote again.
    """

    id: str
    label: str
    media_type: str
    suffix: str
    purpose: str
    read: NameReader
    write: NameWriter


NAME_FORMATS: Final[Mapping[str, NameFormat]] = {
    form.id: form
    for form in (
        NameFormat(
            id="csv",
            label="CSV",
            media_type="text/csv; charset=utf-8; header=present",
            suffix=".csv",
            purpose="for spreadsheets",
            read=read_name_csv,
            write=write_name_csv,
        ),
        NameFormat(
            id="jsonl",
            label="JSON Lines",
            media_type="application/jsonl; charset=utf-8",
            suffix=".jsonl",
            purpose="for programs, one object per line",
            read=read_name_json_lines,
            write=write_name_json_lines,
        ),
        NameFormat(
            id="anvl",
            label="ANVL",
            media_type="text/plain; charset=utf-8",
            suffix=".anvl",
            purpose="as used by Noid and N2T",
            read=read_name_anvl,
            write=write_name_anvl,
        ),
    )
}


_SCHEMES = frozenset({b"ark", b"urn", b"http", b"https"})


def format_of(octets: bytes) -> NameFormat:
    """The form that a file has by its first octets; CSV where nothing speaks for another one.
    Raises nothing; what is wrong with the file is told by reading it."""
    lines = octets.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n").split(b"\n")
    told = (line.strip() for line in lines)
    first = next((line for line in told if line and not line.startswith(b"#")), b"")
    if first.startswith(b"{"):
        return NAME_FORMATS["jsonl"]
    label, colon, _ = first.partition(b":")
    is_label = colon and b"," not in label and label.strip(b"\"' ").lower() not in _SCHEMES
    return NAME_FORMATS["anvl" if is_label else "csv"]
