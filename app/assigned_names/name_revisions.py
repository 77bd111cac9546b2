"""What a name is to be from now on, as somebody tells it, and what comes of that."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState

__all__ = [
    "ELEMENTS",
    "FIELDS",
    "NameRevision",
    "RefusedRevision",
    "apply_revision",
    "merged",
    "retarget_names",
    "withdrawal",
    "withdrawals",
]

ELEMENTS: Final = "elements"
FIELDS: Final = (
    *("state", "target", "redirect", "extends_anywhere"),
    *("persistence", "reason", "since", "successor"),
)
_STEPS = {
    AssignedNameState.RESERVED: frozenset(AssignedNameState),
    AssignedNameState.PUBLIC: frozenset({AssignedNameState.PUBLIC, AssignedNameState.WITHDRAWN}),
    AssignedNameState.WITHDRAWN: frozenset({AssignedNameState.WITHDRAWN}),
}

_NO_TOMBSTONE = ("", "", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRevision:
    """What is told of a name: the ``record``, and which of it is told.

    ``given`` are fields of the record, and for elements their labels: what was not told stays as it
    is. With ``elements`` among them, the record tells all of these.
    """

    record: AssignedNameRecord
    given: frozenset[str] = field(default=frozenset())

    @property
    def name(self) -> str:
        return self.record.name


class RefusedRevision(ValueError):
    """A name that cannot become what is told of it; says why, and ``field`` where."""

    def __init__(self, field_: str, message: str) -> None:
        super().__init__(message)
        self.field, self.message = field_, message


def apply_revision(before: AssignedNameRecord | None, revision: NameRevision) -> AssignedNameRecord:
    """What is known of a name after a revision; ``before`` is None for a name that is new.

    Raises RefusedRevision: a withdrawn name stays withdrawn by its first tombstone and its target
    stays, a public one is not reserved again, and who withdraws one says why.
    """
    after = merged(before, revision.record, revision.given)
    if before is not None and _is_given_up(before, after):
        nothing = AssignedNameRecord(name=before.name, state=before.state)
        after = merged(nothing, revision.record, revision.given)
    if before is not None and after.state not in _STEPS[before.state]:
        raise RefusedRevision(
            "state", f"A {before.state} identifier can't become {after.state} again."
        )
    if after.state is AssignedNameState.WITHDRAWN:
        if not after.reason.strip():
            raise RefusedRevision("reason", "Enter the reason for the withdrawal.")
        if before is not None and before.state is AssignedNameState.WITHDRAWN:
            _keep_tombstone(before, after)
        return after
    if _tombstone(after) != _NO_TOMBSTONE:
        raise RefusedRevision(
            "reason", "Only withdrawn identifiers have a reason, a date and a successor."
        )
    return after


def _tombstone(record: AssignedNameRecord) -> tuple[str, str, str]:
    return record.reason, record.since, record.successor


def _keep_tombstone(before: AssignedNameRecord, after: AssignedNameRecord) -> None:
    if _tombstone(after) != _tombstone(before):
        since = f" on {before.since}" if before.since else ""
        raise RefusedRevision(
            "reason", f"The identifier was already withdrawn{since}. Its reason, date and "
            "successor can't change.",
        )  # fmt: skip
    if after.target != before.target:
        raise RefusedRevision("target", "The identifier is withdrawn. Its target can't change.")


def _is_given_up(before: AssignedNameRecord, after: AssignedNameRecord) -> bool:
    return (before.state, after.state) == (AssignedNameState.RESERVED, AssignedNameState.WITHDRAWN)


def merged(
    before: AssignedNameRecord | None, told: AssignedNameRecord, given: frozenset[str]
) -> AssignedNameRecord:
    """The record that is told of a name where one was before: what is not told stays as it was."""
    if before is None:
        return told
    facts: dict[str, Any] = {
        name: getattr(told if name in given else before, name) for name in FIELDS
    }
    elements = told.elements
    if ELEMENTS not in given:
        elements = tuple(_merged(before.elements, told.elements, given))
    return AssignedNameRecord(name=told.name, elements=elements, **facts)


def _merged(
    before: Iterable[tuple[str, str]], told: Iterable[tuple[str, str]], given: frozenset[str]
) -> Iterator[tuple[str, str]]:
    waiting = {label: value for label, value in told if value}
    for label, value in before:
        if label not in given:
            yield label, value
        elif label in waiting:
            yield label, waiting.pop(label)
    yield from waiting.items()


def withdrawal(name: str, reason: str, since: str, successor: str = "") -> NameRevision:
    """What is told of a name that leads nowhere from a day on."""
    record = AssignedNameRecord(
        name=name,
        state=AssignedNameState.WITHDRAWN,
        reason=reason.strip(),
        since=since,
        successor=successor.strip(),
    )
    return NameRevision(record=record, given=frozenset({"state", "reason", "since", "successor"}))


def withdrawals(
    records: Iterable[AssignedNameRecord], reason: str, since: str, successor: str = ""
) -> Iterator[NameRevision]:
    """What is told of names that lead nowhere from a day on; those withdrawn before stay so."""
    for record in records:
        if record.state is not AssignedNameState.WITHDRAWN:
            yield withdrawal(record.name, reason, since, successor)


def retarget_names(
    records: Iterable[AssignedNameRecord], begins: str, instead: str
) -> Iterator[NameRevision]:
    """What is told of names whose targets begin so, where they are to begin otherwise."""
    for record in records:
        is_gone = record.state is AssignedNameState.WITHDRAWN
        if not is_gone and record.target.startswith(begins):
            target = instead + record.target.removeprefix(begins)
            told = AssignedNameRecord(name=record.name, target=target)
            yield NameRevision(record=told, given=frozenset({"target"}))
