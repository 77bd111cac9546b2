"""NAANs drawn by chance from those that were never given.

Source: The ARK Identifier Scheme, on the Name Assigning Authority Number: five digits, given once.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from itertools import accumulate
from operator import sub
from typing import Protocol

from app.identifiers.noid import BETANUMERIC
from app.registration.naans.naan_records import fold_naan
from app.registration.naans.shared_naans import RESERVED_NAANS

__all__ = ["RESERVED_BEGINNINGS", "NaanChance", "draw_naan"]

_LENGTH = 5
_DIGITS = BETANUMERIC[:10]
# Images of DOI prefixes, such as ``b7291`` of 10.7291: these are not given by chance.
RESERVED_BEGINNINGS = ("b",)
# A program that takes a NAAN for a number would lose a zero at its beginning.
_NOT_AT_THE_BEGINNING = ("0",)


class NaanChance(Protocol):
    """Where chance comes from: a generator of the module ``random`` or ``secrets``."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to below another one, each as likely."""


def draw_naan(
    chance: NaanChance,
    known: Iterable[str],
    *,
    prefix: str = "",
    reserved_beginnings: Collection[str] = (),
) -> str:
    """A NAAN of five characters that was never given; each that is free is as likely.

    Without a prefix it is of digits, the first of which is no zero; with one, such as ``x`` in a
    private registry, of betanumeric characters after it. ``known`` are all that were ever
    published, kept back or voided, of any form; none of those, no shared one, and none with a
    reserved beginning is drawn.

    Raises ValueError where none is left, or for a prefix that leaves nothing to draw.

    Source: The ARK Identifier Scheme, on the Name Assigning Authority Number.
    """
    space = _NaanSpace(prefix, known, reserved_beginnings)
    if space.free == 0:
        raise ValueError("No NAANs are left with this prefix. Choose another prefix.")
    return space.free_one(chance.randrange(space.free))


class _NaanSpace:
    def __init__(self, prefix: str, known: Iterable[str], beginnings: Collection[str]) -> None:
        if not set(prefix) <= set(BETANUMERIC) or len(prefix) >= _LENGTH:
            raise ValueError(
                f"A NAAN prefix has at most {_LENGTH - 1} characters of `{BETANUMERIC}`."
            )
        self._prefix = prefix
        self._alphabet = BETANUMERIC if prefix else _DIGITS
        self._length = _LENGTH - len(prefix)
        given = {naan for naan in map(fold_naan, known) if len(naan) == _LENGTH}
        reserved = {
            *RESERVED_BEGINNINGS,
            *map(fold_naan, beginnings),
            *_NOT_AT_THE_BEGINNING,
        }
        self._place_blocks({*given, *RESERVED_NAANS, *filter(None, reserved)})
        self.free: int = len(self._alphabet) ** self._length - self._blocked[-1]

    def _place_blocks(self, kept: Iterable[str]) -> None:
        self._blocks: list[tuple[int, int]] = []
        end = 0
        for start, size in sorted(self._spans(kept), key=lambda span: (span[0], -span[1])):
            if start >= end:  # otherwise it lies within a longer one
                self._blocks.append((start, size))
                end = start + size
        self._blocked = [0, *accumulate(size for _, size in self._blocks)]
        starts = (start for start, _ in self._blocks)
        self._free_before = list(map(sub, starts, self._blocked))

    def _spans(self, kept: Iterable[str]) -> Iterator[tuple[int, int]]:
        base = len(self._alphabet)
        for text in kept:
            rest = text.removeprefix(self._prefix)
            if self._prefix.startswith(text):
                yield 0, base**self._length
            elif text.startswith(self._prefix) and len(rest) <= self._length:
                places = [self._alphabet.find(character) for character in rest]
                if -1 not in places and rest:
                    size = base ** (self._length - len(rest))
                    yield self._number(places) * size, size

    def _number(self, places: Iterable[int]) -> int:
        number = 0
        for place in places:
            number = number * len(self._alphabet) + place
        return number

    def free_one(self, n: int) -> str:
        return self._spelled(n + self._blocked[bisect_right(self._free_before, n)])

    def _spelled(self, number: int) -> str:
        text = ""
        for _ in range(self._length):
            number, place = divmod(number, len(self._alphabet))
            text = self._alphabet[place] + text
        return self._prefix + text
