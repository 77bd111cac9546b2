"""Minting: the next names of a prefix, each given once and for ever."""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from types import MappingProxyType
from typing import Protocol

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.name_checks import NameFinding, check_by_namespace, find_expansion_fault
from app.assigned_names.name_look_alikes import find_look_alikes
from app.assigned_names.name_numbering import NameNumbering, numbering_of
from app.assigned_names.name_prefixes import NamePattern
from app.bundles.given_numbers import DamagedGivenNumber
from app.problems import assigned_name_codes
from app.registration.records.record_documents import canonical_json
from app.resolution.namespace_rules import NamespaceRules
from app.services.accounts.actors import Actor
from app.services.assigned_names import prefix_rights
from app.services.assigned_names.prefix_rights import (
    locked_prefix,
    parts_of_others,
    require_delegate,
    require_open,
    require_visible,
    target_rule_of,
    with_ends_kept,
)
from app.services.refusals import InvalidInput, NotFound, Refusal
from app.services.use_cases import Command, use_case
from app.store.assigned_names import assigned_name_rows, name_line_rows, prefix_rows
from app.store.assigned_names.assigned_name_rows import NewNameVersion
from app.store.database import is_disk_full, read_transaction
from app.store.tables import Prefix
from app.store.tables.assigned_names import BatchKind
from app.store.tables.requests import EventSubject

_log = logging.getLogger(__name__)
MOST_AT_ONCE = 10_000
_NOTHING: Mapping[str, str | int] = MappingProxyType({})

_EVENTS = {
    BatchKind.MINTED: "names minted",
    BatchKind.CHANGED: "names changed",
    BatchKind.IMPORTED: "names imported",
}


CHANGES = "changes"  # what numbers are kept of beside those of prefixes, which have a colon


class GivenNumbers(Protocol):
    """The highest numbers that were given, kept beside the database.

    A database that comes back from a backup does not know of names that were given since, nor of
    the changes that hosts have copied; what is kept beside it does.
    """

    def next_of(self, of: str) -> int:
        """The number after the highest one that is known to be given; 0 where none is.

        Raises DamagedGivenNumber.
        """

    def seed_of(self, prefix: str) -> str:
        """Return the order seed by which numbers of a prefix were given, or "" if none is known.

        Raises DamagedGivenNumber.
        """

    def keep(self, of: str, following: int, seed: str = "") -> None:
        """Keep that all numbers below one are given, by the order seed of their prefix.

        It is on disk when this returns. Raises DamagedGivenNumber.
        """


def next_free_number(given: GivenNumbers, of: str) -> int:
    """The number after the highest that this host knows beside the database, or another one told.

    Raises Refusal where nobody can tell: a name might be given twice.
    """
    with _told():
        return max(given.next_of(of), name_line_rows.following_number(of))


def known_seed(given: GivenNumbers, prefix: str) -> str:
    """Return the order seed of a prefix that this host or another one knows, "" if none does.

    Raises Refusal if this host can't read its file.
    """
    with _told():
        return given.seed_of(prefix) or name_line_rows.order_seed(prefix)


def keep_given(given: GivenNumbers, of: str, following: int, seed: str = "") -> None:
    """Keep beside the database that all numbers below one are given. Raises Refusal."""
    with _told():
        given.keep(of, following, seed)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except DamagedGivenNumber as error:
        if is_disk_full(error.__cause__):
            _log.error("cannot mint identifiers: %s", error)
            raise Refusal(
                assigned_name_codes.GIVEN_NUMBERS_UNWRITABLE,
                "The disk of this server is full, so it can't mint. Tell the operator to free "
                "space, and try again later.",
            ) from error
        _log.exception("cannot mint identifiers")  # only operators see the path of the file
        sentence = "Nothing was minted: this server can't read its counters. Tell the operator."
        raise Refusal(assigned_name_codes.GIVEN_NUMBERS_DAMAGED, sentence) from error


PREFIX_ENDED = "prefix ended"  # the kind of the event that holds why


def prefix_subject(prefix: Prefix) -> str:
    """How events tell which prefix they are of."""
    return f"prefix {prefix.id}"


def write_batch(
    command: Command,
    prefix: Prefix,
    kind: BatchKind,
    changes: Sequence[NewNameVersion],
    *,
    given: GivenNumbers,
    role: str,
    reason: str = "",
    told: Mapping[str, str | int] = _NOTHING,
) -> int:
    """Keep changes of names under a prefix, with their event; gives the number of the event.

    Whoever calls it has held the changes of names since before it read what the names are now.
    ``told`` is what the event says besides.
    """
    first = assigned_name_rows.number_changes(len(changes), next_free_number(given, CHANGES))
    last = first + len(changes) - 1
    keep_given(given, CHANGES, last + 1)
    documents = assigned_name_rows.documents_of(changes)
    digest = assigned_name_rows.digest_of(enumerate(documents, first))
    body = {"prefix": prefix.text, "first": first, "last": last, "names": digest, **told}
    body[assigned_name_rows.NEW_NAMES] = sum(not one.before for one in changes)
    event = command.append_event(
        _EVENTS[kind],
        subject=EventSubject.REGISTRY,
        about=prefix_subject(prefix),
        role=role,
        reason=reason,
        body=canonical_json(body),
    )
    assigned_name_rows.write(prefix.id, changes, documents, first, event)
    assigned_name_rows.add_batch(event, prefix.id, kind, first, last, digest)
    return event


_PASSED_AT_ONCE = 1_000  # numbers whose names are asked for together
# Whoever mints lets nobody else write meanwhile, and what is delegated, or off the pattern, may
# have no end: of a mask that grows, all that is left. So many take a second or two, and are five
# for each of the most names at once. Names that were brought in are not counted: they have an end.
MOST_PASSED_OVER = 50_000


@dataclass(frozen=True, slots=True)
class _MintedNumbers:
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


def look_alike_findings(names: Collection[str]) -> dict[str, NameFinding]:
    """What is told of names that look like others, those given with them included; of the others
    nothing. Whoever calls it reads the database.
    """
    there, is_cut = assigned_name_rows.alike(names)
    return find_look_alikes(names, there, is_cut=is_cut)


def find_alike(names: Collection[str]) -> tuple[str, ...]:
    """A sentence for each of some names that looks like another."""
    with read_transaction():
        return tuple(one.message for one in look_alike_findings(names).values())
