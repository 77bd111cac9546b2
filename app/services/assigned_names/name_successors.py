"""What is to be used instead of a withdrawn name: it is one that leads somewhere itself."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from app.assigned_names.assigned_name_records import (
    AssignedNameRecord,
    AssignedNameState,
    NameRevision,
)
from app.assigned_names.name_checks import NameFinding
from app.assigned_names.name_schemes import read_assigned_name
from app.identifiers import InvalidIdentifier
from app.store.assigned_names import prefix_rows
from app.store.tables import Prefix

__all__ = ["is_past_withdrawal", "known_successors", "past_findings", "successor_findings"]

_RULE = "Rule of this registry"
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
    """A successor in normal form; empty where it is none, or no name."""
    try:
        return read_assigned_name(successor) if successor else ""
    except InvalidIdentifier:
        return ""
