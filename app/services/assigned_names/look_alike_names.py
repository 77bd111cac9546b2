"""Names that look like others that were given: told wherever names are given, and never refused."""

from collections.abc import Collection

from app.assigned_names.name_checks import NameFinding
from app.assigned_names.name_look_alikes import find_look_alikes
from app.store.assigned_names import assigned_name_rows
from app.store.database import read_transaction

__all__ = ["find_alike", "look_alike_findings"]


def look_alike_findings(names: Collection[str]) -> dict[str, NameFinding]:
    """What is told of names that look like others, those given with them included; of the others
    nothing. Whoever calls it reads the database.
    """
    there, is_cut = assigned_name_rows.alike(names)
    return find_look_alikes(names, there, is_cut=is_cut)


def find_alike(names: Collection[str]) -> tuple[str, ...]:
    """A sentence for each of some names that looks like another."""
    with read_transaction():
        return tuple(one.message for one in look_alike_findings(names).values())
