"""What is found in a submission, as people and programs are told."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """Whether a finding forbids the registration or asks a person to look."""

    PROBLEM = "problem"
    LOOK = "look"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionFinding:
    """One thing found in a submission: where, what, by which rule, and what to do.

    ``question`` is the one beside the template that it is of, by its name in the form.
    """

    field: str
    code: str
    message: str
    source: str
    severity: Severity = Severity.PROBLEM
    question: str = ""

    @property
    def is_problem(self) -> bool:
        """Whether it forbids sending, passing and registering."""
        return self.severity is Severity.PROBLEM
