"""Names that a person may take for another one: by their signs, their case, and their script."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from hashlib import sha256
from urllib.parse import unquote

from app.assigned_names.name_checks import NameFinding
from app.identifiers import nid_index
from app.identifiers.spelling import OTHER_SCRIPTS, UNSEEN, spell_list, spell_text

__all__ = ["find_look_alikes", "look_alikes", "skeleton", "skeleton_number"]

_SOURCE = "Unicode Technical Standard 39 section 4"
_UNSEEN = re.compile(f"[{UNSEEN}\u200c\u200d\ufeff]")
_OCTETS = 8  # of the digest, so that the number is one of a database


def skeleton(name: str) -> str:
    """The form that a name shares with those that look like it.

    ``urn:example:DOC-O1`` and ``urn:example:doc01`` share one. What is percent-encoded is read;
    case, hyphens and low lines, 0 and o, 1 and l and i, letters of other scripts that look alike,
    and what is not seen do not count.

    Source: Unicode Technical Standard 39 section 4, in a smaller table.
    """
    if "%" in name:
        seen = _UNSEEN.sub("", unicodedata.normalize("NFKC", unquote(name)))
        name = seen.casefold().translate(OTHER_SCRIPTS)
    return nid_index.skeleton(name.lower().replace("_", ""))


def skeleton_number(name: str) -> int:
    """The skeleton of a name as a number, by which those that look like it are looked up.

    It has 64 bits, a sign among them; names that have one number seldom have two skeletons.
    """
    digest = sha256(skeleton(name).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:_OCTETS], signed=True)


def look_alikes(names: Iterable[str], there: Iterable[str] = ()) -> dict[str, list[str]]:
    """Of some names those that a person may take for another one, with these others, sorted.

    They are found among themselves and among those that are ``there``.

    Source: Unicode Technical Standard 39 section 4.
    """
    shapes = {name: skeleton(name) for name in names}
    alike: defaultdict[str, set[str]] = defaultdict(set)
    for name in (*shapes, *there):
        alike[shapes.get(name) or skeleton(name)].add(name)
    groups = {shape: sorted(some) for shape, some in alike.items() if len(some) > 1}
    return {
        name: [other for other in groups[shape] if other != name]
        for name, shape in shapes.items()
        if shape in groups
    }


def find_look_alikes(names: Iterable[str], there: Iterable[str] = ()) -> dict[str, NameFinding]:
    """What is told of names that others look like; it forbids nothing. Of the others nothing.

    Source: Unicode Technical Standard 39 section 4.
    """
    return {name: _told(name, others) for name, others in look_alikes(names, there).items()}


def _told(name: str, others: list[str]) -> NameFinding:
    alike = spell_list([spell_text(other) for other in others], most=3)
    message = f"{spell_text(name)} looks like {alike}. See that the other one is not meant."
    return NameFinding("name", "look_alike", message, _SOURCE, refuses=False)
