"""Changes of a part of all names, from the copy: read by their numbers, or name by name where the
part has few names, and never many more than are told."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import chain
from typing import NamedTuple

from app.assigned_names.name_changes import HIGHEST_CHANGE
from app.assigned_names.name_parts import NamePart
from app.assigned_names.name_prefixes import BEHIND_ALL
from app.bundles.copied_changes import CopiedName

__all__ = ["ChangesOfPart", "changes_of_part", "limit_octets"]

_MOST_PASSED = 50_000  # changes, or names of a part, that are looked at for one answer
_LAST = "SELECT value FROM meta WHERE key = 'last'"
_FAR = "SELECT change FROM names WHERE change > ? ORDER BY change LIMIT 1 OFFSET ?"
_BEGINS = "(name >= ? AND name < ?)"
_COUNT = "SELECT count(*) FROM (SELECT 1 FROM names WHERE name >= ? AND name < ? LIMIT ?)"
_ONE_OF = "name IN ({})"
_AMONG = "SELECT name FROM names WHERE name IN ({})"
# Of changes that are passed over the index alone is read, which has their names.
_BY_NUMBER = """
SELECT told.change, told.name, names.document FROM (
    SELECT change, name FROM names INDEXED BY names_by_change
    WHERE change > ? AND change <= ? AND ({}) ORDER BY change LIMIT ?
) AS told JOIN names ON names.name = told.name ORDER BY told.change
"""
_BY_NAME = "SELECT change, name, document FROM names WHERE {} AND +change > ?"

_Condition = tuple[str, tuple[str, ...]]  # and what it is asked of
_Statement = tuple[str, tuple[int | str, ...]]


class ChangesOfPart(NamedTuple):
    """Changes of a part in their order, and the number up to which no other name of it changed."""

    rows: list[CopiedName]
    passed: int


def changes_of_part(
    connection: sqlite3.Connection, part: NamePart, after: int, most: int, most_octets: int
) -> ChangesOfPart:
    """The changes of a part after a number, as many as ``most`` and about so many octets allow.
    Raises errors of SQLite."""
    # first, since a change that comes while this is read may be one of the part
    last: int = connection.execute(_LAST).fetchall()[0][0]
    wanted, passed = _wanted_of(connection, part), max(after, last)
    far = connection.execute(_FAR, (after, _MOST_PASSED)).fetchall()
    if not far:
        statement, values = _by_number(wanted, after, HIGHEST_CHANGE)
    elif _is_small(connection, part):
        statement, values = _by_name(wanted, after)
    else:
        passed = far[0][0]
        statement, values = _by_number(wanted, after, passed)
    with closing(connection.execute(statement, (*values, most))) as rows:
        found = list(limit_octets(map(CopiedName._make, rows), most_octets))
        is_cut = len(found) == most or rows.fetchone() is not None
    here = found[-1].change if found else after
    return ChangesOfPart(found, here if is_cut else max(passed, here))


def limit_octets(found: Iterable[CopiedName], most_octets: int) -> Iterator[CopiedName]:
    """Names up to the one with which they are as long as may be given at once."""
    length = 0
    for one in found:
        length += len(one.name.encode()) + len(one.document.encode())
        yield one
        if length >= most_octets:
            return


def _wanted_of(connection: sqlite3.Connection, part: NamePart) -> list[_Condition]:
    ranges = [(_BEGINS, (one, one + BEHIND_ALL)) for one in part.beginnings]
    found = connection.execute(*_one_of(_AMONG, part.shorter_texts)).fetchall()
    return [*ranges, _one_of(_ONE_OF, tuple(name for (name,) in found))]


def _one_of(text: str, names: tuple[str, ...]) -> _Condition:
    return text.format(", ".join("?" * len(names))), names


def _is_small(connection: sqlite3.Connection, part: NamePart) -> bool:
    left = _MOST_PASSED
    for one in part.beginnings:
        left -= connection.execute(_COUNT, (one, one + BEHIND_ALL, left)).fetchall()[0][0]
        if left <= 0:
            return False
    return True


def _by_number(wanted: list[_Condition], after: int, end: int) -> _Statement:
    condition = " OR ".join(text for text, _ in wanted)
    return _BY_NUMBER.format(condition), (after, end, *chain(*(values for _, values in wanted)))


def _by_name(wanted: list[_Condition], after: int) -> _Statement:
    each = " UNION ALL ".join(_BY_NAME.format(text) for text, _ in wanted)
    asked: list[int | str] = []
    for _, texts in wanted:
        asked += [*texts, after]
    return f"{each} ORDER BY change LIMIT ?", tuple(asked)
