"""A grammar as a graph of small nodes, which is what is decided about."""

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import NamedTuple, Protocol

from app.grammar.abnf.elements import (
    Alternatives,
    ElementSequence,
    Literal,
    Node,
    NumericValue,
    ProseValue,
    Repetition,
    Rule,
    RuleReference,
    ValueRange,
)
from app.grammar.abnf.rule_extraction import every_known_rule
from app.grammar.budget import Budget, BudgetExceeded
from app.grammar.character_sets import (
    EVERY,
    Charset,
    both_cases,
    charset,
    charset_of,
    intersection_of,
    typical_character,
)

# What stands for words that no program reads, and for rules that nobody defined.
_WORDS = charset(
    [(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A), (0x2D, 0x2E), (0x5F, 0x5F), (0x7E, 0x7E)]
)


class RuleNodeKind(IntEnum):
    """What a node is."""

    CHARACTER = 0
    EMPTY = 1
    PAIR = 2
    CHOICE = 3
    REPEAT = 4
    RULE = 5


class RuleGraph:
    """The nodes: kind, children, and for a character its set and its place in the text.

    ``wide`` are the characters by which words of prose are matched: more than the unreserved ones,
    by which alone it is judged. ``words`` are the nodes that stand for such words.
    """

    def __init__(self, rules: Mapping[str, Rule], budget: Budget, wide: Charset = _WORDS) -> None:
        self._rules, self._budget, self._wide = rules, budget, wide
        self.kinds: list[RuleNodeKind] = []
        self.children: list[tuple[int, ...]] = []
        self.sets: list[Charset] = []
        self.bounds: list[tuple[int, int | None]] = []
        self.places: list[int] = []
        self.owners: list[str] = []
        self.words: set[int] = set()
        self.of_rule: dict[str, int] = {}
        self._order: list[str] = []
        self._owner, self._inlined = "", -1
        self._empty = self._add(RuleNodeKind.EMPTY)

    def rule(self, name: str) -> int:
        """The node of a rule; all rules that it uses get theirs. Raises BudgetExceeded."""
        waiting = [name.lower()]
        number = self._named(name.lower())
        while waiting:
            key = waiting.pop()
            node = self._named(key)
            if self.children[node]:
                continue
            self._owner = key
            rule = self._rules.get(key)
            before = len(self._order)
            self._inlined = -1
            inner = self._compile(rule.node) if rule and rule.node else self._unknown(key)
            self.children[node] = (inner,)
            waiting.extend(self._order[before:])
        return number

    def name(self, node: int) -> str:
        rule = self._rules.get(self.owners[node])
        return rule.name if rule else self.owners[node]

    def _named(self, key: str) -> int:
        if key not in self.of_rule:
            rule = self._rules.get(key)
            self.of_rule[key] = self._add(RuleNodeKind.RULE, at=rule.at if rule else -1)
            self.owners[-1] = key
            self._order.append(key)
        return self.of_rule[key]

    def _add(
        self,
        kind: RuleNodeKind,
        children: tuple[int, ...] = (),
        *,
        members: Charset = (),
        bounds: tuple[int, int | None] = (1, 1),
        at: int = -1,
    ) -> int:
        self._budget.spend()
        self.kinds.append(kind)
        self.children.append(children)
        self.sets.append(members)
        self.bounds.append(bounds)
        self.places.append(at)
        self.owners.append(self._owner)
        return len(self.kinds) - 1

    def _compile(self, node: Node) -> int:
        match node:
            case Literal(text, sensitive, at):
                sets = (charset_of(c) if sensitive else both_cases(c) for c in text)
                return self._chain([self._character(one, at) for one in sets])
            case ValueRange(low, high, at):
                return self._character(intersection_of(charset([(low, high)]), EVERY), at)
            case NumericValue(codes, at):
                return self._chain(
                    [self._character(intersection_of(((code, code),), EVERY), at) for code in codes]
                )
            case RuleReference(name, at):
                return self._reference(name.lower(), at)
            case ProseValue(_, at):
                return self._any_words(at)
            case Repetition(element, low, high):
                return self._add(RuleNodeKind.REPEAT, (self._compile(element),), bounds=(low, high))
            case ElementSequence(parts):
                return self._chain([self._compile(part) for part in parts])
            case Alternatives(options):
                return self._choice([self._compile(option) for option in options])

    def _reference(self, key: str, at: int) -> int:
        rule = self._rules.get(key) if self._inlined < 0 else every_known_rule()[key]
        if rule is None or not rule.origin or rule.node is None:
            return self._named(key)
        outer = self._inlined
        self._inlined = at if outer < 0 else outer
        node = self._compile(rule.node)
        self._inlined = outer
        return node

    def _choice(self, options: list[int]) -> int:
        if self._inlined >= 0 and all(self.kinds[one] is RuleNodeKind.CHARACTER for one in options):
            members = charset(run for one in options for run in self.sets[one])
            return self._character(members, -1)
        return self._add(RuleNodeKind.CHOICE, tuple(options))

    def _character(self, members: Charset, at: int) -> int:
        place = at if self._inlined < 0 else self._inlined
        return self._add(RuleNodeKind.CHARACTER, members=members, at=place)

    def _chain(self, parts: list[int]) -> int:
        if not parts:
            return self._empty
        node = parts[-1]
        for part in reversed(parts[:-1]):
            node = self._add(RuleNodeKind.PAIR, (part, node))
        return node

    def _unknown(self, key: str) -> int:
        rule = self._rules.get(key)
        return self._any_words(rule.at if rule else -1)

    def _any_words(self, at: int) -> int:
        character = self._character(self._wide, at)
        self.words.add(character)
        return self._add(RuleNodeKind.REPEAT, (character,), bounds=(1, None))


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
