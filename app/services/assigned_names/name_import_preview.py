"""What a file of names would do, looked through before anything of it is kept."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from app.assigned_names.assigned_name_records import (
    AssignedNameRecord,
    AssignedNameState,
    NameDifference,
    name_differences,
    shorten_difference,
)
from app.assigned_names.name_rows import COLUMNS, SeenNames, mark_repeats
from app.services.accounts.actors import Actor
from app.services.assigned_names.name_import import ROWS_AT_ONCE, ImportFinding
from app.services.assigned_names.name_row_judgements import (
    NameRowJudgement,
    ReadRow,
    judge_rows,
    require_any_prefix,
)
from app.store.assigned_names import name_import_rows
from app.store.database import read_transaction

__all__ = [
    "FIRST_CHANGES",
    "FIRST_FINDINGS",
    "NameImportPreview",
    "PreviewedChange",
    "look_through",
]

FIRST_FINDINGS = 50
FIRST_CHANGES = 10  # names of which it is shown what changes
_MOST_DIFFERENCES, _MOST_OF_TEXT = 12, 200  # of each
_MOST_FURTHER = 20  # labels


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewedChange:
    """What a row would change of a name that is there: its first differences, in texts of a bounded
    length, and how many more there are."""

    line: int
    prefix: int
    name: str
    differences: tuple[NameDifference, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NameImportPreview:
    """What would come of a file, with the first findings: how many names are new, and how many rows
    change one that is there, of which the first are told. ``withdrawn``: so many of these let it
    lead nowhere for ever. ``further`` are labels that are none of ``COLUMNS``, of which some may
    be one of these, written wrongly. ``before``: it was brought in already."""

    rows: int
    new: int
    changed: int
    withdrawn: int
    same: int
    refused: int
    changes: tuple[PreviewedChange, ...]
    findings: tuple[ImportFinding, ...]
    further: tuple[str, ...]
    before: int | None


def look_through(
    actor: Actor,
    at: datetime,
    digest: str,
    rows: Iterable[ReadRow],
    prefix: str = "",
    *,
    told: Callable[[int], None] = lambda _rows: None,
) -> NameImportPreview:
    """What would come of a file, of which nothing is kept.

    Where a name that is new comes again much later in it, each further row counts as one that
    changes it. ``told`` hears how many rows are looked at. Raises NotAllowed for somebody who gives
    no names.
    """
    seen = _SeenRows()
    with read_transaction():
        require_any_prefix(actor, at)
        known = name_import_rows.find(actor.id, digest)
        waiting = mark_repeats(rows)
        while some := list(islice(waiting, ROWS_AT_ONCE)):
            seen.add(some, judge_rows(actor, at, some, prefix))
            told(seen.read)
    return seen.told(known.id if known else None)


@dataclass(slots=True)
class _SeenRows:
    """What came of the rows of a file so far."""

    read: int = 0
    new: int = 0
    changed: int = 0
    withdrawn: int = 0
    same: int = 0
    refused: int = 0
    changes: list[PreviewedChange] = field(default_factory=list)
    refusals: list[ImportFinding] = field(default_factory=list)
    notes: list[ImportFinding] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)
    given: SeenNames = field(default_factory=SeenNames)  # that are new, by rows so far

    def add(self, rows: list[ReadRow], judged: NameRowJudgement) -> None:
        """Count some more rows."""
        self.labels.update(*(part.labels for part in judged.parts))
        self.read += len(rows)
        self.same, self.refused = self.same + judged.same, self.refused + judged.refused
        for line, prefix, one in judged.planned():
            if one.before is None:
                is_new = self.given.add(one.version.record.name)
                self.new, self.changed = self.new + is_new, self.changed + (not is_new)
                continue
            self.changed += 1
            self.withdrawn += _is_withdrawn(one.before, one.version.record)
            if len(self.changes) < FIRST_CHANGES:
                told = _change_of(line, prefix.id, one.before, one.version.record)
                self.changes.append(told)
        for line, _, code, message in judged.findings:
            found = ImportFinding(0, line, code, message)
            kind = self.refusals if found.is_refusal else self.notes
            if len(kind) < FIRST_FINDINGS:
                kind.append(found)

    def told(self, before: int | None) -> NameImportPreview:
        """What is shown of all of them."""
        return NameImportPreview(
            rows=self.read,
            new=self.new,
            changed=self.changed,
            withdrawn=self.withdrawn,
            same=self.same,
            refused=self.refused,
            changes=tuple(self.changes),
            findings=(*self.refusals, *self.notes)[:FIRST_FINDINGS],
            further=tuple(sorted(self.labels - {*COLUMNS}))[:_MOST_FURTHER],
            before=before,
        )


def _is_withdrawn(before: AssignedNameRecord, after: AssignedNameRecord) -> bool:
    gone = AssignedNameState.WITHDRAWN
    return after.state is gone and before.state is not gone


def _change_of(
    line: int, prefix: int, before: AssignedNameRecord, after: AssignedNameRecord
) -> PreviewedChange:
    found = name_differences(before, after)
    shown = (shorten_difference(one, _MOST_OF_TEXT) for one in found[:_MOST_DIFFERENCES])
    more = max(0, len(found) - _MOST_DIFFERENCES)
    return PreviewedChange(
        line=line, prefix=prefix, name=after.name, differences=tuple(shown), more=more
    )
