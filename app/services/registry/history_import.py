"""The registry's editions of former days: read from files, kept with their own dates."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise

from app.exports.formats.xml_reader import UnreadableRegistry
from app.exports.serialization.xml_values import XmlValueError, check_day, check_past
from app.problems import operation_codes
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.record_documents import Document, head_to
from app.registration.records.registry_records import Person, Registration, RegistrySnapshot, Status
from app.services.refusals import Refusal
from app.services.registry.bundled_profiles import with_bundled
from app.services.registry.import_plans import merged, sort_keys_of
from app.services.registry.snapshots import (
    WrongRegistry,
    bundled_snapshot,
    note,
    raise_numbers,
    read_own,
)
from app.services.stored_editions.divergence import refuse_divergence
from app.store import counters
from app.store.database import transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import record_versions as names
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause

Progress = Callable[[int], None]  # told how many files are done


class BrokenHistory(Refusal):
    """Files that are no editions of this registry, or no two of which can follow each other."""


class HistoryConflict(Refusal):
    """There are editions here already, which those of the files cannot follow."""


@dataclass(frozen=True, slots=True)
class DatedSnapshot:
    """An edition of the registry as a file holds it."""

    file: str
    snapshot: RegistrySnapshot

    @property
    def day(self) -> str:
        """The day on which it was published."""
        return self.snapshot.updated


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


def read_history(
    files: Iterable[tuple[str, bytes]], progress: Progress = lambda _done: None
) -> tuple[DatedSnapshot, ...]:
    """The editions that files hold, each with the name of its file, oldest first.

    Raises BrokenHistory, which names every file that cannot be used, and where there is none.
    """
    read: list[DatedSnapshot] = []
    broken: list[str] = []
    for done, (file, data) in enumerate(files, 1):
        try:
            snapshot = read_own(data)
            check_day(snapshot.updated)
            read.append(DatedSnapshot(file, snapshot))
        except (UnreadableRegistry, WrongRegistry, XmlValueError) as error:
            broken.append(f"{file}: {error}")
        progress(done)
    history = tuple(sorted(read, key=lambda dated: (dated.day, dated.file)))
    _refuse([*broken, *_of_one_day(history)])
    if not history:
        raise BrokenHistory(
            operation_codes.HISTORY_BROKEN,
            "There is no file that ends with .xml. Give the folder of editions.",
        )
    return history


def _refuse(broken: list[str]) -> None:
    if broken:
        raise BrokenHistory(
            operation_codes.HISTORY_BROKEN, "\n".join([*broken, "Nothing was imported."])
        )


def _of_one_day(history: tuple[DatedSnapshot, ...]) -> Iterator[str]:
    for dated, after in pairwise(history):
        if dated.day == after.day:
            yield f"{dated.file} and {after.file} are both of {dated.day}. Leave one out."


def import_history(
    history: tuple[DatedSnapshot, ...], at: datetime, progress: Progress = lambda _done: None
) -> HistoryImport:
    """Make an edition of each file, with its own date, all in one commit with one event.

    A name that a later file no longer lists stays taken, as a former one. Raises
    HistoryConflict where an edition was made here, or is not older than the files, and
    BrokenHistory where a name moves to another table or a file is of a day to come.
    """
    _refuse(list(_to_come(history, at)))
    with transaction():
        counters.hold(edition_rows.COUNTER)  # the moments are the files' own
        _refuse_standing(history)
        state = _state()
        keys = []
        for done, dated in enumerate(history, 1):
            state.is_newest = done == len(history)
            keys.append(_open(dated, state))
            progress(done)
        first, last = (edition_rows.get_edition(key).number for key in (keys[0], keys[-1]))
        made = HistoryImport(first, last, history[0].day, history[-1].day)
        said = f"{len(keys)} editions of former days, from {made.since} to {made.until}"
        about = f"{keys[0]}..{keys[-1]}"
        note(event_rows.NewEvent(at=at, kind="imported", about=about, body=said))
    return made


def _to_come(history: tuple[DatedSnapshot, ...], at: datetime) -> Iterator[str]:
    for dated in history:
        try:
            check_past(dated.day, at.date())
        except XmlValueError as error:
            yield f"{dated.file}: {error}"


def _refuse_standing(history: tuple[DatedSnapshot, ...]) -> None:
    latest = edition_rows.latest_edition(URN_GROUP)
    if latest is None:
        return
    local = edition_rows.first_of(URN_GROUP, EditionOrigin.LOCAL)
    if local is not None:
        what = "is the bundled registry" if local.cause == Cause.IMPORT else "was made here"
        raise HistoryConflict(
            operation_codes.HISTORY_CONFLICT,
            f"Edition {local.number} {what}, so nothing older can come before it. Import the "
            "history into a database of its own: set another DATABASE_URL or DATA_DIR and run "
            "`urn-registry init --empty` first.",
        )
    newest = max(latest.updated, latest.as_of.date().isoformat())
    if history[0].day <= newest:
        raise HistoryConflict(
            operation_codes.HISTORY_CONFLICT,
            f"Edition {latest.number}, imported before, is of {newest}; {history[0].file} of "
            f"{history[0].day} is not newer. Give a folder that holds newer files alone.",
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
    current = names.snapshot(latest.n) if latest else None
    if latest is None or current is None:
        return _PreviousRegistry({}, {}, None)
    keys = names.sort_keys(latest.n)
    stood = {
        record.key: _PreviousRecord(table.id, record, keys[record.key])
        for table in current.registries
        for record in table.records
    }
    people = {person.id: person for person in current.people}
    return _PreviousRegistry(stood, people, names.head_document(latest.n))


def _open(dated: DatedSnapshot, state: _PreviousRegistry) -> int:
    read = dated.snapshot
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
    _refuse(list(_moved(dated, listed, state)))
    change = names.RecordChange(edition=edition, cause=Cause.IMPORT)
    _write_people(read, state, edition)
    _write_names(listed | _vanished(read, state), state, change)
    head = head_to(read)
    if head != state.head:
        names.set_head(head, edition)
        state.head = head
    raise_numbers(read)
    return edition


def _moved(
    dated: DatedSnapshot, listed: dict[str, _PreviousRecord], state: _PreviousRegistry
) -> Iterator[str]:
    for name, now in listed.items():
        before = state.names.get(name, now)
        if before.registry != now.registry:
            yield (
                f"{dated.file}: `{name}` stands in `{now.registry}` and stood in "
                f"`{before.registry}` before. A name stays in its table."
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
        read = merged(read, in_use)
    return with_bundled(read) if state.is_newest else read


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
    names.set_people(changed, edition)
    names.drop_people(sorted(state.people.keys() - now.keys()), edition)
    state.people = now
