"""What is wrong with the answers of whoever asks for a NAAN or a shoulder, and what to do about it.

Source: the schema PublicNAAN of the ARK Alliance; RFC 3986 and RFC 6570 for addresses; The ARK
Identifier Scheme.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice
from urllib.parse import urlsplit

from app.identifiers.ark import parse_ark
from app.identifiers.ark_checks import check_ark
from app.identifiers.errors import Finding, InvalidARK
from app.identifiers.public_addresses import check_host
from app.registration.naans.naan_checks import target_faults, web_address_faults
from app.registration.naans.naan_names import NaanNameReport, fold_naan_name
from app.registration.naans.naan_records import AS_WRITTEN, TARGET_STATUSES
from app.registration.naans.naan_targets import host_of, target_template
from app.registration.naans.policy_wording import (
    OrganizationKind,
    PolicyStatement,
    unknown_statements,
)
from app.registration.naans.quoted_text import quote
from app.registration.naans.shared_naans import EXAMPLES_NAAN

__all__ = [
    "KIND_CHOICES",
    "NAAN_TO_COME",
    "SPELLING_CHOICES",
    "TARGET_CHOICES",
    "advise_target",
    "check_choice_of",
    "check_policy",
    "check_target",
    "check_target_here",
    "check_tenure",
    "check_test_ark",
    "check_test_ark_beside",
    "check_web_address",
]

# What stands for the number in an ARK that is written before the number is drawn.
NAAN_TO_COME = "NNNNN"
_STATUSES = {
    302: "302 (Found)",
    303: "303 (See Other): the target describes the item",
    307: "307 (Temporary Redirect): the method is kept",
}
TARGET_CHOICES = (
    ("", "Default"),
    *((str(status), _STATUSES[status]) for status in TARGET_STATUSES),
)

_SCHEMA = "the schema PublicNAAN of the ARK Alliance"
_ON_ADDRESSES = "RFC 3986 section 3"
_YEARS = re.compile("[0-9]{4}(?:-(?:[0-9]{4})?)?")
# Every target leads on; without one nothing is resolved, and one place may be meant for all.
_ADVICE = {
    "fixed": "The target has no variable, so all ARKs resolve to one page. Add `${content}` where "
    "the NAAN and name belong, unless that is intended.",
}


def check_web_address(text: str) -> Iterator[Finding]:
    """Yield what is wrong with the address of an organization or of a text on the Web."""
    for code, message in web_address_faults(text):
        told = f"{message} Enter an address such as `https://library.example/`."
        yield Finding(f"address_{code}", told, _ON_ADDRESSES)
        return
    for message in islice(check_host(urlsplit(text).netloc), 1):
        yield Finding("address_host", message, "RFC 3986 section 3.2")


def check_target(text: str) -> Iterator[Finding]:
    """Yield what is wrong with a target, so that no name could be resolved by it."""
    for code, message in target_faults(text):
        if code not in _ADVICE:
            told = f"{message} Enter a target such as `https://library.example/ark:${{content}}`."
            yield Finding(f"target_{code}", told, _ON_ADDRESSES)
            return


def advise_target(text: str) -> Iterator[Finding]:
    """Yield what the operator should look at in a target."""
    for code, _ in target_faults(text):
        if code in _ADVICE:
            yield Finding(f"target_{code}", _ADVICE[code], _ON_ADDRESSES)


def check_target_here(text: str, hosts: Collection[str]) -> Iterator[Finding]:
    """Yield that a target is at one of the hosts of the site that is asked, which leads nobody
    back to itself. A port behind a host does not count. Source: The ARK URI scheme section 7.
    """
    host = host_of(target_template(text))
    if host and host in {host_of(f"http://{one}/") for one in hosts}:
        told = (
            f"{quote(host)} is this site, so the target would redirect to itself. Enter your "
            "own service's address, or leave this empty."
        )
        yield Finding("target_here", told, "The ARK URI scheme section 7")


def check_choice_of(choices: tuple[tuple[str, str], ...]) -> Callable[[str], Iterator[Finding]]:
    """A check that an answer is one of a few."""

    def check(text: str) -> Iterator[Finding]:
        if text not in dict(choices):
            known = ", ".join(f"`{one}`" for one, _ in choices if one)
            yield Finding(
                "choice_unknown", f"{quote(text)} is not an option. Choose one of {known}.", _SCHEMA
            )

    return check


def check_policy(text: str) -> Iterator[Finding]:
    """Yield the codes of a policy that have no meaning."""
    unknown = unknown_statements(text)
    if unknown:
        known = ", ".join(PolicyStatement)
        told = (
            f"{quote(unknown[0])} is not a policy code. Use {known}, separated by commas. "
            "Explain anything else in your policy document."
        )
        yield Finding("policy_unknown", told, _SCHEMA)


def check_tenure(text: str) -> Iterator[Finding]:
    """Yield that a tenure is not the years of which a registry tells."""
    if not _YEARS.fullmatch(text):
        told = f"{quote(text)} is not valid. Enter years as `2026` or `2026-2036`."
        yield Finding("tenure_form", told, _SCHEMA)


def with_naan(text: str, naan: str) -> str:
    """A test ARK with its NAAN, wherever it was written before there was one. Never raises."""
    return text.replace(NAAN_TO_COME, naan)


def check_test_ark(text: str) -> Iterator[Finding]:
    """Yield why an ARK is none; ``NNNNN`` stands for the number that is drawn later."""
    for found in check_ark(with_naan(text, EXAMPLES_NAAN)).problems[:1]:
        yield Finding("test_ark", found.message, found.source)


def check_test_ark_beside(texts: Mapping[str, str]) -> NaanNameReport:
    """Whether the test ARK lies under the name that it is to test; what is no ARK is not asked.

    A NAAN that is not drawn yet is written ``NNNNN``. Never raises.
    """
    name = texts.get("naan_name", "").strip()
    text = texts.get("test_ark", "").strip()
    own = fold_naan_name(name) or EXAMPLES_NAAN
    try:
        ark = parse_ark(with_naan(text, own.partition("/")[0])).normal_form
        under = parse_ark(f"ark:{own}x" if "/" in own else f"ark:{own}/x").normal_form[:-1]
    except InvalidARK:
        return NaanNameReport()
    is_own = name or NAAN_TO_COME in text
    if is_own and ark.startswith(under) and ark != under:
        return NaanNameReport()
    whole = f"ark:{name}" if name else f"ark:{NAAN_TO_COME}"
    begins = whole if "/" in whole else f"{whole}/"
    told = f"{quote(text)} does not begin with {quote(begins)}. Enter one of your own ARKs"
    example = f"{begins}{'1' if '/' in name else 'x1'}"
    told = f"{told}, such as {quote(example)}."
    return NaanNameReport((Finding("test_ark_elsewhere", told, _SCHEMA),))


KIND_CHOICES = (
    (str(OrganizationKind.NOT_FOR_PROFIT), "Not for profit"),
    (str(OrganizationKind.FOR_PROFIT), "For profit"),
)
SPELLING_CHOICES = (
    ("", "Normalized"),
    (AS_WRITTEN, "As written, with hyphens and encodings"),
)
