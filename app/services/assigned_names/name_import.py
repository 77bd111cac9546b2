"""Bringing in names that exist elsewhere: from a file of any length, so many rows to a commit.

Whoever is interrupted begins again with the same file, and goes on where the last commit ended.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from itertools import islice
from secrets import token_urlsafe
from typing import TYPE_CHECKING

from app.assigned_names.assigned_name_records import (
    AssignedNameRecord,
    AssignedNameState,
    NameDifference,
    name_differences,
    shorten_difference,
)
from app.assigned_names.name_checks import TOLD_CODES
from app.assigned_names.name_rows import COLUMNS, SeenNames, mark_repeats
from app.problems import use_case_codes
from app.services.accounts import rate_limits
from app.services.accounts.actors import Actor
from app.services.accounts.rate_limits import RateLimitKind
from app.services.assigned_names.minting import GivenNumbers, write_batch
from app.services.assigned_names.name_lines import hold_names
from app.services.assigned_names.name_row_judgements import (
    NameRowJudgement,
    ReadRow,
    judge_rows,
    require_any_prefix,
)
from app.services.assigned_names.prefix_rights import require_changing_role, with_ends_kept
from app.services.refusals import NotFound
from app.services.use_cases import Command, use_case
from app.store.assigned_names import name_import_rows
from app.store.database import read_transaction, transaction
from app.store.editions import edition_rows
from app.store.tables import NameImport, NameImportFinding
from app.store.tables.assigned_names import BatchKind, ImportState

if TYPE_CHECKING:
    from hashlib import _Hash as Hash  # as typeshed has it


ROWS_AT_ONCE = 2_000
MOST_KEPT = name_import_rows.MOST_KEPT


@dataclass(frozen=True, slots=True, kw_only=True)
class NameImportResult:
    """The result of a file: the numbers of read, imported, unchanged and refused rows.

    ``found`` is the number of findings in all its rows, of which ``MOST_KEPT`` are kept.
    """

    ident: int
    at: datetime
    rows: int
    taken: int
    same: int
    refused: int
    found: int
    is_done: bool


@dataclass(frozen=True, slots=True)
class ImportFinding:
    """What was found in a row of a file, by the number of its first line."""

    ident: int
    line: int
    code: str
    message: str

    @property
    def is_refusal(self) -> bool:
        """Whether the row was refused by it, and not only to be looked at."""
        return self.code not in TOLD_CODES


def import_names(
    command: Command,
    digest: str,
    rows: Iterable[ReadRow],
    *,
    given: GivenNumbers,
    prefix: str = "",
    told: Callable[[int], None] = lambda _rows: None,
) -> NameImportResult:
    """Take over the rows of a file that ``digest`` tells from others.

    Rows that were taken over before, by the same person from the same file, are passed over. Who
    may do what is judged anew with each some rows that are kept together.
    Names that are outside ``prefix``, or under none that the person gives names under, are found
    and refused; the others are taken over. ``told`` hears how many rows are done. Raises
    NotAllowed for somebody who gives no names.
    """
    with read_transaction():
        require_any_prefix(command.actor, command.at)
        known = name_import_rows.find(command.actor.id, digest)
        done = known.row if known else 0
    waiting = islice(mark_repeats(rows), done, None)
    told(done)
    while some := list(islice(waiting, ROWS_AT_ONCE)):
        _take(_once(command), digest, done, tuple(some), prefix, given)
        done += len(some)
        told(done)
    _finish(_once(command), digest)
    with read_transaction():
        return _result(name_import_rows.find(command.actor.id, digest))


def count_file(actor: Actor, at: datetime) -> None:
    """Count a file that a person sends to the site.

    Raises NotAllowed for a person without a prefix, and RateLimitExceeded.
    """
    with transaction():
        require_any_prefix(actor, at)
        rate_limits.spend([(RateLimitKind.NAME_FILES_OF_PERSON, str(actor.id))], at)


def was_brought_in(actor: Actor, digest: str) -> bool:
    """Whether somebody brought in a file to its end already, so that nothing of it is left."""
    with read_transaction():
        known = name_import_rows.find(actor.id, digest)
        return known is not None and known.state == ImportState.DONE


def _once(command: Command) -> Command:
    now = max(command.at, edition_rows.clock_time(command.at))
    return replace(command, key=token_urlsafe(16), at=now)


@with_ends_kept
@use_case("import names", beside=("rows", "given"))
def _take(
    command: Command,
    digest: str,
    done: int,
    rows: tuple[ReadRow, ...],
    prefix: str,
    given: GivenNumbers,
) -> None:
    state = name_import_rows.begin(command.actor.id, digest, command.at)
    if state.row != done:  # somebody else goes on with the same file
        return
    hold_names()
    require_any_prefix(command.actor, command.at)
    judged = judge_rows(command.actor, command.at, rows, prefix)
    for part in judged.parts:
        if not part.made.planned:
            continue
        role = require_changing_role(part.prefix, command.actor, command.at)
        write_batch(
            command,
            part.prefix,
            BatchKind.IMPORTED,
            part.made.changes,
            given=given,
            role=role,
            told={"file": digest},
        )
    name_import_rows.add_findings(state.id, judged.findings)
    state.found += len(judged.findings)
    state.row = done + len(rows)
    state.taken += judged.taken
    state.same += judged.same
    state.refused += judged.refused


@with_ends_kept
@use_case("end import of names")
def _finish(command: Command, digest: str) -> None:
    state = name_import_rows.begin(command.actor.id, digest, command.at)
    state.state = ImportState.DONE


def _result(row: NameImport | None) -> NameImportResult:
    if row is None:
        raise LookupError("an import that ended is on file")
    return NameImportResult(
        ident=row.id,
        at=row.at,
        rows=row.row,
        taken=row.taken,
        same=row.same,
        refused=row.refused,
        found=row.found,
        is_done=row.state == ImportState.DONE,
    )


def imports_of(actor: Actor, most: int = 20) -> tuple[NameImportResult, ...]:
    """The files that somebody brought in, newest first."""
    with read_transaction():
        return tuple(map(_result, name_import_rows.of_account(actor.id, most)))


def import_of(actor: Actor, ident: int) -> NameImportResult:
    """What came of a file that somebody brought in. Raises NotFound, also for files of others."""
    with read_transaction():
        row = name_import_rows.of_id(ident)
        if row is None or row.account != actor.id:
            raise NotFound(use_case_codes.ENTRY_UNKNOWN, "Import not found.")
        return _result(row)


def findings_of(actor: Actor, ident: int, after: int, most: int) -> tuple[ImportFinding, ...]:
    """What was found in a file that somebody brought in, after a finding. Raises NotFound.

    First why rows were refused, then what is to be looked at in those that were not.
    """
    import_of(actor, ident)
    with read_transaction():
        found: list[NameImportFinding] = []
        if name_import_rows.is_refusal(ident, after):
            found = name_import_rows.findings_of(ident, after, most, refusals=True)
            after = 0
        left = most - len(found)
        found += name_import_rows.findings_of(ident, after, left, refusals=False)
        return tuple(ImportFinding(row.id, row.row, row.code, row.message) for row in found)


def begun_digest(prefix: str) -> "Hash":
    """The SHA-256 that tells a file from others, and what it is for, before its first octet."""
    return sha256(f"{prefix}\0".encode())


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
