"""What a policy and a kind of organization say, in words.

Source: the codes of ``na_policy`` in the schema PublicNAAN of the ARK Alliance.
"""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum

from app.registration.naans.naan_records import UNDECLARED, UNSAID_PURPOSE, NaanEntry
from app.registration.naans.quoted_text import quote

__all__ = [
    "WORDING_OF_FIELDS",
    "OrganizationKind",
    "PolicyStatement",
    "is_policy_declared",
    "kind_in_words",
    "policy_in_words",
    "policy_statements",
    "statement_in_words",
    "unknown_statements",
]


class OrganizationKind(StrEnum):
    """What kind of organization holds a NAAN."""

    NOT_FOR_PROFIT = "NP"
    FOR_PROFIT = "FP"


class PolicyStatement(StrEnum):
    """What a holder declares of the names that it assigns."""

    NO_REASSIGNMENT = "NR"
    OPACITY = "OP"
    CHECK_CHARACTER = "CC"


_KINDS = {
    OrganizationKind.NOT_FOR_PROFIT: "a not-for-profit organization",
    OrganizationKind.FOR_PROFIT: "a for-profit organization",
}
_STATEMENTS = {
    PolicyStatement.NO_REASSIGNMENT: (
        "Identifiers are never reassigned: each refers to the same item indefinitely."
    ),
    PolicyStatement.OPACITY: "Identifiers are opaque: they carry no meaning.",
    PolicyStatement.CHECK_CHARACTER: (
        "Identifiers have a check character, which detects most copying errors."
    ),
}
_NOTHING = "No policy is declared."
_MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9:]{8})(?:\+00:00|Z)")
_UNKNOWN = re.compile(r"\(:unkn\)")


def is_policy_declared(policy: str) -> bool:
    """Whether a policy on file says anything; ``(:unkn) unknown`` and an empty one do not."""
    return bool(policy.strip()) and not _UNKNOWN.match(policy.strip()) and policy != UNDECLARED


def _undeclared_in_words(policy: str) -> str:
    """That nothing is declared, where a file has ``(:unkn) unknown``; empty for all else."""
    return "not declared" if policy and not is_policy_declared(policy) else ""


def _purpose_in_words(purpose: str) -> str:
    """That nobody said a purpose, where a file has ``unspecified``; empty for all else."""
    return "not stated" if purpose == UNSAID_PURPOSE else ""


def _moment_in_words(moment: str) -> str:
    """A moment on file as a day, and what of it the clock shows; empty for what is none."""
    found = _MOMENT.fullmatch(moment)
    if found is None:
        return ""
    return found[1] if found[2] == "00:00:00" else f"{found[1]}, {found[2]} UTC"


# What is said of what stands in a record and is no word of people, by the fields that hold it.
WORDING_OF_FIELDS: Mapping[str, Callable[[str], str]] = {
    "on_file_since": _moment_in_words,
    "policy": _undeclared_in_words,
    "naan_purpose": _purpose_in_words,
}


def policy_statements(policy: str) -> tuple[PolicyStatement, ...]:
    """The statements of a policy on file such as ``NR, OP``, in the order of the codes."""
    codes = _codes(policy)
    return tuple(one for one in PolicyStatement if one in codes)


def unknown_statements(policy: str) -> tuple[str, ...]:
    """What stands in a policy on file and is no code that has a meaning."""
    known = set(PolicyStatement)
    return tuple(code for code in _codes(policy) if code not in known)


def _codes(policy: str) -> list[str]:
    if not is_policy_declared(policy):
        return []
    return list(dict.fromkeys(filter(None, re.split("[ ,;|]+", policy.strip()))))


def statement_in_words(statement: PolicyStatement) -> str:
    """What a code of a policy says, as a sentence."""
    return _STATEMENTS[statement]


def policy_in_words(policy: str) -> tuple[str, ...]:
    """What a policy on file says, a sentence for each statement; one that nothing was declared.

    A code that has no meaning is told as it stands.

    Source: the description of ``policy`` in the schema PublicNAAN of the ARK Alliance.
    """
    said = [_STATEMENTS[one] for one in policy_statements(policy)]
    said += [
        f"Also {quote(code)}, a code with no known meaning." for code in unknown_statements(policy)
    ]
    return tuple(said) or (_NOTHING,)


def kind_in_words(record: NaanEntry) -> str:
    """The kind of organization that holds a NAAN: ``a not-for-profit organization``."""
    known = {str(kind): words for kind, words in _KINDS.items()}
    return known.get(record.kind, "an organization of undeclared kind")
