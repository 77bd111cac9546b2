"""What the tables hold of all editions up to one, as one digest for each table.

The entry that an edition was built covers them, so that nothing of it or of those before it
can be changed, put in or taken out without a trace: also what older software kept.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.record_documents import canonical_json
from app.store.database import db
from app.store.digests import sha256
from app.store.tables import Edition, Name, PersonVersion, RecordVersion, RegistryHead

Digests = Mapping[str, str]  # by what the rows are
_AT_ONCE = 1_000


def digests_until(edition: int) -> dict[int, Digests]:
    tables = {what: _running(of(edition)) for what, of in _ROWS.items()}
    made: dict[int, Digests] = {}
    latest = dict.fromkeys(_ROWS, "")
    for n in range(1, edition + 1):
        latest |= {what: table[n] for what, table in tables.items() if n in table}
        made[n] = {what: digest for what, digest in latest.items() if digest}
    return made


def _running(rows: Iterator[tuple[Any, ...]]) -> dict[int, str]:
    digest, made = hashlib.sha256(), dict[int, str]()
    for row in rows:
        digest.update(canonical_json({"row": list(map(_plain, row))}).encode() + b"\n")
        made[row[0]] = digest.copy().hexdigest()
    return made


def _plain(value: Any) -> Any:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


def _read(query: Any) -> Iterator[tuple[Any, ...]]:
    for row in db.session.execute(query.execution_options(yield_per=_AT_ONCE)):
        yield tuple(row)


def _editions(until: int) -> Iterator[tuple[Any, ...]]:
    columns = (
        Edition.n,
        Edition.as_of,
        Edition.updated,
        Edition.origin,
        Edition.cause,
        Edition.notice,
        Edition.group_id,
        Edition.number,
    )
    for *row, group, number in _read(
        select(*columns).where(Edition.n <= until).order_by(Edition.n)
    ):
        # of URN namespaces as before there were groups; their numbers follow from those of others
        yield (*row,) if group == URN_GROUP.id else (*row, group, number)


def _records(until: int) -> Iterator[tuple[Any, ...]]:
    columns = (
        RecordVersion.edition,
        Name.space,
        Name.registry_id,
        Name.folded,
        Name.kind,
        RecordVersion.n,
        RecordVersion.cause,
        RecordVersion.template_version,
        RecordVersion.style,
        RecordVersion.status,
        RecordVersion.successor,
        RecordVersion.sort_key,
        RecordVersion.sha256,
    )
    return _read(
        select(*columns)
        .join(Name, Name.id == RecordVersion.name_id)
        .where(RecordVersion.edition <= until)
        .order_by(RecordVersion.edition, RecordVersion.id)
    )


def _heads(until: int) -> Iterator[tuple[Any, ...]]:
    columns = (RegistryHead.edition, RegistryHead.registry_id, RegistryHead.document)
    kept = select(*columns).where(RegistryHead.edition <= until)
    return _hashed(kept.order_by(RegistryHead.edition, RegistryHead.id))


def _people(until: int) -> Iterator[tuple[Any, ...]]:
    columns = (PersonVersion.edition, PersonVersion.ident, PersonVersion.document)
    kept = select(*columns).where(PersonVersion.edition <= until)
    return _hashed(kept.order_by(PersonVersion.edition, PersonVersion.id))


def _hashed(query: Any) -> Iterator[tuple[Any, ...]]:
    return ((edition, key, sha256(document)) for edition, key, document in _read(query))


_ROWS: Mapping[str, Callable[[int], Iterator[tuple[Any, ...]]]] = {
    "editions": _editions,
    "records": _records,
    "heads": _heads,
    "people": _people,
}
