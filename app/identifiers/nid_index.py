"""Registered NIDs, prepared so that one of 100,000 and all that resemble it are found at once."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from string import ascii_lowercase, ascii_uppercase, digits
from typing import final

_LDH = ascii_lowercase + digits + "-"
_ASCII_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
# What reads alike in one font or another. Single characters first, then pairs.
_SAME_LOOK = str.maketrans("01i", "oll", "-")
_PAIRS = (("rn", "m"), ("vv", "w"))


def fold_nid(nid: str) -> str:
    """Source: RFC 8141 section 2.1."""
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
        return self._folded.get(fold_nid(nid))

    def is_reserved(self, nid: str) -> bool:
        return fold_nid(nid) in self._reserved

    def find_look_alikes(self, nid: str) -> list[str]:
        folded = fold_nid(nid)
        alike = self._skeletons.get(skeleton(folded), [])
        return sorted(self._folded[name] for name in alike if name != folded)

    def find_one_edit_away(self, nid: str) -> list[str]:
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
