"""The kinds of URN namespace, and what a check of a NID gives back."""

from dataclasses import dataclass
from enum import StrEnum


class NidKind(StrEnum):
    """The two kinds of URN namespace, as RFC 8141 section 5 names them."""

    FORMAL = "formal"
    INFORMAL = "informal"


MISSING = "missing"  # the code of what is to be there, and is not filled in


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found about a NID or an ARK: a stable code, a sentence for people, the rule."""

    code: str
    message: str
    source: str


@dataclass(frozen=True, slots=True)
class NidReport:
    """All that was found about a NID. It is valid when there is no problem."""

    text: str
    kind: NidKind
    problems: tuple[Finding, ...]
    advisories: tuple[Finding, ...]

    @property
    def valid(self) -> bool:
        return not self.problems
