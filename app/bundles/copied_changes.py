"""What a copy of names keeps of a feed: each change in its turn, as everybody may know it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from app.assigned_names.assigned_name_records import (
    assigned_name_from,
    assigned_name_to,
    is_change_number,
)

__all__ = ["BadNameChange", "CopiedBatch", "CopiedName", "copied_batches"]

_BATCH = 10_000  # changes to a transaction


class BadNameChange(ValueError):
    """What is no change of a name, or comes out of its turn."""


class CopiedName(NamedTuple):
    """A name in the copy: the number of its last change, and what everybody may know of it."""

    change: int
    name: str
    document: str  # without the name

    @property
    def line(self) -> str:
        """The change as a line of the feed."""
        head = json.dumps({"change": self.change, "name": self.name}, separators=(",", ":"))
        return f"{head[:-1]},{self.document[1:]}\n"


class CopiedBatch(NamedTuple):
    """Changes that are kept together, and the number of the last one."""

    rows: list[CopiedName]
    last: int


def copied_batches(changes: Iterable[Mapping[str, Any]], last: int) -> Iterator[CopiedBatch]:
    """Yield the changes after the last one of a copy, in batches. Raises BadNameChange."""
    told = iter(changes)
    while some := list(islice(told, _BATCH)):
        rows = []
        for document in some:
            last = _number_of(document, last)
            rows.append(_row_of(document, last))
        yield CopiedBatch(rows, last)


def _number_of(document: Mapping[str, Any], last: int) -> int:
    change = document.get("change")
    if not is_change_number(change):
        raise BadNameChange(f"{change!r} isn't the number of a change. Send a whole number from 1.")
    if change <= last:
        raise BadNameChange(f"Change {change} comes after {last}. Send changes in order.")
    return change


def _row_of(document: Mapping[str, Any], change: int) -> CopiedName:
    try:
        told = assigned_name_to(assigned_name_from(document).told)
    except (ValueError, KeyError) as error:
        raise BadNameChange(f"Change {change} has no valid identifier: {error}") from error
    name = told.pop("name")
    return CopiedName(change, name, json.dumps(told, ensure_ascii=False, separators=(",", ":")))
