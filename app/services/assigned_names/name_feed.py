"""The feed: every change of a name in order, which hosts copy so that they answer without us."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from app.assigned_names.bound_names import prefix_statement_to
from app.bundles.given_numbers import DamagedGivenNumber, GivenNumberFolder, SeenNameChange
from app.bundles.name_copies import MASKS, STATEMENTS, NameCopyWriter
from app.services.assigned_names.name_batches import CHANGES
from app.store.assigned_names import (
    assigned_name_rows,
    batch_rows,
    name_line_rows,
    prefix_rows,
)
from app.store.assigned_names.assigned_name_rows import NumberedChange
from app.store.database import read_transaction

_log = logging.getLogger(__name__)
_AT_ONCE = 5_000
_FOLLOWS_WITHIN = timedelta(seconds=15)


def follow(copy: NameCopyWriter, given: GivenNumberFolder, line: str = "") -> int:
    """Bring this host's copy up to date, and what is kept beside the database; gives how many
    changes there were.

    A copy of another ``line`` of changes than that which the database has is made anew, and so is
    one that is damaged.

    Raises BlockingIOError where somebody else does.
    """
    count = 0

    def changes_after(change: int) -> Iterator[dict[str, Any]]:
        nonlocal count
        while some := _changes(change):
            _keep_numbers(some, given, line)
            for one in some:
                yield {"change": one.change, **json.loads(one.document)}
            count += len(some)
            change = some[-1].change

    if not (copy.is_doubted() or _is_behind(copy, line)):
        if given.seen() is None:  # older software kept none
            with _logged():
                _keep_seen(copy.last_change(), given, line)
        _keep_told(copy)
        return 0
    copy.follow(changes_after, feed=line)
    _keep_told(copy)
    return count


def _keep_told(copy: NameCopyWriter) -> None:
    """Let the copy tell of all prefixes, those without a name among them."""
    with read_transaction():
        said = {one.prefix: prefix_statement_to(one) for one in prefix_rows.statements()}
        told: dict[str, dict[str, Any]] = {MASKS: prefix_rows.masks(), STATEMENTS: said}
    if copy.told() != told:
        copy.keep_told(told)


def awaits_names(copy: NameCopyWriter, at: datetime) -> bool:
    """Whether a host lacks names that were given or changed some seconds ago.

    Its copy is not made yet, or is older than a host that follows has.
    """
    if copy.feed() is None:
        with read_transaction():
            return copy.folder.is_dir() or assigned_name_rows.last_change() > 0
    here = copy.last_change()
    with read_transaction():
        since = batch_rows.moment_after(here)
    return since is not None and at - since > _FOLLOWS_WITHIN


def _is_behind(copy: NameCopyWriter, line: str) -> bool:
    with read_transaction():
        last = assigned_name_rows.last_change()
    # where no name was given yet the copy is empty, so that hosts can tell that from none
    return last > copy.last_change() or copy.feed() != line


def _changes(after: int) -> list[NumberedChange]:
    with read_transaction():
        return assigned_name_rows.changes_after(after, _AT_ONCE)


def _keep_numbers(changes: list[NumberedChange], given: GivenNumberFolder, line: str) -> None:
    """What other hosts gave is known here before it is answered here."""
    highest: dict[str, int] = {}
    for one in changes:
        if one.number is not None:
            highest[one.prefix] = max(highest.get(one.prefix, 0), one.number)
    with read_transaction():
        seeds = prefix_rows.order_seeds(highest)
    last = changes[-1].change
    with _logged():
        for prefix, number in highest.items():
            given.keep(prefix, number + 1, seeds[prefix])
        given.keep(CHANGES, last + 1)
        _keep_seen(last, given, line)


_logged_fault = ""


@contextmanager
def _logged() -> Iterator[None]:
    """Log why this host cannot keep its numbers: each reason once, until they are kept again.

    Nothing is minted from these numbers, and names are answered anyway.
    """
    global _logged_fault  # noqa: PLW0603 — of this process, as its log is
    fault = ""
    try:
        yield
    except (DamagedGivenNumber, OSError) as error:
        fault = str(error)
        if fault != _logged_fault:
            _log.error("this host cannot save the counters of its prefixes: %s", fault)
    else:
        if _logged_fault:
            _log.info("this host saves the counters of its prefixes again")
    _logged_fault = fault


def _keep_seen(change: int, given: GivenNumberFolder, line: str) -> None:
    with read_transaction():
        leaf = name_line_rows.leaf_of(change)
    if leaf:
        given.keep_seen(SeenNameChange(line, change, leaf))
