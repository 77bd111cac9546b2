"""A grammar of a namespace as a table of states, which reads an NSS in one pass."""

from dataclasses import dataclass, field
from typing import Any

Document = dict[str, Any]
_Row = list[Any]  # of rows: a type that holds itself
_ASCII = 128


@dataclass(frozen=True, slots=True)
class NssAutomaton:
    """``rows`` by state, each from runs of characters to the next state; ``ends`` accept.

    Raises ValueError for moves to states that there are none of, or by characters beyond ASCII.
    """

    moves: tuple[tuple[tuple[int, int, int], ...], ...]
    ends: frozenset[int]
    _rows: list[_Row] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for row in self.moves:
            for low, high, to in row:
                if not (0 <= low <= high < _ASCII and 0 <= to < len(self.moves)):
                    raise ValueError(f"{(low, high, to)!r} is no move of {len(self.moves)} states")

    def accepts(self, nss: str) -> bool:
        row = self._first()
        for code in nss.encode("ascii", "replace"):
            row = row[code]
        return bool(row[_ASCII])

    def reach(self, nss: str) -> int:
        """How many characters of an NSS a name of the grammar can begin with."""
        row, dead = self._first(), self._rows[0]
        for at, code in enumerate(nss.encode("ascii", "replace")):
            row = row[code]
            if row is dead:
                return at
        return len(nss)

    def _first(self) -> _Row:
        if not self._rows:
            self._rows.extend(self._made())
        return self._rows[1]

    def _made(self) -> list[_Row]:
        rows: list[_Row] = [[] for _ in self.moves]
        for state, row in enumerate(rows):
            row.extend([rows[0]] * _ASCII)
            for low, high, to in self.moves[state]:
                row[low : high + 1] = [rows[to]] * (high + 1 - low)
            row.append(state in self.ends)
        return rows


def automaton_to(automaton: NssAutomaton) -> Document:
    return {"moves": automaton.moves, "ends": sorted(automaton.ends)}


def automaton_from(document: Document) -> NssAutomaton:
    """The automaton whose ``automaton_to`` this is. Raises KeyError, TypeError, ValueError."""
    moves = tuple(
        tuple((int(low), int(high), int(to)) for low, high, to in row) for row in document["moves"]
    )
    return NssAutomaton(moves, frozenset(map(int, document["ends"])))
