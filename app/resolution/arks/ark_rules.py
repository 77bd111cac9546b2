"""What is needed of a NAAN or a shoulder to lead its ARKs on and to say whose they are: its rules.

An edition holds them for each NAAN and each shoulder, one JSON document a line, sorted.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import Status
from app.resolution.arks.ark_targets import ArkTarget

Document = dict[str, Any]


class ArkRedirect(StrEnum):
    """What it means to lead an ARK on, in the words of RFC 9110 section 15.4.

    ``FOUND`` and ``TEMPORARY_REDIRECT`` lead to what is named; ``SEE_OTHER`` to what is related.

    Source: The ARK URI scheme section 7.1.2, which rules out what lasts.
    """

    FOUND = "found"
    SEE_OTHER = "see other"
    TEMPORARY_REDIRECT = "temporary redirect"


# What the records of NAANs say by the number of a status.
REDIRECTS: Mapping[int, ArkRedirect] = {
    302: ArkRedirect.FOUND,
    303: ArkRedirect.SEE_OTHER,
    307: ArkRedirect.TEMPORARY_REDIRECT,
}
_NUMBERS = {redirect: number for number, redirect in REDIRECTS.items()}
# Members that are texts, by the same name in a document.
_TEXTS = (
    *("holder", "native_name", "acronym", "where", "target", "since"),
    *("policy_text", "policy_address", "tenure", "test_ark", "successor"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArkRules:
    """One NAAN or one shoulder.

    ``prefix`` is ``12345`` or ``12345/x5``, in normal form. ``where`` is the address of the holder,
    ``target`` the template of where its ARKs lead, ``since`` a day or the beginning of one.
    ``policy`` are the codes that the holder declared, NR, OP and CC; empty where it declared none.
    ``takes_verbatim``: the target takes ARKs as they come and not in normal form. A former NAAN or
    shoulder leads nowhere and stays taken.
    """

    prefix: str
    holder: str = ""
    native_name: str = ""
    acronym: str = ""
    where: str = ""
    target: str = ""
    redirect: ArkRedirect = ArkRedirect.FOUND
    since: str = ""
    policy: tuple[str, ...] = ()
    policy_text: str = ""
    policy_address: str = ""
    tenure: str = ""
    test_ark: str = ""
    takes_verbatim: bool = False
    status: Status = Status.REGISTERED
    successor: str = ""
    way: ArkTarget = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """The way is made of the target, and not told."""
        object.__setattr__(self, "way", ArkTarget(self.target))

    @property
    def naan(self) -> str:
        """The NAAN, of a shoulder the one that it is under."""
        return self.prefix.partition("/")[0]

    @property
    def shoulder(self) -> str:
        """What a shoulder adds to its NAAN, such as ``x5``; empty for a NAAN."""
        return self.prefix.partition("/")[2]


def ark_rules_to(rules: ArkRules) -> Document:
    """The rules as a document, which leaves out what has its default."""
    members = {
        "prefix": rules.prefix,
        **{name: getattr(rules, name) for name in _TEXTS},
        "http_code": 0 if rules.redirect is ArkRedirect.FOUND else _NUMBERS[rules.redirect],
        "policy": list(rules.policy),
        "takes_verbatim": rules.takes_verbatim,
        "status": "" if rules.status is Status.REGISTERED else str(rules.status),
    }
    return {name: value for name, value in members.items() if value}


def ark_rules_from(document: Mapping[str, Any]) -> ArkRules:
    """The rules whose ``ark_rules_to`` this is. Raises ValueError or KeyError for others."""
    return ArkRules(
        prefix=document["prefix"],
        redirect=REDIRECTS[document.get("http_code", 302)],
        policy=tuple(document.get("policy", ())),
        takes_verbatim=document.get("takes_verbatim", False),
        status=Status(document.get("status", Status.REGISTERED)),
        **worded(document),
    )


def worded(document: Mapping[str, Any]) -> dict[str, str]:
    """The members of a document that are mere words."""
    return {name: document[name] for name in _TEXTS if name in document}


def ark_rule_lines(rules: Iterable[ArkRules]) -> bytes:
    """Rules as JSON Lines, sorted by their prefix: what an edition publishes."""
    listed = sorted(rules, key=lambda one: one.prefix)
    return "".join(f"{canonical_json(ark_rules_to(one))}\n" for one in listed).encode("ascii")
