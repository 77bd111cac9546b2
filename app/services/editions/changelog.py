"""The registry's editions as they are told: when each was made, why, and what it changed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache

from app.exports.editions.changes import Changes, registry_changes
from app.exports.editions.edition_list import EditionRow, end_of_day
from app.pages.diagrams.growth_chart import YearCount
from app.problems import publication_codes, use_case_codes
from app.registration.declarations.registry_groups import RegistryGroup
from app.services.refusals import MalformedDay, NotFound
from app.services.registrations.corrections import WITH_REASON, causes_told, reasons_of
from app.services.registry.snapshots import key_of, snapshot_of
from app.store.editions import edition_rows
from app.store.registry import edition_snapshots
from app.store.registry import record_versions as names
from app.store.tables import Edition

_MOST_HELD = 1_024  # editions whose changes are kept, since they never change again


def history(group: RegistryGroup, until: int | None = None) -> tuple[EditionRow, ...]:
    """Every edition of a group up to and with one, or up to the newest, oldest first."""
    found = edition_rows.all_editions(group, until)
    explained = [edition.n for edition in found if edition.cause in WITH_REASON]
    reasons, causes = reasons_of(explained), causes_told({one.n: one.cause for one in found})
    return tuple(_row(one, reasons.get(one.n, ""), causes[one.n]) for one in found)


def _database() -> str:
    """Return the cache key of remembered changes: withholding a record changes unbuilt editions."""
    return f"{names.database_name()} {names.count_withheld()}"


def _row(edition: Edition, reason: str, cause: str) -> EditionRow:
    return EditionRow(
        number=edition.number,
        as_of=edition.as_of,
        origin=edition.origin,
        cause=cause,
        reason=reason,
        changes=_changes(_database(), edition.n, edition.as_of),
    )


@lru_cache(maxsize=_MOST_HELD)
def _changes(_database: str, edition: int, _as_of: datetime) -> Changes:
    before, after = edition_snapshots.snapshots_of_touched(edition)
    if after is None:
        raise NotFound(use_case_codes.EDITION_UNKNOWN, f"Edition {edition} doesn't exist.")
    return registry_changes(before, after)


@lru_cache(maxsize=_MOST_HELD)
def _told(database: str, edition: int, as_of: datetime) -> Mapping[str, str]:
    changed = _changes(database, edition, as_of).names
    of_successors = {one.successor_key: one.sentence for one in changed if one.successor}
    return of_successors | {change.key: change.words for change in changed}


def describe_change(key: str, edition: int, as_of: datetime) -> str:
    """What an edition of this moment changed of a name, in words; empty where it did not."""
    return _told(_database(), edition, as_of).get(key, "")


def growth(group: RegistryGroup, rows: Sequence[EditionRow]) -> tuple[YearCount, ...]:
    """How many names were in use at the end of each year that had an edition, by table."""
    last = {row.as_of.year: row for row in sorted(rows, key=lambda row: row.number)}
    database, keys = _database(), edition_rows.keys_of(group)
    return tuple(
        YearCount(year, row.number, _counts(database, keys[row.number], row.as_of))
        for year, row in sorted(last.items())
    )


@lru_cache(maxsize=_MOST_HELD)
def _counts(_database: str, edition: int, _as_of: datetime) -> Mapping[str, int]:
    return edition_snapshots.counts(edition)


def edition_differences(group: RegistryGroup, before: int, after: int) -> Changes:
    """What differs between two editions of a group, by their numbers there and in either order.

    Raises NotFound where one is not there.
    """
    first, second = (snapshot_of(key_of(group, number)) for number in (before, after))
    return registry_changes(first, second)


def get_row(group: RegistryGroup, number: int) -> EditionRow:
    """One edition as it is told; NotFound where there is none, with the newest there is."""
    found = edition_rows.find_numbered(group, number)
    if found is None:
        raise NotFound(
            use_case_codes.EDITION_UNKNOWN,
            f"Edition {number} doesn't exist. The newest is {newest_edition(group).number}.",
        )
    return history(group, found.n)[-1]


def newest_edition(group: RegistryGroup) -> Edition:
    """The newest edition of a group; NotFound before the first."""
    newest = edition_rows.latest_edition(group)
    if newest is None:
        raise NotFound(
            use_case_codes.EDITION_UNKNOWN,
            "No edition exists yet. The first registration creates one.",
        )
    return newest


def edition_of_day(group: RegistryGroup, day: str) -> int:
    """The number of the edition that stood at the end of a day in UTC, such as 2021-05-01.

    Raises MalformedDay for what is no day, and NotFound for one before the first edition.
    """
    try:
        ends = end_of_day(day)
    except ValueError as error:
        raise MalformedDay(publication_codes.DAY_MALFORMED, str(error)) from error
    edition = edition_rows.find_as_of(group, ends)
    if edition is None:
        raise NotFound(
            use_case_codes.EDITION_UNKNOWN, f"No edition was published before or on {day}."
        )
    return edition.number
