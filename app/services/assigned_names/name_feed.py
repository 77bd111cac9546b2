"""The feed: every change of a name in order, which hosts copy so that they answer without us."""

import json
import logging
from collections.abc import Iterator
from typing import Any

from app.bundles.given_numbers import DamagedGivenNumber
from app.bundles.name_copies import NameCopyWriter
from app.services.assigned_names.name_batches import CHANGES, GivenNumbers
from app.store.assigned_names import assigned_name_rows
from app.store.assigned_names.assigned_name_rows import NumberedChange
from app.store.database import reading

_log = logging.getLogger(__name__)
_AT_ONCE = 5_000


def follow(copy: NameCopyWriter, given: GivenNumbers) -> int:
    """Bring this host's copy up to date, and what is kept beside the database; gives how many
    changes there were.

    Raises BlockingIOError where somebody else does.
    """
    count = 0

    def changes_after(change: int) -> Iterator[dict[str, Any]]:
        nonlocal count
        while some := _changes(change):
            _keep_numbers(some, given)
            for one in some:
                yield {"change": one.change, **json.loads(one.document)}
            count += len(some)
            change = some[-1].change

    if not _is_behind(copy):
        return 0
    copy.follow(changes_after)
    return count


def _is_behind(copy: NameCopyWriter) -> bool:
    with reading():
        last = assigned_name_rows.last_change()
    return last > copy.last_change()


def _changes(after: int) -> list[NumberedChange]:
    with reading():
        return assigned_name_rows.changes_after(after, _AT_ONCE)


def _keep_numbers(changes: list[NumberedChange], given: GivenNumbers) -> None:
    """What other hosts gave is known here before it is answered here."""
    highest: dict[str, int] = {}
    for one in changes:
        if one.number is not None:
            highest[one.prefix] = max(highest.get(one.prefix, 0), one.number)
    following = {prefix: number + 1 for prefix, number in highest.items()}
    for of, number in (following | {CHANGES: changes[-1].change + 1}).items():
        try:
            given.keep(of, number)
        except DamagedGivenNumber:  # nothing is minted by it here; names are answered all the same
            _log.exception("it is not kept beside the database which numbers were given")
