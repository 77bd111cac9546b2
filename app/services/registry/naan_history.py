"""States of the registry of NAANs of former days: an edition of each, of the day that it says."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from app.problems import operation_codes
from app.registration.declarations.dates import is_date
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.registration.naans.json_values import UnreadableNaanFile
from app.registration.naans.naan_records import NaanFile
from app.resolution.arks.naan_rules import day_of_file
from app.services.registry.history_import import BrokenHistory, HistoryConflict, HistoryImport
from app.services.registry.naan_import import import_naans, read_naan_file, told_by_kind
from app.store.database import reading, together
from app.store.editions import edition_rows

Progress = Callable[[int], None]  # told how many files are done


@dataclass(frozen=True, slots=True)
class DatedNaanFile:
    """All NAANs and shoulders of one day, and the name of the file that holds them."""

    name: str
    day: str
    records: NaanFile


def read_naan_history(
    files: Iterable[tuple[str, bytes]], progress: Progress = lambda _done: None
) -> tuple[DatedNaanFile, ...]:
    """The states that files hold, each with the name of its file, oldest first.

    Raises BrokenHistory, which names every file that cannot be used.
    """
    read: list[DatedNaanFile] = []
    broken: list[str] = []
    for done, (name, data) in enumerate(files, 1):
        try:
            records = read_naan_file(data)
            read.append(DatedNaanFile(name, day_of_file(records), records))
        except UnreadableNaanFile as error:
            broken.append(f"{name}: {error}")
        progress(done)
    history = tuple(sorted(read, key=lambda dated: (dated.day, dated.name)))
    _refuse([*broken, *_undated(history)])
    return history


def _undated(history: tuple[DatedNaanFile, ...]) -> Iterator[str]:
    for dated in history:
        if not is_date(dated.day):
            yield f"{dated.name} does not say of which day it is. Write it as `updated`."
    for dated, after in pairwise(history):
        if is_date(dated.day) and dated.day == after.day:
            yield f"{dated.name} and {after.name} are both of {dated.day}. Leave one out."


def _refuse(broken: list[str]) -> None:
    if broken:
        raise BrokenHistory(
            operation_codes.HISTORY_BROKEN, "\n".join([*broken, "Nothing was imported."])
        )


def import_naan_history(
    history: tuple[DatedNaanFile, ...],
    at: datetime,
    notice: str = "",
    progress: Progress = lambda _done: None,
) -> HistoryImport:
    """Make an edition of each state that differs from the one before, with its own date.

    All of them are kept together, or none is. What a later file lacks is left alone and told, as
    ``import_naans`` does. Raises BrokenHistory for a file of a day to come, and HistoryConflict
    where an edition is not older than the files.
    """
    today = at.date().isoformat()
    _refuse([f"{one.name} is of {one.day}, a day to come." for one in history if one.day > today])
    found: list[str] = []
    with together():  # stopped between two files, it would lack the days that nobody can add later
        before = _newest_before(history[0])
        for done, dated in enumerate(history, 1):
            made = import_naans(dated.records, at, day=dated.day, notice=notice)
            found += (f"{dated.name}: {line}" for line in told_by_kind(made.findings))
            progress(done)
        with reading():
            latest = edition_rows.latest_edition(NAAN_GROUP)
        last = latest.number if latest else before
    until = history[-1].day
    return HistoryImport(min(before + 1, last), last, history[0].day, until, tuple(found))


def _newest_before(first: DatedNaanFile) -> int:
    """The number of the newest edition, which everything is to follow; 0 where there is none."""
    with reading():
        latest = edition_rows.latest_edition(NAAN_GROUP)
    if latest is None:
        return 0
    day = latest.as_of.date().isoformat()
    if first.day <= day:
        raise HistoryConflict(
            operation_codes.HISTORY_CONFLICT,
            f"Edition {latest.number} of the NAANs is of {day}; {first.name} of {first.day} is "
            "not newer. Give a folder that holds newer files alone, or a database that was made "
            "with URN_REGISTRY_NAANS=no.",
        )
    return latest.number
