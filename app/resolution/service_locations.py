"""Where services are -> the namespaces that they are of: an index of an edition's rules."""

import re
from collections.abc import Iterator
from functools import cached_property

from app.resolution.address_reader import fixed_beginning

# A namespace and the targets of its services, as they follow each other in the lines. Within a
# text of a line its quotes would have backslashes.
_MARKS = re.compile(rb'"nid":"([^"\\]*)"|"target":"([^"\\]*)"')


class ServiceLocations:
    """The namespaces by the fixed beginning of their services' addresses."""

    def __init__(self, lines: bytes) -> None:
        self._lines = lines

    @cached_property
    def _namespaces(self) -> dict[str, dict[str, None]]:
        found: dict[str, dict[str, None]] = {}
        folded = ""
        for nid, target in _MARKS.findall(self._lines):
            if nid:
                folded = nid.decode("ascii")
            elif beginning := fixed_beginning(target.decode("ascii")):
                found.setdefault(beginning, {})[folded] = None
        return found

    @cached_property
    def _lengths(self) -> tuple[int, ...]:
        return tuple(sorted({len(beginning) for beginning in self._namespaces}, reverse=True))

    def find(self, address: str) -> Iterator[str]:
        """The folded names of namespaces that may have a comparable address."""
        told: set[str] = set()
        for length in self._lengths:
            for folded in self._namespaces.get(address[:length], ()):
                if folded not in told:
                    told.add(folded)
                    yield folded
