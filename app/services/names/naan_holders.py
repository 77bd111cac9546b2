"""Who holds the NAANs of the newest edition, to be compared with somebody who asks for one."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from app.registration.declarations.naan_registries import NAANS
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.registration.naans.holder_similarity import NaanHolderIndex
from app.registration.naans.naan_records import NaanRecord
from app.registration.records.naan_registrations import naan_row_of
from app.registration.records.registry_records import Registration
from app.store.editions import edition_rows
from app.store.registry import record_versions as names


@dataclass(frozen=True, slots=True)
class NaanHolderList:
    """The holders of the NAANs of an edition, and how many NAANs it has."""

    index: NaanHolderIndex
    count: int


def naan_holders() -> NaanHolderList:
    """Those of the newest edition; made once for each, since they change with an edition alone."""
    latest = edition_rows.latest_edition(NAAN_GROUP)
    known = (latest.n, latest.as_of) if latest else (0, None)
    return _holders(names.database_name(), *known)


@lru_cache(maxsize=2)
def _holders(_database: str, edition: int, _as_of: datetime | None) -> NaanHolderList:
    snapshot = names.snapshot(edition) if edition else None
    tables = snapshot.registries if snapshot else ()
    records = [_record(one) for table in tables if table.id == NAANS.id for one in table.records]
    return NaanHolderList(NaanHolderIndex(records), len(records))


def _record(registration: Registration) -> NaanRecord:
    """The facts of a NAAN; where people entered what no file has, its name and address alone."""
    try:
        row = naan_row_of(registration)
    except ValueError:
        row = None
    if isinstance(row, NaanRecord):
        return row
    texts = dict(registration.fields)
    return NaanRecord(
        naan=registration.name,
        holder=texts.get("organization", ""),
        native_name=texts.get("native_name"),
        acronym=texts.get("acronym"),
        where=texts.get("web_address", ""),
    )
