"""The masks by which names are minted, as the copy of names tells them: what they say of a name."""

import json
from functools import lru_cache

from app.assigned_names.name_numbering import InvalidNumbering, NameNumbering, numbering_of
from app.assigned_names.name_prefixes import InvalidPrefix, read_prefix
from app.bundles.name_copies import MASKS
from app.published.names.name_copy_reader import DamagedNameCopy, NameCopyReader
from app.resolution.judgement import Ground

__all__ = ["CopiedMasks", "masks_told"]

_CHECK = "check_character"


class CopiedMasks:
    """Tells of names that nobody bound whether they were mistyped, as far as a mask tells; and of
    any name under which prefix it is given. A prefix without a mask has an empty one."""

    def __init__(self, names: NameCopyReader) -> None:
        self._names = names
        self._known = "", dict[str, str]()  # as of which state of the copy

    def notes_of(self, name: str) -> tuple[Ground, ...]:
        """That the check character of a name, in normal form, is wrong; nothing for any other.

        What follows a name behind a sign of its scheme does not count.
        """
        numbering = self._numbering_of(name)
        fault = numbering.fault_of(name) if numbering else None
        if fault is None or fault.code != _CHECK:
            return ()
        return (Ground(fault.code, fault.message, fault.source),)

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
        try:
            version = self._names.version()
            if version != self._known[0]:
                self._known = version, masks_told(self._names) if version else {}
        except DamagedNameCopy:
            return {}
        return self._known[1]


def masks_told(names: NameCopyReader) -> dict[str, str]:
    """The masks that a copy tells, by prefix. Raises DamagedNameCopy."""
    try:
        told = json.loads(str(names.meta().get(MASKS, "{}")))
    except ValueError as error:
        raise DamagedNameCopy(str(error)) from error
    return dict(told)


@lru_cache(maxsize=1_024)
def _numbering(prefix: str, mask: str) -> NameNumbering | None:
    try:
        return numbering_of(read_prefix(prefix), mask)
    except (InvalidNumbering, InvalidPrefix):  # of newer software
        return None
