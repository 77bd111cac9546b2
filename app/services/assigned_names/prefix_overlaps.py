"""How a prefix meets others and what is registered: the one place that judges whether they overlap.

What somebody holds is a prefix, or a shoulder that is registered apart from its NAAN.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from app.assigned_names.name_prefixes import NamePrefix
from app.problems import assigned_name_codes
from app.registration.declarations.registries import space_with
from app.registration.naans.naan_names import fold_naan_name
from app.registration.records.registry_records import Status
from app.services.assigned_names import prefix_rights
from app.services.refusals import Refusal
from app.store.accounts import delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.assigned_names import prefix_rows
from app.store.registry import name_rows, record_versions
from app.store.tables import Prefix

__all__ = ["PrefixPlace", "parts_of_others", "place_of", "require_no_shoulder_of_others"]


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
    registered = prefix_rights.registered_name_of(asked)
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
    whole = prefix_rights.whole_text_of(registered)
    is_within = parent is not None and len(parent.text) >= len(whole)
    return PrefixPlace(registered, parent, parent if is_within else None)


def _require_no_end(around: Prefix) -> None:
    """Raise Refusal for a prefix that has ended: names would be given under it by way of another.

    That holds for its own holder, the operator, and whoever acts for a shoulder within it. What was
    delegated from it before goes on, and so does what is added within that.
    """
    if prefix_rights.has_ended(around):
        told = f"{prefix_rights.closure_reason(around)} You can't add prefixes within it."
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
    return (*delegated, *_shoulders_of_others(prefix_rights.read(row.text), holders))


def _shoulders_of_others(prefix: NamePrefix, holders: Collection[int]) -> Iterator[str]:
    """Shoulders in use that begin with a prefix and go on, and for which none of these acts."""
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
            yield prefix_rights.whole_text_of(scope)


def _taken(sentence: str) -> Refusal:
    return Refusal(assigned_name_codes.PREFIX_TAKEN, sentence, "prefix")
