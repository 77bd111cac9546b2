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
    """A NID in lower case that begins like the pattern breaks the rule."""

    code: str
    pattern: str
    message: str
    source: str


_TOO_LONG = _NidRule(
    "too_long",
    rf".{{{NID_LONGEST + 1}}}",
    "{nid} has {count}, {excess} too many. Shorten it.",
    _SYNTAX,
)
_RULES = {
    NidKind.FORMAL: (
        _NidRule(
            "missing",
            r"\Z",
            f"Enter the name you ask for: 3 to {NID_LONGEST} letters, digits or hyphens.",
            _FORMAL,
        ),
        _NidRule(
            "too_short", r".{1,2}\Z", "{nid} has {count}; a formal name needs 3 or more.", _FORMAL
        ),
        _TOO_LONG,
        _NidRule(
            "hyphen", r"-|.*-\Z", "A name cannot begin or end with a hyphen. Remove it.", _SYNTAX
        ),
        _NidRule(
            "informal_prefix",
            "urn-",
            "`urn-` begins informal numbers. Choose another name or ask for a number.",
            _FORMAL,
        ),
        _NidRule(
            "country_prefix",
            "[a-z][a-z]-(?!-)",
            "{nid} begins with two letters and a hyphen, kept for countries. "
            "Use three letters or more before it, or no hyphen.",
            _FORMAL,
        ),
        _NidRule(
            "encoded_prefix",
            "[a-z][a-z]--",
            "{nid}: two letters and two hyphens are kept for encoded names. Drop them.",
            _FORMAL,
        ),
        _NidRule(
            "experimental_prefix",
            "x-",
            "{nid}: `x-` once marked experiments. Drop it; to try things use `urn:example:`.",
            _FORMAL,
        ),
        _NidRule(
            "reserved",
            r"urn\Z",
            "`urn` is the scheme, not a name. Choose another name.",
            "RFC 2141 section 2.1",
        ),
    ),
    NidKind.INFORMAL: (
        _TOO_LONG,
        _NidRule(
            "informal_form",
            r"(?!urn-[0-9]+\Z)",
            "An informal name is `urn-` and a number, as in `urn-9`. "
            "Leave it empty: the number is given at registration.",
            _INFORMAL,
        ),
        _NidRule(
            "leading_zero",
            r"urn-0[0-9]*\Z",
            "The number in {nid} begins with 0. Count from 1 and write no zeros before it.",
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
    """At most one finding, which names each character that is out of place where it first is."""
    places: dict[str, int] = {}
    for match in _NOT_LDH.finditer(text):
        places.setdefault(match[0], match.start() + 1)
    if places:
        listed = spell_list([f"character {n} is {spell_character(c)}" for c, n in places.items()])
        message = f"{listed[0].upper()}{listed[1:]}. Use letters a to z, digits, hyphens."
        yield Finding("character", message, _SYNTAX)


def _filled(message: str, text: str) -> str:
    count = "1 character" if len(text) == 1 else f"{len(text)} characters"
    return message.format(nid=spell_text(text), count=count, excess=len(text) - NID_LONGEST)


def _taken_problems(text: str, index: NidIndex, source: str) -> Iterator[Finding]:
    holder = index.find_registered(text)
    if holder == text:
        message = f"{spell_text(text)} is registered already. Choose another name."
        yield Finding("registered", message, source)
    elif holder is not None:
        message = f"{spell_text(text)} is registered as {spell_text(holder)}; case does not count."
        yield Finding("registered", f"{message} Choose another name.", source)
    elif index.is_reserved(text):
        message = f"{spell_text(text)} is kept back by this registry. Choose another name."
        yield Finding("reserved", message, "this registry's reserved names")
