"""Parts of all names: those that begin in one of some ways, which a host may keep alone."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.assigned_names.name_prefixes import InvalidPrefix, read_prefix
from app.assigned_names.name_schemes import SCHEMES

__all__ = ["ALL_NAMES", "MOST_BEGINNINGS", "NamePart", "read_beginning", "read_part"]

MOST_BEGINNINGS: Final = 20  # of a part: each is a range that is looked at apart


@dataclass(frozen=True, slots=True)
class NamePart:
    """The names that begin in one of these ways, as ``read_part`` reads them; with no beginning all
    names. ``elsewhere`` is the site that has all of them; empty where none is known.

    What begins so is a range of the names in their order, so that all that answer a name of it are
    neighbours there, but for those that a beginning goes on from: ``ark:12345/x5`` may be bound and
    answer ``ark:12345/x5/a1``, which is of the part of ``ark:12345/x5/a``.
    """

    beginnings: tuple[str, ...] = ()
    elsewhere: str = ""

    @property
    def is_whole(self) -> bool:
        return not self.beginnings

    def has(self, text: str) -> bool:
        return not self.beginnings or text.startswith(self.beginnings)

    def keeps(self, name: str) -> bool:
        return self.has(name) or any(one.startswith(name) for one in self.beginnings)

    @property
    def shorter_texts(self) -> tuple[str, ...]:
        return tuple({one[:end] for one in self.beginnings for end in range(1, len(one))})

    @property
    def extent(self) -> str:
        return f"only identifiers that begin with {' or '.join(self.beginnings)}"

    def is_within(self, other: "NamePart") -> bool:
        if self.is_whole:
            return other.is_whole
        return all(map(other.has, self.beginnings))


ALL_NAMES: Final = NamePart()


def read_beginning(text: str) -> str:
    """Raises InvalidPrefix for what no name begins with.

    Source: The ARK URI scheme section 4; RFC 8141 section 2.
    """
    scheme = text.lower().removesuffix(":")
    return f"{scheme}:" if scheme in SCHEMES else read_prefix(text).text


def read_part(texts: Iterable[str], elsewhere: str = "") -> NamePart:
    """The part that these beginnings make; of none of them all names. Raises InvalidPrefix for what
    no name begins with, and for more than ``MOST_BEGINNINGS``.

    Source: Rule of this registry: a part has 20 beginnings at most.
    """
    read = sorted({read_beginning(text) for text in texts})
    outer = [
        one for one in read if not any(one != other and one.startswith(other) for other in read)
    ]
    if len(outer) > MOST_BEGINNINGS:
        message = f"Too many prefixes. Use at most {MOST_BEGINNINGS}."
        raise InvalidPrefix(outer[-1], "part_large", message, "Rule of this registry")
    return NamePart(tuple(outer), elsewhere) if outer else ALL_NAMES
