"""The feed: every change of a name in order, which hosts copy so that they answer without us."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from app.assigned_names.assigned_name_records import (
    KERNEL,
    AssignedNameChange,
    AssignedNameRecord,
    NameDifference,
    assigned_name_from,
    name_differences,
)
from app.assigned_names.bound_names import prefix_statement_to
from app.assigned_names.name_formats import NameFormat
from app.bundles.given_numbers import DamagedGivenNumber, GivenNumberFolder, SeenNameChange
from app.bundles.name_copies import MASKS, STATEMENTS, NameCopyWriter
from app.problems import assigned_name_codes
from app.services.accounts.actors import Actor
from app.services.assigned_names import prefix_rights
from app.services.assigned_names.minting import CHANGES, look_alike_findings
from app.services.assigned_names.name_changes import record_of
from app.services.assigned_names.prefix_lists import visible_prefix, visible_prefixes
from app.services.refusals import NotFound
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


_EXPORTED_AT_ONCE = 1_000
_MOST_COLUMNS = 40  # of further elements; what has no column stands with the others in one


def export_names(
    actor: Actor, at: datetime, form: NameFormat, ident: int | None
) -> Iterator[bytes]:
    """The octets of a file of all names under a prefix, or under all that somebody has.

    They are those of one moment. Raises NotFound.
    """
    with read_transaction():
        prefixes = visible_prefixes(actor, at, ident)
        labels = list(dict.fromkeys(_labels(prefixes)))[:_MOST_COLUMNS]
        yield from form.write(_records(prefixes), labels)


def _labels(prefixes: list[int]) -> Iterator[str]:
    for record in _records(prefixes):
        yield from (label for label, _ in record.elements if label not in KERNEL)


def _records(prefixes: list[int]) -> Iterator[AssignedNameRecord]:
    for ident in prefixes:
        after = ""
        while rows := assigned_name_rows.page_of(ident, after, _EXPORTED_AT_ONCE):
            yield from map(record_of, rows)
            after = rows[-1].name


@dataclass(frozen=True, slots=True, kw_only=True)
class NameVersionEntry:
    """One version in the history of a name: since when, by whom of the roles, and what changed.

    ``reason`` is what was given for a change of several names together.
    """

    n: int
    at: datetime
    role: str
    differences: tuple[NameDifference, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameHistory:
    """A name under a prefix, with all that was ever known of it, newest first.

    ``changes``: the asker may change it. ``alike`` says which others it looks like, if any.
    """

    prefix: str
    changes: bool
    record: AssignedNameRecord
    version: int
    alike: str
    entries: tuple[NameVersionEntry, ...]


def name_history(ident: int, name: str, actor: Actor, at: datetime) -> NameHistory:
    """A name for somebody who gives names under its prefix. Raises NotFound."""
    with read_transaction():
        prefix = visible_prefix(ident, actor, at)
        stored = assigned_name_rows.known([name]).get(name)
        if stored is None or stored.prefix != prefix.id:
            raise NotFound(
                assigned_name_codes.ASSIGNED_NAME_UNKNOWN,
                f"{name} isn't assigned under this prefix.",
            )
        return NameHistory(
            prefix=prefix.text,
            changes=prefix_rights.find_changing_role(prefix, actor, at) is not None,
            record=record_of(stored),
            version=stored.n,
            alike=next((one.message for one in look_alike_findings([name]).values()), ""),
            entries=tuple(reversed([*_entries(name)])),
        )


def _entries(name: str) -> Iterator[NameVersionEntry]:
    before: AssignedNameRecord | None = None
    for version, event in reversed(assigned_name_rows.versions_of(name)):
        after = assigned_name_from(json.loads(version.document))
        yield NameVersionEntry(
            n=version.n,
            at=event.at,
            role=event.role,
            differences=name_differences(before, after),
            reason=event.reason,
        )
        before = after


Begin = Callable[[str, int], Callable[[int], None]]


def verify_names(
    begin: Begin,
    copied: Iterable[AssignedNameChange],
    lost: Callable[[AssignedNameRecord], None],
) -> Iterator[str]:
    """What is wrong with the names that were given, a sentence each.

    What each batch holds has the digest that its event has, each name is as its newest version
    says, and no number was given that is to be given yet. ``copied`` are the names of a host's copy
    in the order of their changes: those that the database does not know came after the backup from
    which it was restored, and ``lost`` is told each.
    """
    with read_transaction():
        yield from _changed_batches(begin)
        yield from batch_rows.names_unlike_their_versions()
        yield from _numbers_to_come()
        yield from _lost(copied, lost)


def _changed_batches(begin: Begin) -> Iterator[str]:
    tell = begin("batches of identifiers read", batch_rows.count())
    for done, (batch, told) in enumerate(batch_rows.all_batches(), 1):
        if batch.digest != told:
            yield f"The digest of the batch of event {batch.event} differs from the event log."
        elif batch_rows.digest_of_versions(batch.first, batch.last) != batch.digest:
            yield f"Changes {batch.first} to {batch.last} differ from their digest."
        tell(done)


def _numbers_to_come() -> Iterator[str]:
    following = batch_rows.following_numbers()
    for text, highest in assigned_name_rows.highest_numbers().items():
        if highest >= following[text]:
            yield f"Number {highest} under {text} is already assigned and would be minted again."


def _lost(
    copied: Iterable[AssignedNameChange], lost: Callable[[AssignedNameRecord], None]
) -> Iterator[str]:
    waiting = iter(copied)
    while some := list(islice(waiting, _AT_ONCE)):
        known = assigned_name_rows.known({one.record.name for one in some})
        for one in some:
            stored = known.get(one.record.name)
            if stored is None or stored.change < one.number:
                lost(one.record)
                yield (
                    f"Change {one.number} of {one.record.name} is in the copy of this host but not "
                    "in the database, which was restored from an older backup."
                )
