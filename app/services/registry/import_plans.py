"""What taking over a registry would change, before anything is changed."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from app.exports.content.selection import people_named
from app.identifiers.errors import Finding, spell_text
from app.identifiers.urn import NID
from app.problems import operation_codes
from app.registration.declarations.registries import REGISTRIES, URN_SPACE, Numbering, Registry
from app.registration.records.record_documents import Document, head_to
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    broken_rules,
)
from app.services.refusals import Refusal

_MOST_SHOWN = 10
_LONGEST_NUMBER = 9  # digits: the counter of informal numbers is a 32-bit integer
# Rules for new names only: a URN can begin with a name that breaks one of them.
_LEGACY = frozenset(
    {"too_short", "informal_prefix", "country_prefix", "encoded_prefix", "experimental_prefix"}
)

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
    legacy: tuple[str, ...] = ()  # sentences, one for each new name that breaks a current rule

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


class UnfitNames(Refusal):
    """New names in an imported file that the registry's rules forbid; the message lists them."""

    def __init__(self, problems: Collection[str], advice: str = "") -> None:
        shown = [*problems][:_MOST_SHOWN]
        if more := len(problems) - len(shown):
            shown.append(f"{more:,} more entries break a rule.")
        end = "Nothing was imported."
        super().__init__(
            operation_codes.RECORDS_REFUSED, "\n".join(filter(None, [*shown, advice, end]))
        )


def check_new_names(
    read: RegistrySnapshot,
    added: Collection[str],
    taken: Collection[str] = (),
    *,
    allow_legacy: bool = False,
) -> tuple[str, ...]:
    """Check the URN namespaces that an import adds as the form checks a requested one.

    ``added`` and ``taken`` are keys of names; the ``taken`` ones are in the database although no
    edition lists them. Returns a sentence for each legacy name: one that can be a NID but breaks a
    rule for new ones, such as ``ad-id``. Raises UnfitNames for legacy names unless
    ``allow_legacy`` is set, and for any name that no URN can begin with.
    """
    wrong, legacy = list[str](), list[str]()
    wanted = frozenset(added)
    for table in read.registries:
        for record in table.records if REGISTRIES[table.id].space is URN_SPACE else ():
            if record.key not in wanted:
                continue
            if record.key in taken:
                wrong.append(_taken_sentence(record.name))
            elif problems := [*_name_problems(record.name, REGISTRIES[table.id])]:
                can_be = re.fullmatch(NID, record.name, re.ASCII) is not None
                is_legacy = can_be and {problem.code for problem in problems} <= _LEGACY
                said = " ".join(problem.message for problem in problems)
                (legacy if is_legacy else wrong).append(f"{spell_text(record.name)}: {said}")
    if legacy and not allow_legacy:
        advice = "If IANA registered it before this rule existed, import it with --allow-legacy."
        raise UnfitNames([*wrong, *legacy], advice)
    if wrong:
        raise UnfitNames(wrong)
    return tuple(legacy)


def _taken_sentence(name: str) -> str:
    return (
        f"{spell_text(name)} is withheld or reserved here. If it is withheld, run "
        "`urn-registry registry release` first."
    )


def _name_problems(name: str, registry: Registry) -> Iterator[Finding]:
    yield from broken_rules(name, registry.id)
    # in whichever table: a later file may list the name in the one that is numbered
    numberings = (table.numbering for table in REGISTRIES.values() if table.space is registry.space)
    for numbering in numberings:
        if not (isinstance(numbering, Numbering) and name.lower().startswith(numbering.prefix)):
            continue
        digits = name.lower().removeprefix(numbering.prefix)
        if digits.isdigit() and len(digits) > _LONGEST_NUMBER:
            message = f"The number is too long. Use at most {_LONGEST_NUMBER} digits."
            yield Finding("too_long", message, "this registry's numbering")


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
