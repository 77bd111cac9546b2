"""The form of a declared refusal. The tables beside this module have one row for each."""

from dataclasses import dataclass
from enum import StrEnum

PROBLEMS = "/problems/"  # below it every code has its page


class ProblemKind(StrEnum):
    """What refusals have in common; ``problem_documents.STATUS`` gives each its HTTP status."""

    UNREADABLE = "unreadable"
    SIGNED_OUT = "signed out"
    NOT_ALLOWED = "not allowed"
    NOT_FOUND = "not found"
    READ_ONLY = "read only"
    NO_SUCH_FORM = "no such form"
    TOO_SLOW = "too slow"
    CONFLICT = "conflict"
    GONE = "gone"
    OUTDATED_CONDITION = "outdated condition"
    TOO_LARGE = "too large"
    LONG_ADDRESS = "long address"
    NOT_A_FORM = "not a form"
    BEYOND_END = "beyond the end"
    INVALID = "invalid"
    TOO_OFTEN = "too often"
    LARGE_HEAD = "large head"
    FAULT = "fault"
    UNSUPPORTED = "unsupported"
    BUSY = "busy"
    NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True)
class ProblemCode:
    """One declared refusal.

    ``code`` never changes, ``title`` says in a few words what is wrong, ``source`` is the rule (a
    section of a standard, a rule of this registry, or a setting), ``remedy`` what to do.
    """

    code: str
    kind: ProblemKind
    title: str
    source: str
    remedy: str

    @property
    def path(self) -> str:
        """Where its page is, from the base address of the site."""
        return f"{PROBLEMS}{self.code}"
