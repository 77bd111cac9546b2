"""How a name ends: which takes its place, and whether it was given by mistake."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from app.registration.declarations.fields import ENDING, VOIDED


class SuccessionRecord(Protocol):
    """What has a name, and maybe one that took its place."""

    @property
    def name(self) -> str:
        """As it is registered."""

    @property
    def successor(self) -> str | None:
        """The name to use instead; None or empty where there is none."""


_Holder = TypeVar("_Holder", bound=SuccessionRecord)


def last_successor(
    first: _Holder, find: Callable[[str], _Holder | None], fold: Callable[[str], str]
) -> str:
    """The folded name to use in place of one; empty where it has no successor.

    ``find`` gives what has a folded name, if there is one, ``fold`` a name as it is compared. Of
    names that lead round in a circle, the last before it closes.
    """
    seen = [fold(first.name)]
    following: _Holder | None = first
    while following and following.successor and fold(following.successor) not in seen:
        seen.append(fold(following.successor))
        following = find(seen[-1])
    return seen[-1] if len(seen) > 1 else ""


def replacement_words(successor: str) -> str:
    """What to use in place of a deprecated name, given whole; empty says that nothing is."""
    return f"Use {successor} instead." if successor else "It has no successor."


def is_voided(fields: Iterable[tuple[str, str]]) -> bool:
    """Whether a record, by its fields, is of a name that was given by mistake."""
    return (ENDING, VOIDED) in fields
