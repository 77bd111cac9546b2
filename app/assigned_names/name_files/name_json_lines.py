"""Names as JSON Lines: an object for each name on a line of its own."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Never

from app.assigned_names.assigned_name_records import AssignedNameRecord
from app.assigned_names.name_files.file_lines import FileLine, file_lines
from app.assigned_names.name_files.name_rows import (
    NameRow,
    NameRowFault,
    label_of,
    read_row,
    row_texts,
)
from app.assigned_names.name_revisions import ELEMENTS
from app.identifiers.spelling import spell_text

__all__ = ["read_name_json_lines", "write_name_json_lines"]


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
            yield _read(line)


def _read(line: FileLine) -> NameRow | NameRowFault:
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
