"""The registry's names, records, head and people, at any edition."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from app.registration.declarations import REGISTRIES
from app.registration.documents import (
    Document,
    canonical,
    person_from,
    person_to,
    registration_from,
    registration_to,
    snapshot_from,
)
from app.registration.records import Person, Registration, RegistrySnapshot
from app.store.counters import sha256
from app.store.database import db
from app.store.tables import Edition, Name, PersonVersion, RecordVersion, RegistryHead
from app.store.tables.registry import Cause, NameKind

REGISTRY = "urn-namespaces"


class NameTaken(Exception):
    """The name belongs to somebody already, in whatever case it was written."""

    def __init__(self, name: str) -> None:
        super().__init__(f"`{name}` is taken. A name is given once and for ever.")
        self.name = name


def database_name() -> str:
    """Which database this is, for what is kept in memory about it."""
    return str(db.engine.url)


def taken_names(space: str) -> frozenset[str]:
    """Every name of a space that can no longer be given, folded."""
    return frozenset(db.session.scalars(select(Name.folded).where(Name.space == space)))


def is_taken(space: str, folded: str) -> bool:
    """Whether a name is registered, reserved or was registered once."""
    return _name(space, folded) is not None


def add_record(
    record: Registration, *, registry: str, edition: int, cause: Cause, sort_key: str
) -> None:
    """Give a name for ever and keep its first version; NameTaken if somebody has it."""
    name = Name(
        space=REGISTRIES[registry].space,
        registry_id=registry,
        folded=record.folded,
        kind=NameKind.REGISTERED,
    )
    db.session.add(name)
    try:
        db.session.flush()
    except IntegrityError as error:
        raise NameTaken(record.name) from error
    _add_version(name.id, 1, record, edition, cause, sort_key)


def change_record(record: Registration, *, space: str, edition: int, cause: Cause) -> None:
    """Keep another version of a name's record, which stands from this edition on."""
    name = _name(space, record.folded)
    if name is None:
        raise KeyError(record.name)
    latest = db.session.scalars(
        select(RecordVersion)
        .where(RecordVersion.name_id == name.id)
        .order_by(RecordVersion.n.desc())
        .limit(1)
    ).one()
    _add_version(name.id, latest.n + 1, record, edition, cause, latest.sort_key)


def _add_version(
    name: int, n: int, record: Registration, edition: int, cause: Cause, sort_key: str
) -> None:
    document = canonical(registration_to(record))
    db.session.add(
        RecordVersion(
            name_id=name,
            n=n,
            edition=edition,
            cause=cause,
            template_version=record.version,
            document=document,
            style=record.style,
            status=record.status,
            successor=record.successor,
            sort_key=sort_key,
            sha256=sha256(document),
        )
    )
    db.session.flush()


def set_head(document: Document, edition: int) -> None:
    """Keep what the registry says of itself from this edition on."""
    db.session.add(
        RegistryHead(registry_id=REGISTRY, edition=edition, document=canonical(document))
    )


def set_people(people: Iterable[Person], edition: int) -> None:
    """Keep people as they stand from this edition on."""
    for person in people:
        document = canonical(person_to(person))
        db.session.add(PersonVersion(ident=person.id, edition=edition, document=document))


def find_record(space: str, folded: str) -> tuple[str, Registration] | None:
    """A name's registry and its latest record, or None where nobody has the name."""
    name = _name(space, folded)
    if name is None:
        return None
    document = db.session.scalars(
        select(RecordVersion.document)
        .where(RecordVersion.name_id == name.id)
        .order_by(RecordVersion.n.desc())
        .limit(1)
    ).one()
    return name.registry_id, registration_from(json.loads(document))


def sort_keys() -> dict[str, str]:
    """Where each name stands in the registry's order."""
    rows = db.session.execute(
        select(Name.folded, RecordVersion.sort_key)
        .join(RecordVersion, RecordVersion.name_id == Name.id)
        .where(RecordVersion.n == 1)
    )
    return dict(row.tuple() for row in rows)


def snapshot(edition: int) -> RegistrySnapshot | None:
    """The whole registry as it stood at an edition, sorted; None before the first one."""
    row = db.session.get(Edition, edition)
    head = _latest_head(edition)
    if row is None or head is None:
        return None
    if row.notice:
        head = head | {"notes": [[row.notice]]}
    made = snapshot_from(
        head,
        updated=row.updated,
        edition=edition,
        records=_records(edition),
        people=_people(edition),
    )
    return replace(made, notice=row.notice)


def head_document(edition: int) -> Document | None:
    """What the registry says of itself at an edition, or None before the first one."""
    return _latest_head(edition)


def _latest_head(edition: int) -> Document | None:
    document = db.session.scalar(
        select(RegistryHead.document)
        .where(RegistryHead.registry_id == REGISTRY, RegistryHead.edition <= edition)
        .order_by(RegistryHead.edition.desc())
        .limit(1)
    )
    return None if document is None else json.loads(document)


def _records(edition: int) -> dict[str, tuple[Registration, ...]]:
    latest = (
        select(RecordVersion.name_id, func.max(RecordVersion.n).label("n"))
        .where(RecordVersion.edition <= edition)
        .group_by(RecordVersion.name_id)
        .subquery()
    )
    rows = db.session.execute(
        select(Name.registry_id, RecordVersion.sort_key, RecordVersion.document)
        .join(latest, (latest.c.name_id == RecordVersion.name_id) & (latest.c.n == RecordVersion.n))
        .join(Name, Name.id == RecordVersion.name_id)
    )
    tables: dict[str, list[tuple[str, Registration]]] = defaultdict(list)
    for registry, sort_key, document in rows:
        tables[registry].append((sort_key, registration_from(json.loads(document))))
    return {
        registry: tuple(record for _, record in sorted(keyed, key=lambda pair: pair[0]))
        for registry, keyed in tables.items()
    }


def _people(edition: int) -> tuple[Person, ...]:
    rows = db.session.scalars(
        select(PersonVersion)
        .where(PersonVersion.edition <= edition)
        .order_by(PersonVersion.edition)
    )
    people = {row.ident: person_from(json.loads(row.document)) for row in rows}
    return tuple(people[ident] for ident in sorted(people))


def _name(space: str, folded: str) -> Name | None:
    return db.session.scalars(
        select(Name).where(Name.space == space, Name.folded == folded)
    ).one_or_none()
