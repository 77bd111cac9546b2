"""Minting: the next names of a prefix, each given once and for ever."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.name_checks import check_by_namespace, find_expansion_fault
from app.assigned_names.name_numbering import NameNumbering, numbering_of
from app.assigned_names.name_prefixes import NamePattern
from app.problems import assigned_name_codes
from app.resolution.namespace_rules import NamespaceRules
from app.services.accounts.actors import Actor
from app.services.assigned_names import prefix_rights
from app.services.assigned_names.ended_delegations import with_ends_kept
from app.services.assigned_names.name_batches import (
    MOST_AT_ONCE,
    GivenNumbers,
    keep_given,
    known_seed,
    next_free_number,
    write_batch,
)
from app.services.assigned_names.prefix_overlaps import parts_of_others
from app.services.assigned_names.prefix_rights import (
    locked_prefix,
    require_delegate,
    require_open,
    require_visible,
    target_rule_of,
)
from app.services.refusals import InvalidInput, NotFound, Refusal
from app.services.use_cases import Command, use_case
from app.store.assigned_names import assigned_name_rows, prefix_rows
from app.store.assigned_names.assigned_name_rows import NewNameVersion
from app.store.database import read_transaction
from app.store.tables import Prefix
from app.store.tables.assigned_names import BatchKind

_PASSED_AT_ONCE = 1_000  # numbers whose names are asked for together
# Whoever mints lets nobody else write meanwhile, and what is delegated, or off the pattern, may
# have no end: of a mask that grows, all that is left. So many take a second or two, and are five
# for each of the most names at once. Names that were brought in are not counted: they have an end.
MOST_PASSED_OVER = 50_000


@dataclass(frozen=True, slots=True)
class _MintedNumbers:
    """Numbers with their names, and how many were passed over: because their names were there, or
    are not given."""

    names: Sequence[tuple[int, str]]
    following: int
    kept_beside: int
    were_there: int
    not_given: int


@with_ends_kept
@use_case("mint names", beside=("given",))
def mint(
    command: Command, prefix_id: int, count: int, *, given: GivenNumbers, reserved: bool = False
) -> int:
    """Give the next names of a prefix; gives the number of the event, whose names they are.

    They are public and lead where the target rule of the prefix says, if it has one, or are
    reserved. Raises NotFound, NotAllowed, InvalidInput where 10,000 names do not do, and Refusal
    where so many are not left or would lead to no address that a name may have.
    """
    check_count(count)
    prefix = require_visible(locked_prefix(prefix_id), command.actor, command.at)
    role = require_delegate(prefix, command.actor, command.at)
    require_open(prefix)
    minted = _next_numbers(prefix, count, given)
    state = AssignedNameState.RESERVED if reserved else AssignedNameState.PUBLIC
    rule = target_rule_of(prefix)
    changes = [
        NewNameVersion(rule.led(AssignedNameRecord(name=name, state=state)), number=number)
        for number, name in minted.names
    ]
    _require_targets([one.record.target for one in changes])
    # first: what fails now leaves a gap, and no double
    keep_given(given, prefix.text, minted.following, prefix.order_seed)
    event = write_batch(
        command,
        prefix,
        BatchKind.MINTED,
        changes,
        given=given,
        role=role,
        told=_explained(prefix, minted),
    )
    prefix.next_number = minted.following
    return event


def check_count(count: int) -> None:
    """Raise InvalidInput for a number of names that nobody gets at once."""
    if not 1 <= count <= MOST_AT_ONCE:
        sentence = f"{count:,} is out of range. Enter a number from 1 to {MOST_AT_ONCE:,}."
        raise InvalidInput(assigned_name_codes.TOO_MANY_NAMES, sentence, "count")


def minted_names(event: int, actor: Actor, at: datetime, *, prefix: int | None = None) -> list[str]:
    """The names that an event gave, for who may give names under their prefix.

    Raises NotAllowed, and NotFound where no names were given so, or not under ``prefix``.
    """
    with read_transaction():
        batch = assigned_name_rows.batch_of(event)
        whose = prefix_rows.of_id(batch.prefix) if batch is not None else None
        if batch is None or whose is None or prefix not in (None, whose.id):
            raise NotFound(
                assigned_name_codes.ASSIGNED_NAME_UNKNOWN, "No such batch of identifiers."
            )
        require_delegate(require_visible(whose, actor, at), actor, at)
        return list(assigned_name_rows.names_of_batch(batch))


def _next_numbers(prefix: Prefix, count: int, given: GivenNumbers) -> _MintedNumbers:
    if not prefix.numbering:
        sentence = f"{prefix.text} has no mask. Set one in its settings to mint identifiers."
        raise Refusal(assigned_name_codes.NUMBERING_MALFORMED, sentence)
    begin = max(prefix.next_number, next_free_number(given, prefix.text))
    if begin and not prefix.next_number:
        # A prefix that was lost with the database and added again goes on in its former order,
        # since another one could repeat a name. Without a known seed that is the public order.
        prefix.order_seed = known_seed(given, prefix.text)
    beginning = prefix_rights.read(prefix.text)
    numbering = numbering_of(beginning, prefix.numbering, prefix.order_seed)
    unfit = _UnfitNumbers.under(prefix)
    found: list[tuple[int, str]] = []
    following, width = begin, count
    while len(found) < count:
        tried = list(_numbered(numbering, following, width))
        if not tried:
            raise (unfit.refusal() if unfit.passed and not found else _left(prefix, found, count))
        fit = [one for one in tried if unfit.admits(*one)]
        taken = assigned_name_rows.taken([name for _, name in fit])
        found += islice((one for one in fit if one[1] not in taken), count - len(found))
        is_full = len(found) == count
        following = (found[-1] if is_full else tried[-1])[0] + 1
        if not is_full and len(unfit.passed) > MOST_PASSED_OVER:
            raise unfit.refusal(len(found))
        # a sequence that was brought in is passed by the thousand, and not by what still lacks
        width = _PASSED_AT_ONCE
    not_given = sum(number < following for number in unfit.passed)
    were_there = following - begin - len(found) - not_given
    return _MintedNumbers(found, following, begin, were_there, not_given)


@dataclass(slots=True)
class _UnfitNumbers:
    """Numbers whose names are not given under a prefix, whatever was given before: they are
    delegated, or are none by the namespace or the pattern, of which some alone were tried when the
    mask was chosen. ``passed`` are those that were met, and ``why`` is of the last one."""

    prefix: Prefix
    delegated: tuple[str, ...]
    rules: NamespaceRules | None
    pattern: NamePattern | None
    passed: list[int] = field(default_factory=list)
    why: str = ""

    @classmethod
    def under(cls, prefix: Prefix) -> "_UnfitNumbers":
        """Those of a prefix, before any is met."""
        beginning = prefix_rights.read(prefix.text)
        rules = prefix_rights.namespace_rules_of(beginning)
        pattern = prefix_rights.pattern_of(beginning, prefix.pattern)
        return cls(prefix, parts_of_others(prefix), rules, pattern)

    def admits(self, number: int, name: str) -> bool:
        """Whether the name of a number can be given here; one that cannot is kept as passed."""
        why = self._fault_of(name)
        if why:
            self.passed.append(number)
            self.why = why
        return not why

    def _fault_of(self, name: str) -> str:
        if name[:-1].startswith(self.delegated):
            return f"{name} is under a delegated prefix or a registered shoulder."
        fault = check_by_namespace(name, self.rules)
        fault = fault or (self.pattern.fault_of(name) if self.pattern else None)
        return fault.message if fault else ""

    def refusal(self, found: int = 0) -> Refusal:
        """Return the refusal after too many numbers were skipped."""
        fewer = f"Mint at most {found:,}, or add" if found else "Add"
        sentence = (
            f"Nothing was minted: {len(self.passed):,} numbers of {self.prefix.text} were skipped. "
            f"The last error: {self.why} {fewer} a prefix with another mask."
        )
        return Refusal(assigned_name_codes.NUMBERS_PASSED_OVER, sentence)


def _numbered(numbering: NameNumbering, begin: int, count: int) -> Iterator[tuple[int, str]]:
    for number in range(begin, begin + count):
        name = numbering.nth(number)
        if name is None:
            return
        yield number, name


def _require_targets(targets: Sequence[str]) -> None:
    """Raise Refusal where names would lead where none may: they differ by what is filled in, so
    that one is as good as another, but for how long it is."""
    for target in {targets[0], targets[-1], max(targets, key=len)}:
        if fault := find_expansion_fault(target):
            sentence = f"Nothing was minted. {fault} Change the target rule of the prefix."
            raise Refusal(assigned_name_codes.TARGET_RULE_MALFORMED, sentence)


def _left(prefix: Prefix, found: Sequence[object], count: int) -> Refusal:
    left = f"{len(found):,}" if found else "no"
    sentence = f"Can't mint {count:,}: the mask of {prefix.text} has {left} identifiers left."
    return Refusal(assigned_name_codes.NAMES_EXHAUSTED, sentence)


def _explained(prefix: Prefix, minted: _MintedNumbers) -> dict[str, str | int]:
    """Why numbers are passed over: given before this database was restored, brought in, or not to
    be given under this prefix."""
    told: dict[str, str | int] = {"from": minted.kept_beside, "until": minted.following}
    if minted.kept_beside > prefix.next_number:
        told["given before, by what is kept beside the database"] = (
            minted.kept_beside - prefix.next_number
        )
    if minted.were_there:
        told["names that were there"] = minted.were_there
    if minted.not_given:
        told["numbers that give no name here"] = minted.not_given
    return told
