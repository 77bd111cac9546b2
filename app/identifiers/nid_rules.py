"""The rules that forbid a NID, each a row: what breaks it, and what to do instead."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from app.identifiers.urn_grammar import LDH, NID_LONGEST

from .findings import Finding, NidKind
from .nid_index import NidIndex, fold_nid
from .spelling import spell_character, spell_list, spell_text

_SYNTAX = "RFC 8141 section 2"
_FORMAL = "RFC 8141 section 5.1"
_INFORMAL = "RFC 8141 section 5.2"
_TAKEN_SOURCE = {NidKind.FORMAL: _FORMAL, NidKind.INFORMAL: _INFORMAL}


class _NidRule(NamedTuple):
    code: str
    pattern: str
    message: str
    source: str


_TOO_LONG = _NidRule(
    "too_long",
    rf".{{{NID_LONGEST + 1}}}",
    "{nid} is too long ({count}). Remove at least {excess}.",
    _SYNTAX,
)
_RULES = {
    NidKind.FORMAL: (
        _NidRule(
            "missing",
            r"\Z",
            f"Enter a NID: 3 to {NID_LONGEST} letters, digits or hyphens.",
            _FORMAL,
        ),
        _NidRule(
            "too_short",
            r".{1,2}\Z",
            (f"{{nid}} is too short ({{count}}). Formal NIDs have 3 to {NID_LONGEST} characters."),
            _FORMAL,
        ),
        _TOO_LONG,
        _NidRule(
            "hyphen", r"-|.*-\Z", "A NID can't start or end with a hyphen. Remove it.", _SYNTAX
        ),
        _NidRule(
            "informal_prefix",
            "urn-",
            (
                "`urn-` is reserved for informal namespaces. Choose another NID, or request an "
                "informal namespace."
            ),
            _FORMAL,
        ),
        _NidRule(
            "country_prefix",
            "[a-z][a-z]-(?!-)",
            "{nid} is reserved: NIDs that start with two letters and a hyphen are for "
            "country codes. Choose another NID.",
            _FORMAL,
        ),
        _NidRule(
            "encoded_prefix",
            "[a-z][a-z]--",
            (
                "{nid} is reserved: NIDs that start with two letters and two hyphens are for "
                "internationalized labels. Choose another NID."
            ),
            _FORMAL,
        ),
        _NidRule(
            "experimental_prefix",
            "x-",
            "The `x-` prefix of {nid} isn't allowed. To experiment, use `urn:example:`.",
            _FORMAL,
        ),
        _NidRule(
            "reserved",
            r"urn\Z",
            "`urn` is the scheme name and can't be a NID. Choose another NID.",
            "RFC 2141 section 2.1",
        ),
    ),
    NidKind.INFORMAL: (
        _TOO_LONG,
        _NidRule(
            "informal_form",
            r"(?!urn-[0-9]+\Z)",
            "Leave the NID empty. Informal namespaces get the next number, such as `urn-9`, "
            "when they're registered.",
            _INFORMAL,
        ),
        _NidRule(
            "leading_zero",
            r"urn-0[0-9]*\Z",
            "The number in {nid} starts with 0. Remove leading zeros; numbers start at 1.",
            _INFORMAL,
        ),
    ),
}
_NOT_LDH = re.compile(f"[^{LDH}]")


def find_problems(text: str, kind: NidKind, index: NidIndex) -> Iterator[Finding]:
    """Yield everything that forbids the NID: its characters, its form, its being taken.

    Source: RFC 8141 sections 2, 5.1 and 5.2; RFC 2141 section 2.1.
    """
    yield from _character_problems(text)
    folded = fold_nid(text)
    for rule in _RULES[kind]:
        if re.match(rule.pattern, folded, re.DOTALL):
            yield Finding(rule.code, _filled(rule.message, text), rule.source)
    yield from _taken_problems(text, index, _TAKEN_SOURCE[kind])


def _character_problems(text: str) -> Iterator[Finding]:
    places: dict[str, int] = {}
    for match in _NOT_LDH.finditer(text):
        places.setdefault(match[0], match.start() + 1)
    if places:
        listed = spell_list([f"character {n} is {spell_character(c)}" for c, n in places.items()])
        why = ", which isn't allowed" if len(places) == 1 else ""
        message = f"{listed[0].upper()}{listed[1:]}{why}. Use letters, digits and hyphens."
        yield Finding("character", message, _SYNTAX)


def _filled(message: str, text: str) -> str:
    count = "1 character" if len(text) == 1 else f"{len(text)} characters"
    return message.format(nid=spell_text(text), count=count, excess=len(text) - NID_LONGEST)


def _taken_problems(text: str, index: NidIndex, source: str) -> Iterator[Finding]:
    holder = index.find_registered(text)
    if holder == text:
        message = f"{spell_text(text)} is already registered. Choose another NID."
        yield Finding("registered", message, source)
    elif holder is not None:
        message = (
            f"{spell_text(text)} is already registered as {spell_text(holder)}. NIDs aren't "
            "case-sensitive."
        )
        yield Finding("registered", f"{message} Choose another NID.", source)
    elif index.is_reserved(text):
        message = f"{spell_text(text)} is reserved by this registry. Choose another NID."
        yield Finding("reserved", message, "this registry's reserved NIDs")
