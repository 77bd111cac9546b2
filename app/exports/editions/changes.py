"""What differs between two states of a registry, for people who read and programs that tell.

A name that was once there is gone only by a recorded correction, which keeps it as a former
name; with a successor that is a renaming.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from app.exports.content.reference_text import fold_space
from app.exports.editions.field_changes import (
    BOOKKEEPING,
    DISPUTES,
    PERSON,
    RECORD,
    REGISTRY,
    TABLE,
    FieldChange,
    field_changes,
    join_phrases,
)
from app.registration.declarations.fields import ENDING
from app.registration.declarations.registries import REGISTRIES
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    Status,
    SubRegistry,
)

NO_NAMES = "No entries changed."


class NameChangeKind(StrEnum):
    """What happened to a name."""

    REGISTERED = "registered"
    CHANGED = "changed"
    RENAMED = "renamed"
    REMOVED = "removed"
    FORMER = "former"  # listed from now on as a name that was in use once
    CEASED = "ceased"  # its holder gives no names any more, and another name may follow
    VOIDED = "voided"  # it was given by mistake


@dataclass(frozen=True, slots=True, kw_only=True)
class NameChange:
    """What happened to one name.

    ``record`` is the record as it stands afterwards, of a renamed name its successor's where
    that came with it, and of a name that is gone the last one. ``table`` is the id of the
    table it stands in; ``successor`` is the new name of one that is renamed or former.
    """

    kind: NameChangeKind
    name: str
    table: str
    record: Registration
    successor: str = ""
    facts: tuple[FieldChange, ...] = ()

    @property
    def folded(self) -> str:
        """The name as its space compares it."""
        return self.record.space.fold(self.name)

    @property
    def key(self) -> str:
        """The name beside those of other spaces."""
        return self.record.space.about(self.folded)

    @property
    def successor_key(self) -> str:
        """The new name beside those of other spaces."""
        return self.record.space.about(self.record.space.fold(self.successor))

    @property
    def is_noted(self) -> bool:
        """Whether nothing of the registration changed: what is held against it was noted."""
        return bool(self.facts) and all(fact.name == DISPUTES for fact in self.facts)

    @property
    def headline(self) -> str:
        """What happened, without the facts; identifiers stand in backticks."""
        predicates = _WITH_SUCCESSOR if self.successor else _PREDICATES
        return (
            f"`{fold_space(self.name)}` {predicates[self.kind].format(fold_space(self.successor))}"
        )

    @property
    def sentence(self) -> str:
        """What happened with its facts, in one sentence."""
        said = [fact.phrase for fact in self.facts]
        if self.kind is NameChangeKind.CHANGED:
            return f"`{fold_space(self.name)}`: {join_phrases(*said)}"
        return join_phrases(self.headline, *said)

    @property
    def words(self) -> str:
        """The change as a sentence without the name, for places where it is clear of which, and
        without what follows from it alone: the day and the number that a new version has."""
        facts = [fact for fact in self.facts if fact.name not in BOOKKEEPING]
        told = self if not facts else replace(self, facts=tuple(facts))
        said = told.sentence.removeprefix(f"`{fold_space(self.name)}`").lstrip(": ")
        return said[:1].upper() + said[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadChange:
    """What changed in what the registry says of itself.

    ``where`` holds the titles of the tables that say it; empty for the registry as a whole
    and for what changed alike in all of its tables.
    """

    where: tuple[str, ...]
    fact: FieldChange

    @property
    def sentence(self) -> str:
        """What changed, in one sentence."""
        said = join_phrases(self.fact.phrase)
        if self.where:
            return f"{', '.join(map(fold_space, self.where))}: {said}"
        return said if self.fact.name == "expert" else said[:1].upper() + said[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonChange:
    """What changed of a person whom references name: who came, who went, what is new of them."""

    person: Person
    what: str
    facts: tuple[FieldChange, ...] = ()

    @property
    def sentence(self) -> str:
        """What changed, in one sentence."""
        called = fold_space(self.person.name or self.person.org or "")
        who = f"Contact `{self.person.id}`" + (f" ({called})" if called else "")
        if not self.facts:
            return f"{who} {self.what}."
        return f"{who}: {join_phrases(*(fact.phrase for fact in self.facts))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """All that differs between two states, in the order of the later one."""

    before: int | None
    after: int
    names: tuple[NameChange, ...] = ()
    head: tuple[HeadChange, ...] = ()
    people: tuple[PersonChange, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.names or self.head or self.people)

    def of(self, kind: NameChangeKind) -> tuple[NameChange, ...]:
        """The names to which one kind of thing happened."""
        return tuple(change for change in self.names if change.kind is kind)

    def sentences(self) -> Iterator[str]:
        """Every change as a sentence: names, then the registry itself, then people."""
        yield from (change.sentence for change in self.names)
        yield from self.other_sentences()

    def other_sentences(self) -> Iterator[str]:
        """What changed besides names: the registry’s own words and people."""
        yield from (change.sentence for change in self.head)
        yield from (change.sentence for change in self.people)

    @property
    def summary(self) -> str:
        """How much changed, in one or two sentences."""
        counts = ((kind, len(self.of(kind))) for kind in NameChangeKind)
        told = ", ".join(f"{count:,} {kind}" for kind, count in counts if count)
        names = f"Entries: {told}." if told else NO_NAMES
        return f"{names} The text about the registry changed." if self.head else names


def registry_changes(before: RegistrySnapshot | None, after: RegistrySnapshot) -> Changes:
    """What happened between two states of one registry, in whichever order they were made.

    Without a state before, every name is new and nothing else is said. The numbers and
    the dates of the editions are no change, and neither is white space in what is said of a name,
    a person or the registry; in texts of templates it is.

    Raises ValueError for two registries, and for a name or an id that stands twice.
    """
    if before is None:
        names = _names({}, _placed(after))
        return Changes(before=None, after=after.edition, names=tuple(names))
    if before.id != after.id:
        raise ValueError(
            f"`{before.id}` and `{after.id}` are different registries. Compare two editions of one."
        )
    return Changes(
        before=before.edition,
        after=after.edition,
        names=tuple(_names(_placed(before), _placed(after))),
        head=tuple(_head(before, after)),
        people=tuple(_people(before, after)),
    )


@dataclass(frozen=True, slots=True)
class _TableRecord:
    table: str
    record: Registration

    @property
    def in_use(self) -> bool:
        return self.record.status is not Status.FORMER


_Names = Mapping[str, _TableRecord]


def _placed(snapshot: RegistrySnapshot) -> _Names:
    names: dict[str, _TableRecord] = {}
    for table in snapshot.registries:
        for record in table.records:
            if record.key in names:
                raise ValueError(f"`{record.name}` appears twice in the registry.")
            names[record.key] = _TableRecord(table.id, record)
    return names


def _names(before: _Names, after: _Names) -> Iterator[NameChange]:
    renamed = dict(_renamed(before, after))
    told = frozenset(renamed.values())
    for name, now in after.items():
        old = before.get(name)
        if old is None:
            if name not in told:
                yield _arrived(now)
        elif old != now:
            successor = after[renamed[name]] if name in renamed else None
            change = _changed(old, now, successor)
            if change.facts or change.kind is not NameChangeKind.CHANGED:
                yield change
    for name, old in before.items():
        if name not in after:
            yield _change(NameChangeKind.REMOVED, old)


def _renamed(before: _Names, after: _Names) -> Iterator[tuple[str, str]]:
    for name, old in before.items():
        last = _last(name, after)
        if old.in_use and last not in before and after[last].in_use:
            yield name, last


def _last(name: str, after: _Names) -> str:
    seen = [name]
    while (now := after.get(seen[-1])) and not now.in_use:
        successor = now.record.space.about(now.record.successor_folded)
        if successor not in after or successor in seen:
            break
        seen.append(successor)
    return seen[-1]


def _arrived(now: _TableRecord) -> NameChange:
    if now.in_use:
        return _change(NameChangeKind.REGISTERED, now)
    return replace(_change(NameChangeKind.FORMER, now), successor=now.record.successor or "")


def _changed(old: _TableRecord, now: _TableRecord, successor: _TableRecord | None) -> NameChange:
    if now.in_use or not old.in_use:
        return _change(NameChangeKind.CHANGED, now, _facts(old, now))
    if successor is None:
        said = tuple(fact for fact in _facts(old, now) if fact.name not in _TOLD_OF_AN_END)
        return replace(_change(_ending(now), now, said), successor=now.record.successor or "")
    under_old_name = replace(successor.record, name=old.record.name)
    said = _facts(old, replace(successor, record=under_old_name))
    change = _change(NameChangeKind.RENAMED, successor, said)
    return replace(change, name=now.record.name, successor=successor.record.name)


def _ending(now: _TableRecord) -> NameChangeKind:
    registry = REGISTRIES.get(now.table)
    if now.record.is_voided:
        return NameChangeKind.VOIDED
    if registry is not None and registry.ends_as == Status.FORMER:
        return NameChangeKind.CEASED
    return NameChangeKind.RENAMED if now.record.successor else NameChangeKind.REMOVED


def _change(
    kind: NameChangeKind, placed: _TableRecord, said: tuple[FieldChange, ...] = ()
) -> NameChange:
    record = placed.record
    return NameChange(kind=kind, name=record.name, table=placed.table, record=record, facts=said)


def _facts(old: _TableRecord, now: _TableRecord) -> tuple[FieldChange, ...]:
    said = field_changes(RECORD, old.record, now.record)
    if old.table == now.table:
        return said
    phrase = f"moved from `{old.table}` to `{now.table}`"
    return (*said, FieldChange("table", "table", old.table, now.table, phrase))


def _head(before: RegistrySnapshot, after: RegistrySnapshot) -> Iterator[HeadChange]:
    for fact in field_changes(REGISTRY, before, after):
        yield HeadChange(where=(), fact=fact)
    old = {table.id: table for table in before.registries}
    new = {table.id: table for table in after.registries}
    yield from _alike(list(_table_facts(old, new)), len(old.keys() & new.keys()))
    for words, there in (("removed", old.keys() - new.keys()), ("added", new.keys() - old.keys())):
        for table in (table for table in (old | new).values() if table.id in there):
            yield HeadChange(where=(), fact=_fact("table", f"table `{table.id}` {words}"))
    if _out_of_order(list(old), list(new)):
        yield HeadChange(where=(), fact=_fact("order", "order of the tables changed"))
    if _out_of_order(list(_by_id(before)), list(_by_id(after))):
        yield HeadChange(where=(), fact=_fact("order", "order of the contacts changed"))


def _table_facts(
    old: Mapping[str, SubRegistry], new: Mapping[str, SubRegistry]
) -> Iterator[tuple[SubRegistry, FieldChange]]:
    for table in (table for id_, table in new.items() if id_ in old):
        for fact in field_changes(TABLE, old[table.id], table):
            yield table, fact
        orders = ([record.folded for record in t.records] for t in (old[table.id], table))
        if _out_of_order(*orders):
            yield table, _fact("order", "order of the entries changed")


def _alike(told: list[tuple[SubRegistry, FieldChange]], tables: int) -> Iterator[HeadChange]:
    where: dict[FieldChange, dict[str, str]] = {}
    for table, fact in told:
        where.setdefault(fact, {})[table.id] = table.title or table.id
    for fact, titles in where.items():
        everywhere = len(titles) == tables > 1
        yield HeadChange(where=() if everywhere else tuple(titles.values()), fact=fact)


def _people(before: RegistrySnapshot, after: RegistrySnapshot) -> Iterator[PersonChange]:
    old, new = (_by_id(snapshot) for snapshot in (before, after))
    for id_, person in new.items():
        if id_ not in old:
            yield PersonChange(person=person, what="added")
        elif old[id_] != person and (said := field_changes(PERSON, old[id_], person)):
            yield PersonChange(person=person, what="changed", facts=said)
    for id_, person in old.items():
        if id_ not in new:
            yield PersonChange(person=person, what="removed")


def _by_id(snapshot: RegistrySnapshot) -> dict[str, Person]:
    people = {person.id: person for person in snapshot.people}
    if len(people) != len(snapshot.people):
        raise ValueError("A contact's id appears twice in the registry.")
    return people


def _out_of_order(before: list[str], after: list[str]) -> bool:
    both = frozenset(before) & frozenset(after)
    return [name for name in before if name in both] != [name for name in after if name in both]


def _fact(name: str, phrase: str) -> FieldChange:
    return FieldChange(name, name, "", "", phrase)


_PREDICATES: dict[NameChangeKind, str] = {
    NameChangeKind.REGISTERED: "added",
    NameChangeKind.CHANGED: "changed",
    NameChangeKind.RENAMED: "renamed",
    NameChangeKind.REMOVED: "removed",
    NameChangeKind.FORMER: "no longer registered",
    NameChangeKind.CEASED: "ceased",
    NameChangeKind.VOIDED: "voided, because it was registered by mistake",
}
_WITH_SUCCESSOR = _PREDICATES | {
    NameChangeKind.RENAMED: "renamed to `{}`",
    NameChangeKind.FORMER: "no longer registered, replaced by `{}`",
    NameChangeKind.CEASED: "ceased, replaced by `{}`",
    NameChangeKind.VOIDED: "voided, because it was registered by mistake; replaced by `{}`",
}
_TOLD_OF_AN_END = frozenset({"status", "successor", f"fields.{ENDING}"})
