"""The records of names, a version for each change, and from which edition on each stands."""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import URL, ColumnElement, Select, bindparam, func, select
from sqlalchemy import insert as sql_insert
from sqlalchemy.sql.dml import ReturningInsert

from app.exports.content.file_names import URN_NAMESPACES
from app.registration.declarations.registries import REGISTRIES, space_of
from app.registration.records.record_documents import (
    canonical_json,
    registration_from,
    registration_to,
)
from app.registration.records.registry_records import Registration, Status
from app.store.database import built_once, db, insert, read_once
from app.store.digests import sha256
from app.store.registry import name_rows, search_index
from app.store.registry.name_rows import NameTaken
from app.store.tables import Name, RecordVersion, WithheldVersion
from app.store.tables.registry import Cause, NameKind

REGISTRY = URN_NAMESPACES
_BATCH = 500


def database_name() -> str:
    return _words(db.engine.url)


@lru_cache(maxsize=1)  # it is asked for at every name of a page
def _words(url: URL) -> str:
    return str(url)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordChange:
    edition: int
    cause: Cause


class RecordEntry(NamedTuple):
    """A record, its table, and where it stands there."""

    record: Registration
    registry: str
    sort_key: str

    @property
    def name_key(self) -> tuple[str, str]:
        """The space of its name, and that in its folded form."""
        return REGISTRIES[self.registry].space.id, self.record.folded


def add_record(record: Registration, registry: str, sort_key: str, change: RecordChange) -> int:
    """Give a name for ever and keep its first version; NameTaken if somebody has it."""
    (ident,) = _add_batch([RecordEntry(record, registry, sort_key)], change)
    return ident


def add_records(entries: Iterable[RecordEntry], change: RecordChange) -> None:
    """Give many names at once, which takes a sixth of the time that one by one does."""
    rest = iter(entries)
    while batch := list(islice(rest, _BATCH)):
        _add_batch(batch, change)


def _add_batch(entries: list[RecordEntry], change: RecordChange) -> list[int]:
    given = dict(_given(entries))
    keep_versions([(ident, 1, entry) for ident, entry in given.items()], change)
    return list(given)


def keep_versions(numbered: Collection[tuple[int, int, RecordEntry]], change: RecordChange) -> None:
    """Keep versions of records, each of a name by its id and with its number; they are found."""
    rows = [
        {"name_id": ident, "n": n, **version_members(*entry, change)}
        for ident, n, entry in numbered
    ]
    kept = {row.name_id: row.id for row in db.session.execute(_keeping(), rows)}
    search_index.index_versions(
        [search_index.SearchIndexEntry(ident, kept[ident], *entry) for ident, _, entry in numbered]
    )


@built_once
def _keeping() -> ReturningInsert[int, int]:
    return sql_insert(RecordVersion).returning(RecordVersion.name_id, RecordVersion.id)


def _given(entries: list[RecordEntry]) -> Iterator[tuple[int, RecordEntry]]:
    rows = [
        {"space": space, "folded": folded, "registry_id": registry, "kind": NameKind.REGISTERED}
        for (space, folded), registry in sorted((e.name_key, e.registry) for e in entries)
    ]
    given = {(row.space, row.folded): row.id for row in db.session.execute(_giving(), rows)}
    for entry in entries:
        if entry.name_key not in given:
            raise NameTaken(entry.record.name)
        yield given.pop(entry.name_key), entry


@built_once
def _giving() -> ReturningInsert[str, str, int]:
    return insert(Name).on_conflict_do_nothing().returning(Name.space, Name.folded, Name.id)


def _refuse_private(record: Registration, registry: str) -> None:
    known = REGISTRIES[registry].named
    private = [name for name, _ in record.fields if name in known and not known[name].public]
    if private:
        raise ValueError(f"The field {private[0]} is private and can't be in a record.")


def version_members(
    record: Registration, registry: str, sort_key: str, change: RecordChange
) -> dict[str, Any]:
    _refuse_private(record, registry)
    document = canonical_json(registration_to(record))
    return {
        "edition": change.edition,
        "cause": change.cause,
        "template_version": record.version,
        "document": document,
        "style": record.style,
        "status": record.status,
        "successor": record.successor,
        "sort_key": sort_key,
        "sha256": sha256(document),
    }


def add_version(record: Registration, registry: str, sort_key: str, change: RecordChange) -> None:
    """Keep another version of a given name's record, which stands from an edition on."""
    space = REGISTRIES[registry].space.id
    last = db.session.scalar(_last_number(), {"space": space, "folded": record.folded})
    row = RecordVersion(
        name_id=select(Name.id)
        .where(Name.space == space, Name.folded == record.folded)
        .scalar_subquery(),
        n=(last or 0) + 1,
        **version_members(record, registry, sort_key, change),
    )
    db.session.add(row)
    db.session.flush()
    search_index.index_versions(
        [search_index.SearchIndexEntry(row.name_id, row.id, record, registry, sort_key)]
    )


def find_record(space: str, folded: str) -> tuple[str, Registration] | None:
    """A name's registry and its latest record; None where no edition has the name."""
    name, latest = name_rows.find_name(space, folded), _latest_version(space, folded)
    if name is None or latest is None:
        return None
    return name.registry_id, record_of(name.registry_id, latest.document)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVersion:
    """One version of a name's record, as it is kept: the edition it stands from, and why."""

    registry: str
    record: Registration
    n: int
    edition: int
    cause: Cause
    sort_key: str
    sha256: str


def record_of(registry: str, document: str) -> Registration:
    """The registration that a document of a registry holds."""
    return registration_from(json.loads(document), space_of(registry))


def find_latest(space: str, folded: str) -> StoredVersion | None:
    """A name's latest version in an edition; None where no edition has the name."""
    name = name_rows.find_name(space, folded)
    latest = _latest_version(space, folded) if name else None
    return _version(name, latest) if name and latest else None


def versions_of(space: str, folded: str) -> list[StoredVersion]:
    """Every version of a name's record that editions hold, oldest first."""
    return _versions_of(space, folded, RecordVersion.is_in_editions())


def withheld_versions(space: str, folded: str) -> list[StoredVersion]:
    """Every version of a name's record that the operator withheld, oldest first."""
    return _versions_of(space, folded, ~RecordVersion.is_in_editions())


def _versions_of(space: str, folded: str, which: ColumnElement[bool]) -> list[StoredVersion]:
    name = name_rows.find_name(space, folded)
    if name is None:
        return []
    of_name = select(RecordVersion).where(RecordVersion.name_id == name.id, which)
    return [_version(name, row) for row in db.session.scalars(of_name.order_by(RecordVersion.n))]


def withhold_since(space: str, folded: str, edition: int) -> None:
    """Take the versions of a name from an edition on out of all editions, by the edition's key."""
    name = name_rows.find_name(space, folded)
    if name is None:
        return
    own = RecordVersion.name_id == name.id, RecordVersion.is_in_editions()
    since = select(RecordVersion.id).where(*own, RecordVersion.edition >= edition)
    for ident in list(db.session.scalars(since)):
        db.session.add(WithheldVersion(version_id=ident))
    db.session.flush()
    left = _latest_version(space, folded)
    if left is None:
        search_index.remove(name.id)
        return
    record = record_of(name.registry_id, left.document)
    search_index.index_versions(
        [search_index.SearchIndexEntry(name.id, left.id, record, name.registry_id, left.sort_key)]
    )


@read_once
def count_withheld() -> int:
    return db.session.scalar(select(func.count()).select_from(WithheldVersion)) or 0


def withheld_keys() -> set[str]:
    """The keys of the names that have withheld versions."""
    rows = db.session.execute(
        select(Name.registry_id, Name.folded)
        .join(RecordVersion)
        .where(~RecordVersion.is_in_editions())
    )
    return {name_rows.key_of(row.registry_id, row.folded) for row in rows}


def _version(name: Name, row: RecordVersion) -> StoredVersion:
    return StoredVersion(
        registry=name.registry_id,
        record=record_of(name.registry_id, row.document),
        n=row.n,
        edition=row.edition,
        cause=Cause(row.cause),
        sort_key=row.sort_key,
        sha256=row.sha256,
    )


class RawVersion(NamedTuple):
    """A version of a record as it lies in the database, its document unread; its name's key."""

    name: str
    n: int
    edition: int
    status: Status
    cause: Cause
    document: str
    sha256: str


def all_versions() -> Iterator[RawVersion]:
    """Every version of every name's record, by the editions they stand from, some at a time."""
    rows = db.session.execute(
        select(
            Name.registry_id,
            Name.folded,
            RecordVersion.n,
            RecordVersion.edition,
            RecordVersion.status,
            RecordVersion.cause,
            RecordVersion.document,
            RecordVersion.sha256,
        )
        .join(RecordVersion)
        .order_by(RecordVersion.edition, RecordVersion.id)
        .execution_options(yield_per=_BATCH)
    )
    for registry, folded, n, edition, status, cause, document, digest in rows:
        yield RawVersion(
            name_rows.key_of(registry, folded),
            n,
            edition,
            Status(status),
            Cause(cause),
            document,
            digest,
        )


def count_versions() -> int:
    return db.session.scalar(select(func.count()).select_from(RecordVersion)) or 0


def _latest_version(space: str, folded: str) -> RecordVersion | None:
    return db.session.scalars(_newest(), {"space": space, "folded": folded}).one_or_none()


@built_once
def _newest() -> Select[RecordVersion]:
    named = Name.space == bindparam("space"), Name.folded == bindparam("folded")
    versions = select(RecordVersion).join(Name).where(*named, RecordVersion.is_in_editions())
    return versions.order_by(RecordVersion.n.desc()).limit(1)


@built_once
def _last_number() -> Select[int | None]:
    named = Name.space == bindparam("space"), Name.folded == bindparam("folded")
    return select(func.max(RecordVersion.n)).join(Name).where(*named)
