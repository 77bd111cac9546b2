"""A grammar of a namespace as a table of states, which reads an NSS in one pass.

A state has a row: for each ASCII character the state that follows, and 0 where nothing does.
State 0 is the dead one, 1 the first.
"""

from dataclasses import dataclass
from typing import Any

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class NssAutomaton:
    """``rows`` by state, each from runs of characters to the next state; ``ends`` accept."""

    moves: tuple[tuple[tuple[int, int, int], ...], ...]
    ends: frozenset[int]


def automaton_to(automaton: NssAutomaton) -> Document:
    """An automaton as a document."""
    return {"moves": automaton.moves, "ends": sorted(automaton.ends)}


def automaton_from(document: Document) -> NssAutomaton:
    """The automaton whose ``automaton_to`` this is. Raises KeyError, TypeError, ValueError."""
    moves = tuple(
        tuple((int(low), int(high), int(to)) for low, high, to in row) for row in document["moves"]
    )
    return NssAutomaton(moves, frozenset(map(int, document["ends"])))
