"""The feed of names: what everybody may know of each change, a line of JSON each, in order."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from app.assigned_names.assigned_name_records import (
    AssignedNameRecord,
    assigned_name_from,
)

__all__ = [
    "HIGHEST_CHANGE",
    "AssignedNameChange",
    "is_change_number",
    "name_change_from",
]


HIGHEST_CHANGE: Final = 10**18 - 1  # 18 digits, which are asked for in an address


@dataclass(frozen=True, slots=True)
class AssignedNameChange:
    """One change: its ``number``, from 1 and greater than that of each before it, and what is told
    of the name from then on."""

    number: int
    record: AssignedNameRecord


def is_change_number(value: object) -> TypeGuard[int]:
    """Source: Rule of this registry: changes of names are numbered from 1."""
    return type(value) is int and 0 < value <= HIGHEST_CHANGE


def name_change_from(document: Mapping[str, Any]) -> AssignedNameChange:
    """The change that a document of the feed is: its number, and the name as it is told. Raises
    ValueError or KeyError for others."""
    number = document["change"]
    if not is_change_number(number):
        raise ValueError("Changes are numbered from 1.")
    return AssignedNameChange(number, assigned_name_from(document))
