"""The feed of names: what everybody may know of each change, a line of JSON each, in order.

Each change tells all of a name that is told, so that whoever reads the last one of it needs none
before.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.assigned_names.assigned_name_records import (
    AssignedNameRecord,
    assigned_name_from,
    assigned_name_to,
)

__all__ = [
    "AssignedNameChange",
    "name_change_from",
    "name_change_line",
    "name_change_to",
    "read_name_change",
]


@dataclass(frozen=True, slots=True)
class AssignedNameChange:
    """One change: its ``number``, from 1 and greater than that of each before it, and what is told
    of the name from then on."""

    number: int
    record: AssignedNameRecord


def name_change_to(change: AssignedNameChange) -> dict[str, Any]:
    """A change as a document: its number, then the name as ``assigned_name_to`` tells it.

    Nothing is in it that not everybody may know: of a reserved name, that it is reserved.
    """
    return {"change": change.number, **assigned_name_to(change.record.told)}


def name_change_from(document: Mapping[str, Any]) -> AssignedNameChange:
    """The change whose ``name_change_to`` this is. Raises ValueError or KeyError for others."""
    number = document["change"]
    if type(number) is not int or number < 1:
        raise ValueError("The changes of names are numbered from 1.")
    return AssignedNameChange(number, assigned_name_from(document))


def name_change_line(change: AssignedNameChange) -> bytes:
    """A change as a line of JSON, its end included.

    Source: RFC 8259; JSON Lines.
    """
    members = name_change_to(change)
    return f"{json.dumps(members, separators=(',', ':'), allow_nan=False)}\n".encode("ascii")


def read_name_change(line: bytes) -> AssignedNameChange:
    """The change whose ``name_change_line`` this is. Raises ValueError for any other octets.

    Source: RFC 8259; JSON Lines.
    """
    try:
        document = json.loads(line.decode("utf-8"))
        if type(document) is not dict:
            raise ValueError("not an object")
        return name_change_from(document)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"This is no change of a name: {error}.") from None
