"""NAANs and shoulders as names: compared, looked up, and NAANs judged before they are given.

Source: The ARK Identifier Scheme, on normalization, on the Name Assigning Authority Number and on
shoulders.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Protocol

from app.identifiers.errors import Finding
from app.identifiers.noid import BETANUMERIC

__all__ = [
    "NAAN_PATTERN",
    "SHOULDER_PATTERN",
    "NaanNameIndex",
    "NaanNameReport",
    "TakenNames",
    "check_naan_name",
    "fold_naan_name",
    "has_naan_form",
]

# What may have a page and files; a shoulder ends as no file does, and has no empty part.
NAAN_PATTERN = "[A-Za-z0-9-]{1,32}"
SHOULDER_PATTERN = r"[A-Za-z0-9-]{1,32}/[A-Za-z0-9-]{1,32}(?:[./][A-Za-z0-9-]{1,32}){0,3}"

_SOURCE = "The ARK Identifier Scheme, on the Name Assigning Authority Number"
# ``str.lower`` would turn the Kelvin sign into a k
_FOLDED = str.maketrans(ascii_uppercase, ascii_lowercase, "-")
_NAAN = re.compile(f"[{BETANUMERIC}]{{5}}")


def fold_naan_name(name: str) -> str:
    """A NAAN, or a shoulder with its NAAN, as a name that is given once: ``12345/x5``.

    Hyphens do not count, nor does the case of ASCII letters: of two shoulders that differ by it
    alone, one is given.

    Source: The ARK Identifier Scheme, on normalization, steps 4 and 6.
    """
    return name.translate(_FOLDED)


def has_naan_form(naan: str) -> bool:
    """Whether a NAAN is five digits or letters that ARKs may begin with; hyphens do not count.

    Source: The ARK Identifier Scheme, on the Name Assigning Authority Number.
    """
    return _NAAN.fullmatch(fold_naan_name(naan)) is not None


class TakenNames(Protocol):
    """The names that are taken, as far as a name is held against them."""

    def find_registered(self, name: str, /) -> str | None:
        """The name as it is registered, or None if it is not."""

    def is_reserved(self, name: str, /) -> bool:
        """Whether the registry keeps the name back."""

    def find_look_alikes(self, name: str, /) -> list[str]:
        """The other names that may be taken for it."""


class NaanNameIndex:
    """The NAANs that are taken."""

    __slots__ = ("_known", "reserved")

    def __init__(self, registered: Iterable[str] = (), reserved: Iterable[str] = ()) -> None:
        self._known = {fold_naan_name(name): name for name in registered}
        self.reserved = frozenset(map(fold_naan_name, reserved))

    def __len__(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def find_registered(self, name: str, /) -> str | None:
        """The name as it is registered, or None if it is not."""
        return self._known.get(fold_naan_name(name))

    def is_reserved(self, name: str, /) -> bool:
        """Whether the registry keeps the name back, as it does with one that is voided."""
        return fold_naan_name(name) in self.reserved

    def find_look_alikes(self, _name: str, /) -> list[str]:
        """None: no two numbers look alike, and nobody chooses one."""
        return []

    def find_one_edit_away(self, _name: str, /) -> list[str]:
        """None: of numbers drawn by chance, every tenth is one digit away from another."""
        return []


@dataclass(frozen=True, slots=True)
class NaanNameReport:
    """What forbids that a NAAN or a shoulder is given, and what a person should look at."""

    problems: tuple[Finding, ...] = ()
    advisories: tuple[Finding, ...] = ()


def check_naan_name(name: str, _kind: str, taken: TakenNames) -> NaanNameReport:
    """Whether a NAAN can be given: five digits or betanumeric letters, and nobody's yet."""
    if taken.find_registered(name):
        told = "It is already assigned and never reused."
        return NaanNameReport((Finding("taken", told, _SOURCE),))
    if taken.is_reserved(name):
        told = "It is reserved and can't be assigned."
        return NaanNameReport((Finding("reserved", told, _SOURCE),))
    if has_naan_form(name):
        return NaanNameReport()
    told = "A NAAN is five digits or consonants (without `l`)."
    return NaanNameReport((Finding("no-naan", told, _SOURCE),))
