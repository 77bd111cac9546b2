"""What is found in a submission, as people and programs are told."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from app.identifiers.errors import MISSING
from app.registration.declarations.registries import find_field

__all__ = [
    "MISSING",
    "WHOLE",
    "Severity",
    "SubmissionCheck",
    "SubmissionFinding",
    "sort_findings",
]


class Severity(StrEnum):
    """How grave a finding is: it forbids to go on, asks whoever approves, or asks nobody."""

    MUST = "must"
    SHOULD = "should"
    NOTE = "note"


_GRAVEST_FIRST = tuple(Severity)
WHOLE = "whole"  # the question of a finding that is about no page of the form alone


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionFinding:
    """One thing found in a submission: where, what, by which rule, and what to do.

    ``message`` says what is wrong and what to do about it. ``question`` is the one beside the
    template that it is of, by its name in the form; ``line`` counts from 1 within the field,
    where it is about one, and ``quoted`` is what stands there. ``page`` is that of the name that
    it is held against, where it is about one.
    """

    field: str
    code: str
    message: str
    source: str
    severity: Severity = Severity.MUST
    question: str = ""
    line: int = 0
    quoted: str = ""
    page: str = ""

    @property
    def place(self) -> str:
        """The name of the form's field in which it is to be changed."""
        return self.question or self.field

    @property
    def is_problem(self) -> bool:
        """Whether it forbids sending, passing and registering."""
        return self.severity is Severity.MUST

    @property
    def is_missing(self) -> bool:
        """Whether it is of what nobody has written yet, and must be there."""
        return self.is_problem and self.code == MISSING

    @property
    def asks_approver(self) -> bool:
        """Whether whoever approves over it says in a sentence why."""
        return self.severity is not Severity.NOTE

    @property
    def quote(self) -> str:
        """The finding below its place, to be put into a review or a comment.

        There a quote is read, so that what is asked stands beside the field that it is of.
        """
        declared = find_field(self.field)
        place = declared.label if declared else self.field
        if self.line:
            place += f", line {self.line}: {self.quoted.strip()}"
        return f"> {place}\n\n{self.message} ({self.source})"


class SubmissionCheck(tuple[SubmissionFinding, ...]):
    """All that was found in a submission, gravest first: whatever counts it counts it here."""

    __slots__ = ()

    @property
    def problems(self) -> "SubmissionCheck":
        """What must be changed before the text can be sent, passed or registered."""
        return self._of(Severity.MUST)

    @property
    def present(self) -> "SubmissionCheck":
        """What is about words that are there: nothing of what is only missing."""
        return SubmissionCheck(finding for finding in self if not finding.is_missing)

    @property
    def looks(self) -> "SubmissionCheck":
        """What may stay, and what whoever approves says why of."""
        return self._of(Severity.SHOULD)

    @property
    def notes(self) -> "SubmissionCheck":
        """What is told to be known, and asks nobody."""
        return self._of(Severity.NOTE)

    @property
    def asks_approver(self) -> bool:
        """Whether whoever approves says in a sentence why."""
        return any(finding.asks_approver for finding in self)

    @property
    def gravest(self) -> Severity | None:
        """The severity of what is found first; None where nothing is."""
        return self[0].severity if self else None

    @property
    def summary(self) -> str:
        """The counts in words: ``1 missing answer, 2 problems, 1 warning, 1 note``."""
        missing = sum(one.is_missing for one in self)
        counted = (
            (missing, "missing answer"),
            (len(self.problems) - missing, "problem"),
            (len(self.looks), "warning"),
            (len(self.notes), "note"),
        )
        return ", ".join(f"{n} {word}{'s' if n > 1 else ''}" for n, word in counted if n)

    def of_fields(self, names: Collection[str]) -> "SubmissionCheck":
        """What was found in some fields."""
        return SubmissionCheck(finding for finding in self if finding.field in names)

    def _of(self, severity: Severity) -> "SubmissionCheck":
        return SubmissionCheck(finding for finding in self if finding.severity is severity)


def sort_findings(found: Iterable[SubmissionFinding], fields: Iterable[str]) -> SubmissionCheck:
    """Findings gravest first, then in the order of the fields, then of their lines."""
    places = {name: place for place, name in enumerate(fields)}
    return SubmissionCheck(
        sorted(
            found,
            key=lambda one: (_GRAVEST_FIRST.index(one.severity), places[one.field], one.line),
        )
    )
