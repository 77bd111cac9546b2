"""States of a registry of former days, from files: an edition of each, with its own date."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Generic, TypeVar

from app.exports.serialization.xml_values import XmlValueError, check_day, check_past
from app.problems import operation_codes
from app.registration.declarations.registry_groups import RegistryGroup
from app.services.refusals import Refusal
from app.services.registry.snapshots import note_registry_event
from app.store import counters
from app.store.database import joint_transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows

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
