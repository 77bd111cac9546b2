"""What is asked of a grammar once it is known where its names begin."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from app.grammar.abnf.elements import Rule
from app.grammar.abnf.lexer import Diagnostic, Diagnostics, LineIndex
from app.grammar.analysis.examples import Example, find_examples, judge_example
from app.grammar.analysis.rule_checks import Grammar, reachable_rules
from app.grammar.analysis.study import (
    MOST_SHOWN,
    NO,
    OPEN,
    YES,
    EquivalenceExample,
    ExampleReport,
    GeneratedName,
    GrammarDecision,
    NamesDecision,
    StartNode,
    StartRule,
    part_to,
    spell_shown,
)
from app.grammar.analysis.urn_counterexamples import check_urns
from app.grammar.automata.automaton import (
    Automaton,
    beginning_automaton,
    dot_segment,
    empty_segment,
    invalid_utf8,
    needless_encoding,
)
from app.grammar.automata.refusal_machine import (
    NeutralWordsMachine,
    RefusalMachine,
    with_meant_words,
)
from app.grammar.automata.rule_graph import (
    AnyCharacterMachine,
    ReachabilitySolver,
    RuleGraph,
    TextRope,
    first_characters,
    names_of,
    shortest_of,
    spell_rope,
)
from app.grammar.budget import Budget, BudgetExceeded
from app.identifiers.equivalence import Equivalence, find_equivalent_spellings
from app.identifiers.errors import InvalidURN, spell_character, spell_list
from app.identifiers.urn import parse_urn

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


DECIDE, _EXAMPLE, _GENERATE = 100_000, 40_000, 20_000
_GENERATED = 6
_STOPPED = 3  # examples that do not match and are shown one by one
_SYNTAX = "RFC 8141 section 6.4.2"
_EXACT = "checked for all URNs"
_RECURSIVE = "checked for all URNs, including recursive rules"
Part = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RootedGrammar:
    """A grammar with its start. ``wide`` is the graph in which words of prose match anything."""

    text: str
    lines: LineIndex
    spans: tuple[tuple[int, int], ...]
    grammar: Grammar
    graph: RuleGraph
    wide: RuleGraph
    start: StartRule
    nid: str | None
    equivalence: Equivalence
    is_recursive: bool
    in_words: tuple[str, ...]
    matches_nothing: bool

    @property
    def asked(self) -> StartNode:
        prefix = f"urn:{self.nid or 'example'}:" if self.start.is_nss else ""
        name = self.grammar.rules[self.start.key].name
        return StartNode(self.graph, self.graph.rule(self.start.key), prefix, name)

    @property
    def is_guessed(self) -> bool:
        return self.start.is_guess and self.nid is None

    @property
    def how(self) -> str:
        how = _RECURSIVE if self.is_recursive else _EXACT
        return f"{how}, except {self._words}" if self.in_words else how

    @property
    def how_open(self) -> str:
        return f"not checked, because {self._words} can match anything"

    @property
    def _words(self) -> str:
        names = spell_list([f"`{name}`" for name in self.in_words], 5)
        return f"undefined rules and rules in words ({names})"


def question_in_parts(begun: RootedGrammar, notes: Diagnostics) -> Iterator[Part]:
    """The answers one by one, the most important first; what they find goes to the notes."""
    asking = _QueryRun(begun, notes)
    yield from asking.urns()
    if begun.nid and not begun.start.is_nss:
        yield from asking.beginning(begun.nid)
    yield from asking.examples()
    for code in grammar_questions():
        yield from asking.question(code)
    asking.note_fragile_names()
    yield from asking.generated()


@dataclass(slots=True)
class _QueryRun:
    begun: RootedGrammar
    notes: Diagnostics
    names: dict[str, int] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    fragile: list[Diagnostic] = field(default_factory=list)

    def urns(self) -> Iterator[Part]:
        asked = self.begun.asked
        sentence = "Is every generated text a URN?"
        found = yield from self._decided(
            "not-a-urn", sentence, YES, lambda budget: check_urns(asked, budget)
        )
        self.notes.take(*(self._weighed(note) for note in found))

    def beginning(self, nid: str) -> Iterator[Part]:
        asked, sentence = self.begun.asked, f"Does every URN start with urn:{nid}:?"
        found = yield from self._decided(
            "other-beginning",
            sentence,
            YES,
            lambda budget: check_beginning(asked, nid, budget),
        )
        self.notes.take(*(self._weighed(note) for note in found))

    def question(self, code: str) -> Iterator[Part]:
        asked, sentence = self.begun.asked, grammar_questions()[code][0].asked
        self.fragile += yield from self._decided(
            code, sentence, NO, lambda budget: self._asked(asked, code, budget)
        )

    def note_fragile_names(self) -> None:
        if self.fragile:
            self.notes.take(fragile_note(self.fragile))

    def _asked(self, asked: StartNode, code: str, budget: Budget) -> NamesDecision:
        decision = check_question(asked, code, budget)
        if decision.is_sure:
            return decision
        shown = (check_example(code, written, at) for written, at in self.names.items())
        return next(filter(None, shown), decision)

    def _decided(
        self, code: str, question: str, good: str, ask: Callable[[Budget], NamesDecision]
    ) -> Generator[Part, None, list[Diagnostic]]:
        if self.begun.matches_nothing:
            # Any answer would be true of no names at all, and false once the rules are fixed.
            how = f"not checked, because no text matches `{self.begun.asked.name}`"
            decision = GrammarDecision(code=code, question=question, answer=OPEN, how=how)
            yield part_to({"decisions": [decision]})
            return []
        try:
            decided = ask(Budget(DECIDE))
        except BudgetExceeded:
            how = "not checked, because the grammar is too large"
            decision = GrammarDecision(code=code, question=question, answer=OPEN, how=how)
            yield part_to({"decisions": [decision], "too_large": [f"{question} Not checked."]})
            return []
        found = decided.found
        new = [note for note in found if note.example not in self.told]
        self.told.update(note.example for note in found)
        is_open = not found and not decided.is_sure
        bad = NO if good == YES else YES
        decision = GrammarDecision(
            code=code,
            question=question,
            answer=bad if found else OPEN if is_open else good,
            how=decided.how or (self.begun.how_open if is_open else self.begun.how),
            example=found[0].example if found else "",
        )
        yield part_to({"decisions": [decision]})
        return new

    def _weighed(self, note: Diagnostic) -> Diagnostic:
        if self.begun.is_guessed:
            return replace(note, is_problem=False)
        return note

    def examples(self) -> Iterator[Part]:
        begun, is_nss = self.begun, self.begun.start.is_nss
        try:
            node = begun.wide.rule(begun.start.key)
        except BudgetExceeded:
            yield part_to({"too_large": ["The examples were not checked against the grammar."]})
            return
        judged = [
            judge_example(begun.wide, node, written, at, is_nss=is_nss, budget=Budget(_EXAMPLE))
            for written, at in find_examples(begun.text, self._nid(), begun.spans)
        ]
        matching = [one for one in judged if one.verdict == "matches"]
        self.names = {one.text: one.at for one in matching}
        nids = {one.text.split(":")[1].lower() for one in judged}
        if not begun.is_guessed and (self._nid() or len(nids) == 1):
            self._note_stopped([one for one in judged if one.verdict == "stops"])
            self._note_untried(matching)
        yield part_to({"examples": [self._shown(one) for one in judged]})

    def _nid(self) -> str | None:
        asked = self.begun.asked
        if self.begun.nid or asked.prefix:
            return self.begun.nid
        try:
            text = shortest_of(
                ReachabilitySolver(asked.graph, AnyCharacterMachine(), Budget(DECIDE)), asked.node
            )
            parts = spell_rope(text, 40).split(":") if text else []
            if len(parts) < 3 or check_beginning(asked, parts[1], Budget(DECIDE)).found:
                return None
        except BudgetExceeded:
            return None
        return parts[1]

    def _shown(self, one: Example) -> ExampleReport:
        line, column = self.begun.lines.place(one.at)
        stopped = one.verdict in ("stops", "begins")
        return ExampleReport(
            text=one.text,
            line=line,
            column=column,
            verdict=one.verdict,
            stops_at=one.match.end + 1 if one.match and stopped else None,
            expected=one.match.expected if one.match else "",
            parts=one.match.parts if one.match else (),
        )

    def _note_stopped(self, stopped: list[Example]) -> None:
        for one in stopped[:_STOPPED]:
            self.notes.take(*_stopped(one))
        rest = stopped[_STOPPED:]
        message = "1 more example doesn't match."
        if len(rest) > 1:
            message = f"{len(rest)} more examples don't match."
        for one in rest:  # equal notes become one finding with the lines of all
            self.notes.wrong("example", one.at, message, _SYNTAX)

    def _note_untried(self, matching: list[Example]) -> None:
        idle = self._idle({key for one in matching if one.match for key in one.match.used})
        if idle and len(matching) > 1:
            names = spell_list([f"`{rule.name}`" for rule in idle])
            message = f"No example uses {names}. Add one, or correct the grammar."
            self.notes.look("untried", idle[0].at, message, _SYNTAX)

    def _idle(self, used: set[str]) -> list[Rule]:
        grammar = self.begun.grammar
        rest = (reachable_rules(grammar, self.begun.start.key) & set(grammar.own)) - used
        asked = {name for key in used for name in grammar.uses.get(key, ())}
        return [rule for rule in grammar.own.values() if rule.key in rest & asked]

    def generated(self) -> Iterator[Part]:
        asked = self.begun.asked
        names = names_of(asked.graph, asked.node, _GENERATED, Budget(_GENERATE))
        texts = [asked.prefix + name for name in names]
        # A letter in place of words may make what is no URN, which is no fault of the grammar.
        shown = [
            GeneratedName(text=text, is_urn=_is_urn(text))
            for text in texts
            if not self.begun.in_words or _is_urn(text)
        ]
        yield part_to({"generated": shown})
        known = [*self.names, *(one.text for one in shown if one.is_urn)]
        pairs = list(find_equivalent_spellings(self.begun.equivalence, known))
        if pairs:
            joins = [
                EquivalenceExample(one=pair.one, other=pair.other, clause=pair.clause)
                for pair in pairs
            ]
            yield part_to({"joins": joins})


def _stopped(one: Example) -> Iterator[Diagnostic]:
    if one.match is None:
        return
    end, expected = one.match.end, one.match.expected
    could = f" Expected: {expected}." if expected else ""
    message = (
        f"The example `{spell_shown(one.text)}` doesn't match from character {end + 1}, "
        f"{spell_character(one.text[end])}.{could}"
    )
    yield Diagnostic("example", one.at, message, _SYNTAX, example=one.text)


def _is_urn(text: str) -> bool:
    try:
        parse_urn(text)
    except InvalidURN:
        return False
    return True
