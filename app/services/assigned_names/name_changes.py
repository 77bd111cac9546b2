"""Changing names that were given: where they lead, what is said of them, their withdrawal."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
from app.assigned_names.name_schemes import read_assigned_name
from app.identifiers import InvalidIdentifier
from app.problems import assigned_name_codes, use_case_codes
from app.registration.declarations.dates import is_date
from app.resolution.namespace_rules import NamespaceRules
from app.services.accounts.actors import Actor
from app.services.assigned_names import prefix_rights
from app.services.assigned_names.minting import (
    GivenNumbers,
    check_count,
    look_alike_findings,
    write_batch,
)
from app.services.assigned_names.prefix_rights import (
    locked_prefix,
    parts_of_others,
    require_changing_role,
    require_open,
    with_ends_kept,
)
from app.services.refusals import EditConflict, InvalidInput, NotFound, Refusal
from app.services.use_cases import Command, use_case
from app.store.assigned_names import assigned_name_rows, prefix_rows
from app.store.assigned_names.assigned_name_rows import NewNameVersion, StoredAssignedName
from app.store.database import read_transaction
from app.store.tables import Prefix
from app.store.tables.assigned_names import BatchKind

_MOST_LINKS = 50  # of names each of which is used instead of the one before

KnownRecords = Callable[[Collection[str]], Mapping[str, AssignedNameRecord]]


def known_successors(
    revisions: Iterable[NameRevision],
    known: Mapping[str, AssignedNameRecord],
    look_up: KnownRecords,
) -> dict[str, AssignedNameRecord]:
    """What is known of the names that are to be used instead of others, of those that are used
    instead of these, and so on, besides what is ``known`` already."""
    found: dict[str, AssignedNameRecord] = {}
    wanted = _named(one.record for one in revisions) - known.keys()
    for _ in range(_MOST_LINKS):
        more = look_up(wanted) if wanted else {}
        found |= more
        wanted = _named(more.values()) - known.keys() - found.keys()
    return found


def _named(records: Iterable[AssignedNameRecord]) -> set[str]:
    return set(filter(None, (_as_name(one.successor) for one in records)))


def is_past_withdrawal(before: AssignedNameRecord | None, revision: NameRevision) -> bool:
    """Whether a row of a file tells of a withdrawal that happened elsewhere.

    The name comes in withdrawn, or the row tells since when it is. Then what is used instead led
    somewhere, and what became of it since, or stands in a later row, undoes nothing.
    """
    return before is None or ("since" in revision.given and bool(revision.record.since))


def successor_findings(
    row: Prefix,
    after: AssignedNameRecord,
    now: Mapping[str, AssignedNameRecord],
    *,
    is_past: bool,
) -> Iterator[NameFinding]:
    """Yield the errors for the successor of a withdrawn identifier: it isn't assigned here, isn't
    public, or is itself replaced by the first.

    ``now`` has the records after all earlier rows. If the withdrawal ``is_past``, only the last
    error applies; ``past_findings`` has the warnings.
    """
    successor = _as_name(after.successor)
    if not successor or successor == after.name:
        return  # none, an address, or what is told of the record by itself
    if is_past:
        if _leads_back(after.name, successor, now):
            told = (
                f"{successor} is itself replaced by {after.name}. Enter another successor or none."
            )
            yield _finding("circle", told)
        return
    yield from _judged(row, after, now, is_past=False)


def past_findings(
    row: Prefix, after: AssignedNameRecord, now: Mapping[str, AssignedNameRecord]
) -> Iterator[NameFinding]:
    """What is told of a withdrawal that happened elsewhere, once all rows beside it were judged:
    that the name to be used instead leads nowhere here. It refuses nothing."""
    if _as_name(after.successor) not in ("", after.name):
        yield from _judged(row, after, now, is_past=True)


def _judged(
    row: Prefix,
    after: AssignedNameRecord,
    now: Mapping[str, AssignedNameRecord],
    *,
    is_past: bool,
) -> Iterator[NameFinding]:
    successor = _as_name(after.successor)
    known = now.get(successor)
    if known is not None:
        yield from _of_known(after, known, is_past=is_past)
    else:
        yield from _of_unknown(row, successor, is_past=is_past)


def _leads_back(name: str, successor: str, now: Mapping[str, AssignedNameRecord]) -> bool:
    for _ in range(_MOST_LINKS):
        known = now.get(successor)
        successor = _as_name(known.successor) if known else ""
        if successor in ("", name):
            break
    return successor == name


def _of_known(
    after: AssignedNameRecord, known: AssignedNameRecord, *, is_past: bool
) -> Iterator[NameFinding]:
    state = known.state
    was_there = is_past and state is AssignedNameState.WITHDRAWN and known.since >= after.since
    if state is not AssignedNameState.PUBLIC and not was_there:
        told = f"The successor {known.name} is {state}. Enter a public identifier or none."
        yield _finding("nowhere" if is_past else state, told)


def _of_unknown(row: Prefix, successor: str, *, is_past: bool) -> Iterator[NameFinding]:
    around = prefix_rows.enclosing(successor[:-1])
    if not around:
        return
    told = f"The successor {successor} isn't assigned under {around[0].text}"
    if around[0].id != row.id:
        yield _finding("elsewhere", f"{told}.")
    elif is_past:
        yield _finding("nowhere", f"{told}, unless a later row assigns it.")
    else:
        yield _finding("unknown", f"{told}. Assign it first.")


def _finding(what: str, told: str) -> NameFinding:
    return NameFinding("successor", f"successor_{what}", told, _RULE)


def _as_name(successor: str) -> str:
    try:
        return read_assigned_name(successor) if successor else ""
    except InvalidIdentifier:
        return ""


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
    is_gone = after.state is AssignedNameState.WITHDRAWN
    return is_gone and (before is None or after.successor != before.successor)


def _of_day(used: PrefixInUse, after: AssignedNameRecord) -> Iterator[NameFinding]:
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


def read_name(text: str) -> str:
    """The normal form of a name that somebody wrote. Raises InvalidInput."""
    try:
        return read_assigned_name(text.strip())
    except InvalidIdentifier as error:
        raise InvalidInput(
            assigned_name_codes.ASSIGNED_NAME_REFUSED, error.message, "name", error.position
        ) from error


def chosen_name(beginning: str, rest: str, within: tuple[str, ...]) -> str:
    """The normal form of a name that a prefix and what stands behind it make.

    ``within`` are prefixes that were delegated from it. Raises InvalidInput for what is no name of
    the prefix, or one that others give.
    """
    name = read_name(f"{beginning}{rest.strip().removeprefix(beginning)}")
    told = ""
    if not prefix_rights.read(beginning).holds(name):
        told = f"Enter the part after {beginning}."
    elif name[:-1].startswith(within):
        told = f"{name} is under a delegated prefix within {beginning}."
    if told:
        raise InvalidInput(assigned_name_codes.ASSIGNED_NAME_REFUSED, told, "name")
    return name


def prefix_of_name(name: str) -> Prefix:
    """The prefix that a name was given under; of a name that was not given, the innermost that it
    is under. Raises NotFound.

    What is delegated later takes no names from whoever gave them.
    """
    stored = assigned_name_rows.known([name]).get(name)
    given_under = prefix_rows.of_id(stored.prefix) if stored is not None else None
    if given_under is not None:
        return given_under
    around = prefix_rows.enclosing(name[:-1])
    if not around:
        raise NotFound(
            assigned_name_codes.PREFIX_UNKNOWN, f"{name} isn't under any prefix of this registry."
        )
    return around[0]


@with_ends_kept
@use_case("change names", beside=("given",))
def change_names(
    command: Command,
    revisions: tuple[NameRevision, ...],
    reason: str = "",
    *,
    given: GivenNumbers,
    only_new: bool = False,
) -> int:
    """Change names under one prefix, or give names that its holder made; gives the event's number.

    A prefix that has ended gets no names, and those that it has are changed all the same. All are
    changed or none; with ``only_new`` none that was given before. Raises NotFound, NotAllowed,
    Refusal, and InvalidInput with what is wrong with the first that is refused.
    """
    check_count(len(revisions))
    prefix = locked_prefix(prefix_of_name(revisions[0].name).id)
    role = require_changing_role(prefix, command.actor, command.at)
    known = assigned_name_rows.known({one.name for one in revisions})
    _see_unchanged(command, revisions, known)
    if only_new and known:
        sentence = f"{min(known)} is already assigned. Open it in the list to change it."
        raise InvalidInput(assigned_name_codes.ASSIGNED_NAME_REFUSED, sentence, "name")
    if any(one.name not in known for one in revisions):
        require_open(prefix)
    made = plan_changes(PrefixInUse.of(prefix, command.at), revisions, known)
    _require_all(made, revisions)
    if not made.changes:
        raise Refusal(
            assigned_name_codes.ASSIGNED_NAME_REFUSED, "Nothing to save: there are no changes."
        )
    return write_batch(
        command,
        prefix,
        BatchKind.CHANGED,
        made.changes,
        given=given,
        role=role,
        reason=reason.strip(),
    )


def preview_changes(
    actor: Actor, at: datetime, revisions: tuple[NameRevision, ...]
) -> ChangedNames:
    """What would come of revisions of names under one prefix, of which nothing is kept.

    Raises what ``change_names`` does, but for what the time between brings.
    """
    with read_transaction():
        check_count(len(revisions))
        prefix = prefix_of_name(revisions[0].name)
        require_changing_role(prefix, actor, at)
        known = assigned_name_rows.known({one.name for one in revisions})
        made = plan_changes(PrefixInUse.of(prefix, at), revisions, known)
        _require_all(made, revisions)
        return made


def _require_all(made: ChangedNames, revisions: Sequence[NameRevision]) -> None:
    """Raise Refusal, or InvalidInput, with what is wrong with the first that is refused."""
    if not made.refused:
        return
    place = min(made.refused)
    finding = next(found for at, found in made.findings if at == place)
    if finding.code == assigned_name_codes.ASSIGNED_NAME_WITHDRAWN.code:
        raise Refusal(assigned_name_codes.ASSIGNED_NAME_WITHDRAWN, finding.message)
    which = f"{revisions[place].name}: " if len(revisions) > 1 else ""
    raise InvalidInput(
        assigned_name_codes.ASSIGNED_NAME_REFUSED, f"{which}{finding.message}", finding.field
    )


def _see_unchanged(
    command: Command, revisions: Sequence[NameRevision], known: Mapping[str, StoredAssignedName]
) -> None:
    """Raise EditConflict where a name was changed since its page was shown."""
    if not command.seen or len(revisions) != 1:
        return
    stored = known.get(revisions[0].name)
    if stored is not None and stored.n != command.seen:
        sentence = f"Another user changed {stored.name} after you opened it. Reload the page."
        raise EditConflict(use_case_codes.EDIT_CONFLICT, sentence)
