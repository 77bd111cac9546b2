"""Members of a file of NAANs that are for its registry alone, whatever the file says around them.

The schema PublicNAAN has none of them; the registry of the ARK Alliance keeps them in files of its
own. What is read here is published, and stays so: they are left out before anything is kept.
"""

import re
from collections.abc import Iterator
from typing import Any

from app.registration.naans.json_values import member_place

__all__ = ["is_private_member", "without_private"]

_WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+")
_PRIVATE = frozenset(
    (
        *("address", "addresses", "comment", "comments", "contact", "contacts", "email", "emails"),
        *("fax", "mail", "mailto", "note", "notes", "phone", "phones", "postal"),
        *("practice", "practices", "private", "tel", "telephone"),
    )
)


def is_private_member(name: str) -> bool:
    """Whether a member is private by what it is called: ``contact``, ``alternateContact``,
    ``existing_practice``, ``!address``."""
    words = (word.lower() for word in _WORD.findall(name))
    return name.startswith("!") or not _PRIVATE.isdisjoint(words)


def without_private(value: Any, place: str = "") -> tuple[Any, list[str]]:
    """A value of JSON without its private members at any depth, and where these stood."""
    left: list[str] = []
    return _cleared(value, place, left), left


def _cleared(value: Any, place: str, left: list[str]) -> Any:
    if isinstance(value, dict):
        return dict(_members(value, place, left))
    if isinstance(value, list):
        return [_cleared(one, f"{place}/{at}", left) for at, one in enumerate(value)]
    return value


def _members(value: dict[str, Any], place: str, left: list[str]) -> Iterator[tuple[str, Any]]:
    for name, inner in value.items():
        at = member_place(place, name)
        if is_private_member(name):
            left.append(at)
        else:
            yield name, _cleared(inner, at, left)
