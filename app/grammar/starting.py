"""With which rule a grammar starts, and whether that rule is of whole URNs or of the NSS alone."""

import re
from dataclasses import dataclass, replace

from .checking import Grammar, reachable
from .graph import Graph
from .members import shortest_of
from .ways import Solver, spelled

_GUESS = "It uses most of the other rules."
_WHOLE = ("namestring", "assigned-name", "urn", "uri")


@dataclass(frozen=True, slots=True)
class Start:
    """The rule that is taken, why, whether it is judged as an NSS, and whether nothing says so."""

    key: str
    why: str
    is_nss: bool
    others: tuple[str, ...]
    is_guess: bool = False


def choose_start(
    grammar: Grammar, graph: Graph, solver: Solver, wanted: str | None
) -> Start | None:
    """The rule of names: one that was asked for; one that yields ``urn:``; one so called; an NSS.

    None for a grammar without rules, and where the rule that was asked for is not there.
    Raises TooLarge.
    """
    if wanted is not None:
        key = wanted.strip().strip("<>").lower()
        if key not in grammar.rules:
            return None
        return _start(grammar, graph, solver, key, "It was asked for.")
    if not grammar.own:
        return None
    key, why = _guessed(grammar, graph, solver)
    start = _start(grammar, graph, solver, key, why)
    return replace(start, is_guess=why == _GUESS)


def _start(grammar: Grammar, graph: Graph, solver: Solver, key: str, why: str) -> Start:
    is_nss = not (_begins(graph, solver, key) or _is_whole(key))
    others = tuple(grammar.own[root].name for root in grammar.roots if root != key)
    return Start(key, why, is_nss, others)


def _guessed(grammar: Grammar, graph: Graph, solver: Solver) -> tuple[str, str]:
    roots = set(grammar.roots)
    ordered = grammar.roots + [key for key in grammar.own if key not in roots]
    begins = [key for key in ordered if _begins(graph, solver, key)]
    if begins:
        return _widest(grammar, begins), "It yields `urn:`."
    for is_called, why in ((_is_whole, "Its name says so."), (_is_nss, "It is called an NSS.")):
        if called := [key for key in ordered if is_called(key)]:
            return called[0], why
    return _widest(grammar, ordered), _GUESS


def _widest(grammar: Grammar, keys: list[str]) -> str:
    """The first of those that use most rules."""
    return max(keys[:50], key=lambda key: len(reachable(grammar, key) & set(grammar.own)))


def _begins(graph: Graph, solver: Solver, key: str) -> bool:
    """Whether the rule yields ``urn:``, or what was meant for it, such as ``urn-xxx:``."""
    text = shortest_of(solver, graph.rule(key))
    begun = spelled(text, 4).lower() if text else ""
    return begun[:3] == "urn" and len(begun) == 4 and not begun[3].isalnum()


def _is_whole(key: str) -> bool:
    return key in _WHOLE or key.endswith(("-urn", "_urn", "urn-uri"))


def _is_nss(key: str) -> bool:
    return "nss" in re.split(r"[-_.]", key)
