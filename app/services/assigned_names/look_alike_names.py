"""Names that look like others that were given: told wherever names are given, and never refused."""

from collections.abc import Collection

from app.assigned_names.name_checks import (
    NameFinding,
    alike_among,
    alike_spellings,
    find_look_alikes,
)
from app.store.assigned_names import assigned_name_rows
from app.store.database import reading

__all__ = ["find_alike", "look_alike_findings"]


def look_alike_findings(names: Collection[str]) -> dict[str, NameFinding]:
    """What is told of names that look like others, those given with them included; of the others
    nothing. Whoever calls it reads the database.
    """
    spelled = {name: alike_spellings(name) for name in names}
    there = assigned_name_rows.taken({one for some in spelled.values() for one in some})
    beside = alike_among(spelled)
    found = (
        (name, find_look_alikes(name, (spelled[name] & there).union(beside[name])))
        for name in spelled
    )
    return {name: finding for name, finding in found if finding is not None}


def find_alike(names: Collection[str]) -> tuple[str, ...]:
    """A sentence for each of some names that looks like another."""
    with reading():
        return tuple(one.message for one in look_alike_findings(names).values())
