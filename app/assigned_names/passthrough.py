"""By which bound name an asked name is answered: itself, or the longest one that it extends."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.name_differences import common_length
from app.assigned_names.name_schemes import LONGEST_NAME
from app.assigned_names.prefix_statements import PrefixStatement
from app.resolution.targets import join_query

__all__ = ["BoundOutcome", "NameFloor", "resolve_bound"]

_PRINTED = "".join(map(chr, range(0x21, 0x7F)))
# What can be sent as the place to go on to; a copy of names may come from anywhere.
_is_address = re.compile(f"[Hh][Tt][Tt][Pp][Ss]?://[{re.escape(_PRINTED)}]+").fullmatch

# The greatest name, code point by code point, that does not come after a text, and what gives what
# is known of it; None where there is none. An index of names finds it at once.
NameFloor = Callable[[str], tuple[str, Callable[[], AssignedNameRecord]] | None]


@dataclass(frozen=True, slots=True)
class BoundOutcome:
    """What came of an asked name: what is known of the bound name that answers it.

    ``suffix`` is what the asked name has behind that, empty where it is that. ``query`` is what the
    asker wants handed on; None where that is nothing. Where somebody asks what is known, ``said``
    is what is told of its prefix and of all names there, and ``prefix`` is that, where there is
    more under it than this name.
    """

    record: AssignedNameRecord
    suffix: str = ""
    query: str | None = None
    said: PrefixStatement | None = None
    prefix: str = ""

    @property
    def asked(self) -> str:
        return self.record.name + self.suffix

    @property
    def target(self) -> str:
        """Source: Suffix passthrough, as the Name-to-Thing resolver does it; RFC 3986
        section 3.2."""
        target = self.record.target
        if self.record.state is not AssignedNameState.PUBLIC or not target:
            return ""
        if not target.isascii():
            target = quote(target, safe=_PRINTED)
        if not _is_address(target):
            return ""
        if self.suffix:
            target = _extended(target, self.suffix)
        return target if self.query is None else join_query(target, self.query)


def resolve_bound(
    name: str,
    query: str | None,
    floor: NameFloor,
    signs: Collection[str] = (),
    *,
    shortest: int = 1,
    may_extend: Callable[[], bool] = lambda: True,
) -> BoundOutcome | None:
    """The longest bound name by which an asked name is answered; None where there is none.

    ``name`` is in normal form. It is answered by a name that equals it; that it extends by one of
    ``signs`` and what follows, as ARKs have ``/`` and ``.``; or that it extends in any way, where
    the binding declares that and ``may_extend`` says that it may. Names of fewer characters than
    ``shortest`` are not looked for.

    Source: The ARK URI scheme section 3.2; RFC 8141 section 3, by which URNs have no such signs,
    and section 5.1, by which what a name stands for is what its namespace declares.
    """
    text = name[:LONGEST_NAME]
    while len(text) >= shortest:
        nearest = floor(text)
        if nearest is None:
            return None
        found, read = nearest
        if not text.startswith(found):
            text = text[: common_length(text, found)]
            continue
        record, suffix = read(), name[len(found) :]
        if not suffix or suffix[0] in signs or (record.extends_anywhere and may_extend()):
            return BoundOutcome(record, suffix, query) if len(found) >= shortest else None
        text = found[:-1]
    return None


def _extended(target: str, suffix: str) -> str:
    address, mark, fragment = target.partition("#")
    parts = urlsplit(address)
    between = "" if parts.path or parts.query or suffix[0] == "/" else "/"
    return f"{address}{between}{suffix}{mark}{fragment}"
