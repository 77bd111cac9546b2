"""The feed of names: what everybody may know of each change, a line of JSON each, in order.

Each change tells all of a name that is told, so that whoever reads the last one of it needs none
before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.assigned_names.assigned_name_records import (
    AssignedNameRecord,
    assigned_name_from,
)

__all__ = [
    "AssignedNameChange",
    "name_change_from",
]


@dataclass(frozen=True, slots=True)
class AssignedNameChange:
    """One change: its ``number``, from 1 and greater than that of each before it, and what is told
    of the name from then on."""

    number: int
    record: AssignedNameRecord


def name_change_from(document: Mapping[str, Any]) -> AssignedNameChange:
    """The change that a document of the feed is: its number, and the name as it is told.

    Raises ValueError or KeyError for others.
    """
    number = document["change"]
    if type(number) is not int or number < 1:
        raise ValueError("The changes of names are numbered from 1.")
    return AssignedNameChange(number, assigned_name_from(document))
