"""With which rule a grammar starts, and whether that rule is of whole URNs or of the NSS alone."""

import re
from dataclasses import dataclass

from app.grammar.analysis.rule_checks import Grammar, reachable_rules
from app.grammar.automata.name_samples import shortest_of
from app.grammar.automata.reachability import (
    ReachabilitySolver,
    ReachableTexts,
    TextRope,
    spell_rope,
)
from app.grammar.automata.rule_graph import RuleGraph
from app.grammar.budget import Budget
from app.grammar.character_sets import (
    Charset,
    charset_contains,
    count_characters,
    typical_character,
)

_ASKED, _YIELDS = "You selected it.", "It generates `urn:`."
_GUESS = "It uses the most rules."
_WHOLE = ("namestring", "assigned-name", "urn", "uri")
_SCHEME = "urn:"
_STEPS = 60_000
_MOST_WEIGHED = 50


@dataclass(frozen=True, slots=True)
class StartRule:
    """The rule that is taken, why, whether it is judged as an NSS, and whether nothing says so."""

    key: str
    why: str
    is_nss: bool
    others: tuple[str, ...]

    @property
    def is_guess(self) -> bool:
        return self.why == _GUESS


def choose_start(
    grammar: Grammar, graph: RuleGraph, solver: ReachabilitySolver, wanted: str | None
) -> StartRule | None:
    """The rule of names: one that was asked for; one that yields ``urn:``; one so called; an NSS.
    Raises BudgetExceeded."""
    choosing = _StartChooser(grammar, graph, solver)
    if wanted is not None:
        key = wanted.strip().strip("<>").lower()
        return choosing.start(key, _ASKED) if key in grammar.rules else None
    return choosing.start(*choosing.guessed()) if grammar.own else None


class _SchemeMachine:
    def steps(self, state: int, members: Charset, node: int) -> ReachableTexts:
        if not members:
            return {}
        if state >= len(_SCHEME):
            return {state: TextRope(1, 0, None, None, typical_character(members), node)}
        if count_characters(members) > 2 or not charset_contains(members, ord(_SCHEME[state])):
            return {}
        return {state + 1: TextRope(1, 0, None, None, _SCHEME[state], node)}


class _StartChooser:
    def __init__(self, grammar: Grammar, graph: RuleGraph, solver: ReachabilitySolver) -> None:
        self._grammar, self._graph, self._shortest = grammar, graph, solver
        self._spelling = ReachabilitySolver(graph, _SchemeMachine(), Budget(_STEPS))

    def start(self, key: str, why: str) -> StartRule:
        grammar = self._grammar
        others = tuple(grammar.own[root].name for root in grammar.roots if root != key)
        return StartRule(key, why, not (self._begins(key) or _is_whole(key)), others)

    def guessed(self) -> tuple[str, str]:
        roots = set(self._grammar.roots)
        rest = [key for key in self._grammar.own if key not in roots]
        ordered = self._grammar.roots + rest
        if begins := [key for key in ordered if self._begins(key)]:
            return self._widest(begins), _YIELDS
        for is_called, why in ((_is_whole, "Its name suggests it."), (_is_nss, "It is named NSS.")):
            if called := [key for key in ordered if is_called(key)]:
                return called[0], why
        return self._widest(ordered), _GUESS

    def _widest(self, keys: list[str]) -> str:
        own = set(self._grammar.own)
        return max(
            keys[:_MOST_WEIGHED], key=lambda key: len(reachable_rules(self._grammar, key) & own)
        )

    def _begins(self, key: str) -> bool:
        node = self._graph.rule(key)
        if len(_SCHEME) in self._spelling.ways(node, 0):
            return True
        text = shortest_of(self._shortest, node)
        begun = spell_rope(text, 4).lower() if text else ""
        return begun[:3] == "urn" and len(begun) == 4 and not begun[3].isalnum()


def _is_whole(key: str) -> bool:
    return key in _WHOLE or key.endswith(("-urn", "_urn"))


def _is_nss(key: str) -> bool:
    return "nss" in re.split(r"[-_.]", key)
