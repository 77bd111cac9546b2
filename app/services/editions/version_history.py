"""What became of a name: the versions of its template, as its page lists them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache

from app.bundles.edition_checks import EditionFile
from app.exports.content.file_names import registry_file
from app.exports.content.publication_site import PublicationSite
from app.exports.discovery.link_relations import LinkRelations
from app.exports.editions.changes import Changes, registry_changes
from app.exports.editions.delta import delta_bytes
from app.exports.editions.edition_list import (
    TRANSFER,
    EditionRow,
    delta_path,
    edition_path,
    end_of_day,
)
from app.exports.manifests.bundle_files import FOR_EVER
from app.pages.diagrams.growth_chart import YearCount
from app.pages.namespaces.timeline import HistoryRow, NameHistoryView, VersionLink
from app.problems import publication_codes, use_case_codes
from app.registration.declarations.registries import Format, IdentifierSpace, space_with
from app.registration.declarations.registry_groups import GROUPS, RegistryGroup, group_of_space
from app.registration.records.registry_records import RegistrySnapshot
from app.services.refusals import MalformedDay, NotFound
from app.services.registrations.corrections import WITH_REASON, causes_told, reasons_of
from app.services.registry.base_version import template_of
from app.services.registry.snapshots import key_of, snapshot_of
from app.services.stored_editions.stored_files import content_at
from app.store.editions import edition_rows
from app.store.registry import edition_snapshots, record_versions, template_versions
from app.store.registry import record_versions as names
from app.store.registry.template_versions import RecordState, TemplateVersion
from app.store.tables import Edition

_MOST_HELD = 1_024  # editions whose changes are kept, since they never change again


def history(group: RegistryGroup, until: int | None = None) -> tuple[EditionRow, ...]:
    """Every edition of a group up to and with one, or up to the newest, oldest first."""
    found = edition_rows.all_editions(group, until)
    explained = [edition.n for edition in found if edition.cause in WITH_REASON]
    reasons, causes = reasons_of(explained), causes_told({one.n: one.cause for one in found})
    return tuple(_row(one, reasons.get(one.n, ""), causes[one.n]) for one in found)


def _database() -> str:
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


def past_of(folded: str, space: IdentifierSpace, shown: int | None = None) -> NameHistoryView:
    """The versions of a name; ``shown`` is the one whose page it is, else the newest."""
    found = template_versions.of_name(space.id, folded)
    newest = newest_edition(group_of_space(space)).n
    states = template_versions.states(newest, folded).get(space.about(folded), [])
    page = space.page.format(folded)
    links = _links(page, [(v.number, v.updated) for v in found], shown)
    return NameHistoryView(
        versions=links,
        history=_history(space.about(folded), states, _reasons([states]), _causes([states])),
    )


def name_histories(edition: int) -> dict[str, NameHistoryView]:
    """The versions and the history of each name at an edition, by the name's key."""
    numbers, states = template_versions.numbers(edition), template_versions.states(edition)
    reasons, causes = _reasons(states.values()), _causes(states.values())
    return {
        name: NameHistoryView(
            versions=_links(_page_of(found), numbers.get(name, [])),
            history=_history(name, found, reasons, causes),
        )
        for name, found in states.items()
    }


def _page_of(states: Sequence[RecordState]) -> str:
    return space_with(states[0].space).page.format(states[0].folded)


def _causes(states: Iterable[Iterable[RecordState]]) -> Mapping[int, str]:
    return causes_told({s.edition: s.cause for found in states for s in found})


def _reasons(states: Iterable[Iterable[RecordState]]) -> Mapping[int, str]:
    given = {s.edition for found in states for s in found if s.cause in WITH_REASON}
    return reasons_of(sorted(given))


def _history(
    name: str,
    states: Sequence[RecordState],
    reasons: Mapping[int, str],
    causes: Mapping[int, str],
) -> tuple[HistoryRow, ...]:
    texts = _texts(states) if any(causes[state.edition] == TRANSFER for state in states) else {}
    return tuple(
        HistoryRow(
            n=state.n,
            edition=state.number,
            date=state.as_of.date().isoformat(),
            cause=causes[state.edition],
            reason=reasons.get(state.edition, ""),
            href=edition_path(state.number, group=group_of_space(space_with(state.space)).id),
            changes=describe_change(name, state.edition, state.as_of),
            text=texts.get(state.n, 0),
        )
        for state in reversed(states)
    )


def _texts(states: Sequence[RecordState]) -> Mapping[int, int]:
    versions = record_versions.versions_of(states[0].space, states[0].folded)
    found: dict[int, int] = {}
    number, last = 0, None
    for version in versions:
        text = template_of(version.record)
        number, last = number + (text != last), text
        found[version.n] = number
    return found


def _links(
    page: str, found: list[tuple[int, str]], shown: int | None = None
) -> tuple[VersionLink, ...]:
    if len(found) < 2:
        return ()
    newest = found[-1][0]
    return tuple(
        VersionLink(
            number,
            page if number == newest else f"{page}/versions/{number}",
            day,
            is_shown=number == (newest if shown is None else shown),
            changes=f"{page}/versions/{number}/diff" if (number, day) != found[0] else "",
        )
        for number, day in reversed(found)
    )


def get_version(name: str, space: IdentifierSpace, number: int) -> TemplateVersion:
    """One version of a name's template; NotFound where there is none, with those there are."""
    found = {
        version.number: version for version in template_versions.of_name(space.id, space.fold(name))
    }
    if number in found:
        return found[number]
    there = ", ".join(map(str, found)) or "none"
    raise NotFound(
        use_case_codes.VERSION_UNKNOWN,
        f"`{space.fold(name)}` has no version {number}. Versions in this registry: {there}.",
    )


def version_before(name: str, space: IdentifierSpace, number: int) -> int:
    """Return the version before ``number``. Raises NotFound for the first one."""
    get_version(name, space, number)
    earlier = [
        v.number for v in template_versions.of_name(space.id, space.fold(name)) if v.number < number
    ]
    if not earlier:
        raise NotFound(
            use_case_codes.VERSION_UNKNOWN,
            f"Version {number} of `{space.fold(name)}` is the first one, so there is no earlier "
            "version to compare.",
        )
    return earlier[-1]


_JSON = "application/json"


def delta_between(group: RegistryGroup, before: int, after: int) -> bytes:
    """What leads from one edition of a group to another; NotFound where one is not published."""
    return delta_bytes(_published(group, before), _published(group, after))


def step_to(
    snapshot: RegistrySnapshot, files: Iterable[EditionFile], place: PublicationSite
) -> Iterator[EditionFile]:
    """What leads to an edition, whose files are given, from the one before if that is published.

    It is kept with the edition, so that copies have it too.
    """
    now = edition_path(snapshot.edition, registry_file(snapshot, Format.JSON), snapshot.id)
    path = delta_path(snapshot.edition - 1, snapshot.edition, snapshot.id)
    try:
        before = _published(GROUPS[snapshot.id], snapshot.edition - 1)
    except NotFound:
        return
    after = next(file.content for file in files if file.path == now)
    links = LinkRelations(snapshot, place).of_step(path)
    yield EditionFile(path, _JSON, delta_bytes(before, after), links, FOR_EVER)


def _published(group: RegistryGroup, number: int) -> bytes:
    path = edition_path(number, f"{group.id}.{Format.JSON}", group.id)
    found = edition_rows.find_numbered(group, number)
    try:
        return content_at(found.n if found else 0, path)
    except KeyError as error:
        raise NotFound(
            use_case_codes.EDITION_UNKNOWN,
            f"Edition {number} doesn't exist or isn't published yet.",
        ) from error
