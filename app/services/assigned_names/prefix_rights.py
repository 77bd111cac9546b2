"""Who may do what under a prefix."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from app.assigned_names.name_checks import TargetRule
from app.assigned_names.name_numbering import (
    InvalidNumbering,
    NameNumbering,
    check_numbering,
    numbering_of,
)
from app.assigned_names.name_prefixes import (
    InvalidPrefix,
    NamePattern,
    NamePrefix,
    PrefixRole,
    find_pattern_fault,
    read_prefix,
)
from app.problems import assigned_name_codes
from app.registration.declarations.registries import FORMAL, REGISTRIES, space_with
from app.registration.naans.naan_names import fold_naan_name
from app.registration.records.registry_records import Status
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.record_rules import rules_of
from app.services.accounts.actors import Actor
from app.services.assigned_names.name_lines import hold_names
from app.services.refusals import InvalidInput, NotAllowed, NotFound, Refusal
from app.services.use_cases import Command
from app.store.accounts import delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.assigned_names import prefix_rows
from app.store.database import read_transaction, transaction
from app.store.editions import edition_rows
from app.store.registry import name_rows, record_versions
from app.store.tables import Prefix

_OPERATOR, _HOLDER = "operator", "holder"  # in what role an event was done


def read(text: str) -> NamePrefix:
    """The prefix that somebody wrote. Raises InvalidInput."""
    try:
        return read_prefix(text.strip())
    except InvalidPrefix as error:
        raise InvalidInput(assigned_name_codes.PREFIX_MALFORMED, error.message, "prefix") from error


def locked_prefix(ident: int) -> Prefix:
    """A prefix, locked to the commit as all changes of names are.

    Raises NotFound, and Refusal where names wait.
    """
    # before the prefix: who brings in names finds theirs, and writes below them, when they hold it
    hold_names()
    prefix = prefix_rows.of_id(ident, locked=True)
    if prefix is None:
        raise unknown_prefix()
    return prefix


def has_ended(prefix: Prefix) -> bool:
    """Whether a prefix was ended, whatever a clock says now."""
    return prefix.ends is not None


def closure_reason(prefix: Prefix) -> str:
    """Return why a prefix is closed to new identifiers; "" if it's open."""
    if has_ended(prefix):
        return f"{prefix.text} was closed to new identifiers on {prefix.ends:%Y-%m-%d}."
    beginning = read(prefix.text)
    if _registered_name(beginning) is None:
        return f"{prefix.text} is closed, because {beginning.registered} is retired."
    return ""


def require_open(prefix: Prefix) -> None:
    """Raise Refusal for a prefix under which no new names are given."""
    if closed := closure_reason(prefix):
        raise Refusal(assigned_name_codes.PREFIX_ENDED, closed)


def unknown_prefix() -> NotFound:
    """The refusal of a prefix that is not there, or not the asker's to see."""
    return NotFound(assigned_name_codes.PREFIX_UNKNOWN, "Prefix not found.", "prefix")


def is_visible(prefix: Prefix, actor: Actor, at: datetime) -> bool:
    """Return whether the actor mints under a prefix, or runs the registry."""
    return actor.is_operator or prefix_rows.role_at(prefix.id, actor.id, at) is not None


def require_visible(prefix: Prefix | None, actor: Actor, at: datetime) -> Prefix:
    """Return a prefix that was looked up by its number. Raises NotFound if it isn't visible.

    Every use case by number asks this first. Outsiders learn nothing from a number.
    """
    if prefix is None or not is_visible(prefix, actor, at):
        raise unknown_prefix()
    return prefix


def require_delegate(prefix: Prefix, actor: Actor, at: datetime) -> PrefixRole:
    """What somebody may do under a prefix. Raises NotAllowed where that is nothing."""
    role = prefix_rows.role_at(prefix.id, actor.id, at)
    if role is None:
        raise NotAllowed(
            assigned_name_codes.PREFIX_HOLDERS_ONLY,
            f"You can't assign identifiers under {prefix.text}. Ask an owner to add you.",
        )
    return role


def find_changing_role(prefix: Prefix, actor: Actor, at: datetime) -> str | None:
    """As what somebody changes names that a prefix has; None where they do not.

    The operator changes those of a prefix that has ended, whose holder may be gone.
    """
    role = prefix_rows.role_at(prefix.id, actor.id, at)
    if role is None and actor.is_operator and has_ended(prefix):
        return _OPERATOR
    return role


def require_changing_role(prefix: Prefix, actor: Actor, at: datetime) -> str:
    """As what somebody changes names that a prefix has. Raises NotAllowed."""
    return find_changing_role(prefix, actor, at) or require_delegate(prefix, actor, at)


def require_holder(prefix: Prefix, actor: Actor, at: datetime) -> None:
    """Raise NotAllowed for everybody but the holders of a prefix and the operator."""
    if actor.is_operator:
        return
    if prefix_rows.role_at(prefix.id, actor.id, at) is not PrefixRole.HOLDER:
        raise NotAllowed(
            assigned_name_codes.PREFIX_HOLDERS_ONLY,
            f"Only the owners of {prefix.text} can change its settings and delegates.",
        )


def registered_name_of(prefix: NamePrefix) -> DelegateScope:
    """The NAAN, shoulder or namespace in use that a prefix belongs to. Raises InvalidInput."""
    if (named := _registered_name(prefix)) is not None:
        return named
    raise InvalidInput(
        assigned_name_codes.PREFIX_UNREGISTERED,
        f"{prefix.registered} isn't registered here, or is retired.",
        "prefix",
    )


def _registered_name(prefix: NamePrefix) -> DelegateScope | None:
    for space, folded in prefix.registrations:
        stored = record_versions.find_latest(space, folded)
        if stored is not None and stored.record.status is not Status.FORMER:
            named = delegate_rows.find_name(stored.record.space, folded)
            if named is not None:
                return named
    return None


def whole_text_of(registered: DelegateScope) -> str:
    """A registered name as the prefix that all its names begin with: ``ark:12345/x5``."""
    return read(registered.space.whole(registered.name)).text


def namespace_rules_of(prefix: NamePrefix) -> NamespaceRules | None:
    """What the namespace of a prefix declares of its names; None where there are no namespaces."""
    if prefix.scheme.space_id != FORMAL.space.id:
        return None
    found = record_versions.find_record(prefix.scheme.space_id, prefix.registered)
    return rules_of(found[1], REGISTRIES[found[0]].kind) if found else None


def checked_numbering(prefix: NamePrefix, template: str, pattern: str = "") -> NameNumbering:
    """The names that a mask gives under a prefix, where they follow its pattern, if it has one.

    Raises InvalidInput where it gives none there.
    """
    try:
        numbering = numbering_of(prefix, template.strip())
    except InvalidNumbering as error:
        raise InvalidInput(
            assigned_name_codes.NUMBERING_MALFORMED, str(error), "numbering"
        ) from error
    fault = check_numbering(numbering, namespace_rules_of(prefix), pattern_of(prefix, pattern))
    if fault is not None:
        raise InvalidInput(assigned_name_codes.NUMBERING_MALFORMED, fault.message, "numbering")
    return numbering


def checked_pattern(pattern: str) -> str:
    """A pattern that the names of a prefix follow, as it is kept. Raises InvalidInput."""
    kept = pattern.strip()
    if kept and (fault := find_pattern_fault(kept)):
        raise InvalidInput(assigned_name_codes.PATTERN_MALFORMED, fault, "pattern")
    return kept


def pattern_of(prefix: NamePrefix, pattern: str) -> NamePattern | None:
    """What the names of a prefix follow beside its mask; None where it has no pattern."""
    return NamePattern(prefix, pattern) if pattern else None


def target_rule_of(row: Prefix) -> TargetRule:
    """Where names under a prefix lead that have no target of their own; nowhere without a rule."""
    return TargetRule(read(row.text), row.target_rule)


def role_to_add(
    actor: Actor, registered: DelegateScope, parent: Prefix | None, at: datetime
) -> str:
    """As what somebody may add a prefix: they hold what it lies within, or run the registry.

    ``parent`` is the prefix whose holder decides, None where who acts for the registered name does.

    Raises NotAllowed.
    """
    if parent is not None and prefix_rows.role_at(parent.id, actor.id, at) is PrefixRole.HOLDER:
        return _HOLDER
    if actor.is_operator:
        return _OPERATOR
    if parent is None and actor.id in delegate_rows.accounts_of(registered):
        return _HOLDER
    within = parent.text if parent is not None else whole_text_of(registered)
    raise NotAllowed(
        assigned_name_codes.PREFIX_HOLDERS_ONLY,
        f"Only the owners of {within} can add prefixes within it.",
        "prefix",
    )


def role_in(prefix: Prefix, actor: Actor, at: datetime) -> str:
    """In what role somebody decides on a prefix."""
    role = prefix_rows.role_at(prefix.id, actor.id, at)
    return role.value if role is PrefixRole.HOLDER else _OPERATOR


@dataclass(frozen=True, slots=True)
class PrefixPlace:
    """What a prefix lies within: a registered name, and the innermost prefix around it.

    ``decides`` is that prefix, where its holder decides on what is within; None where whoever acts
    for the registered name does, as for a shoulder that was registered within a prefix.
    """

    registered: DelegateScope
    parent: Prefix | None
    decides: Prefix | None


def place_of(asked: NamePrefix, asker: int) -> PrefixPlace:
    """Where a prefix would lie; to the account that asks for it is told what it holds itself.

    Raises InvalidInput where nothing is registered that it could lie within, and Refusal where
    somebody holds the same one, or one within, or where what it lies within has ended.
    """
    registered = registered_name_of(asked)
    around = prefix_rows.enclosing(asked.text)
    if any(one.text == asked.text for one in around):
        raise _taken(f"{asked.text} already has an owner.")
    if inner := prefix_rows.within(asked.text):
        is_own = asker in prefix_rows.holders_of(inner[0].id)
        whose = "which you own" if is_own else "which has another owner"
        raise _taken(f"{asked.text} would include {inner[0].text}, {whose}.")
    parent = around[0] if around else None
    if parent is not None:
        _require_no_end(parent)
    whole = whole_text_of(registered)
    is_within = parent is not None and len(parent.text) >= len(whole)
    return PrefixPlace(registered, parent, parent if is_within else None)


def _require_no_end(around: Prefix) -> None:
    """Raise Refusal for a prefix that has ended: names would be given under it by way of another.

    That holds for its own holder, the operator, and whoever acts for a shoulder within it. What was
    delegated from it before goes on, and so does what is added within that.
    """
    if has_ended(around):
        told = f"{closure_reason(around)} You can't add prefixes within it."
        raise Refusal(assigned_name_codes.PREFIX_ENDED, told, "prefix")


def require_no_shoulder_of_others(asked: NamePrefix, holders: Collection[int]) -> None:
    """Raise Refusal where a prefix would hold a shoulder for which none of these acts."""
    if other := next(_shoulders_of_others(asked, holders), None):
        told = f"{asked.text} would include {other}, a shoulder of another organization."
        raise _taken(f"{told} Enter a longer prefix.")


def parts_of_others(row: Prefix) -> tuple[str, ...]:
    """The beginnings within a prefix whose names are not its own to give.

    They are prefixes that were delegated, and shoulders that are registered for somebody else.
    """
    delegated = [one.text for one in prefix_rows.within(row.text)]
    holders = prefix_rows.holders_of(row.id)
    return (*delegated, *_shoulders_of_others(read(row.text), holders))


def _shoulders_of_others(prefix: NamePrefix, holders: Collection[int]) -> Iterator[str]:
    part = prefix.scheme.part_space_id
    if not part:
        return
    space, named = space_with(part), fold_naan_name(prefix.beginning)
    begin = f"{prefix.registered}{prefix.scheme.separator}{named}"
    for folded in name_rows.names_within(part, begin):
        stored = record_versions.find_latest(part, folded)
        if stored is None or stored.record.status is Status.FORMER:
            continue
        scope = delegate_rows.find_name(space, folded)
        if scope is not None and not delegate_rows.accounts_of(scope) & frozenset(holders):
            yield whole_text_of(scope)


def _taken(sentence: str) -> Refusal:
    return Refusal(assigned_name_codes.PREFIX_TAKEN, sentence, "prefix")


Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")
PrefixUseCase = Callable[Concatenate[Command, Asked], Answer]


def keep_ended_delegations(at: datetime) -> None:
    """Keep whose last day is over at a moment; in a transaction of its own, which nothing undoes.

    What is refused afterwards leaves it, and a clock that is set back changes nothing of it.
    """
    with read_transaction():
        if not prefix_rows.has_ends_to_keep(at):
            return
    with transaction():
        prefix_rows.keep_ends(at)


def with_ends_kept(work: PrefixUseCase[Asked, Answer]) -> PrefixUseCase[Asked, Answer]:
    """A use case of prefixes and names before which it is kept whose last day is over."""

    @wraps(work)
    def carried_out(command: Command, /, *args: Asked.args, **named: Asked.kwargs) -> Answer:
        keep_ended_delegations(max(command.at, edition_rows.clock_time(command.at)))
        return work(command, *args, **named)

    return carried_out
