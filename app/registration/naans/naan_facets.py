"""What NAANs and shoulders are listed and counted by: the holder, its policy, where they lead."""

from collections.abc import Mapping

from app.registration.naans.naan_checks import web_host
from app.registration.naans.policy_wording import (
    OrganizationKind,
    PolicyStatement,
    policy_statements,
)

__all__ = [
    "NOTHING",
    "POLICY_CHOICES",
    "holder_kinds",
    "holder_text",
    "host_text",
    "host_word",
    "kind_word",
    "policy_values",
    "policy_word",
    "target_hosts",
]

NOTHING = "none"  # the value of a record that says nothing of it

_KINDS = {
    OrganizationKind.NOT_FOR_PROFIT: "Not for profit",
    OrganizationKind.FOR_PROFIT: "For profit",
}
_STATEMENTS = {
    PolicyStatement.NO_REASSIGNMENT: "Never given again (NR)",
    PolicyStatement.OPACITY: "Opaque (OP)",
    PolicyStatement.CHECK_CHARACTER: "Check character (CC)",
}
POLICY_CHOICES = tuple((str(one), word) for one, word in _STATEMENTS.items())


def holder_kinds(fields: Mapping[str, str]) -> tuple[str, ...]:
    """The code of the kind of organization, in lower case."""
    code = fields.get("organization_kind", "")
    return (code.lower() if code in set(OrganizationKind) else NOTHING,)


def kind_word(value: str) -> str:
    """A kind of organization as people read it."""
    known = {kind.lower(): word for kind, word in _KINDS.items()}
    return known.get(value, "Not told" if value == NOTHING else value)


def policy_values(fields: Mapping[str, str]) -> tuple[str, ...]:
    """The codes that a holder declared, in lower case; one value for those who declared none."""
    said = policy_statements(fields.get("policy", ""))
    return tuple(one.lower() for one in said) or (NOTHING,)


def policy_word(value: str) -> str:
    """What a policy says as people read it, short."""
    known = {one.lower(): word for one, word in _STATEMENTS.items()}
    return known.get(value, "Nothing declared" if value == NOTHING else value)


def target_hosts(fields: Mapping[str, str]) -> tuple[str, ...]:
    """The host to which names lead; one value where they lead nowhere."""
    host = web_host(fields.get("target", ""))
    return (host if host.isascii() and not set(host) & set(" \t\n\r\f\v") and host else NOTHING,)


def host_word(value: str) -> str:
    """A host as people read it."""
    return "Nowhere" if value == NOTHING else value


def holder_text(fields: Mapping[str, str]) -> str:
    """The organization, with its acronym where that says more."""
    name, acronym = fields.get("organization", ""), fields.get("acronym", "")
    return f"{name} ({acronym})" if name and acronym and acronym not in name.split() else name


def host_text(fields: Mapping[str, str]) -> str:
    """The host to which names lead, empty where there is none."""
    (host,) = target_hosts(fields)
    return "" if host == NOTHING else host
