"""What is to be used instead of a withdrawn name: it is one that leads somewhere itself."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.name_checks import NameFinding
from app.assigned_names.name_revisions import NameRevision
from app.assigned_names.name_schemes import read_assigned_name
from app.identifiers import InvalidIdentifier
from app.store.assigned_names import prefix_rows
from app.store.tables import Prefix

__all__ = ["is_past_withdrawal", "named_successors", "successor_findings"]

_RULE = "Rule of this registry"


def named_successors(revisions: Iterable[NameRevision]) -> set[str]:
    """The names that are to be used instead of others."""
    return set(filter(None, (_as_name(one.record.successor) for one in revisions)))


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
    coming: Collection[str],
    *,
    is_past: bool,
) -> Iterator[NameFinding]:
    """What is wrong with the name that is used instead of one under a prefix: it was not given
    here, or is one that leads nowhere itself.

    ``now`` is what is known of it, if it was given, and ``coming`` are names that the rows beside
    it tell of. Of a withdrawal that ``is_past`` it is told, and refuses nothing.
    """
    successor = _as_name(after.successor)
    if not successor or successor == after.name:
        return  # none, an address, or what is told of the record by itself
    known = now.get(successor)
    if known is not None:
        yield from _of_known(after, known, is_past=is_past)
    elif successor not in coming:
        yield from _of_unknown(row, successor, is_past=is_past)


def _of_known(
    after: AssignedNameRecord, known: AssignedNameRecord, *, is_past: bool
) -> Iterator[NameFinding]:
    state = known.state
    was_there = is_past and state is AssignedNameState.WITHDRAWN and known.since >= after.since
    if state is not AssignedNameState.PUBLIC and not was_there:
        told = f"{known.name} is {state} and leads nowhere. Name one that is public, or none."
        yield _finding("nowhere" if is_past else state, told)


def _of_unknown(row: Prefix, successor: str, *, is_past: bool) -> Iterator[NameFinding]:
    around = prefix_rows.enclosing(successor[:-1])
    if not around:
        return
    told = f"{successor} was not given under {around[0].text}, so that nothing is to be had there"
    if around[0].id != row.id:
        yield _finding("elsewhere", f"{told}.")
    elif is_past:
        yield _finding("nowhere", f"{told} unless a later row gives it.")
    else:
        yield _finding("unknown", f"{told}.")


def _finding(what: str, told: str) -> NameFinding:
    return NameFinding("successor", f"successor_{what}", told, _RULE)


def _as_name(successor: str) -> str:
    """A successor in normal form; empty where it is none, or no name."""
    try:
        return read_assigned_name(successor) if successor else ""
    except InvalidIdentifier:
        return ""
