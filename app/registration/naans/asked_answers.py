"""What is wrong with the answers of whoever asks for a NAAN or a shoulder, and what to do about it.

Source: the schema PublicNAAN of the ARK Alliance; RFC 3986 and RFC 6570 for addresses; The ARK
Identifier Scheme.
"""

import re
from collections.abc import Callable, Iterator

from app.identifiers.ark_checks import check_ark
from app.identifiers.findings import Finding
from app.registration.naans.naan_checks import target_faults, web_address_faults
from app.registration.naans.naan_records import TARGET_STATUSES
from app.registration.naans.policy_wording import (
    OrganizationKind,
    PolicyStatement,
    unknown_statements,
)
from app.registration.naans.quoted_text import quoted

__all__ = [
    "KIND_CHOICES",
    "NAAN_TO_COME",
    "TARGET_CHOICES",
    "advise_target",
    "check_choice_of",
    "check_policy",
    "check_target",
    "check_tenure",
    "check_test_ark",
    "check_web_address",
]

# What stands for the number in an ARK that is written before the number is drawn.
NAAN_TO_COME = "NNNNN"
TARGET_CHOICES = tuple((str(status), str(status)) for status in TARGET_STATUSES)

_SCHEMA = "the schema PublicNAAN of the ARK Alliance"
_ON_ADDRESSES = "RFC 3986 section 3"
_YEARS = re.compile("[0-9]{4}(?:-(?:[0-9]{4})?)?")
# Every target leads on; without one nothing is resolved, and one place may be meant for all.
_ADVICE = {
    "fixed": "The target has no variable, so that all names lead to one place. Add `${content}` "
    "where NAAN and name belong, unless that is meant.",
}
_ASSIGNABLE = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%{}-]*")


def check_web_address(text: str) -> Iterator[Finding]:
    """Yield what is wrong with the address of an organization or of a text on the Web."""
    for code, message in web_address_faults(text):
        told = f"{message} Write it as in `https://library.example/`."
        yield Finding(f"address_{code}", told, _ON_ADDRESSES)
        return


def check_target(text: str) -> Iterator[Finding]:
    """Yield what is wrong with a target, so that no name could be resolved by it."""
    for code, message in target_faults(text):
        if code not in _ADVICE:
            told = f"{message} Write it as in `https://library.example/ark:${{content}}`."
            yield Finding(f"target_{code}", told, _ON_ADDRESSES)
            return
    if not _ASSIGNABLE.fullmatch(text):
        told = f"{quoted(text)} has characters that no address has. Percent-encode them."
        yield Finding("target_character", told, "RFC 3986 section 2")


def advise_target(text: str) -> Iterator[Finding]:
    """Yield what the curator should look at in a target."""
    for code, _ in target_faults(text):
        if code in _ADVICE:
            yield Finding(f"target_{code}", _ADVICE[code], _ON_ADDRESSES)


def check_choice_of(choices: tuple[tuple[str, str], ...]) -> Callable[[str], Iterator[Finding]]:
    """A check that an answer is one of a few."""

    def check(text: str) -> Iterator[Finding]:
        if text not in dict(choices):
            known = ", ".join(f"`{one}`" for one, _ in choices)
            yield Finding("choice_unknown", f"{quoted(text)} is none of {known}.", _SCHEMA)

    return check


def check_policy(text: str) -> Iterator[Finding]:
    """Yield the codes of a policy that have no meaning."""
    unknown = unknown_statements(text)
    if unknown:
        known = ", ".join(PolicyStatement)
        told = (
            f"{quoted(unknown[0])} is no code of a policy. Write those of {known} that hold, with "
            "commas between them, and what else is to be said in the text of your policy."
        )
        yield Finding("policy_unknown", told, _SCHEMA)


def check_tenure(text: str) -> Iterator[Finding]:
    """Yield that a tenure is not the years of which a registry tells."""
    if not _YEARS.fullmatch(text):
        told = f"{quoted(text)} is no span of years. Write the first as in `2026`, or `2026-2036`."
        yield Finding("tenure_form", told, _SCHEMA)


def check_test_ark(text: str) -> Iterator[Finding]:
    """Yield why an ARK is none; ``NNNNN`` stands for the number that is drawn later."""
    for found in check_ark(text.replace(NAAN_TO_COME, "12345", 1)).problems[:1]:
        yield Finding("test_ark", found.message, found.source)


KIND_CHOICES = (
    (str(OrganizationKind.NOT_FOR_PROFIT), "Not for profit"),
    (str(OrganizationKind.FOR_PROFIT), "For profit"),
)
