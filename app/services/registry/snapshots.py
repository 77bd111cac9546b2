"""The registry as a whole: setting it up, importing it, reading it."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache

from app import bundled
from app.exports.content.selection import people_named
from app.exports.formats.xml_reader import read_xml
from app.problems import operation_codes, use_case_codes
from app.registration.declarations.identifier_spaces import NameIndex
from app.registration.declarations.registries import REGISTRIES, IdentifierSpace
from app.registration.declarations.registry_groups import URN_GROUP, RegistryGroup
from app.registration.records.record_documents import Document, head_to, snapshot_read
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    SubRegistry,
)
from app.services.refusals import NotFound, Refusal
from app.services.registry.bundled_profiles import with_bundled, with_profiles
from app.services.registry.listed_experts import with_panel, with_panel_experts
from app.services.registry.reference_titles import with_titles
from app.services.stored_editions.divergence import refuse_divergence
from app.store import counters
from app.store.database import reading, transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import record_versions as names
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause, NameKind
from app.store.tables.requests import EventSubject


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import does, or would do: names to add, to change and to leave alone."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    same: tuple[str, ...]
    kept: tuple[str, ...]
    head_changed: bool
    people_changed: tuple[str, ...]
    people_gone: tuple[str, ...]
    is_newer: bool

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all would change."""
        changes = (self.added, self.changed, self.people_changed, self.people_gone)
        return not (any(changes) or self.head_changed or self.is_newer)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportBaseline:
    """The registry as an import finds it, by name and id; all empty before the first edition."""

    records: Mapping[str, Registration] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    people: Mapping[str, Person] = field(default_factory=dict)
    head: Document | None = None
    updated: str = ""

    @property
    def has_own(self) -> bool:
        """Whether any of its names was given here."""
        return any(record.request is not None for record in self.records.values())


BEGUN = "begun"  # the event of a registry that was set up without names


class WrongRegistry(Refusal):
    """The file is a registry, but another one."""


def bundled_snapshot() -> RegistrySnapshot:
    """The registry's facts and profiles as they are shipped with this software."""
    return with_profiles(snapshot_read(json.loads(bundled.read())))


def initialize(notice: str, at: datetime, *, empty: bool = False) -> ImportPlan | None:
    """Fill a new database with the bundled registry; None where there is one already.

    ``notice`` is what the registry says of itself, empty for IANA's own. An empty registry
    has no edition: the first name, correction or import opens one.
    """
    with transaction():
        at = edition_rows.next_moment(at)
        if has_begun():
            return None
        shipped = _without_names(bundled_snapshot()) if empty else bundled_snapshot()
        plan = plan_of(shipped, ImportBaseline())
        if empty:
            note(event_rows.NewEvent(at=at, kind=BEGUN, about="0", body=notice))
        else:
            _apply(shipped, plan, ImportBaseline(), at, EditionOrigin.LOCAL, notice)
        return plan


def has_begun() -> bool:
    """Whether a registry was set up in the database, were it an empty one."""
    noted = event_rows.first_of(EventSubject.REGISTRY)
    return noted is not None or edition_rows.latest_edition(URN_GROUP) is not None


def _without_names(snapshot: RegistrySnapshot) -> RegistrySnapshot:
    tables = tuple(replace(table, records=()) for table in snapshot.registries)
    return replace(snapshot, registries=tables, people=())


def open_edition(
    group: RegistryGroup,
    at: datetime,
    cause: Cause,
    notice: str,
    *,
    head: Document | None = None,
    lists_panel: bool = False,
) -> int:
    """Open the next edition of a group made here, with another head if one is given; its key.

    ``at`` is what ``next_moment`` gave in this transaction, so that the edition, its event
    and the days in its records tell one time.
    The first edition of a registry that began empty takes its head from the bundled facts,
    that of another group from what is declared of it. Where it ``lists_panel``, the experts
    that it names are the panel at that moment.
    Raises DivergenceRefusal where editions were published that the database does not know.
    """
    edition = edition_rows.add_edition(
        group,
        as_of=at,
        updated=at.date().isoformat(),
        origin=EditionOrigin.LOCAL,
        cause=cause,
        notice=notice,
    )
    refuse_divergence(edition)
    stands = names.head_document(edition)
    head = head or stands or head_to(_before_names(group))
    head = with_panel(head, at) if lists_panel else head
    if head != stands:
        names.set_head(head, edition)
    return edition


def _before_names(group: RegistryGroup) -> RegistrySnapshot:
    """What a group says of itself before anybody said more."""
    if group == URN_GROUP:
        return bundled_snapshot()
    tables = (SubRegistry(id=each, title=REGISTRIES[each].label) for each in group.registries)
    return RegistrySnapshot(id=group.id, title=group.title, updated="", registries=tuple(tables))


def import_xml(
    data: bytes,
    at: datetime,
    *,
    dry_run: bool = False,
    notice: str = "",
    lists_panel: bool = False,
) -> ImportPlan:
    """Take over a registry file in IANA's format, or only say what that would do.

    Records that stand here and not in the file are left alone. The edition says of itself
    what the file says; where names were given here too, ``notice`` in place of its note, and
    where it ``lists_panel``, the panel in place of the file's experts. Raises
    UnreadableRegistry for a file that cannot be read, WrongRegistry for another registry's.
    """
    read = read_own(data)
    with reading() if dry_run else transaction():
        if not dry_run:
            at = edition_rows.next_moment(at)  # what is planned must still hold when it is done
        standing = _standing()
        read = with_panel_experts(read, at) if lists_panel and standing.has_own else read
        plan = plan_of(read, standing)
        if not dry_run and not plan.is_empty:
            own = notice if standing.has_own else ""
            _apply(read, plan, standing, at, EditionOrigin.IMPORTED, own)
        return plan


def read_own(data: bytes) -> RegistrySnapshot:
    """This registry from a file in IANA's format.

    Raises UnreadableRegistry for a file that cannot be read, WrongRegistry for another one's.
    """
    read = with_titles(read_xml(data))
    if {table.id for table in read.registries} != set(URN_GROUP.registries):
        raise WrongRegistry(
            operation_codes.REGISTRY_FOREIGN,
            f"This is the registry `{read.id}`. This software runs `{names.REGISTRY}`.",
        )
    return read


def _standing() -> ImportBaseline:
    latest = edition_rows.latest_edition(URN_GROUP)
    current = names.snapshot(latest.n) if latest else None
    if latest is None or current is None:
        return ImportBaseline()
    return ImportBaseline(
        records={record.folded: record for record in current.records()},
        keys=names.sort_keys(latest.n),
        people={person.id: person for person in current.people},
        head=names.head_document(latest.n),
        updated=current.updated,
    )


def merged(read: Registration, here: Registration) -> Registration:
    """A record as an import leaves it: the file's facts, and what no such file can hold."""
    return replace(
        here,
        name=read.name,
        date=read.date,
        updated=read.updated,
        template=read.template,
        references=read.references,
        contact=read.contact,
    )


def plan_of(read: RegistrySnapshot, standing: ImportBaseline) -> ImportPlan:
    """What importing a registry would add, change and leave alone.

    A name that stands in another place than in the file is changed too. People whom the
    file no longer lists go, unless a record that is left alone names them.
    """
    here, keys = standing.records, sort_keys_of(read)
    there = {record.folded: record for record in read.records()}
    kept = tuple(name for name in here if name not in there)
    named = {ident for name in kept for ident in people_named(here[name])}
    known = [name for name in there if name in here]
    same = {
        name
        for name in known
        if merged(there[name], here[name]) == here[name] and keys[name] == standing.keys[name]
    }
    return ImportPlan(
        added=tuple(name for name in there if name not in here),
        changed=tuple(name for name in known if name not in same),
        same=tuple(name for name in known if name in same),
        kept=kept,
        head_changed=head_to(read) != standing.head,
        people_changed=tuple(p.id for p in read.people if standing.people.get(p.id) != p),
        people_gone=tuple(sorted(standing.people.keys() - {p.id for p in read.people} - named)),
        is_newer=read.updated > standing.updated,
    )


def _apply(
    read: RegistrySnapshot,
    plan: ImportPlan,
    standing: ImportBaseline,
    at: datetime,
    origin: EditionOrigin,
    notice: str,
) -> None:
    updated = max(read.updated, standing.updated) if notice else read.updated
    edition = edition_rows.add_edition(
        URN_GROUP, as_of=at, updated=updated, origin=origin, cause=Cause.IMPORT, notice=notice
    )
    refuse_divergence(edition)
    if plan.head_changed:
        names.set_head(head_to(read), edition)
    # before the records, so that those who name a person are looked at once
    people_changed = frozenset(plan.people_changed)
    names.set_people((p for p in read.people if p.id in people_changed), edition)
    names.drop_people(plan.people_gone, edition)
    _write_records(read, plan, standing, names.RecordChange(edition=edition, cause=Cause.IMPORT))
    raise_numbers(read)
    said = f"{len(plan.added)} added, {len(plan.changed)} changed"
    note(
        event_rows.NewEvent(at=at, kind="imported", about=str(edition), edition=edition, body=said)
    )


def note(event: event_rows.NewEvent) -> None:
    """Keep an event of the registry itself, which its operator brought about."""
    of_registry = replace(event, subject=EventSubject.REGISTRY, role="operator")
    event_rows.append(of_registry, secrets.token_hex(16))


def _write_records(
    read: RegistrySnapshot, plan: ImportPlan, standing: ImportBaseline, change: names.RecordChange
) -> None:
    keys = sort_keys_of(read)
    added, changed = frozenset(plan.added), frozenset(plan.changed)
    new: list[names.RecordEntry] = []
    for table in read.registries:
        for record in table.records:
            name = record.folded
            if name in added:
                new.append(names.RecordEntry(with_bundled(record), table.id, keys[name]))
            elif name in changed:
                after = merged(record, standing.records[name])
                names.add_version(after, table.id, keys[name], change)
    names.add_records(new, change)


def raise_numbers(read: RegistrySnapshot) -> None:
    """Numbers that an imported registry has given are never given again."""
    for table in read.registries:
        numbering = REGISTRIES[table.id].numbering
        if numbering is None:
            continue
        numbers = [numbering.number_of(record.folded) for record in table.records]
        counters.raise_to(numbering.counter, max(numbers, default=0))


def sort_keys_of(read: RegistrySnapshot) -> dict[str, str]:
    """Keys that keep the order of a file, also where it was put by hand."""
    keys: dict[str, str] = {}
    for table in read.registries:
        before, behind = "", 0
        for record in table.records:
            key = REGISTRIES[table.id].sort_key(record.folded)
            before, behind = (key, 0) if key > before else (before, behind + 1)
            # a name that stands out of order follows its neighbour closely; `!` sorts
            # before every character of a name
            keys[record.folded] = f"{before}!{behind:08d}" if behind else before
    return keys


@lru_cache(maxsize=4)  # of two spaces, before an edition and after it
def _index(
    space: IdentifierSpace, _database: str, _edition: int, _as_of: datetime | None
) -> NameIndex:
    taken = names.taken_names(space.id)
    reserved = {name for name, kind in taken.items() if kind is NameKind.RESERVED}
    return space.index(taken.keys() - reserved, reserved)


def taken_index(space: IdentifierSpace) -> NameIndex:
    """The names that are taken, ready to be compared with.

    Names are only ever added, each with an edition, so that the index is made once for each.
    A use case asks before it opens an edition of its own.
    """
    latest = edition_rows.last_opened()
    known = (latest.n, latest.as_of) if latest else (0, None)
    return _index(space, names.database_name(), *known)


def current_snapshot(group: RegistryGroup) -> RegistrySnapshot:
    """A group as it stands, as edition 0 while it is empty; NotFound before `init`."""
    latest = edition_rows.latest_edition(group)
    return snapshot_of(latest.n) if latest else _before_editions(group)


def _before_editions(group: RegistryGroup) -> RegistrySnapshot:
    if group != URN_GROUP:
        return _before_names(group)
    begun = event_rows.first_of(EventSubject.REGISTRY)
    if begun is None:
        raise NotFound(
            operation_codes.REGISTRY_MISSING, "There is no registry yet. Run `urn-registry init`."
        )
    empty = replace(_without_names(bundled_snapshot()), updated=begun.at.date().isoformat())
    return replace(empty, notice=begun.body, notes=()) if begun.body else empty


def key_of(group: RegistryGroup, number: int) -> int:
    """The key of an edition of a group by its number there; NotFound where there is none."""
    found = edition_rows.find_numbered(group, number)
    if found is None:
        raise NotFound(use_case_codes.EDITION_UNKNOWN, f"There is no edition {number}.")
    return found.n


def snapshot_of(edition: int) -> RegistrySnapshot:
    """The registry at an edition, by its key; NotFound where there is no such edition."""
    snapshot = names.snapshot(edition)
    if snapshot is None:
        raise NotFound(use_case_codes.EDITION_UNKNOWN, f"There is no edition {edition}.")
    return snapshot


def empty_snapshot_of(edition: int) -> RegistrySnapshot:
    """What an edition says of the registry itself, by its key; NotFound where there is none."""
    empty = names.empty_snapshot(edition)
    if empty is None:
        raise NotFound(use_case_codes.EDITION_UNKNOWN, f"There is no edition {edition}.")
    return empty


def single_record_snapshot(edition: int, registry: str, record: Registration) -> RegistrySnapshot:
    """An edition as if it held one record and nothing else; NotFound where there is none."""
    empty = empty_snapshot_of(edition)
    tables = (
        replace(table, records=(record,)) if table.id == registry else table
        for table in empty.registries
    )
    return replace(empty, registries=tuple(tables))
