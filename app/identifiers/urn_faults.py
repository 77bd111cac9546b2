"""What is wrong with a text that is no URN: the first fault from the left, in words."""

import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from app.identifiers.errors import InvalidURN
from app.identifiers.spelling import spell_character, spell_encoded
from app.identifiers.uri_schemes import find_scheme_look_alike, look_alike_sentence
from app.identifiers.urn_grammar import LDH, NID_LONGEST, NID_SHORTEST, QUERY, run_pattern

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
