"""The grammar of a namespace as one regular expression of its NSSs, where there is one."""

from app.grammar.automata.automaton import Automaton, add_other_case, partition
from app.grammar.automata.rule_graph import DEAD, RuleGraph, RuleNodeKind
from app.grammar.budget import Budget, BudgetExceeded
from app.grammar.character_sets import charset_contains, intersection_of
from app.grammar.expressions.regular_expressions import (
    ALPHABET,
    EMPTY,
    Alternation,
    CharacterClass,
    Concatenation,
    Expression,
    PositionAutomaton,
    Quantification,
    alternation_of,
    concatenation_of,
    find_unsafe_pattern,
    read_expression,
    repetition_of,
    write_expression,
)

_MADE, _COMPARED = 5_000, 300_000  # steps


def find_expression(
    graph: RuleGraph, key: str, before: str, automaton: Automaton, *, folds: bool
) -> str:
    """The expression of what follows the text ``before`` in a rule; empty where there is none.

    There is none for a rule that leads back to itself, for one that is long, for what may not be
    entered as a pattern, and where it would not be exactly the ``automaton``.
    """
    try:
        found: Expression | None = _RuleExpressions(graph, folds=folds).of(graph.rule(key))
        for character in before:
            found = _after(found, ord(character)) if found else None
        text = write_expression(found) if found else ""
        if not text or find_unsafe_pattern(text):
            return ""
        return text if is_of_automaton(read_expression(text), automaton) else ""
    except BudgetExceeded:
        return ""


def is_of_automaton(tree: Expression, automaton: Automaton) -> bool:
    """Whether an expression takes the names that an automaton does, and no other. Raises
    BudgetExceeded."""
    budget = Budget(_COMPARED)
    positions = PositionAutomaton(tree, budget)
    begun = automaton.start, frozenset({0})
    seen, waiting = {begun}, [begun]
    while waiting:
        state, at = waiting.pop()
        if (state in automaton.accepting) != bool(at & positions.ends):
            return False
        ahead = frozenset(to for one in at for to in positions.follow[one])
        moves = automaton.moves[state] if state != DEAD else ()
        sets = {positions.sets[to] for to in ahead} | {members for members, _ in moves}
        for low, _ in partition(sets):
            budget.spend(1 + len(ahead) + len(moves))
            reached = frozenset(to for to in ahead if charset_contains(positions.sets[to], low))
            pair = automaton.step(state, low), reached
            if pair not in seen:
                seen.add(pair)
                waiting.append(pair)
    return True


class _RuleExpressions:
    def __init__(self, graph: RuleGraph, *, folds: bool) -> None:
        self._graph, self._folds = graph, folds
        self._budget, self._within = Budget(_MADE), set[int]()

    def of(self, node: int) -> Expression | None:
        self._budget.spend()
        graph, children = self._graph, self._graph.children[node]
        match graph.kinds[node]:
            case RuleNodeKind.EMPTY:
                return EMPTY
            case RuleNodeKind.CHARACTER:
                members = add_other_case(graph.sets[node]) if self._folds else graph.sets[node]
                met = intersection_of(members, ALPHABET)
                return CharacterClass(met) if met else None
            case RuleNodeKind.PAIR:
                return concatenation_of(self._series(node))
            case RuleNodeKind.CHOICE:
                return alternation_of([self.of(child) for child in children])
            case RuleNodeKind.REPEAT:
                return repetition_of(self.of(children[0]), *graph.bounds[node])
            case RuleNodeKind.RULE:
                return self._named(node)

    def _series(self, node: int) -> list[Expression | None]:
        parts, graph = [], self._graph
        while graph.kinds[node] is RuleNodeKind.PAIR:
            part, node = graph.children[node]
            parts.append(self.of(part))
        return [*parts, self.of(node)]

    def _named(self, node: int) -> Expression | None:
        if node in self._within:
            raise BudgetExceeded
        self._within.add(node)
        found = self.of(self._graph.children[node][0])
        self._within.discard(node)
        return found


def _after(node: Expression, code: int) -> Expression | None:
    match node:
        case CharacterClass(members):
            return EMPTY if charset_contains(members, code) else None
        case Concatenation(parts):
            if not parts:
                return None
            rest = Concatenation(parts[1:])
            later = _after(rest, code) if _may_be_empty(parts[0]) else None
            return alternation_of([concatenation_of([_after(parts[0], code), rest]), later])
        case Alternation(options):
            return alternation_of([_after(option, code) for option in options])
        case Quantification(inner, low, high):
            more = repetition_of(inner, max(low - 1, 0), None if high is None else high - 1)
            return concatenation_of([_after(inner, code), more])


def _may_be_empty(node: Expression) -> bool:
    match node:
        case CharacterClass():
            return False
        case Concatenation(parts):
            return all(map(_may_be_empty, parts))
        case Alternation(options):
            return any(map(_may_be_empty, options))
        case Quantification(inner, low, _):
            return not low or _may_be_empty(inner)
