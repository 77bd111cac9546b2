"""States of the registry of NAANs of former days: an edition of each, of the day that it says."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial

from app.problems import operation_codes
from app.registration.declarations.naan_registries import NAANS
from app.registration.declarations.registries import Registry
from app.registration.declarations.registry_groups import GROUPS, NAAN_GROUP
from app.registration.naans.holder_similarity import NaanHolderIndex
from app.registration.naans.json_values import UnreadableNaanFile
from app.registration.naans.naan_records import NaanFile, NaanRecord
from app.registration.records.naan_registrations import naan_facts_of
from app.registration.submissions.submission_context import RegistrantMatch
from app.resolution.ark_rules import day_of_file
from app.services.registry.history_import import (
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
from app.store.registry import edition_snapshots
from app.store.registry import record_versions as names


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


_MOST = 3  # that somebody is told who asks for another


@dataclass(frozen=True, slots=True)
class NaanHolderList:
    """The holders of the NAANs of an edition, and how many NAANs it has."""

    index: NaanHolderIndex
    count: int


def naan_holders() -> NaanHolderList:
    """Those of the newest edition; made once for each, since they change with an edition alone."""
    return _holders(NAANS.id, *_newest(NAANS))


def holders_alike(registry: Registry, texts: Mapping[str, str]) -> tuple[RegistrantMatch, ...]:
    """Who has a name of a registry and may be the one who asks for another, the likeliest first.

    A registry in which one holder may have many names compares nobody.
    """
    if not registry.holder_fields:
        return ()
    given = tuple(texts.get(name, "").strip() for name in registry.holder_fields)
    return _alike(registry.id, given, *_newest(registry))


def _newest(registry: Registry) -> tuple[str, int, datetime | None]:
    latest = edition_rows.latest_edition(GROUPS[registry.group])
    return names.database_name(), *((latest.n, latest.as_of) if latest else (0, None))


@lru_cache(maxsize=128)  # a page asks several times, and a desk shows the same again and again
def _alike(
    registry: str, given: tuple[str, ...], database: str, edition: int, as_of: datetime | None
) -> tuple[RegistrantMatch, ...]:
    name, native_name, acronym, address = given
    index = _holders(registry, database, edition, as_of).index
    return tuple(
        RegistrantMatch(name=one.record.naan, holder=one.record.holder, reasons=one.reasons)
        for one in index.find(name, acronym, address, _MOST, native_name=native_name)
    )


@lru_cache(maxsize=2)
def _holders(
    registry: str, _database: str, edition: int, _as_of: datetime | None
) -> NaanHolderList:
    snapshot = edition_snapshots.snapshot(edition) if edition else None
    tables = snapshot.registries if snapshot else ()
    rows = [naan_facts_of(one) for table in tables if table.id == registry for one in table.records]
    records = [one for one in rows if isinstance(one, NaanRecord)]
    return NaanHolderList(NaanHolderIndex(records), len(records))
