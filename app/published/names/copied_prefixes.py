"""What the copy of names tells of prefixes: what their masks and their holders say of a name."""

import json
from functools import lru_cache
from typing import Any

from app.assigned_names.name_numbering import InvalidNumbering, NameNumbering, numbering_of
from app.assigned_names.name_prefixes import InvalidPrefix, read_prefix
from app.assigned_names.prefix_statements import PrefixStatement, prefix_statement_from
from app.bundles.name_copies import MASKS, STATEMENTS
from app.published.names.name_copy_reader import DamagedNameCopy, NameCopyReader
from app.resolution.judgement import Ground

__all__ = ["CopiedPrefixes", "told_of_prefixes"]

_CHECK = "check_character"


class CopiedPrefixes:
    """Tells of names that nobody bound whether they were mistyped, as far as a mask tells; and of
    any name under which prefix it is given, and what is said of all of these. A prefix without a
    mask has an empty one."""

    def __init__(self, names: NameCopyReader) -> None:
        self._names = names
        # as of which state of the copy
        self._known = "", dict[str, str](), dict[str, Any]()

    def notes_of(self, name: str) -> tuple[Ground, ...]:
        """That the check character of a name, in normal form, is wrong; nothing for any other.

        What follows a name behind a sign of its scheme does not count.
        """
        numbering = self._numbering_of(name)
        fault = numbering.fault_of(name) if numbering else None
        if fault is None or fault.code != _CHECK:
            return ()
        return (Ground(fault.code, fault.message, fault.source),)

    def statement_of(self, name: str) -> PrefixStatement | None:
        """What the holder of the innermost prefix that a name is under says of all names there;
        None where that is nothing."""
        prefix = name[: self.longest_prefix(name)]
        said = self._told()[2].get(prefix)
        return prefix_statement_from(prefix, said) if isinstance(said, dict) else None

    def longest_prefix(self, name: str) -> int:
        """How many characters of a name are the innermost prefix that it is under; 0 for none.

        What is delegated is nobody else's, so that no name before it answers for what is under it.
        """
        masks = self._masks()
        if not masks:
            return 0
        return next((end for end in range(len(name) - 1, 0, -1) if name[:end] in masks), 0)

    def _numbering_of(self, name: str) -> NameNumbering | None:
        prefix = name[: self.longest_prefix(name)]
        return _numbering(prefix, self._masks()[prefix]) if prefix else None

    def _masks(self) -> dict[str, str]:
        return self._told()[1]

    def _told(self) -> tuple[str, dict[str, str], dict[str, Any]]:
        try:
            version = self._names.version()
            if version != self._known[0]:
                told = told_of_prefixes(self._names) if version else {MASKS: {}, STATEMENTS: {}}
                self._known = version, told[MASKS], told[STATEMENTS]
        except DamagedNameCopy:
            return "", {}, {}
        return self._known


def told_of_prefixes(names: NameCopyReader) -> dict[str, dict[str, Any]]:
    """The masks that a copy tells by prefix, and the statements. Raises DamagedNameCopy."""
    try:
        meta = names.meta()
        return {key: dict(json.loads(str(meta.get(key, "{}")))) for key in (MASKS, STATEMENTS)}
    except (ValueError, TypeError) as error:
        raise DamagedNameCopy(str(error)) from error


@lru_cache(maxsize=1_024)
def _numbering(prefix: str, mask: str) -> NameNumbering | None:
    try:
        return numbering_of(read_prefix(prefix), mask)
    except (InvalidNumbering, InvalidPrefix):  # of newer software
        return None
