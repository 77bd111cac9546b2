"""A few names of a grammar to look at, short and odd. The same grammar gives the same names."""

from collections import Counter

from app.grammar.automata.reachability import (
    DEAD,
    ReachabilitySolver,
    ReachableTexts,
    TextRope,
    spell_rope,
)
from app.grammar.automata.rule_graph import RuleGraph, RuleNodeKind
from app.grammar.budget import Budget, BudgetExceeded
from app.grammar.character_sets import EVERY, Charset, typical_character

LONGEST = 120
_MOST_ROUNDS = 200


class AnyCharacterMachine:
    """Takes every character alike: so the shortest text of each node is found."""

    def steps(self, state: int, members: Charset, node: int) -> ReachableTexts:
        return (
            {state: TextRope(1, 0, None, None, typical_character(members), node)} if members else {}
        )


def shortest_of(solver: ReachabilitySolver, node: int) -> TextRope | None:
    """Raises BudgetExceeded."""
    return solver.ways(node, DEAD).get(DEAD)


class NameSampler:
    """Walks through a grammar, each time by what it walked least."""

    def __init__(self, graph: RuleGraph, solver: ReachabilitySolver, budget: Budget) -> None:
        self._graph, self._solver, self._budget = graph, solver, budget
        self._walked: Counter[tuple[int, int]] = Counter()
        self._visits: Counter[int] = Counter()

    def names(self, node: int, most: int) -> list[str]:
        """Different names of a node, the shortest first; at most so many. Raises BudgetExceeded."""
        found = []
        shortest = shortest_of(self._solver, node)
        if shortest is None:
            return []
        if shortest.length <= LONGEST:
            found.append(spell_rope(shortest, LONGEST))
        for _ in range(4 * most):
            name = self._walk(node)
            if name is not None and name not in found:
                found.append(name)
            if len(found) >= most:
                break
        return found

    def _walk(self, node: int) -> str | None:
        written, waiting, left = "", [node], _MOST_ROUNDS
        while waiting:
            self._budget.spend()
            one = waiting.pop()
            left -= 1
            if left < 0 or len(written) > LONGEST // 2:
                written += self._briefly(one)
            elif self._graph.kinds[one] is RuleNodeKind.CHARACTER:
                written += self._character(one)
            else:
                waiting.extend(reversed(self._into(one)))
            if len(written) > LONGEST:
                return None
        return written

    def _briefly(self, node: int) -> str:
        text = shortest_of(self._solver, node)
        return spell_rope(text, LONGEST + 1) if text else ""

    def _into(self, node: int) -> list[int]:
        children = self._graph.children[node]
        kind = self._graph.kinds[node]
        if kind is RuleNodeKind.CHOICE:
            can = [child for child in children if shortest_of(self._solver, child) is not None]
            child = min(can, key=lambda one: self._walked[node, one])
            self._walked[node, child] += 1
            return [child]
        if kind is RuleNodeKind.REPEAT:
            return [children[0]] * self._times(node)
        return list(children)

    def _times(self, node: int) -> int:
        low, high = self._graph.bounds[node]
        if shortest_of(self._solver, self._graph.children[node][0]) is None:
            return 0
        self._visits[node] += 1
        wanted = low + (1, 0, 2, 3)[self._visits[node] % 4]
        return min(wanted if high is None else min(wanted, high), LONGEST + 1)

    def _character(self, node: int) -> str:
        members = self._graph.sets[node]
        if not members:
            return ""
        self._visits[node] += 1
        if members == EVERY or node in self._graph.words:
            return typical_character(members)
        ends = [
            typical_character(members),
            chr(members[-1][1]),
            chr(members[0][0]),
            chr(members[-1][0]),
        ]
        return ends[self._visits[node] % 4]


def names_of(graph: RuleGraph, node: int, most: int, budget: Budget) -> list[str]:
    """A few names, as many as the budget allows."""
    solver = ReachabilitySolver(graph, AnyCharacterMachine(), budget)
    try:
        return NameSampler(graph, solver, budget).names(node, most)
    except BudgetExceeded:
        return []
