"""What is needed of a NAAN or a shoulder to lead its ARKs on and to say whose they are: its
rules."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from app.registration.naans.naan_records import is_fit
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

_TEXT_NAMES = frozenset(_TEXTS)
_REGISTERED = Status.REGISTERED  # a member of an enumeration is found slowly by its name


# Targets that are held taken apart: the shoulders of one holder mostly have one target.
_way_of = lru_cache(maxsize=4_096)(ArkTarget)


class ArkRules(NamedTuple):
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

    @property
    def way(self) -> ArkTarget:
        return _way_of(self.target)

    @property
    def naan(self) -> str:
        return self.prefix.partition("/")[0]

    @property
    def shoulder(self) -> str:
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
    texts = worded(document)
    unread = len(texts) < len(_TEXT_NAMES.intersection(document))
    policy, is_verbatim = document.get("policy", []), document.get("takes_verbatim", False)
    code = document.get("http_code", 302)
    if unread or type(code) is not int or type(is_verbatim) is not bool or not _are_texts(policy):
        raise ValueError("Members of a NAAN's or a shoulder's rules are of another kind.")
    return ArkRules(
        prefix=_prefix_of(document),
        redirect=REDIRECTS[code],
        policy=tuple(policy),
        takes_verbatim=is_verbatim,
        status=Status(document["status"]) if "status" in document else _REGISTERED,
        **texts,
    )


def known_ark_rules_from(document: Mapping[str, Any]) -> ArkRules:
    """Raises ValueError or KeyError for a document that says of no NAAN or shoulder what it is."""
    return ark_rules_from({"prefix": _prefix_of(document), **worded(document), "target": ""})


def worded(document: Mapping[str, Any]) -> dict[str, str]:
    """The members of a document that are mere words, and texts that can be sent."""
    told = {
        name: value
        for name, value in document.items()
        if name in _TEXT_NAMES and type(value) is str
    }
    if is_fit("".join(told.values())):  # as nearly all are, seen at once
        return told
    return {name: value for name, value in told.items() if is_fit(value)}


def _prefix_of(document: Mapping[str, Any]) -> str:
    prefix = document["prefix"]
    if type(prefix) is not str or not is_fit(prefix):
        raise ValueError("The prefix of a NAAN or a shoulder is a text.")
    return prefix


def _are_texts(values: object) -> bool:
    return type(values) is list and all(type(one) is str and is_fit(one) for one in values)


def ark_rule_lines(rules: Iterable[ArkRules]) -> bytes:
    listed = sorted(rules, key=lambda one: one.prefix)
    return "".join(f"{canonical_json(ark_rules_to(one))}\n" for one in listed).encode("ascii")
