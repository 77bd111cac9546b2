"""Whether a text is a name of a grammar, where matching stops, and what could stand there."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.grammar.automata.rule_graph import (
    ReachabilitySolver,
    ReachableTexts,
    RuleGraph,
    RuleNodeKind,
    TextRope,
    first_characters,
)
from app.grammar.budget import Budget
from app.grammar.character_sets import Charset, charset, charset_contains, spell_charset

_MOST_PARTS = 12


@dataclass(frozen=True, slots=True)
class GrammarMatch:
    """A text against a rule. ``end`` is how far it can be followed, in characters.

    ``expected`` is what could stand there, in words; ``parts`` are the rules as which the parts of
    a text that matches can be read; ``used`` the rules that any reading of it uses.
    """

    is_whole: bool
    end: int
    expected: str = ""
    parts: tuple[tuple[str, str], ...] = ()
    used: frozenset[str] = frozenset()


class _TextMachine:
    def __init__(self, text: str) -> None:
        self._codes = [ord(character) for character in text]
        self._text = text
        self.furthest = 0
        self.expected: dict[int, Charset] = {}

    def steps(self, state: int, members: Charset, node: int) -> ReachableTexts:
        if state >= self.furthest:
            if state > self.furthest:
                self.furthest, self.expected = state, {}
            self.expected[node] = members
        if state < len(self._codes) and charset_contains(members, self._codes[state]):
            leaf = TextRope(1, 0, None, None, self._text[state], node)
            return {state + 1: leaf}
        return {}


def match_text(graph: RuleGraph, node: int, text: str, budget: Budget) -> GrammarMatch:
    """Hold a text against a node of a grammar. Raises BudgetExceeded."""
    along = _TextMachine(text)
    solver = ReachabilitySolver(graph, along, budget, unrolled=len(text) + 1)
    ways = solver.ways(node, 0)
    end = len(text)
    furthest = max([along.furthest, *ways])
    if end not in ways:
        asked = along.expected if furthest == along.furthest else {}
        return GrammarMatch(False, furthest, _expected(graph, asked, ends=furthest in ways))
    used = _used(graph, solver, node, end)
    return GrammarMatch(True, end, "", tuple(_parts(graph, ways[end])), used)


def _expected(graph: RuleGraph, asked: dict[int, Charset], *, ends: bool) -> str:
    plain = {node: members for node, members in asked.items() if node not in graph.words}
    members = charset(run for one in plain.values() for run in one)
    owners = sorted({f"`{graph.name(node)}`" for node in plain} - {"``"})
    words = spell_charset(members) if members else ""
    by = f" ({', '.join(owners[:3])})" if words and owners else ""
    said = sorted({f"`{graph.name(node)}`" for node in asked if node in graph.words})
    return ", or ".join(filter(None, ["the end" if ends else "", words + by, *said[:2]]))


def _parts(graph: RuleGraph, text: TextRope) -> Iterator[tuple[str, str]]:
    parts = [text]
    while len(parts) == 1 and not parts[0].character:
        parts = list(_within(parts[0], graph))
    gathered: list[tuple[str, str]] = []
    for part in parts:
        name = graph.name(part.node) if _is_rule(part, graph) else ""
        written = "".join(leaf.character for leaf in first_characters(part, 10_000))
        if gathered and gathered[-1][0] == name:
            gathered[-1] = (name, gathered[-1][1] + written)
        else:
            gathered.append((name, written))
    yield from gathered[:_MOST_PARTS]


def _is_rule(text: TextRope, graph: RuleGraph) -> bool:
    return text.node >= 0 and not text.character and graph.kinds[text.node] is RuleNodeKind.RULE


def _within(text: TextRope, graph: RuleGraph) -> Iterator[TextRope]:
    waiting = [half for half in (text.right, text.left) if half]
    while waiting:
        one = waiting.pop()
        if one.character or _is_rule(one, graph):
            if one.length:
                yield one
        else:
            waiting += [half for half in (one.right, one.left) if half]


def _used(graph: RuleGraph, solver: ReachabilitySolver, node: int, end: int) -> frozenset[str]:
    rules: set[str] = set()
    seen, waiting = set(), [(node, 0, end)]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        if graph.kinds[one[0]] is RuleNodeKind.RULE:
            rules.add(graph.owners[one[0]])
        waiting.extend(_uses(graph, solver, *one))
    return frozenset(rules)


def _uses(
    graph: RuleGraph, solver: ReachabilitySolver, node: int, start: int, end: int
) -> Iterator[tuple[int, int, int]]:
    children, found = graph.children[node], solver.found
    match graph.kinds[node]:
        case RuleNodeKind.PAIR:
            for middle in found.get((children[0], start), {}):
                if end in found.get((children[1], middle), {}):
                    yield children[0], start, middle
                    yield children[1], middle, end
        case RuleNodeKind.CHOICE | RuleNodeKind.RULE:
            for child in children:
                if end in found.get((child, start), {}):
                    yield child, start, end
        case RuleNodeKind.REPEAT:
            yield from _rounds(solver, children[0], start, end)


def _rounds(
    solver: ReachabilitySolver, child: int, start: int, end: int
) -> Iterator[tuple[int, int, int]]:
    onward: dict[int, list[int]] = {}
    waiting = [start]
    while waiting:
        at = waiting.pop()
        if at not in onward:
            onward[at] = [to for to in solver.found.get((child, at), {}) if to <= end]
            waiting.extend(onward[at])
    back = {end}
    for at in sorted(onward, reverse=True):
        if any(to in back for to in onward[at]):
            back.add(at)
    for at in back & set(onward):
        for to in back.intersection(onward[at]):
            yield child, at, to
