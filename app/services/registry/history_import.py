"""The registry's editions of former days: read from files, kept with their own dates."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Generic, TypeVar

from app import bundled
from app.exports.formats.xml_reader import UnreadableRegistry
from app.exports.serialization.xml_values import XmlValueError, check_day, check_past
from app.problems import operation_codes
from app.registration.declarations.registry_groups import URN_GROUP, RegistryGroup
from app.registration.records.record_documents import Document, head_to
from app.registration.records.registry_history import history_read
from app.registration.records.registry_records import Person, Registration, RegistrySnapshot, Status
from app.services.refusals import Refusal
from app.services.registry.bundled_profiles import with_bundled_profile
from app.services.registry.import_plans import (
    ImportBaseline,
    ImportPlan,
    UnfitNames,
    check_new_names,
    merge_record,
    plan_of,
    sort_keys_of,
)
from app.services.registry.snapshots import (
    WrongRegistry,
    bundled_snapshot,
    check_edition,
    has_begun,
    initialize,
    note_registry_event,
    raise_numbers,
    read_own,
    unlisted_names,
    with_titles,
)
from app.services.stored_editions.divergence import refuse_divergence
from app.store import counters
from app.store.database import joint_transaction, read_transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import edition_snapshots, person_changes
from app.store.registry import record_versions as names
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause

Progress = Callable[[int], None]  # told how many files are done
State = TypeVar("State")


class BrokenHistory(Refusal):
    """Files that are no states of this registry, or no two of which can follow each other."""


class HistoryConflict(Refusal):
    """There are editions here already, which those of the files cannot follow."""


@dataclass(frozen=True, slots=True)
class DatedState(Generic[State]):
    """A registry as a file holds it, and the day of which it is."""

    file: str
    day: str
    content: State


@dataclass(frozen=True, slots=True)
class HistoryImport:
    """The editions that an import made: the first and the last, and their days.

    ``findings`` are what could not be taken over as it is, in words, each with its file.
    """

    first: int
    last: int
    since: str
    until: str
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedHistory(Generic[State]):
    """How a registry takes over its states of former days.

    ``read`` gives the day and the state of a file, and raises one of ``unreadable`` for a file of
    none. ``refuse_standing`` raises HistoryConflict where the first state can follow nothing that
    stands here. ``make`` makes the edition of a state, of which it is told whether it is the last,
    and gives what could not be taken over, in words. ``keeps_findings`` puts these into the event
    of the import too.
    """

    group: RegistryGroup
    files: str  # what such files end with
    read: Callable[[bytes], tuple[str, State]]
    unreadable: tuple[type[Exception], ...]
    refuse_standing: Callable[[DatedState[State]], None]
    make: Callable[[DatedState[State], bool], Iterable[str]]
    keeps_findings: bool = False


def read_states(
    files: Iterable[tuple[str, bytes]],
    of: DatedHistory[State],
    progress: Progress = lambda _done: None,
) -> tuple[DatedState[State], ...]:
    """The states that files hold, each with the name of its file, oldest first.

    Raises BrokenHistory, which names every file that cannot be used, and where there is none.
    """
    read: list[DatedState[State]] = []
    broken: list[str] = []
    unreadable: tuple[type[Exception], ...] = (*of.unreadable, XmlValueError)
    for done, (file, data) in enumerate(files, 1):
        try:
            day, state = of.read(data)
            read.append(DatedState(file, check_day(day), state))
        except unreadable as error:
            broken.append(f"{file}: {error}")
        progress(done)
    history = tuple(sorted(read, key=lambda dated: (dated.day, dated.file)))
    refuse_files([*broken, *_of_one_day(history)])
    if not history:
        raise BrokenHistory(
            operation_codes.HISTORY_BROKEN,
            (f"The folder has no file ending in {of.files}. Choose the folder with the editions."),
        )
    return history


def refuse_files(broken: list[str]) -> None:
    """Raise BrokenHistory where something is wrong with files, and say that nothing was done."""
    if broken:
        raise BrokenHistory(
            operation_codes.HISTORY_BROKEN, "\n".join([*broken, "Nothing was imported."])
        )


def _of_one_day(history: tuple[DatedState[State], ...]) -> Iterator[str]:
    for dated, after in pairwise(history):
        if dated.day == after.day:
            yield (f"{dated.file} and {after.file} have the same date ({dated.day}). Remove one.")


def import_states(
    history: tuple[DatedState[State], ...],
    of: DatedHistory[State],
    at: datetime,
    progress: Progress = lambda _done: None,
) -> HistoryImport:
    """Make an edition of each state that differs from the one before, with its own date.

    All of them are kept in one commit with one event, or none is: stopped between two files, it
    would lack days that nobody can add later. Raises BrokenHistory for a file of a day to come, and
    what ``refuse_standing`` and ``make`` do.
    """
    refuse_files(list(_to_come(history, at)))
    found: list[str] = []
    with joint_transaction():
        counters.hold(edition_rows.COUNTER)  # the moments are the files' own
        of.refuse_standing(history[0])
        latest = edition_rows.latest_edition(of.group)
        before = latest.number if latest else 0
        for done, dated in enumerate(history, 1):
            told = of.make(dated, done == len(history))
            found += (f"{dated.file}: {line}" for line in told)
            progress(done)
        made = {n: key for n, key in edition_rows.keys_of(of.group).items() if n > before}
        first, last = min(made, default=before), max(made, default=before)
        result = HistoryImport(first, last, history[0].day, history[-1].day, tuple(found))
        if made:
            said = f"{len(made)} past editions, from {result.since} to {result.until}"
            said = "\n".join([said, *(found if of.keeps_findings else ())])
            about = f"{made[first]}..{made[last]}"
            note_registry_event(event_rows.NewEvent(at=at, kind="imported", about=about, body=said))
    return result


def _to_come(history: tuple[DatedState[State], ...], at: datetime) -> Iterator[str]:
    for dated in history:
        try:
            check_past(dated.day, at.date())
        except XmlValueError as error:
            yield f"{dated.file}: {error}"


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
    registry: str
    record: Registration
    key: str


@dataclass(slots=True)
class _PreviousRegistry:
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
    records = bundled_snapshot().records()
    return {record.folded: record.successor for record in records if record.status is Status.FORMER}


def _write_people(read: RegistrySnapshot, state: _PreviousRegistry, edition: int) -> None:
    now = {person.id: person for person in read.people}
    changed = (person for person in read.people if state.people.get(person.id) != person)
    person_changes.set_people(changed, edition)
    person_changes.drop_people(sorted(state.people.keys() - now.keys()), edition)
    state.people = now
