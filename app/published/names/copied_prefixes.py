"""What the copy of names tells of prefixes: what their masks and their holders say of a name, who
holds them, and which of them get no new names."""

import json
from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import Any

from app.assigned_names.bound_names import PrefixStatement, PublicPrefix, prefix_statement_from
from app.assigned_names.name_numbering import InvalidNumbering, NameNumbering, numbering_of
from app.assigned_names.name_prefixes import BEHIND_ALL, LONGEST_PREFIX, InvalidPrefix, read_prefix
from app.bundles.name_copies import MASKS, STATEMENTS
from app.published.names.name_copy_reader import (
    NameCopyReader,
    NameCopyUnavailable,
)
from app.resolution.judgement import Ground
from app.resolution.outcome_documents import names_under_path

__all__ = ["CopiedPrefixes", "told_of_prefixes"]

_CHECK = "check_character"


class CopiedPrefixes:
    """Tells of names that nobody bound whether they were mistyped, as far as a mask tells; and of
    any name under which prefix it is given, and what is said of all of these. A prefix without a
    mask has an empty one."""

    def __init__(self, names: NameCopyReader) -> None:
        self._names = names
        # as of which state of the copy, and what of it was read as that
        self._known = "", dict[str, str](), dict[str, Any](), list[str]()
        self._read: object = None

    def notes_of(self, name: str) -> tuple[Ground, ...]:
        numbering = self._numbering_of(name)
        fault = numbering.fault_of(name) if numbering else None
        if fault is None or fault.code != _CHECK:
            return ()
        return (Ground(fault.code, fault.message, fault.source),)

    def statement_of(self, name: str) -> PrefixStatement | None:
        prefix = name[: self.longest_prefix(name)]
        said = self._told()[2].get(prefix)
        return prefix_statement_from(prefix, said) if isinstance(said, dict) else None

    def find(self, prefix: str) -> PublicPrefix | None:
        _, masks, statements, _ = self._told()
        mask = masks.get(prefix)
        return None if mask is None else _listed(prefix, mask, statements.get(prefix))

    def words_on(self, text: str) -> str:
        found = self.find(text)
        if found is None:
            return ""
        holder = f", owned by {found.said.holder}" if found.said.holder else ""
        return f"This is a prefix{holder}, not a complete identifier."

    def within(self, beginning: str, after: str, most: int) -> tuple[list[PublicPrefix], int]:
        """Prefixes that begin so and go on, in their order, from behind ``after`` on, as many as
        ``most``; and how many there are of them, those before it included."""
        _, masks, statements, ordered = self._told()
        first = bisect_right(ordered, beginning)
        end = bisect_left(ordered, beginning + BEHIND_ALL)
        begin = bisect_right(ordered, after, first, end)
        some = ordered[begin : min(begin + most, end)]
        return [_listed(one, masks[one], statements.get(one)) for one in some], end - first

    def enclosing(self, beginning: str) -> tuple[PublicPrefix, ...]:
        ends = range(1, min(len(beginning), LONGEST_PREFIX) + 1)
        return tuple(one for end in ends if (one := self.find(beginning[:end])))

    def has_list(self, beginning: str, besides: str = "") -> bool:
        """Raises NameCopyUnavailable."""
        if not self._names.version():
            return False
        if self.within(beginning, "", 1)[1] or (not besides and self.find(beginning)):
            return True
        return any(one.name != besides for one in self._names.names_under(beginning, "", 2))

    def list_path(self, text: str) -> str:
        try:
            beginning = read_prefix(text).text
            return names_under_path(beginning) if self.has_list(beginning) else ""
        except (InvalidPrefix, NameCopyUnavailable):
            return ""

    def shared_prefix(self, name: str) -> str:
        """Raises NameCopyUnavailable."""
        prefix = name[: self.longest_prefix(name)]
        return prefix if prefix and self.has_list(prefix, besides=name) else ""

    def longest_prefix(self, name: str) -> int:
        masks = self._masks()
        if not masks:
            return 0
        longest = min(len(name) - 1, LONGEST_PREFIX)
        return next((end for end in range(longest, 0, -1) if name[:end] in masks), 0)

    def _numbering_of(self, name: str) -> NameNumbering | None:
        prefix = name[: self.longest_prefix(name)]
        return _numbering(prefix, self._masks()[prefix]) if prefix else None

    def _masks(self) -> dict[str, str]:
        return self._told()[1]

    def _told(self) -> tuple[str, dict[str, str], dict[str, Any], list[str]]:
        try:
            version = self._names.version()
            if version != self._known[0]:
                self._read_again(version)
        except NameCopyUnavailable:
            return "", {}, {}, []
        return self._known

    def _read_again(self, version: str) -> None:
        meta = self._names.meta() if version else {}
        texts = [str(meta.get(key, "{}")) for key in (MASKS, STATEMENTS)]
        if texts == self._read:
            self._known = version, *self._known[1:]
            return
        masks, statements = map(_members, texts)
        self._known, self._read = (version, masks, statements, sorted(masks)), texts


def told_of_prefixes(names: NameCopyReader) -> dict[str, dict[str, Any]]:
    """Raises NameCopyUnavailable."""
    meta = names.meta()
    return {key: _members(str(meta.get(key, "{}"))) for key in (MASKS, STATEMENTS)}


def _listed(prefix: str, mask: str, said: object) -> PublicPrefix:
    statement = prefix_statement_from(prefix, said) if isinstance(said, dict) else None
    return PublicPrefix(prefix, mask, statement or PrefixStatement(prefix=prefix))


def _members(text: str) -> dict[str, Any]:
    try:
        return dict(json.loads(text))
    except (ValueError, TypeError) as error:
        raise NameCopyUnavailable(str(error)) from error


@lru_cache(maxsize=1_024)
def _numbering(prefix: str, mask: str) -> NameNumbering | None:
    try:
        return numbering_of(read_prefix(prefix), mask)
    except (InvalidNumbering, InvalidPrefix):  # of newer software
        return None
