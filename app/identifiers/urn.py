"""URNs: parsing, normal form, URN-equivalence."""

import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache, total_ordering
from typing import NamedTuple, final

from app.identifiers.errors import InvalidURN, spell_character, spell_encoded
from app.identifiers.uri_schemes import find_scheme_look_alike, look_alike_sentence

ALPHANUM = "A-Za-z0-9"
LDH = rf"{ALPHANUM}\-"
PCHAR = rf"{ALPHANUM}\-._~!$&'()*+,;=:@"  # all of pchar but pct-encoded, which is no set
PCT_ENCODED = "%[0-9A-Fa-f]{2}"

NID_SHORTEST, NID_LONGEST = 2, 32
NID = rf"[{ALPHANUM}][{LDH}]{{{NID_SHORTEST - 1},{NID_LONGEST - 1}}}+(?<!-)"


def run_pattern(characters: str, between: str = PCT_ENCODED) -> str:
    return rf"[{characters}]*+(?:(?:{between})[{characters}]*+)*+"


SLASHED = PCHAR + "/"
QUERY = PCHAR + "/?"
_BEGUN = "(?=[^/?#])"  # NSS, r- and q-component begin with a pchar
# Section 2.3.1 ends the r-component at its first "?=", which its ABNF alone would let through.
_R_BETWEEN = rf"{PCT_ENCODED}|\?(?!=)"


def _marked(mark: str, name: str, component: str) -> str:
    # A choice of the component or nothing: faster in Python than a group repeated at most once.
    return f"(?:{mark}(?P<{name}>{component})|)"


NAMESTRING = "".join(
    (
        # u, r and n are no letter's other case, so none but ASCII is let in here.
        rf"(?i:urn:)(?P<nid>{NID}):(?P<nss>{_BEGUN}{run_pattern(SLASHED)})",
        _marked(r"\?\+", "r_component", _BEGUN + run_pattern(SLASHED, _R_BETWEEN)),
        _marked(r"\?=", "q_component", _BEGUN + run_pattern(QUERY)),
        _marked(r"\#", "f_component", run_pattern(QUERY)),
    )
)


_SCHEME = "urn:"
_SECTION_2 = "RFC 8141 section 2"


class _UrnFault(NamedTuple):
    code: str
    fact: str
    position: int
    source: str = _SECTION_2
    advice: str = ""


class _NamestringPart(NamedTuple):
    name: str
    label: str
    source: str
    barred_first: str
    missing: str


_NO_NAME = "The part after the NID is missing. Add a colon and an NSS, as in `urn:example:a`."
_PARTS = (
    _NamestringPart("nss", "NSS", "RFC 8141 section 2.2", "/", _NO_NAME),
    _NamestringPart(
        "r_component",
        "r-component",
        "RFC 8141 section 2.3.1",
        "/?",
        "The r-component after `?+` is empty. Add one, or remove `?+`.",
    ),
    _NamestringPart(
        "q_component",
        "q-component",
        "RFC 8141 section 2.3.2",
        "/?",
        "The q-component after `?=` is empty. Add one, or remove `?=`.",
    ),
    _NamestringPart("f_component", "f-component", "RFC 8141 section 2.3.3", "", ""),
)
_NSS = _PARTS[0]

_LDH_RUN = re.compile(f"[{LDH}]*+")
_PART_RUN = re.compile(run_pattern(QUERY))
# Any text at all falls into these parts, but for a question mark that opens none of them.
_SPLIT = re.compile(
    r"(?P<nss>[^?#]*+)"
    r"(?:\?\+(?P<r_component>(?:[^?#]|\?(?!=))*+))?+"
    r"(?:\?=(?P<q_component>[^#]*+))?+"
    r"(?:#(?P<f_component>.*+))?+",
    re.DOTALL,
)


def explain_refusal(text: str) -> InvalidURN:
    """Say why a text is no namestring: its first fault from the left.

    Source: RFC 8141 section 2.
    """
    fault = next(_faults(text), None)
    if fault is None:
        raise RuntimeError("a text without a fault was refused as a URN")
    message = f"{fault.fact} {fault.advice}".rstrip()
    return InvalidURN(text, fault.code, message, fault.position, fault.source, fault.advice)


def _faults(text: str) -> Iterator[_UrnFault]:
    yield from _scheme_faults(text)
    nid_end = _leading(_LDH_RUN, text, len(_SCHEME)).end()
    yield from _nid_faults(text, nid_end)
    yield from _name_faults(text, nid_end + 1)


def _leading(
    pattern: re.Pattern[str], text: str, start: int, end: int = sys.maxsize
) -> re.Match[str]:
    return next(pattern.finditer(text, start, end))


def _scheme_faults(text: str) -> Iterator[_UrnFault]:
    if alike := find_scheme_look_alike(text, "urn"):
        yield _UrnFault("scheme", look_alike_sentence(alike, "urn"), alike.position)
    for position, expected in enumerate(_SCHEME):
        if text[position : position + 1] not in (expected, expected.upper()):
            fact = "A URN starts with `urn:`, as in `urn:example:a`."
            yield _UrnFault("scheme", fact, position, advice="Add it.")


def _nid_faults(text: str, end: int) -> Iterator[_UrnFault]:
    start = len(_SCHEME)
    if text.startswith("-", start):
        yield _nid_hyphen(start)
    if end - start > NID_LONGEST:
        fact = f"The NID is too long. NIDs have {NID_SHORTEST} to {NID_LONGEST} characters."
        yield _UrnFault("nid_too_long", fact, start + NID_LONGEST)
    if text[end : end + 1] not in ("", ":"):
        yield _nid_character(text[end], end)
    yield from _nid_end_faults(text, end, end - start)


def _nid_end_faults(text: str, end: int, length: int) -> Iterator[_UrnFault]:
    if length == 0:
        message = "The NID after `urn:` is missing. Add one and a colon, as in `urn:example:a`."
        yield _UrnFault("nid_missing", message, end)
    if length < NID_SHORTEST:
        message = (
            f"The NID is too short (1 character). NIDs have {NID_SHORTEST} to {NID_LONGEST} "
            "characters."
        )
        yield _UrnFault("nid_too_short", message, end)
    if text.endswith("-", 0, end):
        yield _nid_hyphen(end - 1)
    if end == len(text):
        yield _UrnFault("nss_missing", _NO_NAME, end, _NSS.source)


def _nid_hyphen(position: int) -> _UrnFault:
    fact = "A NID can't start or end with a hyphen."
    return _UrnFault("nid_hyphen", fact, position, advice="Remove it.")


def _nid_character(character: str, position: int) -> _UrnFault:
    message = (
        f"Character {position + 1} is {spell_character(character)}, which isn't allowed "
        "in a NID. Use letters, digits and hyphens, then a colon."
    )
    return _UrnFault("nid_character", message, position)


def _name_faults(text: str, start: int) -> Iterator[_UrnFault]:
    split = _leading(_SPLIT, text, start)
    for part in _PARTS:
        if split[part.name] is not None:
            yield from _part_faults(part, text, *split.span(part.name))
    if split.end() < len(text):
        yield _lone_question_mark(split.end())


def _lone_question_mark(position: int) -> _UrnFault:
    fact = f"Character {position + 1} is `?` without `+` or `=` after it."
    return _UrnFault(
        "question_mark", fact, position, advice="Add one of them, or encode it as `%3F`."
    )


def _part_faults(part: _NamestringPart, text: str, start: int, end: int) -> Iterator[_UrnFault]:
    if start == end and part.missing:
        yield _UrnFault(f"{part.name}_missing", part.missing, start, part.source)
    if start < end and text[start] in part.barred_first:
        yield _barred_first(part, text[start], start)
    stop = _leading(_PART_RUN, text, start, end).end()
    if stop < end:
        yield _percent(part, stop) if text[stop] == "%" else _character(part, text[stop], stop)


def _barred_first(part: _NamestringPart, character: str, position: int) -> _UrnFault:
    fact = f"The {part.label} can't start with {spell_character(character)}."
    advice = f"Remove it, or encode it as {spell_encoded(character)}."
    return _UrnFault(f"{part.name}_start", fact, position, part.source, advice)


def _percent(part: _NamestringPart, position: int) -> _UrnFault:
    fact = f"Character {position + 1} is `%` without two hexadecimal digits after it."
    advice = "Add them, or encode it as `%25`."
    return _UrnFault(f"{part.name}_percent", fact, position, "RFC 3986 section 2.1", advice)


def _character(part: _NamestringPart, character: str, position: int) -> _UrnFault:
    printable = character.isprintable()
    advice = (
        f"In the {part.label}, encode it as {spell_encoded(character)}."
        if printable
        else "Remove it."
    )
    fact = f"Character {position + 1} is {spell_character(character)}."
    return _UrnFault(f"{part.name}_character", fact, position, part.source, advice)


match_namestring = re.compile(NAMESTRING, re.ASCII).fullmatch
_PCT_ENCODED = re.compile(f"(?:{PCT_ENCODED})+")
_NOT_IN_RFC2141 = re.compile("[/~&]|%00")


def _uppercase(match: re.Match[str]) -> str:
    return match[0].upper()


@lru_cache(maxsize=8)  # a name is asked for it again and again, and may be long
def normal_nss(nss: str) -> str:
    """Source: RFC 8141 section 3.1."""
    return _PCT_ENCODED.sub(_uppercase, nss)


@final
@total_ordering
class URN:
    """A URN, read and not changed: ``str()`` gives back the text that was parsed.

    ``==`` and ``hash()`` go by that text; ``urn_equivalent`` compares by RFC 8141 section 3.1. An
    absent component is None, an f-component may be empty. ``URN(text)`` is ``parse_urn(text)``.

    URNs sort by their normal form and then by their text, code point by code point. So equivalent
    URNs stand together, and neither of two comes first only where they are equal.
    """

    # The match alone holds the text and where its parts stand, and costs the parser one store.
    __slots__ = ("_match",)
    _match: re.Match[str]

    def __new__(cls, text: str) -> "URN":
        return parse_urn(text)

    @property
    def nid(self) -> str:
        """The namespace identifier in the case it was given."""
        return self._match["nid"]

    @property
    def nss(self) -> str:
        """The namespace specific string as given, nothing decoded."""
        return self._match["nss"]

    @property
    def nid_and_nss(self) -> tuple[str, str]:
        """The NID and the NSS as given, in less time than one after the other."""
        match = self._match
        return match[1], match[2]

    @property
    def r_component(self) -> str | None:
        """What stands after ``?+``, for the resolution service."""
        return self._match["r_component"]

    @property
    def q_component(self) -> str | None:
        """What stands after ``?=``, for the resource or the service that supplies it."""
        return self._match["q_component"]

    @property
    def f_component(self) -> str | None:
        """What stands after ``#``, for the client; empty when nothing follows the mark."""
        return self._match["f_component"]

    @property
    def assigned_name(self) -> str:
        """The URN as given without its r-, q- and f-component."""
        return self._match[0][: self._match.end("nss")]

    @property
    def normal_form(self) -> str:
        """The assigned-name with scheme and NID in lower case, percent-encoding in upper case.

        Two URNs are equivalent when these are equal. Source: RFC 8141 section 3.1.
        """
        nid, nss = self.nid_and_nss
        if "%" in nss:
            nss = normal_nss(nss)
        return f"urn:{nid.lower()}:{nss}"

    @property
    def rfc2141_valid(self) -> bool:
        """Whether the text was a URN before RFC 8141 too.

        Then no component is there, no ``/``, ``~``, ``&`` or ``%00`` in the NSS, and the NID is
        not ``urn``, which was reserved. Source: RFC 2141 section 2.
        """
        if self._match.end() > self._match.end("nss") or self.nid.lower() == "urn":
            return False
        return _NOT_IN_RFC2141.search(self.nss) is None

    def __str__(self) -> str:
        return self._match[0]

    def __repr__(self) -> str:
        return f"URN({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, URN) else NotImplemented

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, URN):
            return NotImplemented
        return (self.normal_form, str(self)) < (other.normal_form, str(other))

    def __hash__(self) -> int:
        return hash(self._match[0])

    def __reduce__(self) -> tuple[Callable[[str], "URN"], tuple[str]]:
        return parse_urn, (str(self),)


_new = object.__new__


def parse_urn(text: str) -> URN:
    """Split a namestring without changing a character of it.

    ``urn:example:a/b?=page=2#top`` gives nid ``example``, nss ``a/b``, q_component ``page=2``,
    f_component ``top``; an absent component is None.

    Raises InvalidURN for anything outside the grammar: non-ASCII, white space and line ends
    included. Does not ask whether the NID is registered or may be.

    Source: RFC 8141 section 2.
    """
    match = match_namestring(text)
    if match is None:
        raise explain_refusal(text)
    urn = _new(URN)
    urn._match = match
    return urn


def urn_of_match(match: re.Match[str]) -> URN:
    """The URN in which ``match_namestring`` found the parts, for who reads now and asks later.

    Source: RFC 8141 section 2.
    """
    urn = _new(URN)
    urn._match = match
    return urn


def urn_equivalent(a: URN | str, b: URN | str) -> bool:
    """Tell whether two URNs are URN-equivalent; a text is parsed first.

    Raises InvalidURN for a text that is no URN. Knows no rules that a namespace adds of its own.

    Source: RFC 8141 section 3.1.
    """
    return _parsed(a).normal_form == _parsed(b).normal_form


def _parsed(urn: URN | str) -> URN:
    return urn if isinstance(urn, URN) else parse_urn(urn)


# What could come before: nothing that would make `urn` the end of another word or scheme.
_URN = re.compile(rf"(?<![{ALPHANUM}+.\-])(?:{NAMESTRING})", re.ASCII)
_whole = re.compile(NAMESTRING, re.ASCII).match
# A letter of a Latin script, or a broken percent-encoding, and the rest of the word. Text in other
# scripts follows a URN without a space: `urn:isbn:9789510184356は`.
_REST = re.compile("(?:[\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff]|%)[\\w%-]*(?:[^\\s\\w]+\\w+)*")
_PUNCTUATION = ".,;:!?'*_~&"


class UrnOccurrence(NamedTuple):
    """A URN in a text: as it is written, and where; code points count from 0.

    ``rest`` is what follows it in the same word and no URN has, as ``é`` in ``urn:foo:café`` or
    ``%2`` in ``urn:foo:bar%2``: the writer meant another name. It is mostly empty.
    """

    text: str
    position: int
    nid: str
    rest: str = ""


def find_urns(text: str) -> Iterator[UrnOccurrence]:
    """Yield the URNs that stand in a text, from its beginning.

    Each is the longest namestring that begins where it does, without the punctuation at its
    end that belongs to the sentence: full stops, commas, quotes, and a bracket that closes
    what was opened before the URN. Nothing is found inside another word: ``saturn:a:b``.
    Asks of no NID whether it is registered. Takes time in proportion to the text.

    Source: RFC 8141 section 2; RFC 3986 appendix C.
    """
    for match in _URN.finditer(text):
        found = _trimmed(match[0])
        if found is not None:
            more = _REST.match(text, match.end())
            rest = match[0][len(found[0]) :] + more[0] if more else ""
            yield UrnOccurrence(found[0], match.start(), found["nid"], rest)


def _trimmed(longest: str) -> re.Match[str] | None:
    ended = _without_punctuation(longest)
    match = _whole(ended)
    while match is not None and match.end() < len(ended):  # a mark lost what came after it
        ended = _without_punctuation(match[0])
        match = _whole(ended)
    return match


def _without_punctuation(text: str) -> str:
    unclosed = text.count(")") - text.count("(")
    if unclosed <= 0:
        return text.rstrip(_PUNCTUATION)
    begin = len(text.rstrip(_PUNCTUATION + ")"))
    left = text[begin:].rsplit(")", unclosed)[0] if text.count(")", begin) > unclosed else ""
    return text[:begin] + left.rstrip(_PUNCTUATION)
