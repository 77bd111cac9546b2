"""The registry's names, records, head and people, at any edition."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import URL, ColumnElement, Select, bindparam, func, select, true
from sqlalchemy import insert as sql_insert
from sqlalchemy.sql.dml import ReturningInsert

from app.exports.content.file_names import URN_NAMESPACES
from app.registration.declarations.registries import REGISTRIES, space_of
from app.registration.declarations.registry_groups import RegistryGroup
from app.registration.records.record_documents import (
    Document,
    canonical_json,
    person_from,
    person_to,
    registration_from,
    registration_to,
    snapshot_from,
)
from app.registration.records.registry_records import Person, Registration, RegistrySnapshot, Status
from app.store.database import built_once, db, insert
from app.store.digests import sha256
from app.store.edition_groups import find_before, group_at
from app.store.registry import search_index
from app.store.registry.person_versions import GONE
from app.store.tables import Edition, Name, PersonVersion, RecordVersion, RegistryHead
from app.store.tables.registry import Cause, NameKind

REGISTRY = URN_NAMESPACES
_ALL = true()
_BATCH = 500


class NameTaken(Exception):
    """The name belongs to somebody already, in whatever case it was written."""

    def __init__(self, name: str) -> None:
        super().__init__(f"`{name}` is taken. A name is given once and for ever.")
        self.name = name


def database_name() -> str:
    """Which database this is, for what is kept in memory about it."""
    return _words(db.engine.url)


@lru_cache(maxsize=1)  # it is asked for at every name of a page
def _words(url: URL) -> str:
    return str(url)


def taken_names(space: str) -> Mapping[str, NameKind]:
    """Every name that can no longer be given, folded, and why."""
    taken = db.session.execute(_taken(), {"space": space})
    return {folded: NameKind(kind) for folded, kind in taken}


@built_once
def _taken() -> Select[str, str]:
    return select(Name.folded, Name.kind).where(Name.space == bindparam("space"))


def is_taken(space: str, folded: str) -> bool:
    """Whether a name is registered, reserved or was registered once."""
    return _name(space, folded) is not None


def names_within(space: str, begin: str) -> list[str]:
    """The names that are taken, folded, which begin with a text and go on, in their order."""
    taken = select(Name.folded).where(Name.space == space, Name.folded != begin)
    taken = taken.where(func.substr(Name.folded, 1, len(begin)) == begin)
    return list(db.session.scalars(taken.order_by(Name.folded)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordChange:
    """What led to versions of records: the edition they stand from, and why."""

    edition: int
    cause: Cause


class RecordEntry(NamedTuple):
    """A record, its table, and where it stands there."""

    record: Registration
    registry: str
    sort_key: str


def add_record(record: Registration, registry: str, sort_key: str, change: RecordChange) -> int:
    """Give a name for ever and keep its first version; NameTaken if somebody has it.

    Gives the id of the name.
    """
    (ident,) = _add_batch([RecordEntry(record, registry, sort_key)], change)
    return ident


def add_records(entries: Iterable[RecordEntry], change: RecordChange) -> None:
    """Give many names at once, which takes a sixth of the time that one by one does."""
    rest = iter(entries)
    while batch := list(islice(rest, _BATCH)):
        _add_batch(batch, change)


def _add_batch(entries: list[RecordEntry], change: RecordChange) -> list[int]:
    given = dict(_given(entries))
    rows = [_first_version(ident, entry, change) for ident, entry in given.items()]
    kept = {row.name_id: row.id for row in db.session.execute(_keeping(), rows)}
    search_index.index_versions(
        [
            search_index.SearchIndexEntry(ident, kept[ident], *entry)
            for ident, entry in given.items()
        ]
    )
    return list(given)


@built_once
def _keeping() -> ReturningInsert[int, int]:
    return sql_insert(RecordVersion).returning(RecordVersion.name_id, RecordVersion.id)


def _given(entries: list[RecordEntry]) -> Iterator[tuple[int, RecordEntry]]:
    """Entries with the numbers of their names, given now; NameTaken for one given before."""
    rows = [
        {"space": space, "folded": folded, "registry_id": registry, "kind": NameKind.REGISTERED}
        for (space, folded), registry in sorted((_key(e), e.registry) for e in entries)
    ]
    given = {(row.space, row.folded): row.id for row in db.session.execute(_giving(), rows)}
    for entry in entries:
        if _key(entry) not in given:
            raise NameTaken(entry.record.name)
        yield given.pop(_key(entry)), entry


@built_once
def _giving() -> ReturningInsert[str, str, int]:
    return insert(Name).on_conflict_do_nothing().returning(Name.space, Name.folded, Name.id)


def _key(entry: RecordEntry) -> tuple[str, str]:
    return REGISTRIES[entry.registry].space.id, entry.record.folded


def _first_version(ident: int, entry: RecordEntry, change: RecordChange) -> dict[str, Any]:
    return {"name_id": ident, "n": 1, **version_members(*entry, change)}


def _refuse_private(record: Registration, registry: str) -> None:
    """A record is public for ever, and a private text of its request can be erased."""
    known = REGISTRIES[registry].named
    private = [name for name, _ in record.fields if name in known and not known[name].public]
    if private:
        raise ValueError(f"The field {private[0]} is private, and no record holds it.")


def version_members(
    record: Registration, registry: str, sort_key: str, change: RecordChange
) -> dict[str, Any]:
    """What a version of a record says, besides whose it is and which."""
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
    latest = _latest_version(space, record.folded)
    row = RecordVersion(
        name_id=select(Name.id)
        .where(Name.space == space, Name.folded == record.folded)
        .scalar_subquery(),
        n=latest.n + 1 if latest else 1,
        **version_members(record, registry, sort_key, change),
    )
    db.session.add(row)
    db.session.flush()
    search_index.index_versions(
        [search_index.SearchIndexEntry(row.name_id, row.id, record, registry, sort_key)]
    )


def set_head(document: Document, edition: int) -> None:
    """Keep what the registries of an edition say of themselves from it on."""
    whose = group_at(edition).id
    db.session.add(
        RegistryHead(registry_id=whose, edition=edition, document=canonical_json(document))
    )


def set_people(people: Iterable[Person], edition: int) -> None:
    """Keep people as they stand from this edition on."""
    for person in people:
        document = canonical_json(person_to(person))
        db.session.add(PersonVersion(ident=person.id, edition=edition, document=document))
        search_index.refresh_naming(person.id)


def drop_people(idents: Iterable[str], edition: int) -> None:
    """Let people stand in the registry no more from this edition on."""
    for ident in idents:
        db.session.add(PersonVersion(ident=ident, edition=edition, document=GONE))
        search_index.refresh_naming(ident)


def find_record(space: str, folded: str) -> tuple[str, Registration] | None:
    """A name's registry and its latest record, or None where nobody has the name."""
    name, latest = _name(space, folded), _latest_version(space, folded)
    if name is None or latest is None:
        return None
    return name.registry_id, _record(name.registry_id, latest.document)


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


def _record(registry: str, document: str) -> Registration:
    return registration_from(json.loads(document), space_of(registry))


def find_latest(space: str, folded: str) -> StoredVersion | None:
    """A name's latest version, or None where nobody has the name."""
    name = _name(space, folded)
    latest = _latest_version(space, folded) if name else None
    return _version(name, latest) if name and latest else None


def versions_of(space: str, folded: str) -> list[StoredVersion]:
    """Every version of a name's record, oldest first."""
    name = _name(space, folded)
    if name is None:
        return []
    rows = db.session.scalars(
        select(RecordVersion).where(RecordVersion.name_id == name.id).order_by(RecordVersion.n)
    )
    return [_version(name, row) for row in rows]


def _version(name: Name, row: RecordVersion) -> StoredVersion:
    return StoredVersion(
        registry=name.registry_id,
        record=_record(name.registry_id, row.document),
        n=row.n,
        edition=row.edition,
        cause=Cause(row.cause),
        sort_key=row.sort_key,
        sha256=row.sha256,
    )


def find_person(ident: str) -> tuple[Person, int] | None:
    """A person as they stand now, and the edition they stand so from; None for nobody."""
    if "\0" in ident:
        return None
    row = db.session.scalars(
        select(PersonVersion)
        .where(PersonVersion.ident == ident)
        .order_by(PersonVersion.edition.desc())
        .limit(1)
    ).one_or_none()
    if row is None or row.document == GONE:
        return None
    return person_from(json.loads(row.document)), row.edition


def head_edition(group: RegistryGroup) -> int:
    """The edition from which on a group's head stands as it does now; 0 before the first."""
    newest = select(func.max(RegistryHead.edition)).where(RegistryHead.registry_id == group.id)
    return db.session.scalar(newest) or 0


def snapshot(edition: int) -> RegistrySnapshot | None:
    """The whole registry as it stood at an edition, sorted; None where there is no such edition.

    The snapshot says its number in its group.
    """
    if db.session.get(Edition, edition) is None:
        return None
    return _snapshot(edition, _records(edition), people(edition))


def empty_snapshot(edition: int) -> RegistrySnapshot | None:
    """What an edition says of the registry itself, without its names and people."""
    return _snapshot(edition, {}, ())


def _snapshot(
    edition: int, records: dict[str, tuple[Registration, ...]], named: tuple[Person, ...]
) -> RegistrySnapshot | None:
    row = db.session.get(Edition, edition)
    head = head_document(edition) if row else None
    if row is None or head is None:
        return None
    if row.notice:
        head = head | {"notes": []}  # what stands above the names is the operator's own
    number = row.number
    made = snapshot_from(head, updated=row.updated, edition=number, records=records, people=named)
    return replace(made, notice=row.notice)


def record_at(edition: int, space: str, folded: str) -> RegistrySnapshot | None:
    """An edition with the record of one name alone, and the people whom it can name.

    None before the first edition. Where the name did not stand then, no table holds a record.
    """
    if db.session.get(Edition, edition) is None:
        return None
    which = (Name.space == space) & (Name.folded == folded)
    named = _records(edition, which) if folded.isascii() and "\0" not in folded else {}
    return _snapshot(edition, named, people(edition) if named else ())


def beneath_at(edition: int, record: Registration) -> dict[str, tuple[Registration, ...]]:
    """The names that lay under another one at an edition, by their table. KeyError."""
    begins = Name.folded.startswith(f"{record.folded}/", autoescape=True)
    spaces = {one.space.id for one in REGISTRIES.values() if one.space.under is record.space}
    return _records(edition, Name.space.in_(spaces) & begins) if spaces else {}


def touched(edition: int) -> tuple[RegistrySnapshot | None, RegistrySnapshot | None]:
    """The registry before an edition and at it, with what the edition touched and no more.

    So what changed is found without reading the rest. None where nothing stood yet. Raises
    KeyError where there is no such edition.
    """
    names = select(RecordVersion.name_id).where(RecordVersion.edition == edition)
    who = select(PersonVersion.ident).where(PersonVersion.edition == edition)
    before, after = (
        _snapshot(n, _records(n, RecordVersion.name_id.in_(names)), people(n, who)) if n else None
        for n in (find_before(edition), edition)
    )
    return before, after


def head_document(edition: int) -> Document | None:
    """What the registry says of itself at an edition; None where it says nothing yet. KeyError."""
    asked = {"group": group_at(edition).id, "edition": edition}
    document = db.session.scalar(_head(), asked)
    return None if document is None else json.loads(document)


@built_once
def _head() -> Select[str]:
    until = RegistryHead.edition <= bindparam("edition")
    return (
        select(RegistryHead.document)
        .where(RegistryHead.registry_id == bindparam("group"), until)
        .order_by(RegistryHead.edition.desc())
        .limit(1)
    )


def sort_keys(edition: int) -> dict[str, str]:
    """Where each name stood in the registry's order at an edition, by its key."""
    rows = db.session.execute(
        _standing(edition).with_only_columns(Name.registry_id, Name.folded, RecordVersion.sort_key)
    )
    return {_told(row.registry_id, row.folded): row.sort_key for row in rows}


def _told(registry: str, folded: str) -> str:
    """The key of a name, by the registry that has it."""
    return space_of(registry).about(folded)


def successors(edition: int) -> dict[str, str]:
    """The names that had a successor at an edition, with it, both by their keys."""
    rows = db.session.execute(
        _standing(edition)
        .where(RecordVersion.successor.is_not(None))
        .with_only_columns(Name.folded, Name.registry_id, RecordVersion.successor)
    )
    return {
        _told(row.registry_id, row.folded): _told(
            row.registry_id, space_of(row.registry_id).fold(row.successor)
        )
        for row in rows
    }


def counts(edition: int) -> dict[str, int]:
    """How many names were in use at an edition, by table."""
    rows = db.session.execute(
        _standing(edition)
        .where(RecordVersion.status != Status.FORMER)
        .with_only_columns(Name.registry_id, func.count())
        .group_by(Name.registry_id)
    )
    return {row[0]: row[1] for row in rows}


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
            _told(registry, folded), n, edition, Status(status), Cause(cause), document, digest
        )


def count_versions() -> int:
    """How many versions of records there are."""
    return db.session.scalar(select(func.count()).select_from(RecordVersion)) or 0


def registered_names() -> frozenset[str]:
    """Every name that was given to somebody, in whatever space, by its key."""
    given = select(Name.registry_id, Name.folded).where(Name.kind == NameKind.REGISTERED)
    return frozenset(_told(*row) for row in db.session.execute(given))


def made_former(edition: int) -> dict[str, tuple[Cause, str]]:
    """The names, by their keys, that an edition made former: why, and what took their place."""
    rows = db.session.execute(
        select(Name.registry_id, Name.folded, RecordVersion.cause, RecordVersion.successor)
        .join(RecordVersion)
        .where(RecordVersion.edition == edition, RecordVersion.status == Status.FORMER)
    )
    return {
        _told(row.registry_id, row.folded): (Cause(row.cause), row.successor or "") for row in rows
    }


def _records(
    edition: int, which: ColumnElement[bool] = _ALL
) -> dict[str, tuple[Registration, ...]]:
    """The records that stand at an edition, by table: all of them, or some names'."""
    rows = db.session.execute(
        _standing(edition)
        .where(which)
        .with_only_columns(
            Name.registry_id, RecordVersion.sort_key, Name.folded, RecordVersion.document
        )
    )
    tables: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for registry, *row in rows:
        tables[registry].append((row[0], row[1], row[2]))
    return {
        registry: tuple(_record(registry, row[-1]) for row in sorted(table))
        for registry, table in tables.items()
    }


def _standing(edition: int) -> Select[int]:
    """The latest version of each name of an edition's registries, up to it. KeyError."""
    latest = (
        select(RecordVersion.name_id, func.max(RecordVersion.n).label("n"))
        .where(RecordVersion.edition <= edition)
        .group_by(RecordVersion.name_id)
        .subquery()
    )
    is_latest = (latest.c.name_id == RecordVersion.name_id) & (latest.c.n == RecordVersion.n)
    made = select(Name.id).select_from(RecordVersion).join(latest, is_latest).join(Name)
    return made.where(Name.registry_id.in_(group_at(edition).registries))


def people(edition: int, which: Select[str] | None = None) -> tuple[Person, ...]:
    """Everybody whom references named at an edition, or those with some ids. KeyError."""
    of_group = Edition.group_id == group_at(edition).id
    asked = select(PersonVersion).join(Edition, Edition.n == PersonVersion.edition)
    asked = asked.where(of_group, PersonVersion.edition <= edition)
    if which is not None:
        asked = asked.where(PersonVersion.ident.in_(which))
    rows = db.session.scalars(asked.order_by(PersonVersion.edition))
    latest = {row.ident: row.document for row in rows}
    standing = sorted(ident for ident, document in latest.items() if document != GONE)
    return tuple(person_from(json.loads(latest[ident])) for ident in standing)


def _name(space: str, folded: str) -> Name | None:
    if not folded.isascii() or "\0" in folded:
        return None  # PostgreSQL would not even be asked for U+0000
    return db.session.scalars(_named(), {"space": space, "folded": folded}).one_or_none()


@built_once
def _named() -> Select[Name]:
    return select(Name).where(Name.space == bindparam("space"), Name.folded == bindparam("folded"))


def _latest_version(space: str, folded: str) -> RecordVersion | None:
    return db.session.scalars(_newest(), {"space": space, "folded": folded}).one_or_none()


@built_once
def _newest() -> Select[RecordVersion]:
    named = Name.space == bindparam("space"), Name.folded == bindparam("folded")
    versions = select(RecordVersion).join(Name).where(*named)
    return versions.order_by(RecordVersion.n.desc()).limit(1)
