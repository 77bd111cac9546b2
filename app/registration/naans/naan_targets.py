"""What the target of a NAAN or a shoulder is: judged here for imports, forms and the resolver."""

import re
from enum import StrEnum
from functools import lru_cache

from app.identifiers.public_addresses import canonical_host, check_host

__all__ = [
    "LABEL",
    "LONGEST_HOST",
    "TARGET_VARIABLES",
    "TargetFault",
    "authority_of",
    "find_target_fault",
    "host_of",
    "reach_objection",
    "target_template",
    "unknown_variables",
    "variables_of",
]

# What a target may have filled in, by the names that records of NAANs have for it.
TARGET_VARIABLES = ("pid", "content", "prefix", "value", "suffix")

_DOLLAR = re.compile(r"\$\{([^{}]*)\}")
_BRACED = re.compile(r"\{([+#./;?&]?)([^{}]*)\}")
_VARIABLE = re.compile(r"([A-Za-z0-9_]+)(?:\*|:[1-9][0-9]{0,3})?")
_WEB = re.compile("(?i:https?)://")
# of the name of a host
LABEL = "[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?"
_AUTHORITY = re.compile(
    rf"(?P<host>{LABEL}(?:\.{LABEL})*\.?|\[[0-9A-Fa-f:.]+\])(?P<port>:[0-9]{{1,5}})?"
)
# What ends an authority: a mark, the end, or an expression that begins with such a mark.
_ENDED = re.compile(r"[/?#]|\Z|\{[/?#]")
LONGEST_HOST = 253
_CHARACTERS = re.compile(r"(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*+")


class TargetFault(StrEnum):
    """Why a target leads nowhere: there is none, it is no address of the Web, what is filled in
    would say whither it leads, not everybody reaches its host and port, nobody fills in what is to
    be, or it has characters that no address has.
    """

    MISSING = "missing"
    SCHEME = "scheme"
    HOST = "host"
    UNREACHED = "unreached"
    VARIABLE = "variable"
    CHARACTER = "character"


def target_template(target: str) -> str:
    """A target as a template: ``${content}``, as records have it, is ``{+content}``.

    Source: RFC 6570 section 3.2.3.
    """
    return _DOLLAR.sub(r"{+\1}", target)


def variables_of(target: str) -> tuple[str, ...]:
    """What a target has filled in, by its names; a text that is no name as it stands.

    Source: RFC 6570 section 2.
    """
    found = []
    for _, names in _BRACED.findall(target_template(target)):
        for name in names.split(","):
            variable = _VARIABLE.fullmatch(name)
            found.append(variable[1] if variable else name)
    return tuple(found)


def unknown_variables(target: str) -> tuple[str, ...]:
    """What a target has filled in that nobody knows, each once."""
    found = dict.fromkeys(variables_of(target))
    return tuple(name for name in found if name not in TARGET_VARIABLES)


def host_of(address: str) -> str:
    """The host of an address of the Web, as ``canonical_host`` spells it.

    Empty where it has none, where it names a user, and for numbers that are no address.

    Source: RFC 3986 section 3.2.
    """
    authority = authority_of(address)
    host = _AUTHORITY.match(authority)
    return canonical_host(host["host"]) if host else ""


def authority_of(address: str) -> str:
    """The host of an address of the Web with its port, as they stand; empty where ``host_of`` is.

    Source: RFC 3986 section 3.2.
    """
    scheme = _WEB.match(address)
    found = _AUTHORITY.match(address, scheme.end()) if scheme else None
    if found is None or not _ENDED.match(address, found.end()):
        return ""
    return found[0] if len(found["host"].removesuffix(".")) <= LONGEST_HOST else ""


@lru_cache(maxsize=256)  # the targets of a holder, which may be a million, have few hosts
def reach_objection(authority: str) -> str:
    """Why not everybody reaches a host with its port, in a sentence; empty where everybody does.

    Source: RFC 3986 section 3.2; RFC 6890.
    """
    return next(check_host(authority), "")


def find_target_fault(target: str) -> TargetFault | None:
    """Why no ARK is led on by a target, the first reason; None where ARKs are.

    Does not ask whether its host is there.

    Source: RFC 3986 sections 2 and 3.2; RFC 6570 section 2; RFC 6890.
    """
    if not target:
        return TargetFault.MISSING
    if not _WEB.match(target):
        return TargetFault.SCHEME
    template = target_template(target)
    authority = authority_of(template)
    if not authority:
        return TargetFault.HOST
    if reach_objection(authority):
        return TargetFault.UNREACHED
    if unknown_variables(target):
        return TargetFault.VARIABLE
    is_address = _CHARACTERS.fullmatch(_BRACED.sub("a", template)) is not None
    return None if is_address else TargetFault.CHARACTER
