"""The registry as it stood at an edition: records, head and people, all of them or some."""

import json
from collections import defaultdict
from dataclasses import replace

from sqlalchemy import ColumnElement, Select, bindparam, func, select, true

from app.registration.declarations.registries import REGISTRIES, space_of
from app.registration.declarations.registry_groups import RegistryGroup
from app.registration.records.record_documents import Document, canonical_json, snapshot_from
from app.registration.records.registry_records import Person, Registration, RegistrySnapshot, Status
from app.store.database import built_once, db
from app.store.edition_groups import find_before, group_at
from app.store.registry import name_rows, person_versions, record_versions
from app.store.tables import Edition, Name, PersonVersion, RecordVersion, RegistryHead

_ALL = true()


def set_head(document: Document, edition: int) -> None:
    """Keep what the registries of an edition say of themselves from it on."""
    whose = group_at(edition).id
    db.session.add(
        RegistryHead(registry_id=whose, edition=edition, document=canonical_json(document))
    )


def head_edition(group: RegistryGroup) -> int:
    """The edition from which on a group's head stands as it does now; 0 before the first."""
    newest = select(func.max(RegistryHead.edition)).where(RegistryHead.registry_id == group.id)
    return db.session.scalar(newest) or 0


def snapshot(edition: int) -> RegistrySnapshot | None:
    """The whole registry as it stood at an edition, sorted; None where there is no such edition."""
    if db.session.get(Edition, edition) is None:
        return None
    return _snapshot(edition, _records(edition), person_versions.people(edition))


def empty_snapshot(edition: int) -> RegistrySnapshot | None:
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
    """An edition with the record of one name alone, and the people whom it can name."""
    if db.session.get(Edition, edition) is None:
        return None
    which = (Name.space == space) & (Name.folded == folded)
    named = _records(edition, which) if folded.isascii() and "\0" not in folded else {}
    return _snapshot(edition, named, person_versions.people(edition) if named else ())


def beneath_at(edition: int, record: Registration) -> dict[str, tuple[Registration, ...]]:
    """The names that lay under another one at an edition, by their table. KeyError."""
    begins = Name.folded.startswith(f"{record.folded}/", autoescape=True)
    spaces = {one.space.id for one in REGISTRIES.values() if one.space.under is record.space}
    return _records(edition, Name.space.in_(spaces) & begins) if spaces else {}


def snapshots_of_touched(edition: int) -> tuple[RegistrySnapshot | None, RegistrySnapshot | None]:
    """The registry before an edition and at it, with what the edition touched and no more.

    So what changed is found without reading the rest. None where nothing stood yet. Raises
    KeyError where there is no such edition.
    """
    names = select(RecordVersion.name_id).where(RecordVersion.edition == edition)
    who = select(PersonVersion.ident).where(PersonVersion.edition == edition)
    before, after = (
        _snapshot(n, _records(n, RecordVersion.name_id.in_(names)), person_versions.people(n, who))
        if n
        else None
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
    rows = db.session.execute(
        _standing(edition).with_only_columns(Name.registry_id, Name.folded, RecordVersion.sort_key)
    )
    return {name_rows.key_of(row.registry_id, row.folded): row.sort_key for row in rows}


def successors_at(edition: int) -> dict[str, str]:
    """The names that had a successor at an edition, with it, both by their keys."""
    rows = db.session.execute(
        _standing(edition)
        .where(RecordVersion.successor.is_not(None))
        .with_only_columns(Name.folded, Name.registry_id, RecordVersion.successor)
    )
    return {
        name_rows.key_of(row.registry_id, row.folded): name_rows.key_of(
            row.registry_id, space_of(row.registry_id).fold(row.successor)
        )
        for row in rows
    }


def counts(edition: int) -> dict[str, int]:
    rows = db.session.execute(
        _standing(edition)
        .where(RecordVersion.status != Status.FORMER)
        .with_only_columns(Name.registry_id, func.count())
        .group_by(Name.registry_id)
    )
    return {row[0]: row[1] for row in rows}


def _records(
    edition: int, which: ColumnElement[bool] = _ALL
) -> dict[str, tuple[Registration, ...]]:
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
        registry: tuple(record_versions.record_of(registry, row[-1]) for row in sorted(table))
        for registry, table in tables.items()
    }


def _standing(edition: int) -> Select[int]:
    latest = (
        select(RecordVersion.name_id, func.max(RecordVersion.n).label("n"))
        .where(RecordVersion.edition <= edition, RecordVersion.is_in_editions())
        .group_by(RecordVersion.name_id)
        .subquery()
    )
    is_latest = (latest.c.name_id == RecordVersion.name_id) & (latest.c.n == RecordVersion.n)
    made = select(Name.id).select_from(RecordVersion).join(latest, is_latest).join(Name)
    return made.where(Name.registry_id.in_(group_at(edition).registries))
