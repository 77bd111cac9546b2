"""NIDs: whether one may be registered, and what a person should look at before it is."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator
from string import ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple, final

from app.identifiers.countries import COUNTRIES
from app.identifiers.errors import (
    Finding,
    NidKind,
    NidReport,
    spell_character,
    spell_list,
    spell_text,
)
from app.identifiers.uri_schemes import URI_SCHEMES
from app.identifiers.urn import LDH, NID_LONGEST

_LDH = ascii_lowercase + digits + "-"
_ASCII_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
# What reads alike in one font or another. Single characters first, then pairs.
_SAME_LOOK = str.maketrans("01i", "oll", "-")
_PAIRS = (("rn", "m"), ("vv", "w"))


def fold_nid(nid: str) -> str:
    """Give a NID as it is compared: ASCII letters in lower case, all else untouched.

    ``str.lower`` would turn the Kelvin sign into a k. Source: RFC 8141 section 2.1.
    """
    return nid.translate(_ASCII_LOWER)


def skeleton(nid: str) -> str:
    """Give the form that a NID shares with those that look like it: ``d0-i`` and ``doi``."""
    shape = fold_nid(nid).translate(_SAME_LOOK)
    for pair, single in _PAIRS:
        shape = shape.replace(pair, single)
    return shape


@final
class NidIndex:
    """Registered and reserved NIDs, built once and never changed; looked up in any case."""

    __slots__ = ("_folded", "_reserved", "_skeletons")

    def __init__(self, registered: Iterable[str] = (), reserved: Iterable[str] = ()) -> None:
        self._folded = {fold_nid(nid): nid for nid in registered}
        self._reserved = frozenset(map(fold_nid, reserved))
        self._skeletons: defaultdict[str, list[str]] = defaultdict(list)
        for folded in self._folded:
            self._skeletons[skeleton(folded)].append(folded)

    def __len__(self) -> int:
        return len(self._folded)

    def __iter__(self) -> Iterator[str]:
        return iter(self._folded)

    def find_registered(self, nid: str) -> str | None:
        """Give the NID as it is registered, or None if it is not."""
        return self._folded.get(fold_nid(nid))

    def is_reserved(self, nid: str) -> bool:
        """Tell whether the registry keeps the NID back, as it does with former names."""
        return fold_nid(nid) in self._reserved

    def find_look_alikes(self, nid: str) -> list[str]:
        """List the other registered NIDs that read the same: 0 and o; 1, l and i; hyphens."""
        folded = fold_nid(nid)
        alike = self._skeletons.get(skeleton(folded), [])
        return sorted(self._folded[name] for name in alike if name != folded)

    def find_one_edit_away(self, nid: str) -> list[str]:
        """List the registered NIDs that differ by one character added, left out, changed or moved.

        Looks up each text that is one edit away, some 2,500 of them for the longest NID, whatever
        the number of names; so the NID must be no longer than one can be.
        """
        folded = fold_nid(nid)
        near = set(one_edit_away(folded, self._folded)) - {folded}
        return sorted(self._folded[name] for name in near)


def one_edit_away(text: str, names: Container[str]) -> Iterator[str]:
    """Those of the names that one edit makes of the text, some twice, or that are the text."""
    for i in range(len(text) + 1):
        before, after, rest = text[:i], text[i:], text[i + 1 :]
        for head in [before + character for character in _LDH]:
            if head + after in names:
                yield head + after
            if head + rest in names:
                yield head + rest
        for edited in (before + rest, before + rest[:1] + after[:1] + rest[1:]):
            if edited in names:
                yield edited


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
            "The number in {nid} starts with 0. Remove the leading zeros.",
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


# What anyone might call their names, in any trade.
_COMMON = """
account act address age agent air alert animal app archive area army art article asset atlas audio
bank base bird body book box brand bridge building business cable call car card care case catalog
catalogue cell chart chat child church city class climate cloud code collection college color colour
community company computer concept contact content contract control council country county course
court culture customer data dataset date day degree design device dictionary digital disease doc
document dog domain door drug earth education element email employee energy engine equipment event
example exchange family farm field file film finance fire fish flag flight flow food forest forum
friend fund game garden gene gold grant graph group guide health heart history home hospital hotel
house image index industry info information invoice island item job journal key kind land language
law learning lesson letter library licence license life light link list loan location magazine mail
manuscript map mark market media medicine member memory menu message metadata metal mine mobile
model money monument moon movie museum music nation nature network news newspaper note object ocean
office order page paper park part party patent patient payment people person phone photo picture
place plan planet plant play player poem point police policy port post price print product program
programme project protein publication publisher radio rail recipe record region report research
resource river road room route sample scene school science sea search security sensor serial series
server service ship shop signal site skill social society software song sound source space species
sport star state station stone stop store story street student studio study subject sun system table
tag task tax teacher team test text thing thread ticket time title tool topic town track trade train
transport travel tree type unit university user vehicle video village voice vote war water way
weather web week wind wine wood word work world year
"""
COMMON_WORDS = frozenset(_COMMON.split())

# What sounds as if one namespace spoke for all of them.
_AUTHORITY = """
administration agency assigned authoritative authority canonical certified common core default
general generic global government identification identifier identifiers identity infrastructure
international internet name names namespace namespaces national nid norm norms nss number numbers
official open permanent persistent pid primary private protocol public register registered
registration registry reserved root scheme specification specifications standard standards uniform
unique universal uri uris url urls urns
"""
AUTHORITY_WORDS = frozenset(_AUTHORITY.split())


_SOURCE = "RFC 8141 section 5.1"


class _ContestedNames(NamedTuple):
    code: str
    names: Collection[str]
    message: str


_LISTS = (
    _ContestedNames(
        "country_code",
        COUNTRIES,
        (
            "{nid} is a country code ({country}). You can continue; explain in Assignment "
            "who authorized you to use it."
        ),
    ),
    _ContestedNames(
        "uri_scheme",
        URI_SCHEMES,
        (
            "{nid} is a registered URI scheme. You can continue; explain how the namespace "
            "and the scheme are related."
        ),
    ),
    _ContestedNames(
        "common_word",
        COMMON_WORDS,
        (
            "{nid} is a very common word. You can continue; explain why this namespace "
            "should have it."
        ),
    ),
    _ContestedNames(
        "authority_word",
        AUTHORITY_WORDS,
        (
            "{nid} suggests broad authority. You can continue; explain in Assignment who "
            "authorized you to use it."
        ),
    ),
)


def find_advisories(text: str, index: NidIndex) -> Iterator[Finding]:
    """Yield what experts would ask about a NID that breaks no rule.

    Source: RFC 8141 section 5.1, on the semantic implications of a NID.
    """
    folded = fold_nid(text)
    for row in _LISTS:
        if folded in row.names:
            message = row.message.format(nid=spell_text(text), country=COUNTRIES.get(folded))
            yield Finding(row.code, message, _SOURCE)
    yield from _resemblances(text, index)


def _resemblances(text: str, index: NidIndex) -> Iterator[Finding]:
    alike = index.find_look_alikes(text)
    near = [name for name in index.find_one_edit_away(text) if name not in alike]
    if alike:
        yield _resemblance("look_alike", text, "looks like", alike)
    if near:
        yield _resemblance("one_edit_away", text, "differs by one character from", near)


def _resemblance(code: str, text: str, relation: str, names: list[str]) -> Finding:
    listed = spell_list([spell_text(name) for name in names])
    message = f"{spell_text(text)} {relation} the registered NID {listed}."
    return Finding(
        code, f"{message} You can continue; expect the experts to ask about it.", _SOURCE
    )


_NOT_IN_NID = re.compile("[^a-z0-9]+")
_AS_IN_NAMES = re.compile(r"(?:urn:(?=[^:]))?([^:]+):|urn:([^:]+)(?::.*)?", re.IGNORECASE)
_REFUSED_BEGINNING = re.compile("^(?:urn|x|[a-z]{2})-+")


def nid_typed(text: str) -> str:
    """Return the NID in a text that someone typed or pasted, without blanks around it.
    ``urn:acme``, ``acme:``, ``urn:acme:`` and ``urn:acme:a/b`` give ``acme``.

    Source: RFC 8141 section 2.
    """
    typed = text.strip()
    found = _AS_IN_NAMES.fullmatch(typed)
    return (found[1] or found[2]).strip() if found else typed


def check_nid(
    text: str, kind: NidKind, registered: NidIndex | Iterable[str] = frozenset()
) -> NidReport:
    """List all that forbids registering a NID and, if nothing does, what experts would ask.

    Case does not count. ``registered`` holds the names already given; a NidIndex, built once,
    answers at once, while plain names are indexed anew by each call. Advisories are for formal
    NIDs: nobody chooses an informal one. Refuses no text; asks nothing of the NID's namespace.

    Source: RFC 8141 sections 2, 5.1 and 5.2; RFC 2141 section 2.1 for ``urn``.
    """
    index = _indexed(registered)
    problems = tuple(find_problems(text, kind, index))
    asked = kind is NidKind.FORMAL and not problems
    return NidReport(text, kind, problems, tuple(find_advisories(text, index)) if asked else ())


def suggest_nids(text: str, registered: NidIndex | Iterable[str] = frozenset()) -> tuple[str, ...]:
    """Propose free formal NIDs, three at most, that keep the letters of a refused one.

    Those that raise no question come first. None are proposed in place of a NID that may be
    registered, nor of one that is refused only because it is taken.
    """
    index = _indexed(registered)
    if check_nid(text, NidKind.FORMAL, index).valid:
        return ()
    rewritten = dict.fromkeys(_rewritings(text))
    reports = [check_nid(name, NidKind.FORMAL, index) for name in rewritten]
    free = sorted((r for r in reports if r.valid), key=lambda r: len(r.advisories))
    return tuple(report.text for report in free)


def _indexed(registered: NidIndex | Iterable[str]) -> NidIndex:
    return registered if isinstance(registered, NidIndex) else NidIndex(registered)


def _rewritings(text: str) -> Iterator[str]:
    unaccented = unicodedata.normalize("NFKD", text)
    ascii_only = unaccented.encode("ascii", "ignore").decode()
    cleaned = _NOT_IN_NID.sub("-", fold_nid(ascii_only)).strip("-")
    yield _REFUSED_BEGINNING.sub("", cleaned, count=1)
    yield cleaned.replace("-", "")
    yield cleaned
