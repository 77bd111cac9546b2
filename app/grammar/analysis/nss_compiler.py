"""The grammar in a registration as an automaton of its NSSs, where it is one that can be
held to."""

from collections import deque
from typing import NamedTuple

from app.grammar.abnf.elements import ProseValue, leaf_nodes
from app.grammar.abnf.lexer import Diagnostics
from app.grammar.abnf.rule_extraction import with_pattern
from app.grammar.abnf.rule_reader import read_rules
from app.grammar.analysis.examples import find_examples
from app.grammar.analysis.grammar_queries import DECIDE
from app.grammar.analysis.nss_expressions import find_expression
from app.grammar.analysis.rule_checks import (
    Grammar,
    check_definitions,
    check_names,
    grammar_of,
    reachable_rules,
)
from app.grammar.analysis.study import StartRule, choose_start
from app.grammar.automata.automaton import Automaton, compile_rule, minimize_automaton
from app.grammar.automata.rule_graph import DEAD, AnyCharacterMachine, ReachabilitySolver, RuleGraph
from app.grammar.budget import Budget, BudgetExceeded
from app.grammar.character_sets import Charset, charset_of, intersection_of
from app.grammar.expressions.regular_expressions import ALPHABET
from app.identifiers.errors import spell_text

LONGEST = 60_000  # characters of a text that is looked at when an edition is built
_GRAPH, _STEPS, _SHRINK = 20_000, 400_000, 20_000
_MOST_STATES = 2_000
_COMPONENTS: Charset = charset_of("?#")


_TOO_LONG = f"the section has more than {LONGEST:,} characters."
_UNSTARTED = "it isn't clear which rule defines the NSS."
_OPEN = "a rule is faulty, undefined or described only in words."
_TOO_LARGE = "the grammar isn't regular, or is too large."


class NssGrammar(NamedTuple):
    """The grammar of the NSSs of a namespace, and the URNs of it that the text gives as examples.

    ``automaton`` is None where there is none that names can be held to, and ``fault`` says why in a
    clause; it is empty where the text has no grammar at all. ``expression`` is a regular one of the
    same names, empty where none is at hand.
    """

    automaton: Automaton | None = None
    shown: tuple[str, ...] = ()
    fault: str = ""
    expression: str = ""


def compile_nss(text: str, nid: str, *, folds: bool = False) -> NssGrammar:
    """The grammar in the text of a registration, as an automaton of the NSSs of its namespace.
    ``folds`` says that case makes no difference.

    Source: RFC 8141 section 6.4.2; RFC 5234.
    """
    if "=" not in text:
        return NssGrammar()
    if len(text) > LONGEST:
        return NssGrammar(fault=_TOO_LONG)
    try:
        return _compiled(text, nid.lower(), folds=folds)
    except BudgetExceeded:
        return NssGrammar(fault=_TOO_LARGE)


def _compiled(text: str, nid: str, *, folds: bool) -> NssGrammar:
    notes, read = Diagnostics(), read_rules(text)
    notes.take(*read.notes.found)
    grammar = grammar_of(with_pattern(text, read.rules), text, notes)
    if not grammar.own:
        return NssGrammar()
    graph = RuleGraph(grammar.rules, Budget(_GRAPH))
    solver = ReachabilitySolver(graph, AnyCharacterMachine(), Budget(DECIDE))
    start = choose_start(grammar, graph, solver, None)
    if start is None or start.is_guess:
        return NssGrammar(fault=_UNSTARTED)
    check_names(grammar, start.key, text, notes)
    check_definitions(grammar, graph, solver, notes)
    if not _is_plain(grammar, start, notes):
        return NssGrammar(fault=_OPEN)
    whole = compile_rule(graph, start.key, Budget(_STEPS), folds=folds)
    begin = whole.start if start.is_nss else whole.run(f"urn:{nid}:")
    if begin == DEAD:
        return NssGrammar(
            fault=(f"it generates no text that starts with {spell_text(f'urn:{nid}:')}.")
        )
    shown = (written for written, _ in find_examples(text, nid, read.spans))
    automaton = _of_names(whole, begin)
    before = "" if start.is_nss else f"urn:{nid}:"
    written = find_expression(graph, start.key, before, automaton, folds=folds)
    return NssGrammar(automaton, tuple(shown), "", written)


def _is_plain(grammar: Grammar, start: StartRule, notes: Diagnostics) -> bool:
    reached = [grammar.rules.get(key) for key in reachable_rules(grammar, start.key)]
    rules = [rule for rule in reached if rule is not None and rule.node is not None]
    if len(rules) < len(reached):
        return False
    if any(
        isinstance(leaf, ProseValue)
        for rule in rules
        if rule.node
        for leaf in leaf_nodes(rule.node)
    ):
        return False
    own = [rule for rule in rules if not rule.origin]
    faults = [note.at for note in notes.found if note.is_problem]
    return not any(rule.at <= at <= rule.end for rule in own for at in faults)


def _of_names(whole: Automaton, begin: int) -> Automaton:
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
    return minimize_automaton(Automaton(0, frozenset(ends), tuple(moves)), Budget(_SHRINK))
