"""Which keys of a graph lead back to themselves (Tarjan 1972), without recursion."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

Key = TypeVar("Key", str, int, tuple[int, int])


def strongly_connected(edges: Mapping[Key, set[Key]]) -> list[set[Key]]:
    """The sets of keys that lead to each other, and the single ones that lead to themselves."""
    walk: _TarjanSearch[Key] = _TarjanSearch(edges)
    for key in edges:
        walk.from_key(key)
    return walk.found


class _TarjanSearch(Generic[Key]):
    def __init__(self, edges: Mapping[Key, set[Key]]) -> None:
        self._edges: Mapping[Key, set[Key]] = edges
        self._order: dict[Key, int] = {}
        self._low: dict[Key, int] = {}
        self._open: dict[Key, None] = {}
        self._work: list[tuple[Key, Iterator[Key]]] = []
        self.found: list[set[Key]] = []

    def from_key(self, key: Key) -> None:
        if key not in self._order:
            self._enter(key)
        while self._work:
            key, targets = self._work[-1]
            target = next((one for one in targets if one in self._edges), None)
            if target is None:
                self._leave(key)
            elif target not in self._order:
                self._enter(target)
            elif target in self._open:
                self._low[key] = min(self._low[key], self._order[target])

    def _enter(self, key: Key) -> None:
        self._order[key] = self._low[key] = len(self._order)
        self._open[key] = None
        self._work.append((key, iter(sorted(self._edges[key]))))

    def _leave(self, key: Key) -> None:
        self._work.pop()
        if self._work:
            above = self._work[-1][0]
            self._low[above] = min(self._low[above], self._low[key])
        if self._low[key] == self._order[key]:
            self._close(key)

    def _close(self, key: Key) -> None:
        ring: set[Key] = set()
        while key not in ring:
            ring.add(self._open.popitem()[0])
        if len(ring) > 1 or key in self._edges[key]:
            self.found.append(ring)
