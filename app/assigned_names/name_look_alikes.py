"""Names that a person may take for another one: by their signs, their case, and their script."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from hashlib import sha256
from heapq import nsmallest
from typing import NamedTuple
from urllib.parse import unquote

from app.assigned_names.name_checks import NameFinding
from app.identifiers import nid as nid_index
from app.identifiers.errors import OTHER_SCRIPTS, UNSEEN, spell_list, spell_text

__all__ = ["LookAlikes", "find_look_alikes", "look_alikes", "skeleton", "skeleton_number"]

_SOURCE = "Unicode Technical Standard 39 section 4"
_UNSEEN = re.compile(f"[{UNSEEN}\u200c\u200d\ufeff]")
_SHOWN = 3  # of others that look like a name
_OCTETS = 8  # of the digest, so that the number is one of a database


class LookAlikes(NamedTuple):
    """Others that look like a name: the first few in their order, and how many there are."""

    first: tuple[str, ...]
    total: int


def skeleton(name: str) -> str:
    """The form that a name shares with those that look like it. ``urn:example:DOC-O1`` and
    ``urn:example:doc01`` share one.

    Source: Unicode Technical Standard 39 section 4, in a smaller table.
    """
    if "%" in name:
        seen = _UNSEEN.sub("", unicodedata.normalize("NFKC", unquote(name)))
        name = seen.casefold().translate(OTHER_SCRIPTS)
    return nid_index.skeleton(name.lower().replace("_", ""))


def skeleton_number(name: str) -> int:
    digest = sha256(skeleton(name).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:_OCTETS], signed=True)


def look_alikes(names: Iterable[str], there: Iterable[str] = ()) -> dict[str, LookAlikes]:
    """Of some names those that a person may take for another one, with these others. They are found
    among themselves and among those that are ``there``.

    Source: Unicode Technical Standard 39 section 4.
    """
    shapes = {name: skeleton(name) for name in names}
    alike: defaultdict[str, set[str]] = defaultdict(set)
    for name in (*shapes, *there):
        alike[shapes.get(name) or skeleton(name)].add(name)
    # one more than are shown, as a name may be among the first itself
    groups = {shape: (nsmallest(_SHOWN + 1, some), len(some) - 1) for shape, some in alike.items()}
    return {
        name: LookAlikes(tuple([one for one in first if one != name][:_SHOWN]), count)
        for name, (first, count) in ((name, groups[shape]) for name, shape in shapes.items())
        if count
    }


def find_look_alikes(
    names: Iterable[str], there: Iterable[str] = (), *, is_cut: bool = False
) -> dict[str, NameFinding]:
    """What is told of names that others look like; it forbids nothing. ``is_cut``: more look like
    them than those that are ``there``; the first of them of which nothing was found says so
    then.

    Source: Unicode Technical Standard 39 section 4.
    """
    asked = list(names)
    alike = look_alikes(asked, there)
    told = {name: _told(name, others, is_cut=is_cut) for name, others in alike.items()}
    untold = next((name for name in asked if name not in told), None) if is_cut else None
    return told if untold is None else told | {untold: _not_looked_at(untold)}


def _told(name: str, others: LookAlikes, *, is_cut: bool) -> NameFinding:
    alike = [spell_text(other) for other in others.first]
    if others.total > _SHOWN:
        least = "at least " if is_cut else ""
        alike.append(f"{least}{others.total - _SHOWN} more")
    message = (
        f"{spell_text(name)} looks like {spell_list(alike)}. Check that you don't confuse them."
    )
    return NameFinding("name", "look_alike", message, _SOURCE)


def _not_looked_at(name: str) -> NameFinding:
    message = (
        "The registry has too many similar identifiers to check them all. Look-alikes of "
        f"{spell_text(name)} and later identifiers may be missing here."
    )
    return NameFinding("name", "look_alike", message, _SOURCE)
