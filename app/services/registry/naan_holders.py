"""Who holds the NAANs of the newest edition, to be compared with somebody who asks for one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from app.registration.declarations.naan_registries import NAANS
from app.registration.declarations.registries import Registry
from app.registration.declarations.registry_groups import GROUPS
from app.registration.naans.holder_similarity import NaanHolderIndex
from app.registration.naans.naan_records import NaanRecord
from app.registration.records.naan_registrations import naan_facts_of
from app.registration.submissions.submission_context import RegistrantMatch
from app.store.editions import edition_rows
from app.store.registry import edition_snapshots
from app.store.registry import record_versions as names

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
    """What tells the newest edition from all others, also of a database that was made anew."""
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
