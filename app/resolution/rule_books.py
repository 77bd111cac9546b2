"""Books of rules: the lines that an edition publishes, read when a namespace is asked for."""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from app.resolution.rules import NamespaceRules, rule_lines, rules_from

_HELD = 4096


class LineBook:
    """The rules of an edition from its lines; each is read when it is first asked for.

    Raises ValueError or KeyError for lines of which one does not begin as rules do.
    """

    def __init__(self, lines: bytes) -> None:
        self._lines = lines
        self._places = dict(_places(lines))
        self.find = lru_cache(maxsize=_HELD)(self._find)

    def _find(self, folded: str) -> NamespaceRules | None:
        place = self._places.get(folded)
        return None if place is None else rules_from(json.loads(self._lines[place[0] : place[1]]))

    def nearest(self, folded: str) -> tuple[str, ...]:
        """Names like this one, the nearest first."""
        return (folded,) if folded in self._places else ()


def _places(lines: bytes) -> Iterator[tuple[str, tuple[int, int]]]:
    start = 0
    while start < len(lines):
        end = lines.index(b"\n", start)
        yield json.loads(lines[start:end])["nid"], (start, end)
        start = end + 1


def book_of(rules: Iterable[NamespaceRules] | Mapping[str, NamespaceRules]) -> LineBook:
    """A book of these rules, by their folded names."""
    listed = rules.values() if isinstance(rules, Mapping) else rules
    return LineBook(rule_lines((one.name.lower(), one) for one in listed))
