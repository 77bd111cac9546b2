"""The grammar in a registration as an automaton of its NSSs, where it is one that can be held to.

A name is refused by it, so that it counts only where nothing is left to guess.
"""

from collections import deque
from collections.abc import Iterable

from app.identifiers.urn import InvalidURN, parse_urn

from .automata import Automaton, compiled, smaller
from .budget import Budget, TooLarge
from .charsets import Charset, common, of
from .checking import Grammar, check_definitions, check_names, grammar_of, reachable
from .examples import find_examples
from .expressions import ALPHABET
from .graph import Graph
from .members import Shortest
from .notes import Notes
from .patterns import with_pattern
from .questioning import DECIDE
from .reading import leaves, read_rules
from .starting import Start, choose_start
from .syntax import Prose
from .ways import DEAD, Solver

LONGEST = 60_000  # characters of a text that is looked at when an edition is built
_GRAPH, _STEPS, _SHRINK = 20_000, 400_000, 20_000
_MOST_STATES = 2_000
_COMPONENTS: Charset = of("?#")


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
    except TooLarge:
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
    notes, read = Notes(), read_rules(text)
    notes.take(*read.notes.found)
    grammar = grammar_of(with_pattern(text, read.rules), text, notes)
    if not grammar.own:
        return None
    graph = Graph(grammar.rules, Budget(_GRAPH))
    solver = Solver(graph, Shortest(), Budget(DECIDE))
    start = choose_start(grammar, graph, solver, None)
    if start is None or start.is_guess:
        return None
    check_names(grammar, start.key, text, notes)
    check_definitions(grammar, graph, solver, notes)
    if not _is_plain(grammar, start, notes):
        return None
    whole = compiled(graph, start.key, Budget(_STEPS), folds=folds)
    begin = whole.start if start.is_nss else whole.run(f"urn:{nid}:")
    return None if begin == DEAD else (_of_names(whole, begin), read.spans)


def _is_plain(grammar: Grammar, start: Start, notes: Notes) -> bool:
    """Whether all rules that names are made of are defined, in ABNF, without a fault."""
    reached = [grammar.rules.get(key) for key in reachable(grammar, start.key)]
    rules = [rule for rule in reached if rule is not None and rule.node is not None]
    if len(rules) < len(reached):
        return False
    if any(isinstance(leaf, Prose) for rule in rules if rule.node for leaf in leaves(rule.node)):
        return False
    own = [rule for rule in rules if not rule.origin]
    faults = [note.at for note in notes.found if note.is_problem]
    return not any(rule.at <= at <= rule.end for rule in own for at in faults)


def _of_names(whole: Automaton, begin: int) -> Automaton:
    """What follows a beginning, up to where a component begins. Raises TooLarge."""
    numbers, waiting = {begin: 0}, deque([begin])
    moves, ends = [], set()
    while waiting:
        state = waiting.popleft()
        if state in whole.accepting or any(
            common(one, _COMPONENTS) for one, _ in whole.moves[state]
        ):
            ends.add(numbers[state])
        leads = []
        for members, target in whole.moves[state]:
            if met := common(members, ALPHABET):
                if target not in numbers:
                    numbers[target] = len(numbers)
                    waiting.append(target)
                leads.append((met, numbers[target]))
        moves.append(tuple(leads))
    if len(moves) > _MOST_STATES:
        raise TooLarge
    return smaller(Automaton(0, frozenset(ends), tuple(moves)), Budget(_SHRINK))


def _agrees(automaton: Automaton, nid: str, written: str) -> bool:
    """Whether an example is a name by the automaton, or is no URN of the namespace at all."""
    try:
        urn = parse_urn(written)
    except InvalidURN:
        return True
    nss = urn.normal_form.split(":", 2)[2]
    return urn.nid.lower() != nid or automaton.accepts(nss)
