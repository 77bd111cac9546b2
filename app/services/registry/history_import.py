"""The registry's editions of former days: read from files, kept with their own dates."""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from app import bundled
from app.exports.formats.xml_reader import UnreadableRegistry
from app.problems import operation_codes
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.record_documents import Document, head_to
from app.registration.records.registry_history import history_read
from app.registration.records.registry_records import Person, Registration, RegistrySnapshot, Status
from app.services.registry.bundled_profiles import with_bundled_profile
from app.services.registry.dated_history import (
    BrokenHistory,
    DatedHistory,
    DatedState,
    HistoryConflict,
    HistoryImport,
    Progress,
    import_states,
    read_states,
    refuse_files,
)
from app.services.registry.edition_trials import check_edition
from app.services.registry.import_plans import (
    ImportBaseline,
    ImportPlan,
    UnfitNames,
    check_new_names,
    merge_record,
    plan_of,
    sort_keys_of,
)
from app.services.registry.reference_titles import with_titles
from app.services.registry.snapshots import (
    WrongRegistry,
    bundled_snapshot,
    has_begun,
    initialize,
    raise_numbers,
    read_own,
    unlisted_names,
)
from app.services.stored_editions.divergence import refuse_divergence
from app.store.database import read_transaction
from app.store.editions import edition_rows
from app.store.registry import edition_snapshots, person_changes
from app.store.registry import record_versions as names
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause


def read_history(
    files: Iterable[tuple[str, bytes]], progress: Progress = lambda _done: None
) -> tuple[DatedState[RegistrySnapshot], ...]:
    """The editions that files hold, each with the name of its file, oldest first.

    Raises BrokenHistory, which names every file that cannot be used, and where there is none.
    """
    return read_states(files, _history(), progress)


def import_history(
    history: tuple[DatedState[RegistrySnapshot], ...],
    at: datetime,
    progress: Progress = lambda _done: None,
    *,
    allow_legacy: bool = False,
) -> HistoryImport:
    """Make an edition of each file, with its own date, all in one commit with one event.

    A name that a later file no longer lists stays taken, as a former one. ``allow_legacy`` imports
    names that break only a rule for new registrations; each becomes a finding. Raises
    HistoryConflict where an edition was made here, or is not older than the files, and
    BrokenHistory where a name moves to another table or breaks a rule, or a file is of a day to
    come.
    """
    return import_states(history, _history(allow_legacy), at, progress)


def bundled_history() -> tuple[DatedState[RegistrySnapshot], ...]:
    """The registry on the former days that are shipped, and last as it is shipped.

    A former name stands in none of them, as in no file of IANA's: it is what an earlier state had.
    """
    former = map(with_titles, history_read(json.loads(bundled.history())))
    states = (*former, _without_former(bundled_snapshot()))
    return tuple(DatedState(f"the edition of {one.updated}", one.updated, one) for one in states)


def initialize_with_history(notice: str, at: datetime) -> ImportPlan | None:
    """Fill a new database with the bundled registry as it came to be; None where there is one.

    It ends with the names that ``initialize`` loads, as an edition of their own day. A clock that
    is behind that day can tell no history: the registry begins with that edition then.
    Whoever calls it opens a ``joint_transaction``.
    """
    with read_transaction():
        if has_begun():
            return None
    history = bundled_history()
    if at.date().isoformat() < history[-1].day:
        return initialize(notice, at)
    import_history(history, at, allow_legacy=True)
    return plan_of(bundled_snapshot(), ImportBaseline())


def _without_former(snapshot: RegistrySnapshot) -> RegistrySnapshot:
    listed = (
        replace(table, records=tuple(r for r in table.records if r.status is not Status.FORMER))
        for table in snapshot.registries
    )
    return replace(snapshot, registries=tuple(listed))


def _history(allow_legacy: bool = False) -> DatedHistory[RegistrySnapshot]:
    state: list[_PreviousRegistry] = []  # read once nobody else opens an edition

    def make(dated: DatedState[RegistrySnapshot], is_newest: bool) -> Iterable[str]:
        if not state:
            state.append(_state())
        state[0].is_newest = is_newest
        return _open(dated, state[0], allow_legacy)

    return DatedHistory(
        group=URN_GROUP,
        files=".xml",
        read=_day_and_snapshot,
        unreadable=(UnreadableRegistry, WrongRegistry),
        refuse_standing=_refuse_standing,
        make=make,
        keeps_findings=True,
    )


def _day_and_snapshot(data: bytes) -> tuple[str, RegistrySnapshot]:
    snapshot = read_own(data)
    return snapshot.updated, snapshot


def _refuse_standing(first: DatedState[RegistrySnapshot]) -> None:
    latest = edition_rows.latest_edition(URN_GROUP)
    if latest is None:
        return
    local = edition_rows.first_of(URN_GROUP, EditionOrigin.LOCAL)
    if local is not None:
        what = "is the bundled registry" if local.cause == Cause.IMPORT else "was made here"
        raise HistoryConflict(
            operation_codes.HISTORY_CONFLICT,
            (
                f"Edition {local.number} {what}, so older editions can’t be imported before "
                "it. Import the history into a new database: set another DATABASE_URL or "
                "DATA_DIR, then run `urn-registry init --empty`."
            ),
        )
    newest = max(latest.updated, latest.as_of.date().isoformat())
    if first.day <= newest:
        raise HistoryConflict(
            operation_codes.HISTORY_CONFLICT,
            (
                f"Edition {latest.number} was imported with the date {newest}; {first.file} "
                f"({first.day}) is not newer. Choose a folder with only newer files."
            ),
        )


@dataclass(frozen=True, slots=True)
class _PreviousRecord:
    """A name's record in the edition before, its table, and where it stood there."""

    registry: str
    record: Registration
    key: str


@dataclass(slots=True)
class _PreviousRegistry:
    """The registry as the edition before left it; each file changes it.

    The newest edition gives names their profiles, which nobody had on former days.
    """

    names: dict[str, _PreviousRecord]
    people: dict[str, Person]
    head: Document | None
    is_newest: bool = False


def _state() -> _PreviousRegistry:
    latest = edition_rows.latest_edition(URN_GROUP)
    current = edition_snapshots.snapshot(latest.n) if latest else None
    if latest is None or current is None:
        return _PreviousRegistry({}, {}, None)
    keys = edition_snapshots.sort_keys(latest.n)
    stood = {
        record.key: _PreviousRecord(table.id, record, keys[record.key])
        for table in current.registries
        for record in table.records
    }
    people = {person.id: person for person in current.people}
    return _PreviousRegistry(stood, people, edition_snapshots.head_document(latest.n))


def _open(
    dated: DatedState[RegistrySnapshot], state: _PreviousRegistry, allow_legacy: bool
) -> Iterable[str]:
    read = dated.content
    edition = edition_rows.add_edition(
        URN_GROUP,
        as_of=datetime.fromisoformat(read.updated).replace(tzinfo=UTC),
        updated=read.updated,
        origin=EditionOrigin.IMPORTED,
        cause=Cause.IMPORT,
        notice="",
    )
    refuse_divergence(edition)
    listed = _listed(read, state)
    refuse_files(list(_moved(dated, listed, state)))
    legacy = _check_names(dated, listed.keys() - state.names.keys(), allow_legacy)
    change = names.RecordChange(edition=edition, cause=Cause.IMPORT)
    _write_people(read, state, edition)
    _write_names(listed | _vanished(read, state), state, change)
    head = head_to(read)
    if head != state.head:
        edition_snapshots.set_head(head, edition)
        state.head = head
    raise_numbers(read)
    check_edition(edition)
    return legacy


def _check_names(
    dated: DatedState[RegistrySnapshot], added: Collection[str], allow_legacy: bool
) -> Iterable[str]:
    taken = unlisted_names(URN_GROUP, added)
    try:
        legacy = check_new_names(dated.content, added, taken, allow_legacy=allow_legacy)
    except UnfitNames as error:
        raise BrokenHistory(error.code, f"{dated.file}: {error}") from error
    return (f"Legacy name: {each}" for each in legacy)


def _moved(
    dated: DatedState[RegistrySnapshot],
    listed: dict[str, _PreviousRecord],
    state: _PreviousRegistry,
) -> Iterator[str]:
    for name, now in listed.items():
        before = state.names.get(name, now)
        if before.registry != now.registry:
            yield (
                f"{dated.file}: `{name}` is in `{now.registry}` but was in `{before.registry}` "
                "before. An entry can’t move to another table."
            )


def _write_names(
    standing: dict[str, _PreviousRecord], state: _PreviousRegistry, change: names.RecordChange
) -> None:
    new = [now for name, now in standing.items() if name not in state.names]
    names.add_records((names.RecordEntry(now.record, now.registry, now.key) for now in new), change)
    for name, now in standing.items():
        if state.names.setdefault(name, now) != now:
            names.add_version(now.record, now.registry, now.key, change)
            state.names[name] = now


def _listed(read: RegistrySnapshot, state: _PreviousRegistry) -> dict[str, _PreviousRecord]:
    keys = sort_keys_of(read)
    return {
        record.key: _PreviousRecord(table.id, _after(record, state), keys[record.key])
        for table in read.registries
        for record in table.records
    }


def _after(read: Registration, state: _PreviousRegistry) -> Registration:
    before = state.names.get(read.key)
    if before is not None:
        in_use = replace(before.record, status=Status.REGISTERED, successor=None)
        read = merge_record(read, in_use)
    return with_bundled_profile(read) if state.is_newest else read


def _vanished(read: RegistrySnapshot, state: _PreviousRegistry) -> dict[str, _PreviousRecord]:
    """Names that stood before and stand in the file no more, as former ones."""
    listed = {record.key for record in read.records()}
    return {
        name: replace(stood, record=_former(stood.record, read.updated))
        for name, stood in state.names.items()
        if name not in listed
    }


def _former(record: Registration, day: str) -> Registration:
    if record.status is Status.FORMER:
        return record
    return replace(
        record, status=Status.FORMER, successor=_successors().get(record.folded), updated=day
    )


def _successors() -> dict[str, str | None]:
    """What former names became, as far as the bundled facts say so."""
    records = bundled_snapshot().records()
    return {record.folded: record.successor for record in records if record.status is Status.FORMER}


def _write_people(read: RegistrySnapshot, state: _PreviousRegistry, edition: int) -> None:
    now = {person.id: person for person in read.people}
    changed = (person for person in read.people if state.people.get(person.id) != person)
    person_changes.set_people(changed, edition)
    person_changes.drop_people(sorted(state.people.keys() - now.keys()), edition)
    state.people = now
