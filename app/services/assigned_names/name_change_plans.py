"""What comes of revisions of names under a prefix: changes to keep, and what is found in them."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.assigned_names.assigned_name_records import (
    AssignedNameRecord,
    AssignedNameState,
    NameRevision,
    RefusedRevision,
    apply_revision,
    assigned_name_from,
)
from app.assigned_names.name_checks import (
    NameFinding,
    NameRule,
    TargetRule,
    check_assigned_name,
    check_by_namespace,
    check_extension,
)
from app.assigned_names.name_numbering import numbering_of
from app.assigned_names.name_prefixes import NamePrefix
from app.problems import assigned_name_codes
from app.registration.declarations.dates import is_date
from app.resolution.namespace_rules import NamespaceRules
from app.services.assigned_names import prefix_rights
from app.services.assigned_names.look_alike_names import look_alike_findings
from app.services.assigned_names.name_successors import (
    is_past_withdrawal,
    known_successors,
    past_findings,
    successor_findings,
)
from app.services.assigned_names.prefix_overlaps import parts_of_others
from app.store.assigned_names import assigned_name_rows
from app.store.assigned_names.assigned_name_rows import NewNameVersion, StoredAssignedName
from app.store.tables import Prefix

__all__ = ["ChangedNames", "PlannedChange", "PrefixInUse", "plan_changes", "record_of"]

_RULE = "Rule of this registry"


@dataclass(frozen=True, slots=True)
class PrefixInUse:
    """A prefix with all that its names are checked by: ``followed`` are its mask and its pattern,
    and ``delegated`` the beginnings within it whose names others give."""

    row: Prefix
    prefix: NamePrefix
    followed: tuple[NameRule, ...]
    rules: NamespaceRules | None
    delegated: tuple[str, ...]
    today: str
    leads: TargetRule

    @classmethod
    def of(cls, row: Prefix, at: datetime) -> "PrefixInUse":
        """One of a row, on the day of a moment."""
        prefix = prefix_rights.read(row.text)
        mask = numbering_of(prefix, row.numbering) if row.numbering else None
        pattern = prefix_rights.pattern_of(prefix, row.pattern)
        followed = tuple(rule for rule in (mask, pattern) if rule is not None)
        rules = prefix_rights.namespace_rules_of(prefix)
        today, leads = f"{at:%Y-%m-%d}", prefix_rights.target_rule_of(row)
        return cls(row, prefix, followed, rules, parts_of_others(row), today, leads)

    def revised(
        self, before: AssignedNameRecord | None, revision: NameRevision
    ) -> AssignedNameRecord:
        """What is known of a name after a revision; one that it changes leads by the target rule,
        if it has no target of its own. Raises RefusedRevision."""
        after = apply_revision(before, revision)
        return after if after == before else self.leads.led(after)


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """What comes of a revision: what was known ``before`` it, None for a new name, and what is
    kept. ``place`` is that of the revision among all."""

    place: int
    before: AssignedNameRecord | None
    version: NewNameVersion


@dataclass(frozen=True, slots=True)
class ChangedNames:
    """What comes of revisions: changes to keep, findings by place, and how many change nothing.

    ``refused`` are the places of revisions that nothing comes of.
    """

    planned: tuple[PlannedChange, ...]
    findings: tuple[tuple[int, NameFinding], ...]
    refused: frozenset[int]
    same: int

    @property
    def changes(self) -> tuple[NewNameVersion, ...]:
        """What is kept of names, in the order of the revisions."""
        return tuple(one.version for one in self.planned)


def plan_changes(
    used: PrefixInUse,
    revisions: Sequence[NameRevision],
    known: Mapping[str, StoredAssignedName],
    *,
    is_file: bool = False,
) -> ChangedNames:
    """What comes of revisions of names under a prefix; of a name that comes twice the later counts
    after the earlier. ``known`` are those of them that were given before. Revisions of a file may
    tell what happened elsewhere."""
    now = _records(known)
    # what is to be used instead is looked up with all names at once; none of these is changed here
    now |= known_successors(revisions, now, _known_records)
    plan = _ChangePlan(used, known, now, is_file=is_file)
    for place, revision in enumerate(revisions):
        plan.add(place, revision)
    return plan.made()


class _ChangePlan:
    """What comes of revisions of names under a prefix, one after the other.

    ``now`` is what is known of names after those that came so far.
    """

    def __init__(
        self,
        used: PrefixInUse,
        known: Mapping[str, StoredAssignedName],
        now: dict[str, AssignedNameRecord],
        *,
        is_file: bool,
    ) -> None:
        self._used, self._known, self._now, self._is_file = used, known, now, is_file
        self._numbers = {name: stored.n for name, stored in known.items()}
        self._planned: list[PlannedChange] = []
        self._past: list[PlannedChange] = []
        self._findings: list[tuple[int, NameFinding]] = []
        self._refused: set[int] = set()
        self._same = 0

    def add(self, place: int, revision: NameRevision) -> None:
        """Judge one more, and plan what it changes."""
        before = self._now.get(revision.name)
        is_past = self._is_file and is_past_withdrawal(before, revision)
        found = list(_refusals(self._used, self._known, self._now, revision, is_past=is_past))
        self._findings += ((place, one) for one in found)
        if any(one.refuses for one in found):
            self._refused.add(place)
            return
        after = self._used.revised(before, revision)
        if after == before:
            self._same += 1
            return
        planned = self._plan(place, before, after)
        if is_past and _is_replaced_anew(before, after):
            self._past.append(planned)

    def _plan(
        self, place: int, before: AssignedNameRecord | None, after: AssignedNameRecord
    ) -> PlannedChange:
        number = self._numbers.get(after.name, 0)
        planned = PlannedChange(place, before, NewNameVersion(after, before=number))
        self._planned.append(planned)
        self._now[after.name], self._numbers[after.name] = after, number + 1
        return planned

    def made(self) -> ChangedNames:
        """What came of all of them."""
        findings = (*self._findings, *self._past_findings(), *self._look_alike_findings())
        planned, refused = tuple(self._planned), frozenset(self._refused)
        return ChangedNames(planned, findings, refused, self._same)

    def _past_findings(self) -> Iterator[tuple[int, NameFinding]]:
        """What is told of names that were withdrawn elsewhere, now that all of them are known."""
        for one in self._past:
            found = past_findings(self._used.row, one.version.record, self._now)
            yield from ((one.place, finding) for finding in found)

    def _look_alike_findings(self) -> Iterator[tuple[int, NameFinding]]:
        new = {one.version.record.name: one.place for one in self._planned if one.before is None}
        alike = look_alike_findings(list(new))
        return ((place, alike[name]) for name, place in new.items() if name in alike)


def _refusals(
    used: PrefixInUse,
    known: Mapping[str, StoredAssignedName],
    now: Mapping[str, AssignedNameRecord],
    revision: NameRevision,
    *,
    is_past: bool,
) -> Iterator[NameFinding]:
    """What is found in a revision; ``is_past``: it may tell what happened elsewhere."""
    stored, before = known.get(revision.name), now.get(revision.name)
    if stored is not None and stored.prefix != used.row.id:
        told = f"The identifier was assigned under another prefix than {used.row.text}."
        yield NameFinding("name", "other_prefix", told, _RULE)
        return
    if stored is None and revision.name[:-1].startswith(used.delegated):
        told = (
            f"The identifier is under a delegated prefix or a registered shoulder within "
            f"{used.row.text}."
        )
        yield NameFinding("name", "other_prefix", told, _RULE)
        return
    try:
        after = used.revised(before, revision)
    except RefusedRevision as error:
        is_gone = before is not None and before.state is AssignedNameState.WITHDRAWN
        code = assigned_name_codes.ASSIGNED_NAME_WITHDRAWN.code if is_gone else "state_refused"
        yield NameFinding(error.field, code, error.message, _RULE)
        return
    fault = check_by_namespace(revision.name, used.rules) if stored is None else None
    if fault is not None:
        told = f"{fault.message} Enter an identifier that is valid in the namespace."
        yield NameFinding("name", fault.code, told, fault.source)
    newly = after.extends_anywhere and not (before and before.extends_anywhere)
    if newly and (fault := check_extension(revision.name, used.rules)):
        yield NameFinding("extends_anywhere", fault.code, fault.message, fault.source)
    if after.state is AssignedNameState.WITHDRAWN and after != before:
        yield from _of_day(used, after)
        if _is_replaced_anew(before, after):
            yield from successor_findings(used.row, after, now, is_past=is_past)
    # mask and pattern are for names that are given: one that is there stays what it is
    yield from check_assigned_name(used.prefix, used.followed if stored is None else (), after)


def _is_replaced_anew(before: AssignedNameRecord | None, after: AssignedNameRecord) -> bool:
    """Whether a name is withdrawn in favour of another than before."""
    is_gone = after.state is AssignedNameState.WITHDRAWN
    return is_gone and (before is None or after.successor != before.successor)


def _of_day(used: PrefixInUse, after: AssignedNameRecord) -> Iterator[NameFinding]:
    """What is wrong with the day of a withdrawal."""
    if is_date(after.since) and after.since > used.today:
        told = f"{after.since} is in the future. Enter today or an earlier date."
        yield NameFinding("since", "day", told, _RULE)


def _records(found: Mapping[str, StoredAssignedName]) -> dict[str, AssignedNameRecord]:
    return {name: record_of(stored) for name, stored in found.items()}


def _known_records(names: Collection[str]) -> dict[str, AssignedNameRecord]:
    return _records(assigned_name_rows.known(names))


def record_of(stored: StoredAssignedName) -> AssignedNameRecord:
    """What is known of a name."""
    return assigned_name_from(json.loads(stored.document))
