"""Records that block publication: finding them, withholding them, and releasing them again."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from app.exports.content.selection import people_named
from app.identifiers.errors import spell_text
from app.problems import operation_codes, use_case_codes
from app.registration.declarations.registries import IdentifierSpace, declared_spaces
from app.registration.declarations.registry_groups import group_of_space
from app.registration.records.registry_records import Registration
from app.services.refusals import InvalidInput, NameUnregistered, Refusal
from app.services.registry.snapshots import (
    check_edition,
    check_writable,
    open_edition,
    single_record_snapshot,
)
from app.store.database import read_transaction, transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import edition_snapshots
from app.store.registry import record_versions as names
from app.store.registry.person_versions import people_of
from app.store.registry.record_versions import StoredVersion
from app.store.tables.registry import Cause
from app.store.tables.requests import EventSubject
from app.workflow.evidence_inputs import LONGEST_REASON, says_something

WITHHELD, RELEASED = "withheld", "released"  # the kinds of the events


class RecordPublished(Refusal):
    """A record that a published edition has, which can't be withheld."""


@dataclass(frozen=True, slots=True)
class WithheldRecord:
    """A record that was withheld: its name, the editions it is left out of, and what they hold.

    ``editions`` are numbers in the group. ``is_listed`` is true if they have an earlier version
    of the record.
    """

    name: str
    editions: tuple[int, ...]
    is_listed: bool


def blocking_records() -> list[tuple[str, str]]:
    """The records of unbuilt editions that can't be published: name and error of each."""
    with read_transaction():
        return list(_blocking())


def _blocking() -> Iterator[tuple[str, str]]:
    seen = set[tuple[str, Registration]]()
    for edition in edition_rows.unbuilt():
        _before, touched = edition_snapshots.snapshots_of_touched(edition)
        for table in touched.registries if touched else ():
            for record in table.records:
                if (record.key, record) in seen:
                    continue
                seen.add((record.key, record))
                alone = single_record_snapshot(edition, table.id, record)
                try:
                    check_writable(replace(alone, people=people_of(people_named(record))))
                except InvalidInput as error:
                    yield record.name, str(error)


def withhold_record(name: str, reason: str, at: datetime) -> WithheldRecord:
    """Take what no edition could publish of a name out of all editions, with an event.

    Every version of the record since the newest built edition is withheld. The editions that
    couldn't be built then hold the version before, or nothing of the name, which stays taken.
    Raises InvalidInput without a reason, NameUnregistered, and RecordPublished where a built
    edition has the newest version.
    """
    _check_reason(reason)
    with transaction():
        at = edition_rows.next_moment(at)
        space, version = _latest(name)
        group = group_of_space(space)
        newest = edition_rows.newest_built(group) or 0
        left_out = edition_rows.retry_unbuilt(group, newest + 1)
        newest = edition_rows.newest_built(group) or 0  # a worker may have built one until the lock
        if version.edition <= newest:
            number = edition_rows.get_edition(newest).number
            raise RecordPublished(
                operation_codes.RECORD_PUBLISHED,
                (
                    f"{spell_text(version.record.name)} is in edition {number}, which is "
                    "published. Correct or remove the entry instead."
                ),
                "name",
            )
        names.withhold_since(space.id, version.record.folded, newest + 1)
        _note(WITHHELD, version, reason, at)
        numbers = edition_rows.numbers_of(left_out)
        return WithheldRecord(
            name=version.record.name,
            editions=tuple(sorted(numbers.values())),
            is_listed=names.find_latest(space.id, version.record.folded) is not None,
        )


def release_record(
    name: str, reason: str, at: datetime, *, notice: str = "", lists_panel: bool = False
) -> int:
    """Put a withheld record into the next edition, with an event, and return the edition's number.

    Raises InvalidInput without a reason, and for a record that still can't be published;
    NameUnregistered where nothing of the name is withheld.
    """
    _check_reason(reason)
    with transaction():
        at = edition_rows.next_moment(at)
        _space, version = _latest_withheld(name)
        edition = open_edition(
            group_of_space(version.record.space),
            at,
            Cause.CORRECTION,
            notice,
            lists_panel=lists_panel,
        )
        change = names.RecordChange(edition=edition, cause=Cause.CORRECTION)
        names.add_version(version.record, version.registry, version.sort_key, change)
        check_edition(edition)
        _note(RELEASED, version, reason, at, edition)
        return edition_rows.get_edition(edition).number


def _check_reason(reason: str) -> None:
    if not says_something(reason) or len(reason) > LONGEST_REASON:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            f"Enter a reason of at most {LONGEST_REASON} characters.",
            field="reason",
        )


def _latest(name: str) -> tuple[IdentifierSpace, StoredVersion]:
    for space in declared_spaces():
        found = names.find_latest(space.id, space.fold(name))
        if found is not None:
            return space, found
    raise NameUnregistered(name, next(declared_spaces()))


def _latest_withheld(name: str) -> tuple[IdentifierSpace, StoredVersion]:
    for space in declared_spaces():
        withheld = names.withheld_versions(space.id, space.fold(name))
        latest = names.find_latest(space.id, space.fold(name))
        if withheld and (latest is None or latest.n < withheld[-1].n):
            return space, withheld[-1]
    raise NameUnregistered(
        name, next(declared_spaces()), f"Nothing in {spell_text(name)} is withheld."
    )


def _note(
    kind: str, version: StoredVersion, reason: str, at: datetime, edition: int | None = None
) -> None:
    event = event_rows.NewEvent(
        at=at,
        kind=kind,
        subject=EventSubject.NAME,
        about=version.record.key,
        role="operator",
        edition=edition,
        reason=reason.strip(),
        body=f"version {version.n} of the record",
    )
    event_rows.append(event, secrets.token_hex(16))
