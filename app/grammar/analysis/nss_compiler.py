"""The grammar in a registration as an automaton of its NSSs, where it is one that can be held to.

A name is refused by it, so that it counts only where nothing is left to guess.
"""

from collections import deque
from collections.abc import Iterable

from app.grammar.abnf.diagnostics import Diagnostics
from app.grammar.abnf.elements import ProseValue
from app.grammar.abnf.rule_reader import leaves, read_rules
from app.grammar.abnf.urn_patterns import with_pattern
from app.grammar.analysis.examples import find_examples
from app.grammar.analysis.grammar_queries import DECIDE
from app.grammar.analysis.rule_checks import (
    Grammar,
    check_definitions,
    check_names,
    grammar_of,
    reachable,
)
from app.grammar.analysis.start_rule import StartRule, choose_start
from app.grammar.automata.automaton import Automaton, compile_rule, minimized
from app.grammar.automata.name_samples import AnyCharacterMachine
from app.grammar.automata.reachability import DEAD, ReachabilitySolver
from app.grammar.automata.rule_graph import RuleGraph
from app.grammar.budget import Budget, BudgetExceeded
from app.grammar.character_sets import Charset, charset_of, intersection_of
from app.grammar.expressions.regular_expressions import ALPHABET
from app.identifiers.urn import InvalidURN, parse_urn

LONGEST = 60_000  # characters of a text that is looked at when an edition is built
_GRAPH, _STEPS, _SHRINK = 20_000, 400_000, 20_000
_MOST_STATES = 2_000
_COMPONENTS: Charset = charset_of("?#")


def compile_nss(
    text: str, nid: str, examples: Iterable[str] = (), *, folds: bool = False
) -> Automaton | None:
    """The automaton of the NSSs of a namespace, by the grammar in the text of its registration.

    ``examples`` are URNs that the registration gives beside those in the text; ``folds`` says that
    case makes no difference. None for a text without a grammar of URNs or of NSSs; for one that
    is faulty, says something in words or leaves a rule undefined; for one that is no regular one
    within the bounds; and where an example contradicts it. Raises nothing.

    Source: RFC 8141 section 6.4.2; RFC 5234.
    """
    if len(text) > LONGEST or "=" not in text:
        return None
    try:
        found = _compiled(text, nid.lower(), folds=folds)
    except BudgetExceeded:
        return None
    if found is None:
        return None
    automaton, spans = found
    named = [written for written, _ in find_examples(text, nid, spans)]
    agrees = all(_agrees(automaton, nid.lower(), one) for one in [*named, *examples])
    return automaton if agrees else None


def _compiled(
    text: str, nid: str, *, folds: bool
) -> tuple[Automaton, tuple[tuple[int, int], ...]] | None:
    notes, read = Diagnostics(), read_rules(text)
    notes.take(*read.notes.found)
    grammar = grammar_of(with_pattern(text, read.rules), text, notes)
    if not grammar.own:
        return None
    graph = RuleGraph(grammar.rules, Budget(_GRAPH))
    solver = ReachabilitySolver(graph, AnyCharacterMachine(), Budget(DECIDE))
    start = choose_start(grammar, graph, solver, None)
    if start is None or start.is_guess:
        return None
    check_names(grammar, start.key, text, notes)
    check_definitions(grammar, graph, solver, notes)
    if not _is_plain(grammar, start, notes):
        return None
    whole = compile_rule(graph, start.key, Budget(_STEPS), folds=folds)
    begin = whole.start if start.is_nss else whole.run(f"urn:{nid}:")
    return None if begin == DEAD else (_of_names(whole, begin), read.spans)


def _is_plain(grammar: Grammar, start: StartRule, notes: Diagnostics) -> bool:
    """Whether all rules that names are made of are defined, in ABNF, without a fault."""
    reached = [grammar.rules.get(key) for key in reachable(grammar, start.key)]
    rules = [rule for rule in reached if rule is not None and rule.node is not None]
    if len(rules) < len(reached):
        return False
    if any(
        isinstance(leaf, ProseValue) for rule in rules if rule.node for leaf in leaves(rule.node)
    ):
        return False
    own = [rule for rule in rules if not rule.origin]
    faults = [note.at for note in notes.found if note.is_problem]
    return not any(rule.at <= at <= rule.end for rule in own for at in faults)


def _of_names(whole: Automaton, begin: int) -> Automaton:
    """What follows a beginning, up to where a component begins. Raises BudgetExceeded."""
    numbers, waiting = {begin: 0}, deque([begin])
    moves, ends = [], set()
    while waiting:
        state = waiting.popleft()
        if state in whole.accepting or any(
            intersection_of(one, _COMPONENTS) for one, _ in whole.moves[state]
        ):
            ends.add(numbers[state])
        leads = []
        for members, target in whole.moves[state]:
            if met := intersection_of(members, ALPHABET):
                if target not in numbers:
                    numbers[target] = len(numbers)
                    waiting.append(target)
                leads.append((met, numbers[target]))
        moves.append(tuple(leads))
    if len(moves) > _MOST_STATES:
        raise BudgetExceeded
    return minimized(Automaton(0, frozenset(ends), tuple(moves)), Budget(_SHRINK))


def _agrees(automaton: Automaton, nid: str, written: str) -> bool:
    """Whether an example is a name by the automaton, or is no URN of the namespace at all."""
    try:
        urn = parse_urn(written)
    except InvalidURN:
        return True
    nss = urn.normal_form.split(":", 2)[2]
    return urn.nid.lower() != nid or automaton.accepts(nss)
