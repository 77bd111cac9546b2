"""The registry as a whole: setting it up, importing it, reading it."""

import json
import secrets
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from app import bundled
from app.exports.xml_reader import read_xml
from app.identifiers.nid import NidIndex
from app.registration.declarations import REGISTRIES
from app.registration.documents import head_to, snapshot_read
from app.registration.records import (
    Registration,
    RegistrySnapshot,
    Xref,
    XrefType,
)
from app.services.refusals import NotFound, Refusal
from app.store import counters, editions, events
from app.store import registry as names
from app.store.database import transaction
from app.store.tables.editions import Origin
from app.store.tables.registry import Cause
from app.store.tables.requests import Subject

NOTICES = {
    "official": "",
    "private": "This is a private registry of URN namespaces. It is not IANA’s: names and numbers "
    "given here hold here alone.",
    "proposal": "This registry prepares requests to IANA. It is not IANA’s: it gives no names and "
    "no numbers.",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What an import does, or would do: names to add, to change and to leave alone."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    same: tuple[str, ...]
    kept: tuple[str, ...]
    head_changed: bool
    people_changed: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all would change."""
        return not (self.added or self.changed or self.head_changed or self.people_changed)


class WrongRegistry(Refusal):
    """The file is a registry, but another one."""


def bundled_snapshot() -> RegistrySnapshot:
    """The registry's facts as they are shipped with this software."""
    return snapshot_read(json.loads(bundled.read()))


def initialize(authority: str, at: datetime, *, empty: bool = False) -> Plan | None:
    """Fill a new database with the bundled registry; None where there is one already."""
    with transaction():
        if editions.latest_edition() is not None:
            return None
        shipped = bundled_snapshot()
        if empty:
            tables = tuple(replace(table, records=()) for table in shipped.registries)
            shipped = replace(shipped, registries=tables, people=())
        return _apply(shipped, at, Origin.LOCAL, NOTICES[authority])


def import_xml(data: bytes, at: datetime, *, dry_run: bool = False) -> Plan:
    """Take over a registry file in IANA's format, or only say what that would do.

    Records that stand here and not in the file are left alone. Raises UnreadableRegistry
    for a file that cannot be read, and WrongRegistry for another registry's.
    """
    read = _with_titles(read_xml(data))
    if {table.id for table in read.registries} != set(REGISTRIES):
        raise WrongRegistry(
            f"This is the registry `{read.id}`. This software runs `{names.REGISTRY}`."
        )
    with transaction():
        plan = _plan(read)
        if not dry_run and not plan.is_empty:
            _apply(read, at, Origin.IMPORTED, "")
        return plan


def _with_titles(read: RegistrySnapshot) -> RegistrySnapshot:
    titles: dict[str, str] = json.loads(bundled.rfc_titles())

    def titled(xref: Xref) -> Xref:
        known = titles.get(xref.data, "") if xref.type is XrefType.RFC else ""
        return replace(xref, title=known)

    def with_titles(record: Registration) -> Registration:
        contact = record.contact
        return replace(
            record,
            references=tuple(titled(xref) for xref in record.references),
            contact=contact and tuple(p if isinstance(p, str) else titled(p) for p in contact),
        )

    tables = tuple(
        replace(table, records=tuple(with_titles(record) for record in table.records))
        for table in read.registries
    )
    return replace(read, registries=tables)


def _current() -> RegistrySnapshot | None:
    latest = editions.latest_edition()
    return None if latest is None else names.snapshot(latest.n)


def _merged(read: Registration, here: Registration) -> Registration:
    """A record as an import leaves it: the file's facts, and what no such file can hold."""
    return replace(
        here,
        date=read.date,
        updated=read.updated,
        template=read.template,
        references=read.references,
        contact=read.contact,
    )


def _plan(read: RegistrySnapshot) -> Plan:
    current = _current()
    here = {record.folded: record for record in current.records()} if current else {}
    people = {person.id: person for person in current.people} if current else {}
    there = {record.folded: record for record in read.records()}
    known = [name for name in there if name in here]
    changed = [name for name in known if _merged(there[name], here[name]) != here[name]]
    return Plan(
        added=tuple(name for name in there if name not in here),
        changed=tuple(changed),
        same=tuple(name for name in known if name not in changed),
        kept=tuple(name for name in here if name not in there),
        head_changed=current is None or head_to(read) != _stored_head(),
        people_changed=tuple(p.id for p in read.people if people.get(p.id) != p),
    )


def _stored_head() -> dict[str, Any] | None:
    latest = editions.latest_edition()
    return None if latest is None else names.head_document(latest.n)


def _apply(read: RegistrySnapshot, at: datetime, origin: Origin, notice: str) -> Plan:
    plan = _plan(read)
    current = _current()
    here = {record.folded: record for record in current.records()} if current else {}
    edition = editions.add_edition(
        as_of=at, updated=read.updated, origin=origin, cause=Cause.IMPORT, notice=notice
    )
    keys = sort_keys_of(read)
    for table in read.registries:
        for record in table.records:
            if record.folded in plan.added:
                names.add_record(
                    record,
                    registry=table.id,
                    edition=edition,
                    cause=Cause.IMPORT,
                    sort_key=keys[record.folded],
                )
            elif record.folded in plan.changed:
                merged = _merged(record, here[record.folded])
                names.change_record(
                    merged, space=REGISTRIES[table.id].space, edition=edition, cause=Cause.IMPORT
                )
    if plan.head_changed:
        names.set_head(head_to(read), edition)
    names.set_people((p for p in read.people if p.id in plan.people_changed), edition)
    _raise_numbers(read)
    event = events.NewEvent(
        at=at,
        kind="imported",
        about=str(edition),
        subject=Subject.REGISTRY,
        role="operator",
        body=f"{len(plan.added)} added, {len(plan.changed)} changed",
    )
    events.append(event, secrets.token_hex(16))
    return plan


def _raise_numbers(read: RegistrySnapshot) -> None:
    """Numbers that an imported registry has given are never given again."""
    for table in read.registries:
        numbering = REGISTRIES[table.id].numbering
        if numbering is None:
            continue
        numbers = [_number(record.folded, numbering.prefix) for record in table.records]
        counters.raise_to(numbering.counter, max(numbers, default=0))


def _number(folded: str, prefix: str) -> int:
    digits = folded.removeprefix(prefix)
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def sort_key(registry: str, folded: str) -> str:
    """Where a name stands in its table: by letters, or by number where it is one."""
    numbering = REGISTRIES[registry].numbering
    if numbering is None:
        return folded
    return f"{numbering.prefix}{_number(folded, numbering.prefix):028d}"


def sort_keys_of(read: RegistrySnapshot) -> dict[str, str]:
    """Keys that keep the order of a file, also where it was put by hand."""
    keys: dict[str, str] = {}
    for table in read.registries:
        before = ""
        for record in table.records:
            key = sort_key(table.id, record.folded)
            # a name that stands out of order follows its neighbour closely; `!` sorts
            # before every character of a name
            before = keys[record.folded] = key if key > before else before + "!"
    return keys


@lru_cache(maxsize=2)
def _index(space: str, _database: str, _edition: int) -> NidIndex:
    return NidIndex(names.taken_names(space))


def taken_index(space: str = "nid") -> NidIndex:
    """The names that are taken, ready to be compared with. Names are only ever added."""
    latest = editions.latest_edition()
    return _index(space, names.database_name(), latest.n if latest else 0)


def current_snapshot() -> RegistrySnapshot:
    """The registry as it stands; NotFound before `init`."""
    current = _current()
    if current is None:
        raise NotFound("There is no registry yet. Run `urn-registry init`.")
    return current


def snapshot_of(edition: int) -> RegistrySnapshot:
    """The registry at an edition; NotFound where there is no such edition."""
    snapshot = names.snapshot(edition)
    if snapshot is None:
        raise NotFound(f"There is no edition {edition}.")
    return snapshot
