"""Rules that an edition publishes one JSON document a line, each read when it is asked for."""

import json
from collections.abc import Callable, Iterator, Mapping
from threading import Lock
from typing import Any, Generic, TypeVar

_HELD = 4096
# Half of what `json.loads` takes goes to finding out which encoding it is and where spaces stand.
_decode = json.JSONDecoder().raw_decode

Rules = TypeVar("Rules")


class _RuleCache(dict[str, Rules]):
    def __init__(self, read: Callable[[str], Rules | None]) -> None:
        super().__init__()
        self._read, self._lock = read, Lock()

    def __missing__(self, key: str) -> Rules | None:
        rules = self._read(key)
        with self._lock:
            if rules and len(self) >= _HELD:
                del self[next(iter(self))]  # the one that was read first
            if rules:
                self[key] = rules
        return rules


class RuleLines(Generic[Rules]):
    """The rules of an edition from its lines, by the text of one member that each of them has.

    ``find`` gives the rules of a key, None where there are none. ``places`` tells where the line of
    each key begins. ``read`` makes rules of a document. Any number of threads may ask at once.
    Raises ValueError for lines that have no such member.
    """

    def __init__(
        self, lines: bytes, member: str, read: Callable[[Mapping[str, Any]], Rules]
    ) -> None:
        self._lines, self._read = lines, read
        self.places = dict(_places(lines, f'"{member}":"'.encode("ascii")))
        self.find: Callable[[str], Rules | None] = _RuleCache(self._read_line).__getitem__

    def _read_line(self, key: str) -> Rules | None:
        start = self.places.get(key)
        if start is None:
            return None
        return self._read(_document_of(self._lines[start : self._lines.index(b"\n", start)]))


def _document_of(line: bytes) -> Any:
    text = str(line, "utf-8")
    document, end = _decode(text)
    if end < len(text):
        raise ValueError("A line of the edition contains more than one document.")
    return document


def _places(lines: bytes, mark: bytes) -> Iterator[tuple[str, int]]:
    start = 0
    while start < len(lines):
        end = lines.find(b"\n", start)
        found = lines.find(mark, start, end)
        if end < 0 or found < 0:
            raise ValueError(f"No rules found at octet {start}.")
        begin = found + len(mark)
        yield lines[begin : lines.index(b'"', begin)].decode("ascii"), start
        start = end + 1
