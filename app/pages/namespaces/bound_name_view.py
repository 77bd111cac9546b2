"""What the page of a name shows of its binding: where it leads, and what its holder tells of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from app.assigned_names.assigned_name_records import KERNEL, AssignedNameState
from app.assigned_names.bound_names import (
    BoundOutcome,
    PrefixStatement,
    bound_grounds,
    bound_headline,
)
from app.resolution.judgement import Ground
from app.resolution.outcome_documents import names_under_path, shorten_text, successor_path

_LONGEST = 1_000  # characters of a value that are shown


class BoundNameFact(NamedTuple):
    """One thing that is told of a name; ``link`` is where it leads, empty where nowhere.

    ``is_address``: it is an address or a name, and no text.
    """

    label: str
    text: str
    link: str = ""
    is_address: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundNameView:
    """What is shown of a binding; ``grounds`` are what has to be said of it first.

    ``prefix`` is one that other names begin with too, empty where none do, and ``list_path`` where
    they are listed.
    """

    title: str
    grounds: tuple[Ground, ...]
    facts: tuple[BoundNameFact, ...]
    prefix: str
    list_path: str


def bound_name_view(outcome: BoundOutcome) -> BoundNameView:
    """How a binding is shown: what everybody may know of it, and nothing that is not told."""
    return BoundNameView(
        title=bound_headline(outcome),
        grounds=tuple(bound_grounds(outcome)),
        facts=tuple(one for one in _facts(outcome) if one.text),
        prefix=outcome.prefix,
        list_path=names_under_path(outcome.prefix),
    )


def _facts(outcome: BoundOutcome) -> Iterator[BoundNameFact]:
    record, target = outcome.record.told, outcome.target
    if record.state is AssignedNameState.PUBLIC:
        is_related = record.redirect == 303
        label = "Related resource" if is_related else "Target"
        shown = shorten_text(target, _LONGEST) or "None: the owner has not set a target"
        yield BoundNameFact(label, shown, target, is_address=bool(target))
    told: dict[str, list[str]] = {label: [] for label in KERNEL}
    for label, value in record.elements:
        told.setdefault(label, []).append(value)
    for label, values in told.items():
        shown = label.capitalize() if label in KERNEL else label
        yield from (BoundNameFact(shown, shorten_text(value, _LONGEST)) for value in values)
    yield BoundNameFact("Persistence promised", record.persistence)
    if said := outcome.said:
        yield from _facts_of_prefix(said)
    yield BoundNameFact("Withdrawn since", record.since)
    if record.successor:
        path = successor_path(record.successor)
        yield BoundNameFact("Use instead", record.successor, path, is_address=True)


def _facts_of_prefix(said: PrefixStatement) -> Iterator[BoundNameFact]:
    yield BoundNameFact(f"Owner of {said.prefix}", shorten_text(said.holder, _LONGEST))
    promised = shorten_text(said.persistence, _LONGEST)
    yield BoundNameFact(f"Persistence promised under {said.prefix}", promised)
    yield BoundNameFact("Assignment policy", shorten_text(said.policy, _LONGEST))
    yield BoundNameFact(f"{said.prefix} closed since", said.ended)
