"""What is wrong with a text that is no ARK: the first fault from the left, in words."""

import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from .ark_grammar import FRAGMENT_RUN, HYPHENS, INVISIBLE, LONGEST, NAAN_RUN, PART_RUN, QUERY_RUN
from .errors import InvalidARK
from .spelling import spell_character, spell_encoded
from .uri_schemes import find_scheme_look_alike, look_alike_sentence

_SCHEME = "ark:"
_DOCUMENT = "The ARK URI scheme section"
_SYNTAX = f"{_DOCUMENT} 4"


class _ArkFault(NamedTuple):
    code: str
    message: str
    position: int
    source: str = _SYNTAX


_LABELS = {
    "naan": "NAAN",
    "name": "Name",
    "component": "component",
    "variant": "variant",
    "query": "query",
    "fragment": "fragment",
}
_MISSING = {
    "naan": "The NAAN after `ark:` is missing. Add it, as in `ark:12345/x`.",
    "name": ("The Name after the NAAN is missing. Add a slash and a Name, as in `ark:12345/x`."),
    "component": "The component after the slash is missing. Add it, or remove the slash.",
    "variant": ("The variant after the full stop is missing. Add it, or remove the full stop."),
}
_NAAN_RUN = re.compile(NAAN_RUN)
_RUNS = {
    **dict.fromkeys(("name", "component", "variant"), PART_RUN),
    "query": QUERY_RUN,
    "fragment": FRAGMENT_RUN,
}
_HYPHENS = re.compile(HYPHENS)
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_TO_STRUCTURE = re.compile("[^/.]*+")
_TO_QUERY = re.compile("[^?#]*+")
_TO_FRAGMENT = re.compile("[^#]*+")
_WHOLE_PERCENT = re.compile("%[0-9A-Fa-f]{2}")


@cache
def _run_of(part: str) -> re.Pattern[str]:
    return re.compile(_RUNS[part])


def explain_refusal(text: str, *, trimmed: bool = False) -> InvalidARK:
    """Source: The ARK URI scheme sections 4, 7.1.1 and 8.1."""
    return InvalidARK(text, *next(_faults(text, trimmed), _too_long()))


def _faults(text: str, trimmed: bool) -> Iterator[_ArkFault]:
    yield from _scheme_faults(text)
    start = len(_SCHEME) + text.startswith("/", len(_SCHEME))
    name = _leading(_NAAN_RUN, text, start).end()
    yield from _naan_faults(text, start, name)
    basic_end = _leading(_TO_QUERY, text, name).end()
    yield from _path_faults(text, name + 1, _structured_end(text, name + 1, basic_end, trimmed))
    yield from _rest_faults(text, basic_end)


def _leading(
    pattern: re.Pattern[str], text: str, start: int, end: int = sys.maxsize
) -> re.Match[str]:
    return next(pattern.finditer(text, start, end))


def _scheme_faults(text: str) -> Iterator[_ArkFault]:
    if alike := find_scheme_look_alike(text, "ark"):
        message = look_alike_sentence(alike, "ark")
        yield _ArkFault("scheme", message, alike.position, f"{_DOCUMENT} 8.1")
    for position, expected in enumerate(_SCHEME):
        if text[position : position + 1] not in (expected, expected.upper()):
            message = "An ARK starts with `ark:`, as in `ark:12345/x`. Add it."
            yield _ArkFault("scheme", message, position)


def _naan_faults(text: str, start: int, end: int) -> Iterator[_ArkFault]:
    if text[end : end + 1] in ("", "/", "?", "#"):
        yield from _emptiness(text, "naan", start, end)
    if end == len(text) or text[end] in "?#":
        yield _ArkFault("name_missing", _MISSING["name"], end)
    elif text[end] == "%":
        yield _naan_percent(text, end)
    elif text[end] != "/":
        yield _naan_character(text[end], end)


def _naan_character(character: str, position: int) -> _ArkFault:
    message = (
        f"Character {position + 1} is {spell_character(character)}. A NAAN has digits and "
        "the letters b to z, without e, i, l, o, u and y, and ends with a slash."
    )
    return _ArkFault("naan_character", message, position)


def _naan_percent(text: str, position: int) -> _ArkFault:
    if _WHOLE_PERCENT.match(text, position) is None:
        return _percent("naan", position)
    message = (
        f"Characters {position + 1} to {position + 3} encode a character that isn't "
        "allowed in a NAAN. Use digits and the letters b to z, without e, i, l, o, u and "
        "y."
    )
    return _ArkFault("naan_encoded", message, position)


def _emptiness(text: str, part: str, start: int, end: int) -> Iterator[_ArkFault]:
    if start == end:
        yield _ArkFault(f"{part}_missing", _MISSING[part], start)
    elif _leading(_HYPHENS, text, start, end).end() == end:
        message = (
            f"The {_LABELS[part]} has only hyphens, which are ignored in an ARK. Add other "
            "characters."
        )
        yield _ArkFault(f"{part}_hyphens", message, start, f"{_DOCUMENT} 6")


def _structured_end(text: str, start: int, end: int, trimmed: bool) -> int:
    return start + len(text[start:end].rstrip("/.")) if trimmed else end


def _path_faults(text: str, start: int, end: int) -> Iterator[_ArkFault]:
    part = "name"
    while start <= end:
        part_end = _leading(_TO_STRUCTURE, text, start, end).end()
        yield from _emptiness(text, part, start, part_end)
        yield from _run_faults(text, part, start, part_end)
        mark = text[part_end] if part_end < end else ""
        if part == "variant" and mark == "/":
            message = (
                f"Character {part_end + 1} is `/`, but components come before variants. Move the "
                "variant to the end."
            )
            yield _ArkFault("variant_slash", message, part_end)
        part = "component" if mark == "/" else "variant"
        start = part_end + 1


def _rest_faults(text: str, start: int) -> Iterator[_ArkFault]:
    end = start
    if text.startswith("?", start):
        end = _leading(_TO_FRAGMENT, text, start + 1).end()
        yield from _run_faults(text, "query", start + 1, end)
    yield from _run_faults(text, "fragment", end + 1, len(text))


def _run_faults(text: str, part: str, start: int, end: int) -> Iterator[_ArkFault]:
    if start >= end:
        return
    stop = _leading(_run_of(part), text, start, end).end()
    if stop < end:
        yield _percent(part, stop) if text[stop] == "%" else _character(part, text[stop], stop)


def _percent(part: str, position: int) -> _ArkFault:
    message = (
        f"Character {position + 1} is `%` without two hexadecimal digits after it. Add "
        "them, or encode it as `%25`."
    )
    return _ArkFault(f"{part}_percent", message, position, "RFC 3986 section 2.1")


def _character(part: str, character: str, position: int) -> _ArkFault:
    if _INVISIBLE.match(character):
        message = (
            f"Character {position + 1} is {spell_character(character)}, which is invisible. "
            "Remove it."
        )
        return _ArkFault(f"{part}_invisible", message, position, f"{_DOCUMENT} 8.1")
    printable = character.isprintable()
    advice = f"In the {_LABELS[part]}, encode it as {spell_encoded(character)}."
    message = f"Character {position + 1} is {spell_character(character)}. "
    message += advice if printable else "Remove it."
    return _ArkFault(f"{part}_character", message, position)


def _too_long() -> _ArkFault:
    message = f"The ARK has more than {LONGEST} characters. Shorten it."
    return _ArkFault("too_long", message, LONGEST, f"{_DOCUMENT} 7.1.1")
