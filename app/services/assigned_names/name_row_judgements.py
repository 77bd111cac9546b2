"""What comes of rows of a file of names: the changes that they make, and what is found in them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.assigned_names.name_checks import NameFinding
from app.assigned_names.name_rows import NameRow, NameRowFault, revision_of
from app.problems import assigned_name_codes
from app.services.accounts.actors import Actor
from app.services.assigned_names.name_changes import (
    ChangedNames,
    PlannedChange,
    PrefixInUse,
    plan_changes,
)
from app.services.assigned_names.prefix_rights import closure_reason
from app.services.refusals import NotAllowed
from app.store.assigned_names import assigned_name_rows, prefix_rows
from app.store.assigned_names.assigned_name_rows import StoredAssignedName
from app.store.tables import Prefix

__all__ = ["JudgedPrefixRows", "NameRowJudgement", "ReadRow", "judge_rows", "require_any_prefix"]

_RULE = "Rule of this registry"

ReadRow = NameRow | NameRowFault
Finding = tuple[int, int, str, str]


@dataclass(frozen=True, slots=True)
class JudgedPrefixRows:
    """The rows whose names are under one prefix, and what comes of them there."""

    prefix: Prefix
    rows: Sequence[NameRow]
    made: ChangedNames

    def planned(self) -> Iterator[tuple[int, PlannedChange]]:
        """Each change that is made, with the number of the first line of its row."""
        return ((self.rows[one.place].line, one) for one in self.made.planned)

    @property
    def labels(self) -> frozenset[str]:
        """What the rows tell that are not refused, by its labels."""
        told = (row for at, row in enumerate(self.rows) if at not in self.made.refused)
        return frozenset().union(*(row.given for row in told))


@dataclass(frozen=True, slots=True)
class NameRowJudgement:
    """What comes of some rows: the changes by prefix, findings, and how many rows come to what."""

    parts: tuple[JudgedPrefixRows, ...]
    findings: tuple[Finding, ...]
    refused: int

    @property
    def same(self) -> int:
        """How many rows say nothing new."""
        return sum(one.made.same for one in self.parts)

    @property
    def taken(self) -> int:
        """How many rows say something new."""
        return sum(len(one.made.planned) for one in self.parts)

    def planned(self) -> Iterator[tuple[int, Prefix, PlannedChange]]:
        """Each change with the line of its row, in their order, and its prefix."""
        found = ((line, part.prefix, one) for part in self.parts for line, one in part.planned())
        return iter(sorted(found, key=lambda told: told[0]))


def require_any_prefix(actor: Actor, at: datetime) -> None:
    """Raise NotAllowed for somebody who gives no names."""
    if not prefix_rows.given_by(actor.id, at):
        raise NotAllowed(
            assigned_name_codes.PREFIX_HOLDERS_ONLY, "You don't have a prefix. Add one first."
        )


def judge_rows(
    actor: Actor, at: datetime, rows: Sequence[ReadRow], prefix: str
) -> NameRowJudgement:
    """What comes of rows that somebody brings in, of names under ``prefix`` alone if there is one.

    Names that are under no prefix under which they give names are found and refused.
    """
    known = assigned_name_rows.known({row.record.name for row in rows if isinstance(row, NameRow)})
    used = _PrefixFinder(actor, at, prefix)
    by_prefix, refusals = _rows_by_prefix(used, rows, known)
    parts = tuple(
        _judged_under(used.row_of(ident), at, some, known) for ident, some in by_prefix.items()
    )
    findings = [*refusals, *(one for part in parts for one in _findings_of(part))]
    refused = len(refusals) + sum(len(part.made.refused) for part in parts)
    return NameRowJudgement(parts, tuple(sorted(findings)), refused)


def _rows_by_prefix(
    used: "_PrefixFinder", rows: Iterable[ReadRow], known: Mapping[str, StoredAssignedName]
) -> tuple[dict[int, list[NameRow]], list[Finding]]:
    by_prefix: dict[int, list[NameRow]] = defaultdict(list)
    refusals: list[Finding] = []
    for row in rows:
        if isinstance(row, NameRowFault):
            refusals.append((row.line, 0, row.code, row.message))
            continue
        found, why = used.find(row.record.name, known.get(row.record.name))
        if found is None:
            refusals.append((row.line, 0, assigned_name_codes.PREFIX_UNKNOWN.code, why))
        else:
            by_prefix[found.id].append(row)
    return by_prefix, refusals


def _judged_under(
    prefix: Prefix, at: datetime, rows: Sequence[NameRow], known: Mapping[str, StoredAssignedName]
) -> JudgedPrefixRows:
    revisions = list(map(revision_of, rows))
    made = plan_changes(PrefixInUse.of(prefix, at), revisions, known, is_file=True)
    return JudgedPrefixRows(prefix, rows, made)


def _findings_of(part: JudgedPrefixRows) -> Iterator[Finding]:
    found = [*_repeats(part.rows), *part.made.findings]
    return _numbered(part.rows, _telling(found, part.made.refused))


def _telling(
    findings: Iterable[tuple[int, NameFinding]], refused: frozenset[int]
) -> Iterator[tuple[int, NameFinding]]:
    return ((at, one) for at, one in findings if one.refuses or at not in refused)


def _repeats(rows: Sequence[NameRow]) -> Iterator[tuple[int, NameFinding]]:
    for at, row in enumerate(rows):
        if row.repeats:
            told = (
                f"{row.record.name} also appears in an earlier row. The values in this row replace "
                "the earlier ones."
            )
            yield at, NameFinding("name", "name_repeated", told, _RULE)


def _numbered(
    rows: Sequence[NameRow], findings: Iterable[tuple[int, NameFinding]]
) -> Iterator[Finding]:
    counts: dict[int, int] = defaultdict(int)
    for at, finding in findings:
        line, name, told = rows[at].line, rows[at].record.name, finding.message
        yield line, counts[line], finding.code, told if name in told else f"{name}: {told}"
        counts[line] += 1


class _PrefixFinder:
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
            return None, f"{name} isn't under {self._within}, the prefix you chose."
        if stored is not None:
            found = self._own.get(stored.prefix)
            return found, "" if found else f"{name} belongs to another owner."
        beginnings = (name[:length] for length in self._lengths if length < len(name))
        found = next((self._by_text[one] for one in beginnings if one in self._by_text), None)
        if found is None:
            return None, f"{name} isn't under any of your prefixes."
        if found.id not in self._own:
            return None, f"{name} is under {found.text}, which isn't your prefix."
        if found.id not in self._closed:
            self._closed[found.id] = closure_reason(found)
        closed = self._closed[found.id]
        return (None, closed) if closed else (found, "")

    def row_of(self, ident: int) -> Prefix:
        """A prefix of theirs by its row."""
        return self._own[ident]
