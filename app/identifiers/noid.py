"""Noids: opaque names made by a mask, and the check character that guards against mistyping."""

import re
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b, sha256
from itertools import count, product
from math import gcd, isqrt, prod
from operator import mul
from typing import final

__all__ = ["BETANUMERIC", "InvalidMask", "Mask", "check_character", "has_valid_check"]

BETANUMERIC = "0123456789bcdfghjkmnpqrstvwxz"
_BASES = {"d": 10, "e": len(BETANUMERIC)}
# Any octet becomes its ordinal in the alphabet, and 0 when it has none.
_ORDINALS = bytes(max(BETANUMERIC.find(chr(octet)), 0) for octet in range(256))
_TEMPLATE = re.compile(
    r"(?:(?P<prefix>[A-Za-z0-9=~*+@_$]*)\.)?(?P<order>[rsz])(?P<digits>[de]+)(?P<check>k?)"
)
_PRIME = 2**31 - 1
_ROUNDS = 10  # as in FF1, NIST SP 800-38G


def check_character(text: str) -> str:
    """Give the check character of a text, usually a NAAN, a slash and a Name without its last.

    ``13030/xf93gt2`` gives ``q``. A character outside the betanumeric alphabet counts as nothing,
    so no text is refused. In a text of fewer than 28 characters it tells any betanumeric character
    that was mistyped and any two that changed places.

    Source: the Noid check digit algorithm (NCDA).
    """
    ordinals = text.encode("ascii", "replace").translate(_ORDINALS)
    return BETANUMERIC[sum(map(mul, ordinals, count(1))) % len(BETANUMERIC)]


def has_valid_check(text: str) -> bool:
    """Tell whether the last character of a text is the check character of what stands before it.

    The text is taken as it stands, without ``ark:`` before it and without hyphens. Never raises;
    a text of one character has nothing to check.

    Source: the Noid check digit algorithm (NCDA).
    """
    return len(text) > 1 and text[-1] == check_character(text[:-1])


class InvalidMask(ValueError):
    """A template that is no prefix and mask. Keeps the ``text`` unchanged."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return (
            "A template is a prefix, a dot and a mask, as in `f5.reedeedk`. A mask starts "
            "with `r`, `s` or `z`, continues with `e` and `d`, and may end with `k`."
        )


@final
class Mask:
    """A template such as ``f5.reedeedk``, which numbers names and gives the n-th of them.

    After the prefix and a dot, ``r`` stands for a mixed order, ``s`` for counting, ``z`` for
    counting that adds digits on the left when they run out; then ``d`` for a digit, ``e`` for a
    betanumeric character; a ``k`` at the end for a check character. The dot may be left out with
    the prefix. ``seed`` picks another mixed order; it changes no other.

    Without ``key``, anyone who knows the mask and the seed can compute the mixed order and predict
    the next names. Pass a secret ``key`` of 16 to 64 octets to prevent that.

    Raises InvalidMask. Keeps no count: whoever mints remembers the next number.

    Source: the Noid manual, on templates.
    """

    __slots__ = (
        "_chunks",
        "_digits",
        "_order",
        "_permutation",
        "checked",
        "prefix",
        "template",
        "total",
    )
    template: str
    prefix: str
    checked: bool
    """Whether a check character ends each name."""
    total: int | None
    """How many names there are; None when there is always one more."""

    def __init__(self, template: str, seed: str = "", *, key: bytes = b"") -> None:
        match = _TEMPLATE.fullmatch(template)
        if match is None:
            raise InvalidMask(template)
        self.template, self.prefix = template, match["prefix"] or ""
        self._order, self._digits, self.checked = (
            match["order"],
            match["digits"],
            bool(match["check"]),
        )
        self._chunks = [_chunk(digits) for digits in _from_the_right(self._digits)]
        self.total = None if self._order == "z" else _product(self._digits)
        self._permutation = (
            _SecretPermutation(_product(self._digits), key, f"{template} {seed}")
            if key
            else _Permutation(self._digits, f"{template} {seed}")
        )

    def nth(self, n: int, naan: str = "") -> str | None:
        """Give the name with a number from 0, after its NAAN and a slash if one is given.

        None past the end. The check character, where the mask has one, is that of NAAN and name
        together, so the NAAN is given as it is compared: in lower case, without hyphens. A number
        always gives the same name, and two numbers never give one.

        Raises ValueError for a number below 0.
        """
        if n < 0:
            raise ValueError("identifiers are numbered from 0")
        if self.total is not None and n >= self.total:
            return None
        number = self._permutation.place_of(n) if self._order == "r" else n
        name = f"{naan}/{self.prefix}" if naan else self.prefix
        name += self._spell(number)
        return name + check_character(name) if self.checked else name

    def _spell(self, number: int) -> str:
        spelled = ""
        for chunk in self._chunks:
            number, place = divmod(number, len(chunk))
            spelled = chunk[place] + spelled
        while number:  # only where the mask begins with z: its first digit is repeated
            number, place = divmod(number, _BASES[self._digits[0]])
            spelled = BETANUMERIC[place] + spelled
        return spelled

    def __repr__(self) -> str:
        return f"Mask({self.template!r})"


class _Permutation:
    __slots__ = ("_high", "_keys", "_low", "_stride", "_total")

    def __init__(self, digits: str, key: str) -> None:
        middle = len(digits) // 2
        self._high, self._low = _product(digits[:middle]), _product(digits[middle:])
        self._total = self._high * self._low
        stride, *keys = _keys(key)
        while gcd(stride, self._total) > 1:
            stride += 1
        self._stride, self._keys = stride, list(zip(keys[::2], keys[1::2], strict=True))

    def place_of(self, number: int) -> int:
        high, low = divmod(number * self._stride % self._total, self._low)
        for one, two in self._keys:
            high = (high + (low + one) * (low + two) % _PRIME) % self._high
            low = (low + (high + one) * (high + two) % _PRIME) % self._low
        return high * self._low + low


class _SecretPermutation:
    __slots__ = ("_length", "_rounds", "_side", "_total")

    def __init__(self, total: int, key: bytes, purpose: str) -> None:
        self._total, self._side = total, isqrt(total - 1) + 1
        self._length = (self._side.bit_length() + 7) // 8
        own = blake2b(purpose.encode("utf-8", "surrogatepass"), key=key).digest()
        self._rounds = [blake2b(key=own, digest_size=32, salt=bytes([n])) for n in range(_ROUNDS)]

    def place_of(self, number: int) -> int:
        while True:
            high, low = divmod(number, self._side)
            for keyed in self._rounds:
                hashed = keyed.copy()
                hashed.update(low.to_bytes(self._length, "big"))
                moved = int.from_bytes(hashed.digest(), "big")
                high, low = low, (high + moved) % self._side
            number = high * self._side + low
            if number < self._total:
                return number


def _keys(key: str) -> Iterator[int]:
    octets = sha256(key.encode("utf-8", "surrogatepass")).digest()
    return (1 + int.from_bytes(octets[at : at + 4], "big") % _PRIME for at in range(0, 28, 4))


def _from_the_right(digits: str) -> Iterator[str]:
    return (digits[max(end - 2, 0) : end] for end in range(len(digits), 0, -2))


@cache
def _chunk(digits: str) -> tuple[str, ...]:
    return tuple(map("".join, product(*(BETANUMERIC[: _BASES[digit]] for digit in digits))))


def _product(digits: str) -> int:
    return prod(_BASES[digit] for digit in digits)
