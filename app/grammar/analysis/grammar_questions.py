"""What is asked of all names of a grammar beyond their being URNs, each question one automaton."""

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


@dataclass(frozen=True, slots=True)
class GrammarQuestion:
    """What is asked of all names: the code and the sentence of a note where one is found."""

    code: str
    asked: str
    sentence: str
    source: str


def check_beginning(asked: StartNode, nid: str, budget: Budget) -> NamesDecision:
    """The shortest name that does not begin with ``urn:NID:``; none found where all do.

    Raises BudgetExceeded. Source: RFC 8141 section 2.1.
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
    message = f"`{written}` does not begin with `urn:{nid}:`, as every name of this namespace does."
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
                "Can a name have `//`?",
                "Names can have `//`: `{}`. Clients may rewrite it when they resolve a reference; "
                "ask for a character between slashes.",
                section,
            ),
            empty_segment(),
        ),
        (
            GrammarQuestion(
                "dot-segment",
                "Can a name have `/./` or `/../`?",
                "Names can have `.` or `..` between slashes: `{}`. Clients remove such segments "
                "when they resolve a reference; bar them.",
                section,
            ),
            dot_segment(),
        ),
        (
            GrammarQuestion(
                "not-utf8",
                "Can percent-encoding be other than UTF-8?",
                "Percent-encoded octets need not be UTF-8: `{}`. Say which characters may be "
                "encoded.",
                "RFC 8141 section 2.2",
            ),
            invalid_utf8(),
        ),
        (
            GrammarQuestion(
                "encoded-needlessly",
                "Can a character be encoded that needs no encoding?",
                "A character that needs no encoding may be encoded: `{}`. It would be another "
                "name than the one with the plain character; bar it.",
                "RFC 3986 section 2.3",
            ),
            needless_encoding(),
        ),
    )
    return {question.code: (question, automaton) for question, automaton in asked}


def check_question(asked: StartNode, code: str, budget: Budget) -> NamesDecision:
    """The shortest name for which the answer is yes, as a note; none found where there is none.

    Raises BudgetExceeded.
    """
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
    return Diagnostic(code, at, question.sentence.format(written), question.source, False, written)


def _place(asked: StartNode, text: TextRope, automaton: Automaton) -> int:
    """Where in the grammar the character is from with which the answer was settled."""
    state, place = automaton.run(asked.prefix), -1
    for leaf in first_characters(text, MOST_SHOWN):
        state = automaton.step(state, ord(leaf.character))
        place = asked.graph.places[leaf.node]
        if state in automaton.accepting:
            break
    return place
