"""The registry as a whole: setting it up, importing it, reading it."""

import json
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from flask import current_app

from app import bundled
from app.bundles.edition_checks import check_files
from app.bundles.edition_files import edition_files
from app.exports.content.publication_site import PublicationSite
from app.exports.content.selection import people_named
from app.exports.formats.xml_reader import read_xml
from app.problems import operation_codes, use_case_codes
from app.registration.declarations.identifier_spaces import NameIndex
from app.registration.declarations.registries import REGISTRIES, IdentifierSpace, Numbering
from app.registration.declarations.registry_groups import URN_GROUP, RegistryGroup
from app.registration.records.record_documents import Document, head_to, snapshot_read
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    RichText,
    SubRegistry,
    Xref,
    XrefType,
)
from app.services.refusals import InvalidInput, NotFound, Refusal
from app.services.registry.bundled_profiles import with_bundled_profile, with_profiles
from app.services.registry.import_plans import (
    ImportBaseline,
    ImportPlan,
    Merge,
    check_new_names,
    merge_record,
    plan_of,
    sort_keys_of,
)
from app.services.stored_editions.divergence import refuse_divergence
from app.store import counters
from app.store.accounts import expert_panels
from app.store.database import transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import edition_snapshots, name_rows, person_changes
from app.store.registry import record_versions as names
from app.store.registry.person_versions import people_of
from app.store.registry.record_batches import add_versions
from app.store.tables import Account, RoleGrant
from app.store.tables.accounts import Grant
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause, NameKind
from app.store.tables.requests import EventSubject


@lru_cache(maxsize=1)
def rfc_titles() -> Mapping[str, str]:
    """The titles of RFCs by ``rfc2141``, as far as they are known."""
    titles: dict[str, str] = json.loads(bundled.rfc_titles())
    return titles


def add_title(xref: Xref) -> Xref:
    """A reference with the title of its RFC, as far as it is known."""
    known = rfc_titles().get(xref.data, "") if xref.type is XrefType.RFC else ""
    return replace(xref, title=known)


def with_titles(read: RegistrySnapshot) -> RegistrySnapshot:
    """A registry with the titles of RFCs, which no such file holds, as far as they are known."""

    def in_text(text: RichText) -> RichText:
        return tuple(part if isinstance(part, str) else add_title(part) for part in text)

    def in_record(record: Registration) -> Registration:
        return replace(
            record,
            template=in_text(record.template),
            references=tuple(map(add_title, record.references)),
            contact=None if record.contact is None else in_text(record.contact),
        )

    tables = (
        replace(
            table,
            references=tuple(map(add_title, table.references)),
            rule=in_text(table.rule),
            records=tuple(map(in_record, table.records)),
        )
        for table in read.registries
    )
    return replace(read, notes=tuple(map(in_text, read.notes)), registries=tuple(tables))


# Rendering doesn't depend on the site or the edition, so a trial uses placeholders for both.
_ANYWHERE, ANY_EDITION = PublicationSite("https://registry.example"), 1
_AT_ONCE = 1_000  # records of a trial, whose files are in memory together


def check_edition(edition: int) -> None:
    """Refuse an edition that can't be published because of what changed in it.

    Renders only the records, people and texts that the edition changes, in every format, and runs
    the checks that the worker runs before it publishes. Call it in the transaction that opens the
    edition. Raises InvalidInput.
    """
    _before, touched = edition_snapshots.snapshots_of_touched(edition)
    if touched is None:
        return
    every = [(table.id, record) for table in touched.registries for record in table.records]
    people = {person.id: person for person in touched.people}
    for at in range(0, max(len(every), 1), _AT_ONCE):
        some = every[at : at + _AT_ONCE]
        named = {ident for _, record in some for ident in people_named(record)}
        people |= {person.id: person for person in people_of(named)}
        tables = (
            replace(table, records=tuple(record for ident, record in some if ident == table.id))
            for table in touched.registries
        )
        check_writable(replace(touched, registries=tuple(tables), people=(*people.values(),)))
        people = {}  # those whom the edition changes are tried once


def check_writable(snapshot: RegistrySnapshot) -> None:
    """Raise InvalidInput unless every format can hold a snapshot and passes the worker's checks."""
    trial = replace(snapshot, edition=ANY_EDITION)
    try:
        check_files([*edition_files(trial, _ANYWHERE)], trial, frozenset())
    except Exception as error:  # whatever would stop the worker must be refused before the commit
        raise InvalidInput(
            use_case_codes.ENTRY_UNWRITABLE,
            f"The registry can’t be published with this entry: {error}",
        ) from error


UNNAMED = "Unnamed expert"
NOBODY = "Unassigned"  # as IANA says it
_LEADER = " (team leader)"


def with_panel(head: Document, at: datetime) -> Document:
    """The head of a registry with its panel at a moment as the experts of each table.

    A table for which nobody was ever appointed keeps what it says, and so does one without experts.
    """
    tables = [_listed(table, at) for table in head.get("registries", [])]
    return head | {"registries": tables}


def with_panel_experts(registry: RegistrySnapshot, at: datetime) -> RegistrySnapshot:
    """A registry with its panel at a moment as the experts of each table, as above."""
    said = {table.id: panel_line(table.id, at) for table in registry.registries}
    tables = (replace(one, expert=said[one.id] or one.expert) for one in registry.registries)
    return replace(registry, registries=tuple(tables))


def tables_with_panel() -> frozenset[str]:
    """The tables for which somebody was ever appointed."""
    scopes = {grant.registry_id for grant, _ in expert_panels.appointments()}
    judged = frozenset(each for each in REGISTRIES if _has_experts(each))
    return judged if "" in scopes else judged & scopes


def _listed(table: Document, at: datetime) -> Document:
    said = panel_line(table["id"], at)
    return table | {"expert": said} if said else table


def panel_line(registry: str, at: datetime) -> str:
    """Who judges in a registry at a moment, in one line; empty where nobody ever did.

    Leaders come first. No address of anybody is shown. Those who are appointed for all registries
    are so for those that have experts.
    """
    if not _has_experts(registry):
        return ""
    ever = [
        (grant, account)
        for grant, account in expert_panels.appointments()
        if grant.registry_id in {"", registry}
    ]
    now = [(grant, account) for grant, account in ever if _runs(grant, at)]
    return ", ".join(_people(now)) or (NOBODY if ever else "")


def _has_experts(registry: str) -> bool:
    declared = REGISTRIES.get(registry)
    return declared is None or declared.has_experts


def _runs(grant: RoleGrant, at: datetime) -> bool:
    return grant.starts <= at and (grant.ends is None or grant.ends > at)


def _people(appointed: list[tuple[RoleGrant, Account]]) -> list[str]:
    accounts = {account.id: account for _, account in appointed}
    leaders = {grant.account for grant, _ in appointed if grant.role == Grant.LEADER}
    turn = sorted(accounts, key=lambda ident: (ident not in leaders, ident))
    return [_public_name(accounts[one]) + (_LEADER if one in leaders else "") for one in turn]


def _public_name(account: Account) -> str:
    name = " ".join(account.name.split())
    return name if name.isprintable() and name and "@" not in name else UNNAMED


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
            note_registry_event(event_rows.NewEvent(at=at, kind=BEGUN, about="0", body=notice))
        else:
            made = EditionImport(
                group=URN_GROUP,
                as_of=at,
                updated=shipped.updated,
                origin=EditionOrigin.LOCAL,
                notice=notice,
                allow_legacy=True,
            )
            plan = apply_import(shipped, plan, ImportBaseline(), made)
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
    stands = edition_snapshots.head_document(edition)
    head = head or stands or head_to(before_names(group))
    head = with_panel(head, at) if lists_panel else head
    if head != stands:
        edition_snapshots.set_head(head, edition)
    return edition


def before_names(group: RegistryGroup) -> RegistrySnapshot:
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
    allow_legacy: bool = False,
) -> ImportPlan:
    """Import a registry file in IANA's format. A dry run does the same and keeps nothing.

    Records that are only in the database are left alone. The edition says of itself
    what the file says; where names were given here too, ``notice`` in place of its note, and
    where it ``lists_panel``, the panel in place of the file's experts. Raises
    UnreadableRegistry for a file that cannot be read, WrongRegistry for another registry's,
    UnfitNames for new names that the rules forbid, as ``check_new_names`` does with
    ``allow_legacy``, and InvalidInput for records that cannot be published.
    """
    read = read_own(data)
    with transaction(dry_run=dry_run):
        at = edition_rows.next_moment(at)  # what is planned must still hold when it is done
        standing = baseline_of(URN_GROUP)
        read = with_panel_experts(read, at) if lists_panel and standing.has_own else read
        plan = plan_of(read, standing)
        if not plan.is_empty:
            own = notice if standing.has_own else ""
            made = EditionImport(
                group=URN_GROUP,
                as_of=at,
                updated=max(read.updated, standing.updated) if own else read.updated,
                origin=EditionOrigin.IMPORTED,
                notice=own,
                allow_legacy=allow_legacy,
            )
            plan = apply_import(read, plan, standing, made)
        return plan


def read_own(data: bytes) -> RegistrySnapshot:
    """This registry from a file in IANA's format.

    Raises UnreadableRegistry for a file that cannot be read, WrongRegistry for another one's.
    """
    read = with_titles(read_xml(data))
    if {table.id for table in read.registries} != set(URN_GROUP.registries):
        told = f"This file is for the registry `{read.id}`. Import one for `{names.REGISTRY}`."
        if read.id == names.REGISTRY:
            told = (
                f"The tables of this file aren’t those of `{names.REGISTRY}`. Import another file."
            )
        raise WrongRegistry(operation_codes.REGISTRY_FOREIGN, told)
    return read


def baseline_of(group: RegistryGroup) -> ImportBaseline:
    """A group as an import finds it."""
    latest = edition_rows.latest_edition(group)
    current = edition_snapshots.snapshot(latest.n) if latest else None
    if latest is None or current is None:
        return ImportBaseline()
    return ImportBaseline(
        records={record.key: record for record in current.records()},
        tables={r.key: table.id for table in current.registries for r in table.records},
        keys=edition_snapshots.sort_keys(latest.n),
        people={person.id: person for person in current.people},
        head=edition_snapshots.head_document(latest.n),
        updated=current.updated,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionImport:
    """The edition that an import makes, and where its names stand if not as they come.

    ``merge`` says how a record is taken over that stands here, ``begin`` how one that is new.
    ``allow_legacy`` imports new names that break only a rule for new registrations.
    """

    group: RegistryGroup
    as_of: datetime
    updated: str
    origin: EditionOrigin
    notice: str
    cause: Cause = Cause.IMPORT
    merge: Merge = merge_record
    begin: Callable[[Registration], Registration] = with_bundled_profile
    keys: Mapping[str, str] | None = None
    has_event: bool = True
    allow_legacy: bool = False


def apply_import(
    read: RegistrySnapshot, plan: ImportPlan, standing: ImportBaseline, made: EditionImport
) -> ImportPlan:
    """Open the edition that a plan describes, with its event, in the current transaction.

    Returns the plan with its legacy names. ``has_event`` is off where the caller opens several
    editions and writes one event for all of them. Raises UnfitNames and InvalidInput for records
    that the registry can't hold or publish.
    """
    taken = unlisted_names(made.group, plan.added)
    legacy = check_new_names(read, plan.added, taken, allow_legacy=made.allow_legacy)
    edition = edition_rows.add_edition(
        made.group,
        as_of=made.as_of,
        updated=made.updated,
        origin=made.origin,
        cause=made.cause,
        notice=made.notice,
    )
    refuse_divergence(edition)
    if plan.head_changed:
        edition_snapshots.set_head(head_to(read), edition)
    # before the records, so that those who name a person are looked at once
    people_changed = frozenset(plan.people_changed)
    person_changes.set_people((p for p in read.people if p.id in people_changed), edition)
    person_changes.drop_people(plan.people_gone, edition)
    change = names.RecordChange(edition=edition, cause=made.cause)
    _write_records(read, plan, standing, change, made)
    raise_numbers(read)
    check_edition(edition)
    if made.has_event:
        said = f"{len(plan.added)} added, {len(plan.changed)} changed"
        said = "\n".join([said, *(f"Legacy name: {each}" for each in legacy)])
        note_registry_event(
            event_rows.NewEvent(
                at=made.as_of, kind="imported", about=str(edition), edition=edition, body=said
            )
        )
    return replace(plan, legacy=legacy)


def unlisted_names(group: RegistryGroup, added: Collection[str]) -> frozenset[str]:
    """The keys among ``added`` that are taken although no edition lists them."""
    wanted = frozenset(added)
    return frozenset(
        key
        for space in group.spaces
        for folded in name_rows.taken_names(space.id)
        if (key := space.about(folded)) in wanted
    )


def note_registry_event(event: event_rows.NewEvent) -> None:
    """Keep an event of the registry itself, which its operator brought about."""
    of_registry = replace(event, subject=EventSubject.REGISTRY, role="operator")
    event_rows.append(of_registry, secrets.token_hex(16))


def _write_records(
    read: RegistrySnapshot,
    plan: ImportPlan,
    standing: ImportBaseline,
    change: names.RecordChange,
    made: EditionImport,
) -> None:
    keys = sort_keys_of(read) if made.keys is None else made.keys
    added, changed = frozenset(plan.added), frozenset(plan.changed)
    new, more = list[names.RecordEntry](), list[names.RecordEntry]()
    for table in read.registries:
        for record in table.records:
            name = record.key
            if name in added:
                new.append(names.RecordEntry(made.begin(record), table.id, keys[name]))
            elif name in changed:
                after = made.merge(record, standing.records[name])
                more.append(names.RecordEntry(after, table.id, keys[name]))
    add_versions(more, change)
    names.add_records(new, change)


def raise_numbers(read: RegistrySnapshot) -> None:
    """Numbers that an imported registry has given are never given again."""
    for table in read.registries:
        numbering = REGISTRIES[table.id].numbering
        if not isinstance(numbering, Numbering):
            continue
        numbers = [numbering.number_of(record.folded) for record in table.records]
        counters.raise_to(numbering.counter, max(numbers, default=0))


@lru_cache(maxsize=4)  # of two spaces, before an edition and after it
def _index(
    space: IdentifierSpace, _database: str, _edition: int, _as_of: datetime | None
) -> NameIndex:
    taken = name_rows.taken_names(space.id)
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
        return before_names(group)
    begun = event_rows.first_of(EventSubject.REGISTRY)
    if begun is None:
        raise NotFound(
            operation_codes.REGISTRY_MISSING, "No registry exists yet. Run `urn-registry init`."
        )
    empty = replace(_without_names(bundled_snapshot()), updated=begun.at.date().isoformat())
    return replace(empty, notice=begun.body, notes=()) if begun.body else empty


def key_of(group: RegistryGroup, number: int) -> int:
    """The key of an edition of a group by its number there; NotFound where there is none."""
    found = edition_rows.find_numbered(group, number)
    if found is None:
        raise NotFound(use_case_codes.EDITION_UNKNOWN, f"Edition {number} doesn’t exist.")
    return found.n


def snapshot_of(edition: int) -> RegistrySnapshot:
    """The registry at an edition, by its key; NotFound where there is no such edition."""
    snapshot = edition_snapshots.snapshot(edition)
    if snapshot is None:
        raise NotFound(use_case_codes.EDITION_UNKNOWN, f"Edition {edition} doesn’t exist.")
    return snapshot


def empty_snapshot_of(edition: int) -> RegistrySnapshot:
    """What an edition says of the registry itself, by its key; NotFound where there is none."""
    empty = edition_snapshots.empty_snapshot(edition)
    if empty is None:
        raise NotFound(use_case_codes.EDITION_UNKNOWN, f"Edition {edition} doesn’t exist.")
    return empty


def single_record_snapshot(edition: int, registry: str, record: Registration) -> RegistrySnapshot:
    """An edition as if it held one record and nothing else; NotFound where there is none."""
    empty = empty_snapshot_of(edition)
    tables = (
        replace(table, records=(record,)) if table.id == registry else table
        for table in empty.registries
    )
    return replace(empty, registries=tuple(tables))


SETTING = "SITE_HOSTS"  # of the application


def site_hosts() -> tuple[str, ...]:
    """The host of the base address, with its port, and the site's other names."""
    return tuple(current_app.config.get(SETTING, ())) if current_app else ()
