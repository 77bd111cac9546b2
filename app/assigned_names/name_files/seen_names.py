"""Which names were seen before, of so many that a set of them would take too much room."""

from array import array
from typing import Final

_FIRST_PLACES: Final = 1 << 10  # a power of two, as all their numbers are


class SeenNames:
    """Names that were seen, each kept as a number of eight octets in a table half of which
    is free."""

    __slots__ = ("_count", "_numbers")

    def __init__(self) -> None:
        self._numbers, self._count = _places(_FIRST_PLACES), 0

    def add(self, name: str) -> bool:
        """Keep a name; tells whether it was new."""
        number = hash(name) & 0xFFFF_FFFF_FFFF_FFFF or 1  # 0 is a free place
        place = _place_of(number, self._numbers)
        if self._numbers[place]:
            return False
        self._numbers[place] = number
        self._count += 1
        if 2 * self._count > len(self._numbers):
            self._grow()
        return True

    def _grow(self) -> None:
        grown = _places(2 * len(self._numbers))
        for number in self._numbers:
            if number:
                grown[_place_of(number, grown)] = number
        self._numbers = grown


def _places(count: int) -> "array[int]":
    return array("Q", [0]) * count


def _place_of(number: int, numbers: "array[int]") -> int:
    last = len(numbers) - 1
    place = number & last
    while numbers[place] not in (0, number):
        place = (place + 1) & last
    return place
