"""What taking over a registry would change, before anything is changed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from app.exports.content.selection import people_named
from app.registration.declarations.registries import REGISTRIES
from app.registration.records.record_documents import Document, head_to
from app.registration.records.registry_records import Person, Registration, RegistrySnapshot

# A record as it is taken over, and as it stands here -> as an import leaves it.
Merge = Callable[[Registration, Registration], Registration]


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
    """The registry as an import finds it, by keys of names and by ids; all empty before the first.

    ``tables`` are the registries in which names stand, ``keys`` where they do.
    """

    records: Mapping[str, Registration] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    people: Mapping[str, Person] = field(default_factory=dict)
    head: Document | None = None
    updated: str = ""

    @property
    def has_own(self) -> bool:
        """Whether any of its names was given here."""
        return any(record.request is not None for record in self.records.values())


def merge_record(read: Registration, here: Registration) -> Registration:
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


def with_fields(read: Registration, here: Registration) -> Registration:
    """A record as a list of whole records leaves it; what people did of it here stays."""
    version = here.version if read.version is None else read.version
    return replace(read, version=version, request=here.request, disputes=here.disputes)


def plan_of(
    read: RegistrySnapshot,
    standing: ImportBaseline,
    merge: Merge = merge_record,
    keys: Mapping[str, str] | None = None,
) -> ImportPlan:
    """What importing a registry would add, change and leave alone.

    A name that stands in another place than in the file is changed too. People whom the
    file no longer lists go, unless a record that is left alone names them. ``keys`` are where
    the names stand, if not as the file has them.
    """
    here, keys = standing.records, sort_keys_of(read) if keys is None else keys
    there = {record.key: record for record in read.records()}
    kept = tuple(name for name in here if name not in there)
    named = {ident for name in kept for ident in people_named(here[name])}
    known = [name for name in there if name in here]
    same = {
        name
        for name in known
        if merge(there[name], here[name]) == here[name] and keys[name] == standing.keys[name]
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
            keys[record.key] = f"{before}!{behind:08d}" if behind else before
    return keys
