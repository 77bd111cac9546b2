"""States of the registry of NAANs of former days: an edition of each, of the day that it says."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from app.problems import operation_codes
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.registration.naans.json_values import UnreadableNaanFile
from app.registration.naans.naan_records import NaanFile
from app.resolution.ark_rules import day_of_file
from app.services.registry.dated_history import (
    DatedHistory,
    DatedState,
    HistoryConflict,
    HistoryImport,
    Progress,
    import_states,
    read_states,
)
from app.services.registry.naan_import import findings_by_kind, import_naans, read_naan_file
from app.store.editions import edition_rows


def read_naan_history(
    files: Iterable[tuple[str, bytes]], progress: Progress = lambda _done: None
) -> tuple[DatedState[NaanFile], ...]:
    """The states that files hold, each with the name of its file, oldest first.

    Raises BrokenHistory, which names every file that cannot be used, and where there is none.
    """
    return read_states(files, _history(), progress)


def import_naan_history(
    history: tuple[DatedState[NaanFile], ...],
    at: datetime,
    notice: str = "",
    progress: Progress = lambda _done: None,
) -> HistoryImport:
    """Make an edition of each state that differs from the one before, with its own date.

    All of them are kept together, or none is. What a later file lacks is left alone and told, as
    ``import_naans`` does. Raises BrokenHistory for a file of a day to come, and HistoryConflict
    where an edition is not older than the files.
    """
    return import_states(history, _history(at, notice), at, progress)


def _history(at: datetime | None = None, notice: str = "") -> DatedHistory[NaanFile]:
    return DatedHistory(
        group=NAAN_GROUP,
        files=".json",
        read=_day_and_file,
        unreadable=(UnreadableNaanFile,),
        refuse_standing=_refuse_standing,
        make=partial(_make, at, notice),
    )


def _day_and_file(data: bytes) -> tuple[str, NaanFile]:
    file = read_naan_file(data)
    day = day_of_file(file)
    if not day:
        told = "The file has no date. Add it as `updated`."
        raise UnreadableNaanFile("/metadata", told)
    return day, file


def _make(
    at: datetime | None, notice: str, dated: DatedState[NaanFile], _is_newest: bool
) -> Iterable[str]:
    moment = at or datetime.fromisoformat(dated.day)
    made = import_naans(dated.content, moment, day=dated.day, notice=notice, has_event=False)
    return findings_by_kind(made.findings)


def _refuse_standing(first: DatedState[NaanFile]) -> None:
    latest = edition_rows.latest_edition(NAAN_GROUP)
    if latest is None:
        return
    day = latest.as_of.date().isoformat()
    if first.day <= day:
        raise HistoryConflict(
            operation_codes.HISTORY_CONFLICT,
            (
                f"Edition {latest.number} of the NAANs has the date {day}; {first.file} "
                f"({first.day}) is not newer. Choose a folder with only newer files, or a "
                "database made with URN_REGISTRY_NAANS=no."
            ),
        )
