"""What is asked of all names of a grammar beyond their being URNs, each question one automaton."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from app.grammar.abnf.diagnostics import Diagnostic
from app.grammar.analysis.grammar_decisions import MOST_SHOWN, NamesDecision, StartNode, spell_shown
from app.grammar.automata.automaton import Automaton
from app.grammar.automata.reachability import (
    ReachabilitySolver,
    TextRope,
    first_characters,
    spell_rope,
)
from app.grammar.automata.refusal_machine import (
    NeutralWordsMachine,
    RefusalMachine,
    with_meant_words,
)
from app.grammar.automata.urn_automata import (
    beginning_automaton,
    dot_segment,
    empty_segment,
    invalid_utf8,
    needless_encoding,
)
from app.grammar.budget import Budget
from app.identifiers.spelling import spell_list

FRAGILE = "fragile-names"  # the code of the one note about all of these questions


@dataclass(frozen=True, slots=True)
class GrammarQuestion:
    """A question about all names: its code and, where the answer is yes, what names can have."""

    code: str
    asked: str
    feature: str
    source: str


def check_beginning(asked: StartNode, nid: str, budget: Budget) -> NamesDecision:
    """The shortest name that does not begin with ``urn:NID:``; none found where all do. Raises
    BudgetExceeded.

    Source: RFC 8141 section 2.1.
    """
    automaton, words = beginning_automaton(f"urn:{nid}:"), asked.graph.words
    track, start = RefusalMachine(automaton, {}, words=words), automaton.run(asked.prefix)
    ways = ReachabilitySolver(asked.graph, track, budget).ways(asked.node, start)
    wrong = [text for state, text in ways.items() if not track.accepts(state)]
    if not wrong:
        return NamesDecision((), not track.met_words)
    shortest = min(wrong, key=lambda text: (text.length, text.odd))
    text = with_meant_words(automaton, shortest, words, start, MOST_SHOWN + 1)
    written = spell_shown(asked.prefix + spell_rope(text, MOST_SHOWN + 1))
    leaf = next(first_characters(text, 1), None)
    at = asked.graph.places[leaf.node] if leaf else -1
    message = f"`{written}` doesn't start with `urn:{nid}:`. Every URN in this namespace must."
    note = Diagnostic("other-beginning", at, message, "RFC 8141 section 2.1", example=written)
    return NamesDecision((note,), is_sure=True)


@cache
def grammar_questions() -> dict[str, tuple[GrammarQuestion, Automaton]]:
    """What is asked of all names beyond their being URNs."""
    section = "RFC 8141 section 4.3"
    asked = (
        (
            GrammarQuestion(
                "empty-segment",
                "Can a URN contain `//`?",
                "`//`",
                section,
            ),
            empty_segment(),
        ),
        (
            GrammarQuestion(
                "dot-segment",
                "Can a URN contain `/./` or `/../`?",
                "`.` or `..` between slashes",
                section,
            ),
            dot_segment(),
        ),
        (
            GrammarQuestion(
                "not-utf8",
                "Can a URN contain percent-encoding that isn't UTF-8?",
                "percent-encoded octets that aren't UTF-8",
                "RFC 8141 section 2.2",
            ),
            invalid_utf8(),
        ),
        (
            GrammarQuestion(
                "encoded-needlessly",
                "Can a URN contain percent-encoded characters that need no encoding?",
                "percent-encoded characters that need no encoding",
                "RFC 3986 section 2.3",
            ),
            needless_encoding(),
        ),
    )
    return {question.code: (question, automaton) for question, automaton in asked}


def check_question(asked: StartNode, code: str, budget: Budget) -> NamesDecision:
    """The shortest name for which the answer is yes, as a note; none found where there is none.
    Raises BudgetExceeded."""
    automaton, words = grammar_questions()[code][1], asked.graph.words
    plain = RefusalMachine(automaton, dict.fromkeys(range(len(automaton.moves)), ""))
    track = NeutralWordsMachine(plain, words)
    ways = ReachabilitySolver(asked.graph, track, budget).ways(
        asked.node, automaton.run(asked.prefix)
    )
    found = [text for state, text in ways.items() if state in automaton.accepting]
    if not found:
        return NamesDecision((), not track.met_words)
    text = min(found, key=lambda text: (text.length, text.odd))
    written = spell_shown(asked.prefix + spell_rope(text, MOST_SHOWN + 1))
    return NamesDecision((_answered(code, _place(asked, text, automaton), written),), is_sure=True)


def check_example(code: str, written: str, at: int) -> NamesDecision | None:
    """A name of the text for which the answer is yes, as a note; None for another name."""
    if not grammar_questions()[code][1].accepts(written):
        return None
    note = _answered(code, at, spell_shown(written))
    return NamesDecision((note,), is_sure=True, how="shown by an example in the text")


def _answered(code: str, at: int, written: str) -> Diagnostic:
    question = grammar_questions()[code][0]
    message = f"{question.feature} (`{written}`)"
    return Diagnostic(code, at, message, question.source, False, written)


def fragile_note(found: Sequence[Diagnostic]) -> Diagnostic:
    """Return one note for every question whose answer is yes, at the place of the first.

    Source: RFC 8141 sections 2.2 and 4.3; RFC 3986 section 2.3.
    """
    message = (
        f"The grammar allows {spell_list([one.message for one in found])}. Software may "
        "change or confuse such URNs. Exclude them if you can."
    )
    sources = "; ".join(dict.fromkeys(one.source for one in found))
    first = found[0]
    return Diagnostic(FRAGILE, first.at, message, sources, is_problem=False, example=first.example)


def _place(asked: StartNode, text: TextRope, automaton: Automaton) -> int:
    state, place = automaton.run(asked.prefix), -1
    for leaf in first_characters(text, MOST_SHOWN):
        state = automaton.step(state, ord(leaf.character))
        place = asked.graph.places[leaf.node]
        if state in automaton.accepting:
            break
    return place
