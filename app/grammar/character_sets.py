"""Sets of characters as ranges of code points, since the alphabet has 1,114,112 of them."""

from collections.abc import Iterable
from functools import lru_cache

from app.identifiers.errors import spell_character

Charset = tuple[tuple[int, int], ...]

LAST = 0x10FFFF
EVERY: Charset = ((0, LAST),)
# What a reader sees at once is shown first: letters, then digits, then the rest of ASCII.
_SHOWN = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-._~:!$&'()*+,;=@/?#%"


def charset(ranges: Iterable[tuple[int, int]]) -> Charset:
    """The set of these ranges, sorted and joined; one that is upside down holds nothing."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(pair for pair in ranges if pair[0] <= pair[1]):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return tuple(joined)


def charset_of(characters: str) -> Charset:
    return charset((ord(character), ord(character)) for character in characters)


def both_cases(character: str) -> Charset:
    """Source: RFC 5234 section 2.3."""
    return charset_of(character.lower() + character.upper() if character.isascii() else character)


def intersection_of(one: Charset, other: Charset) -> Charset:
    return tuple((max(a, c), min(b, d)) for a, b in one for c, d in other if max(a, c) <= min(b, d))


def difference_of(one: Charset, other: Charset) -> Charset:
    return intersection_of(one, complement(other)) if one and other else one


def complement(one: Charset) -> Charset:
    """Every character that the set does not hold."""
    gaps, begin = [], 0
    for low, high in one:
        gaps.append((begin, low - 1))
        begin = high + 1
    return charset([*gaps, (begin, LAST)])


def charset_contains(one: Charset, code: int) -> bool:
    return any(low <= code <= high for low, high in one)


def count_characters(one: Charset) -> int:
    return sum(high - low + 1 for low, high in one)


@lru_cache(maxsize=1024)
def typical_character(one: Charset) -> str:
    """The character of a set that tells most to a reader; the set must not be empty."""
    for character in _SHOWN:
        if charset_contains(one, ord(character)):
            return character
    visible = intersection_of(one, ((0x20, 0x7E),))
    return chr((visible or one)[0][0])


def character_oddness(character: str) -> int:
    place = _SHOWN.find(character)
    return place if place >= 0 else 99 + (ord(character) > ord("~")) * 100


def spell_charset(one: Charset, most: int = 9) -> str:
    """The set in words: single characters in backticks, longer runs by their ends."""
    items = [words for low, high in one for words in _spelled(low, high)]
    if len(items) > most:
        items = [*items[:most], "others"]
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def _spelled(low: int, high: int) -> list[str]:
    if high - low < 3:
        return [spell_character(chr(code)) for code in range(low, high + 1)]
    if low > ord("~"):
        return [f"U+{low:04X} to U+{high:04X}"]
    return [f"{spell_character(chr(low))} to {_end(high)}"]


def _end(code: int) -> str:
    return spell_character(chr(code)) if code <= ord("~") else f"U+{code:04X}"
