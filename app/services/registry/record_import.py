"""Taking over a list of whole records, of any registries of one group, as one edition."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time

from app.exports.content.file_names import record_file
from app.exports.serialization.xml_values import XmlValueError, check_day, check_past
from app.problems import operation_codes
from app.registration.declarations.registries import REGISTRIES, Format, Registry
from app.registration.declarations.registry_groups import RegistryGroup, group_of
from app.registration.records.record_documents import snapshot_from
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    SubRegistry,
)
from app.services.refusals import Refusal
from app.services.registry.import_plans import (
    ImportBaseline,
    ImportPlan,
    plan_of,
    sort_keys_of,
    with_fields,
)
from app.services.registry.snapshots import (
    EditionImport,
    apply_import,
    baseline_of,
    before_names,
)
from app.store import counters
from app.store.database import transaction
from app.store.editions import edition_rows
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause

_MOST_SHOWN = 10


class ImportRefused(Refusal):
    """Records that cannot be taken over as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordImport:
    """Records to take over, by the registries that have them, all of one group.

    ``people`` are those whom the records name; others who stand here stay. ``day`` is the day
    of which the records are, such as ``2024-11-05``; without one they are of today. ``notice`` is
    what the edition says of itself, ``on_file`` what their file says beside them; without it what
    stands here stays.
    """

    records: Mapping[str, Iterable[Registration]]
    people: tuple[Person, ...] = ()
    day: str = ""
    origin: EditionOrigin = EditionOrigin.IMPORTED
    cause: Cause = Cause.IMPORT
    notice: str = ""
    on_file: str = ""
    has_event: bool = True  # without one, whoever makes several editions writes one of them all

    @property
    def group(self) -> RegistryGroup:
        """The group of the registries. Raises ValueError for those of several groups, or none."""
        (group,) = {group_of(registry).id: group_of(registry) for registry in self.records}.values()
        return group


def import_records(asked: RecordImport, at: datetime, *, dry_run: bool = False) -> ImportPlan:
    """Import records as one edition. A dry run does the same and keeps nothing.

    What stands here and is not in the list is left alone, and where nothing differs there is no
    edition. Raises ImportRefused for a name that is given twice, stands in another registry or is
    none, and for a day that is to come or not after that of the newest edition. Raises UnfitNames
    and InvalidInput as ``apply_import`` does.
    """
    with transaction(dry_run=dry_run):
        at = _moment(asked, at)  # what is planned must still hold when it is done
        standing = baseline_of(asked.group)
        read = _read(asked, standing, at)
        _refuse_moved(read, standing)
        # each where its registry sorts it, unless it was put elsewhere by hand
        keys = sort_keys_of(read) | dict(standing.keys)
        plan = replace(plan_of(read, standing, with_fields, keys), is_newer=False)
        if not plan.is_empty:
            made = EditionImport(
                group=asked.group,
                as_of=at,
                updated=max(read.updated, standing.updated),
                origin=asked.origin,
                notice=asked.notice,
                cause=asked.cause,
                merge=with_fields,
                begin=_as_it_is,
                keys=keys,
                has_event=asked.has_event,
            )
            plan = apply_import(read, plan, standing, made)
        return plan


def _as_it_is(record: Registration) -> Registration:
    return record


def _moment(asked: RecordImport, at: datetime) -> datetime:
    if not asked.day:
        return edition_rows.next_moment(at)
    counters.hold(edition_rows.COUNTER)
    return _moment_of_day(asked, at)


def _moment_of_day(asked: RecordImport, at: datetime) -> datetime:
    of_day = datetime.combine(_day(asked.day, at), time(), UTC)
    latest = edition_rows.latest_edition(asked.group)
    if latest is not None and latest.as_of >= of_day:
        raise ImportRefused(
            operation_codes.HISTORY_CONFLICT,
            f"Edition {latest.number} has the date {latest.as_of.date()}. Use a newer date.",
        )
    return of_day


def _day(text: str, at: datetime) -> date:
    try:
        return date.fromisoformat(check_past(check_day(text), at.date()))
    except XmlValueError:
        told = f"`{text[:40]}` is not a past date. Write it as YYYY-MM-DD, for example 2024-11-05."
        raise ImportRefused(operation_codes.RECORDS_REFUSED, told, "day") from None


def _read(asked: RecordImport, standing: ImportBaseline, at: datetime) -> RegistrySnapshot:
    records = {each: _sorted(each, given) for each, given in asked.records.items()}
    people = dict(standing.people) | {person.id: person for person in asked.people}
    day = asked.day or at.date().isoformat()
    fresh = replace(before_names(asked.group), updated=day)
    if standing.head is not None:
        fresh = _with_tables_of(
            fresh, snapshot_from(standing.head, updated=day, records={}, people=())
        )
    tables = (replace(table, records=records.get(table.id, ())) for table in fresh.registries)
    return replace(
        fresh,
        registries=tuple(tables),
        people=tuple(people.values()),
        on_file=asked.on_file or fresh.on_file,
    )


def _with_tables_of(declared: RegistrySnapshot, stands: RegistrySnapshot) -> RegistrySnapshot:
    known = {table.id for table in stands.registries}
    new: list[SubRegistry] = [table for table in declared.registries if table.id not in known]
    return replace(stands, registries=(*stands.registries, *new))


def _sorted(registry: str, given: Iterable[Registration]) -> tuple[Registration, ...]:
    declared = REGISTRIES[registry]
    placed = [replace(record, space=declared.space) for record in given]
    counted = Counter(record.folded for record in placed)
    _refuse("appear twice", [name for name, count in counted.items() if count > 1])
    _refuse(f"are not {declared.space.plural}", [n for n in counted if not may_stand(n, declared)])
    return tuple(sorted(placed, key=lambda record: declared.sort_key(record.folded)))


def may_stand(folded: str, declared: Registry) -> bool:
    """Whether a name can have pages and files of its own: those of a name end with a suffix."""
    if not declared.space.may_be_name(folded):
        return False
    try:
        record_file(Registration(name=folded, space=declared.space), Format.JSON)
    except ValueError:
        return False
    return not folded.endswith(tuple(f".{form}" for form in (*Format, "atom")))


def _refuse(what: str, wrong: list[str]) -> None:
    if wrong:
        shown = ", ".join(f"`{name[:64]}`" for name in sorted(wrong)[:_MOST_SHOWN])
        more = f" and {len(wrong) - _MOST_SHOWN:,} more" if len(wrong) > _MOST_SHOWN else ""
        told = f"Some entries {what}: {shown}{more}. Fix the list."
        raise ImportRefused(operation_codes.RECORDS_REFUSED, told)


def _refuse_moved(read: RegistrySnapshot, standing: ImportBaseline) -> None:
    every = Counter(record.key for record in read.records())
    _refuse("appear in two tables", [name for name, count in every.items() if count > 1])
    moved = [
        f"`{record.name}` is in `{standing.tables[record.key]}`"
        for table in read.registries
        for record in table.records
        if standing.tables.get(record.key, table.id) != table.id
    ]
    if moved:
        told = f"An entry can’t move to another table. {'; '.join(moved[:_MOST_SHOWN])}."
        raise ImportRefused(operation_codes.RECORDS_REFUSED, told)
