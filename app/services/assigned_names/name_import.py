"""Bringing in names that exist elsewhere: from a file of any length, so many rows to a commit.

Whoever is interrupted begins again with the same file, and goes on where the last commit ended.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import islice
from secrets import token_urlsafe
from typing import TYPE_CHECKING

from app.assigned_names.name_checks import TOLD_CODES, NameFinding
from app.assigned_names.name_files.name_rows import (
    COLUMNS,
    NameRow,
    NameRowFault,
    mark_repeats,
    revision_of,
)
from app.problems import assigned_name_codes, use_case_codes
from app.services.accounts.actors import Actor
from app.services.assigned_names.ended_delegations import with_ends_kept
from app.services.assigned_names.name_batches import GivenNumbers, write_batch
from app.services.assigned_names.name_changes import PrefixInUse, plan_changes
from app.services.assigned_names.name_lines import hold_names
from app.services.assigned_names.prefix_rights import closure_reason, require_changing_role
from app.services.refusals import NotAllowed, NotFound
from app.services.use_cases import Command, use_case
from app.store.assigned_names import assigned_name_rows, name_import_rows, prefix_rows
from app.store.assigned_names.assigned_name_rows import NewNameVersion, StoredAssignedName
from app.store.database import read_transaction
from app.store.editions import edition_rows
from app.store.tables import NameImport, NameImportFinding, Prefix
from app.store.tables.assigned_names import BatchKind, ImportState

if TYPE_CHECKING:
    from hashlib import _Hash as Hash  # as typeshed has it

__all__ = [
    "ImportFinding",
    "NameImportPreview",
    "NameImportResult",
    "begun_digest",
    "findings_of",
    "import_names",
    "import_of",
    "imports_of",
    "look_through",
]

ROWS_AT_ONCE = 2_000
FIRST_FINDINGS = 50  # that are shown of a file before it is brought in
_MOST_FURTHER = 20  # labels

_RULE = "Rule of this registry"

ReadRow = NameRow | NameRowFault
Finding = tuple[int, int, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameImportResult:
    """What came of a file: how many rows were read, taken over, the same, and refused."""

    ident: int
    at: datetime
    rows: int
    taken: int
    same: int
    refused: int
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


@dataclass(frozen=True, slots=True, kw_only=True)
class NameImportPreview:
    """What would come of a file, with the first findings: how many names are new, and how many rows
    change one that is there. ``further`` are labels that are none of ``COLUMNS``, of which some may
    be one of these, written wrongly. ``before``: it was brought in already."""

    rows: int
    new: int
    changed: int
    same: int
    refused: int
    findings: tuple[ImportFinding, ...]
    further: tuple[str, ...]
    before: int | None


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
        _require_prefix(command.actor, command.at)
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


def _once(command: Command) -> Command:
    """The command that some rows are taken over by, at the moment when they are.

    A file may take an hour, in which who brings it in may lose what they give names by.
    """
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
    """Take over some rows, and keep how far the file is: both or neither."""
    state = name_import_rows.begin(command.actor.id, digest, command.at)
    if state.row != done:  # somebody else goes on with the same file
        return
    hold_names()
    _require_prefix(command.actor, command.at)
    judged = _judge(command.actor, command.at, rows, prefix)
    for row_of, changes in judged.changes:
        role = require_changing_role(row_of, command.actor, command.at)
        write_batch(
            command,
            row_of,
            BatchKind.IMPORTED,
            changes,
            given=given,
            role=role,
            told={"file": digest},
        )
    name_import_rows.add_findings(state.id, judged.findings)
    state.row = done + len(rows)
    state.taken += judged.taken
    state.same += judged.same
    state.refused += judged.refused


@dataclass(frozen=True, slots=True)
class _JudgedRows:
    """What comes of some rows: the changes by prefix, findings, and how many rows come to what."""

    changes: tuple[tuple[Prefix, tuple[NewNameVersion, ...]], ...]
    findings: tuple[Finding, ...]
    same: int
    refused: int

    @property
    def taken(self) -> int:
        """How many rows say something new."""
        return sum(len(changes) for _, changes in self.changes)

    @property
    def new(self) -> int:
        """How many names were not there before."""
        return sum(not one.before for _, changes in self.changes for one in changes)


def _judge(actor: Actor, at: datetime, rows: Sequence[ReadRow], prefix: str) -> _JudgedRows:
    findings: list[Finding] = []
    refused: set[int] = set()
    by_prefix: dict[int, list[NameRow]] = defaultdict(list)
    places: dict[int, list[int]] = defaultdict(list)
    known = assigned_name_rows.known({row.record.name for row in rows if isinstance(row, NameRow)})
    used = _PrefixFinder(actor, at, prefix)
    for place, row in enumerate(rows):
        if isinstance(row, NameRowFault):
            refused.add(place)
            findings.append((row.line, 0, row.code, row.message))
            continue
        found, why = used.find(row.record.name, known.get(row.record.name))
        if found is None:
            refused.add(place)
            findings.append((row.line, 0, assigned_name_codes.PREFIX_UNKNOWN.code, why))
            continue
        by_prefix[found.id].append(row)
        places[found.id].append(place)
    changes: list[tuple[Prefix, tuple[NewNameVersion, ...]]] = []
    same = 0
    for ident, some in by_prefix.items():
        row_of = used.row_of(ident)
        revisions = [revision_of(row) for row in some]
        made = plan_changes(PrefixInUse.of(row_of, at), revisions, known)
        same += made.same
        refused |= {places[ident][one] for one in made.refused}
        findings += _numbered(some, _telling([*_repeats(some), *made.findings], made.refused))
        if made.changes:
            changes.append((row_of, made.changes))
    return _JudgedRows(tuple(changes), tuple(sorted(findings)), same, len(refused))


def _telling(
    findings: Iterable[tuple[int, NameFinding]], refused: frozenset[int]
) -> Iterator[tuple[int, NameFinding]]:
    """What is told of rows: of those that are refused why they are, and nothing else."""
    return ((at, one) for at, one in findings if one.refuses or at not in refused)


def _repeats(rows: Sequence[NameRow]) -> Iterator[tuple[int, NameFinding]]:
    """What is told of rows whose name stands in an earlier row of the file too."""
    for at, row in enumerate(rows):
        if row.repeats:
            told = (
                f"{row.record.name} stands in an earlier row too. What this row says counts, and "
                "what it leaves out stays as it was known before this row."
            )
            yield at, NameFinding("name", "name_repeated", told, _RULE)


def _numbered(rows: Sequence[NameRow], findings: Iterable[tuple[int, object]]) -> Iterator[Finding]:
    counts: dict[int, int] = defaultdict(int)
    for at, finding in findings:
        line = rows[at].line
        yield line, counts[line], getattr(finding, "code", ""), getattr(finding, "message", "")
        counts[line] += 1


@with_ends_kept
@use_case("end import of names")
def _finish(command: Command, digest: str) -> None:
    state = name_import_rows.begin(command.actor.id, digest, command.at)
    state.state = ImportState.DONE


class _PrefixFinder:
    """The prefix that somebody gives or changes a name under."""

    def __init__(self, actor: Actor, at: datetime, prefix: str) -> None:
        held = [row for row, _ in prefix_rows.given_by(actor.id, at)]
        self._own = {row.id: row for row in held}
        around = {row.text: row for row in held}
        for row in held:
            around |= {one.text: one for one in prefix_rows.within(row.text)}
        self._by_text, self._within = around, prefix
        self._lengths = sorted({len(text) for text in around}, reverse=True)
        self._closed: dict[int, str] = {}

    def find(self, name: str, stored: StoredAssignedName | None) -> tuple[Prefix | None, str]:
        """The prefix of a name, by which it is ``stored`` if it is; or None and the reason."""
        if self._within and not name.startswith(self._within):
            return None, f"{name} is not under {self._within}, which this file is for."
        if stored is not None:
            found = self._own.get(stored.prefix)
            return found, "" if found else f"{name} was given by others, who change it."
        beginnings = (name[:length] for length in self._lengths if length < len(name))
        found = next((self._by_text[one] for one in beginnings if one in self._by_text), None)
        if found is None:
            return None, f"{name} is under no prefix of yours."
        if found.id not in self._own:
            return None, f"{name} is under {found.text}, whose names others give, or nobody now."
        if found.id not in self._closed:
            self._closed[found.id] = closure_reason(found)
        closed = self._closed[found.id]
        return (None, closed) if closed else (found, "")

    def row_of(self, ident: int) -> Prefix:
        """A prefix of theirs by its row."""
        return self._own[ident]


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
            raise NotFound(use_case_codes.ENTRY_UNKNOWN, "You brought in no such file.")
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


def look_through(
    actor: Actor, at: datetime, digest: str, rows: Iterable[ReadRow], prefix: str = ""
) -> NameImportPreview:
    """What would come of a file, of which nothing is kept.

    A name that comes twice in it counts twice. Raises NotAllowed for somebody who gives no names.
    """
    with read_transaction():
        _require_prefix(actor, at)
        known = name_import_rows.find(actor.id, digest)
        read = taken = new = same = refused = 0
        refusals: list[ImportFinding] = []
        notes: list[ImportFinding] = []
        waiting, labels = mark_repeats(rows), set[str]()
        while some := list(islice(waiting, ROWS_AT_ONCE)):
            judged = _judge(actor, at, some, prefix)
            labels.update(*(row.given for row in some if isinstance(row, NameRow)))
            read, taken, new = read + len(some), taken + judged.taken, new + judged.new
            same, refused = same + judged.same, refused + judged.refused
            found = (ImportFinding(0, line, code, text) for line, _, code, text in judged.findings)
            for one in found:
                kind = refusals if one.is_refusal else notes
                if len(kind) < FIRST_FINDINGS:
                    kind.append(one)
        return NameImportPreview(
            rows=read,
            new=new,
            changed=taken - new,
            same=same,
            refused=refused,
            findings=(*refusals, *notes)[:FIRST_FINDINGS],
            further=tuple(sorted(labels - {*COLUMNS}))[:_MOST_FURTHER],
            before=known.id if known else None,
        )


def _require_prefix(actor: Actor, at: datetime) -> None:
    if not prefix_rows.given_by(actor.id, at):
        raise NotAllowed(assigned_name_codes.PREFIX_HOLDERS_ONLY, "You give names under no prefix.")
