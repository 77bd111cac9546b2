"""Deterministic automata over sets of characters, made of small grammars without recursion."""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from typing import Generic, TypeVar

from app.grammar.abnf.parser import known_rules
from app.grammar.abnf.rule_reader import read_rules
from app.grammar.automata.rule_graph import DEAD, RuleGraph, RuleNodeKind
from app.grammar.budget import Budget, BudgetExceeded
from app.grammar.character_sets import LAST, Charset, charset, intersection_of

_STEPS = 2_000_000
_DEEPEST = 150  # elements in elements, since Python counts its own calls


@dataclass(frozen=True, slots=True)
class Automaton:
    """States by number; each leads on by sets of characters that do not overlap.

    What no set holds leads to ``DEAD``, from which nothing leads back.
    """

    start: int
    accepting: frozenset[int]
    moves: tuple[tuple[tuple[Charset, int], ...], ...]

    def step(self, state: int, code: int) -> int:
        """Where one character leads."""
        if state == DEAD:
            return DEAD
        for members, target in self.moves[state]:
            if any(low <= code <= high for low, high in members):
                return target
        return DEAD

    def run(self, text: str, state: int | None = None) -> int:
        state = self.start if state is None else state
        for character in text:
            state = self.step(state, ord(character))
        return state

    def accepts(self, text: str) -> bool:
        return self.run(text) in self.accepting


def automaton_of(grammar: str, name: str) -> Automaton:
    """The automaton of a rule in a grammar of ours, which has no recursion."""
    rules = {**known_rules(), **{rule.key: rule for rule in read_rules(grammar).rules}}
    return _smallest(
        compile_rule(RuleGraph(rules, Budget(_STEPS)), name, Budget(_STEPS)), Budget(_STEPS)
    )


def compile_rule(graph: RuleGraph, name: str, budget: Budget, *, folds: bool = False) -> Automaton:
    """Raises BudgetExceeded, also for these."""
    return _ThompsonConstruction(graph, name, budget, folds=folds).determined()


def minimize_automaton(given: Automaton, budget: Budget) -> Automaton:
    """An automaton of the language in its fewest states, or as given where that takes too long."""
    try:
        return _smallest(given, budget)
    except BudgetExceeded:
        return given


class _ThompsonConstruction:
    def __init__(self, graph: RuleGraph, name: str, budget: Budget, *, folds: bool) -> None:
        self._graph, self._budget, self._folds = graph, budget, folds
        self._empty: list[list[int]] = []
        self._moves: list[tuple[Charset, int] | None] = []
        self._begun: dict[tuple[int, int], int] = {}
        self._depth = 0
        self._end = self._state()
        self._start = self._build(graph.rule(name), self._end)

    def _state(self) -> int:
        self._budget.spend()
        self._empty.append([])
        self._moves.append(None)
        return len(self._empty) - 1

    def _build(self, node: int, after: int) -> int:
        graph, children = self._graph, self._graph.children[node]
        match graph.kinds[node]:
            case RuleNodeKind.EMPTY:
                return after
            case RuleNodeKind.CHARACTER:
                state = self._state()
                members = graph.sets[node]
                self._moves[state] = (add_other_case(members) if self._folds else members, after)
                return state
            case RuleNodeKind.PAIR:
                return self._chained(node, after)
            case RuleNodeKind.CHOICE:
                state = self._state()
                self._empty[state] = [
                    self._deeper(partial(self._build, child, after)) for child in children
                ]
                return state
            case RuleNodeKind.RULE:
                return self._named(node, after)
            case RuleNodeKind.REPEAT:
                return self._deeper(lambda: self._repeat(children[0], *graph.bounds[node], after))

    def _deeper(self, build: Callable[[], int]) -> int:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise BudgetExceeded
        state = build()
        self._depth -= 1
        return state

    def _chained(self, node: int, after: int) -> int:
        parts, graph = [], self._graph
        while graph.kinds[node] is RuleNodeKind.PAIR:
            part, node = graph.children[node]
            parts.append(part)
        state = self._deeper(lambda: self._build(node, after))
        for part in reversed(parts):
            state = self._deeper(partial(self._build, part, state))
        return state

    def _named(self, node: int, after: int) -> int:
        if (node, after) not in self._begun:
            state = self._begun[node, after] = self._state()
            child = self._graph.children[node][0]
            self._empty[state] = [self._deeper(lambda: self._build(child, after))]
        return self._begun[node, after]

    def _repeat(self, child: int, low: int, high: int | None, after: int) -> int:
        self._budget.spend(low + (high or 0))
        if high is None:
            state = self._state()
            self._empty[state] = [after, self._build(child, state)]
        else:
            state = after
            for _ in range(high - low):
                optional = self._state()
                self._empty[optional] = [after, self._build(child, state)]
                state = optional
        for _ in range(low):
            state = self._build(child, state)
        return state

    def _closed(self, states: Iterable[int]) -> frozenset[int]:
        found, waiting = set(), list(states)
        while waiting:
            state = waiting.pop()
            if state not in found:
                found.add(state)
                waiting.extend(self._empty[state])
        self._budget.spend(len(found))
        return frozenset(found)

    def determined(self) -> Automaton:
        classes = partition(move[0] for move in self._moves if move)
        leading = self._leading(classes)
        start = self._closed([self._start])
        numbers, waiting, moves = {start: 0}, deque([start]), []
        while waiting:
            state = waiting.popleft()
            self._budget.spend(len(classes) * (1 + len(state)))
            reached: dict[int, set[int]] = {}
            for one in state:
                for number, to in leading[one]:
                    reached.setdefault(number, set()).add(to)
            leads: dict[frozenset[int], list[tuple[int, int]]] = {}
            for number in sorted(reached):
                leads.setdefault(self._closed(reached[number]), []).append(classes[number])
            for target in leads:
                if target not in numbers:
                    numbers[target] = len(numbers)
                    waiting.append(target)
            moves.append(tuple((charset(runs), numbers[to]) for to, runs in leads.items()))
        ends = frozenset(number for state, number in numbers.items() if self._end in state)
        return Automaton(0, ends, tuple(moves))

    def _leading(self, classes: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
        begins, leading = [low for low, _ in classes], []
        for move in self._moves:
            members, to = move or ((), 0)
            leading.append(
                [
                    (number, to)
                    for low, high in members
                    for number in range(bisect_left(begins, low), bisect_right(begins, high))
                ]
            )
        return leading


def partition(sets: Iterable[Charset]) -> list[tuple[int, int]]:
    """Ranges that no set cuts, and that together are every character."""
    cuts = {0, LAST + 1}
    for one in sets:
        for low, high in one:
            cuts |= {low, high + 1}
    points = sorted(cut for cut in cuts if cut <= LAST + 1)
    return [(low, high - 1) for low, high in pairwise(points)]


def add_other_case(members: Charset) -> Charset:
    """With each letter of ASCII its other case."""
    ranges = [*members]
    for low, high, distance in ((0x41, 0x5A, 0x20), (0x61, 0x7A, -0x20)):
        letters = intersection_of(members, ((low, high),))
        ranges.extend((first + distance, last + distance) for first, last in letters)
    return charset(ranges)


def _smallest(given: Automaton, budget: Budget) -> Automaton:
    count = len(given.moves)
    blocks = [int(state in given.accepting) for state in range(count)]
    while True:
        seen: dict[tuple[object, ...], int] = {}
        following = []
        for state in range(count):
            budget.spend(1 + len(given.moves[state]))
            leads: dict[int, list[tuple[int, int]]] = {}
            for members, target in given.moves[state]:
                leads.setdefault(blocks[target], []).extend(members)
            shape = (blocks[state], *sorted((to, charset(runs)) for to, runs in leads.items()))
            following.append(seen.setdefault(shape, len(seen)))
        if len(seen) == len(set(blocks)):
            break
        blocks = following
    return _joined(given, following, len(seen))


def _joined(given: Automaton, blocks: list[int], count: int) -> Automaton:
    moves: list[tuple[tuple[Charset, int], ...]] = [()] * count
    for state, block in enumerate(blocks):
        leads: dict[int, list[tuple[int, int]]] = {}
        for members, target in given.moves[state]:
            leads.setdefault(blocks[target], []).extend(members)
        moves[block] = tuple((charset(runs), to) for to, runs in leads.items())
    accepting = frozenset(blocks[state] for state in given.accepting)
    return Automaton(blocks[given.start], accepting, tuple(moves))


def product(one: Automaton, other: Automaton, accepts: Callable[[bool, bool], bool]) -> Automaton:
    """The automaton that runs both and accepts by what they say."""
    every = [members for machine in (one, other) for row in machine.moves for members, _ in row]
    classes = partition(every)
    start = (one.start, other.start)
    numbers, waiting, moves = {start: 0}, deque([start]), []
    while waiting:
        a, b = waiting.popleft()
        leads: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for low, high in classes:
            leads.setdefault((one.step(a, low), other.step(b, low)), []).append((low, high))
        for target in leads:
            if target not in numbers:
                numbers[target] = len(numbers)
                waiting.append(target)
        moves.append(tuple((charset(runs), numbers[to]) for to, runs in leads.items()))
    ends = frozenset(
        number
        for (a, b), number in numbers.items()
        if accepts(a in one.accepting, b in other.accepting)
    )
    return _smallest(Automaton(0, ends, tuple(moves)), Budget(_STEPS))


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


_URN = """
whole = namestring
"""
_BEGUN = """
begun = "{start}" *any
any = %x00-10FFFF
"""
_PATH = """
empty-segment = *path "//" *any
dot-segment = *path "/" 1*2"." [ ( "/" / "?" / "#" ) *any ]
path = %x00-22 / %x24-3E / %x40-10FFFF
any = %x00-10FFFF
"""
_ENCODED = """
plain = *( other / pct-encoded ) [ rest ]
utf8 = *( other / one / two / three / four ) [ rest ]
needless = *( other / pct-encoded ) nothing-to-encode *( other / pct-encoded ) [ rest ]
other = %x00-22 / %x24 / %x26-3E / %x40-10FFFF
rest = ( "?" / "#" ) *%x00-10FFFF
one = "%" %x30-37 HEXDIG
two = "%" ( "C" ( %x32-39 / "A" / "B" / "C" / "D" / "E" / "F" ) / "D" HEXDIG ) next
three = "%E" ( "0" "%" ( "A" / "B" ) HEXDIG / ( %x31-39 / "A" / "B" / "C" / "E" / "F" ) next
 / "D" "%" %x38-39 HEXDIG ) next
four = "%F" ( "0" "%" ( "9" / "A" / "B" ) HEXDIG / %x31-33 next / "4" "%8" HEXDIG ) next next
next = "%" ( %x38-39 / "A" / "B" ) HEXDIG
nothing-to-encode = "%" ( "2" ( "D" / "E" ) / "3" DIGIT / ( "4" / "6" ) nonzero
 / ( "5" / "7" ) ( %x30-39 / "A" ) / "5F" / "7E" )
nonzero = %x31-39 / "A" / "B" / "C" / "D" / "E" / "F"
"""


@cache
def urn_syntax() -> Automaton:
    """Source: RFC 8141 section 2."""
    return automaton_of(_URN, "whole")


@cache
def beginning_automaton(start: str) -> Automaton:
    """Source: RFC 8141 section 2.1."""
    return automaton_of(_BEGUN.format(start=start), "begun")


@cache
def empty_segment() -> Automaton:
    """Source: RFC 8141 section 4.3."""
    return automaton_of(_PATH, "empty-segment")


@cache
def dot_segment() -> Automaton:
    """Source: RFC 8141 section 4.3; RFC 3986 section 5.2.4."""
    return automaton_of(_PATH, "dot-segment")


@cache
def invalid_utf8() -> Automaton:
    """Source: RFC 8141 section 2.2; RFC 3629 section 4."""
    plain, utf8 = automaton_of(_ENCODED, "plain"), automaton_of(_ENCODED, "utf8")
    return product(plain, utf8, lambda is_plain, is_utf8: is_plain and not is_utf8)


@cache
def needless_encoding() -> Automaton:
    """Source: RFC 3986 section 2.3."""
    return automaton_of(_ENCODED, "needless")
