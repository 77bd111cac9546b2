"""Further versions of many records at once, as an import brings them."""

from collections.abc import Iterable
from itertools import islice

from sqlalchemy import bindparam, func, select, tuple_
from sqlalchemy.sql.selectable import Select

from app.store.database import built_once, db
from app.store.registry.record_versions import RecordChange, RecordEntry, keep_versions
from app.store.tables import Name, RecordVersion

_BATCH = 500


def add_versions(entries: Iterable[RecordEntry], change: RecordChange) -> None:
    """Keep another version of each of these given names' records.

    KeyError for a name that nobody has.
    """
    rest = iter(entries)
    while batch := list(islice(rest, _BATCH)):
        _add_batch(batch, change)


def _add_batch(entries: list[RecordEntry], change: RecordChange) -> None:
    last = _last_versions(entries)
    by_name = {last[entry.name_key][0]: entry for entry in entries}
    keep_versions(
        [(ident, last[entry.name_key][1] + 1, entry) for ident, entry in by_name.items()], change
    )


def _last_versions(entries: list[RecordEntry]) -> dict[tuple[str, str], tuple[int, int]]:
    rows = db.session.execute(_newest(), {"keys": [entry.name_key for entry in entries]})
    return {(space, folded): (ident, n) for space, folded, ident, n in rows}


@built_once
def _newest() -> Select[str, str, int, int]:
    named = tuple_(Name.space, Name.folded).in_(bindparam("keys", expanding=True))
    found = select(Name.space, Name.folded, Name.id, func.max(RecordVersion.n))
    return found.join(RecordVersion).where(named).group_by(Name.id)
