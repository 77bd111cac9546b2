"""A grammar as a graph of small nodes, which is what is decided about."""

from collections.abc import Mapping
from enum import IntEnum

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
from app.grammar.abnf.referred_rules import every_known_rule
from app.grammar.budget import Budget
from app.grammar.character_sets import (
    EVERY,
    Charset,
    both_cases,
    charset,
    charset_of,
    intersection_of,
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
