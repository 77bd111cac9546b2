"""The ways of a grammar through an automaton: from which state to which, by which shortest text."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from app.grammar.automata.rule_graph import RuleGraph, RuleNodeKind
from app.grammar.budget import Budget
from app.grammar.character_sets import Charset

DEAD = -1  # below it, states that are dead too and tell why
_ONE_BY_ONE = 70  # counts beyond are squared


class TextRope(NamedTuple):
    """A text in halves, so that long ones share what they have in common.

    ``odd`` tells how it looks; among texts of one length the least odd is kept. A character knows
    the node it is of.
    """

    length: int
    odd: int
    left: "TextRope | None" = None
    right: "TextRope | None" = None
    character: str = ""
    node: int = -1


EMPTY = TextRope(0, 0)
ReachableTexts = dict[int, TextRope]


class StateMachine(Protocol):
    """What a grammar is sent through: where a set of characters leads, and by which of them."""

    def steps(self, state: int, members: Charset, node: int) -> ReachableTexts:
        """Where the characters of a node lead from a state."""


def join_ropes(left: TextRope, right: TextRope) -> TextRope:
    """One text after the other."""
    if not left.length:
        return right
    if not right.length:
        return left
    return TextRope(left.length + right.length, left.odd + right.odd, left, right)


def first_characters(text: TextRope, most: int) -> Iterator[TextRope]:
    """The characters of a text from its beginning, at most so many."""
    waiting = [text]
    while waiting and most:
        one = waiting.pop()
        if one.character:
            most -= 1
            yield one
        else:
            waiting += [half for half in (one.right, one.left) if half]


def spell_rope(text: TextRope, most: int = 10_000) -> str:
    return "".join(leaf.character for leaf in first_characters(text, most))


def keep_shortest(ways: ReachableTexts, state: int, text: TextRope) -> bool:
    """Keep a text for a state where it is shorter or less odd than what is there."""
    known = ways.get(state)
    if known is not None and (known.length, known.odd) <= (text.length, text.odd):
        return False
    ways[state] = text
    return True


class ReachabilitySolver:
    """Finds ways; asked again, it knows what it found."""

    def __init__(
        self, graph: RuleGraph, machine: StateMachine, budget: Budget, unrolled: int = _ONE_BY_ONE
    ) -> None:
        self._graph, self._machine, self._budget = graph, machine, budget
        self._unrolled = unrolled
        self.found: dict[tuple[int, int], ReachableTexts] = {}
        self._askers: dict[tuple[int, int], set[tuple[int, int]]] = {}
        self._asker = (-1, -1)
        self._missing: list[tuple[int, int]] = []

    def ways(self, node: int, state: int) -> ReachableTexts:
        """Raises BudgetExceeded."""
        key = (node, state)
        if key not in self.found:
            self.found[key] = {}
            self._solve(key)
        return self.found[key]

    def _solve(self, key: tuple[int, int]) -> None:
        pending, waiting = [key], {key}
        while pending:
            key = self._asker = pending[-1]
            self._missing = []
            found = self._evaluate(*key)
            self._budget.spend(1 + len(found))
            if self._missing:
                waiting.update(self._missing)
                pending.extend(self._missing)
                continue
            pending.pop()
            waiting.discard(key)
            if self._is_better(self.found[key], found):
                self.found[key] = found
                again = self._askers.get(key, set()) - waiting
                waiting |= again
                pending.extend(again)

    def _is_better(self, old: ReachableTexts, new: ReachableTexts) -> bool:
        return any(
            state not in old or (text.length, text.odd) < (old[state].length, old[state].odd)
            for state, text in new.items()
        )

    def _ask(self, node: int, state: int) -> ReachableTexts:
        if state < DEAD:  # all that is dead goes on in the same way
            text = self._ask(node, DEAD).get(DEAD)
            return {state: text} if text else {}
        key = (node, state)
        known = self.found.get(key)
        if known is None:
            known = self.found[key] = {}
            self._missing.append(key)
        self._askers.setdefault(key, set()).add(self._asker)
        return known

    def _evaluate(self, node: int, state: int) -> ReachableTexts:
        graph, children = self._graph, self._graph.children[node]
        match graph.kinds[node]:
            case RuleNodeKind.EMPTY:
                return {state: EMPTY}
            case RuleNodeKind.CHARACTER:
                return self._machine.steps(state, graph.sets[node], node)
            case RuleNodeKind.PAIR:
                return self._after(self._ask(children[0], state), children[1])
            case RuleNodeKind.CHOICE:
                return self._one_of(children, state)
            case RuleNodeKind.RULE:
                inner = self._ask(children[0], state).items()
                return {
                    to: TextRope(text.length, text.odd, text, None, "", node) for to, text in inner
                }
            case RuleNodeKind.REPEAT:
                return self._repeated(children[0], state, *graph.bounds[node])

    def _one_of(self, children: tuple[int, ...], state: int) -> ReachableTexts:
        ways: ReachableTexts = {}
        for child in children:
            for target, text in self._ask(child, state).items():
                keep_shortest(ways, target, text)
        self._budget.spend(len(children))
        return ways

    def _after(self, ways: ReachableTexts, node: int) -> ReachableTexts:
        further: ReachableTexts = {}
        for state, text in list(ways.items()):
            for target, more in self._ask(node, state).items():
                keep_shortest(further, target, join_ropes(text, more))
        self._budget.spend(len(ways))
        return further

    def _repeated(self, child: int, state: int, low: int, high: int | None) -> ReachableTexts:
        if high is not None and high < low:
            return {}
        layer: ReachableTexts = {state: EMPTY}
        if low > self._unrolled:
            layer = self._many(child, state, low)
        else:
            for _ in range(low):
                layer = self._after(layer, child)
        ways, count = dict(layer), low
        while layer and (high is None or count < high):
            layer, count = self._after(layer, child), count + 1
            if not [keep_shortest(ways, *way) for way in layer.items()].count(True):
                break
        return ways

    def _many(self, child: int, state: int, times: int) -> ReachableTexts:
        once, waiting = {}, [state]
        while waiting:
            at = waiting.pop()
            if at not in once:
                once[at] = dict(self._ask(child, at))
                waiting.extend(once[at])
        layer: ReachableTexts = {state: EMPTY}
        while times and not self._missing:
            if times & 1:
                layer = self._through(layer, once)
            once = {at: self._through(ways, once) for at, ways in once.items()}
            times >>= 1
        return layer

    def _through(self, ways: ReachableTexts, steps: dict[int, ReachableTexts]) -> ReachableTexts:
        further: ReachableTexts = {}
        for state, text in ways.items():
            self._budget.spend(1 + len(steps[state]))
            for target, more in steps[state].items():
                keep_shortest(further, target, join_ropes(text, more))
        return further
