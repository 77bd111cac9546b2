"""The wording of policies and kinds of organization.

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
    """The kind of organization that holds a NAAN."""

    NOT_FOR_PROFIT = "NP"
    FOR_PROFIT = "FP"


class PolicyStatement(StrEnum):
    """A code that a NAAN holder declares about its identifiers."""

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
    """Return whether a policy is declared; "" and ``(:unkn) unknown`` aren't."""
    return bool(policy.strip()) and not _UNKNOWN.match(policy.strip()) and policy != UNDECLARED


def _undeclared_in_words(policy: str) -> str:
    return "not declared" if policy and not is_policy_declared(policy) else ""


def _purpose_in_words(purpose: str) -> str:
    return "not stated" if purpose == UNSAID_PURPOSE else ""


def _moment_in_words(moment: str) -> str:
    found = _MOMENT.fullmatch(moment)
    if found is None:
        return ""
    return found[1] if found[2] == "00:00:00" else f"{found[1]}, {found[2]} UTC"


# Wording of coded values in records, by field.
WORDING_OF_FIELDS: Mapping[str, Callable[[str], str]] = {
    "on_file_since": _moment_in_words,
    "policy": _undeclared_in_words,
    "naan_purpose": _purpose_in_words,
}


def policy_statements(policy: str) -> tuple[PolicyStatement, ...]:
    """Return the statements of a policy such as ``NR, OP``, in the order of the enum."""
    codes = _codes(policy)
    return tuple(one for one in PolicyStatement if one in codes)


def unknown_statements(policy: str) -> tuple[str, ...]:
    """Return the codes of a policy that have no known meaning."""
    known = set(PolicyStatement)
    return tuple(code for code in _codes(policy) if code not in known)


def _codes(policy: str) -> list[str]:
    if not is_policy_declared(policy):
        return []
    return list(dict.fromkeys(filter(None, re.split("[ ,;|]+", policy.strip()))))


def statement_in_words(statement: PolicyStatement) -> str:
    """Return a policy code as a sentence."""
    return _STATEMENTS[statement]


def policy_in_words(policy: str) -> tuple[str, ...]:
    """Return a policy as sentences, one per statement, or that no policy is declared.

    An unknown code is quoted.

    Source: the description of ``policy`` in the schema PublicNAAN of the ARK Alliance.
    """
    said = [_STATEMENTS[one] for one in policy_statements(policy)]
    said += [
        f"Also {quote(code)}, a code with no known meaning." for code in unknown_statements(policy)
    ]
    return tuple(said) or (_NOTHING,)


def kind_in_words(record: NaanEntry) -> str:
    """Return the kind of organization that holds a NAAN: ``a not-for-profit organization``."""
    known = {str(kind): words for kind, words in _KINDS.items()}
    return known.get(record.kind, "an organization of undeclared kind")
