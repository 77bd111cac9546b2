"""The study of a grammar: what was found, decided, generated and drawn, as plain values."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from app.grammar.abnf.elements import Tree
from app.grammar.abnf.lexer import Diagnostic
from app.grammar.analysis.rule_checks import Grammar, reachable_rules
from app.grammar.automata.rule_graph import (
    ReachabilitySolver,
    ReachableTexts,
    RuleGraph,
    TextRope,
    shortest_of,
    spell_rope,
)
from app.grammar.budget import Budget
from app.grammar.character_sets import (
    Charset,
    charset_contains,
    count_characters,
    typical_character,
)
from app.identifiers.errors import spell_list

MOST_SHOWN = 300  # characters of a counterexample


@dataclass(frozen=True, slots=True)
class StartNode:
    """Where names begin: the node, and what stands before it where it is an NSS alone."""

    graph: RuleGraph
    node: int
    prefix: str
    name: str


@dataclass(frozen=True, slots=True)
class NamesDecision:
    """What was found of all names; not ``is_sure`` where rules in words could have decided it.

    ``how`` says how it was found where that is not by the rules.
    """

    found: tuple[Diagnostic, ...]
    is_sure: bool
    how: str = ""


def spell_shown(text: str) -> str:
    """A text for a sentence: cut where it is long, what cannot be seen escaped."""
    cut = text[:MOST_SHOWN] + ("..." if len(text) > MOST_SHOWN else "")
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):X}}}" for c in cut).replace(
        "`", "\\u{60}"
    )


SHOULD, NOTE = "should", "note"  # the words of every check of a request
YES, NO, OPEN = "yes", "no", "open"
_MOST_LINES = 20  # line numbers in one sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class GrammarFinding:
    """One thing found: a stable code, where, a sentence, the rule it is by, the line to quote.

    ``lines`` are all the lines where the same was found; ``example`` is a text that shows it.
    ``field`` is the field of a template that the line is in, "" where that isn't known.
    """

    code: str
    severity: str
    line: int
    column: int
    message: str
    source: str
    quoted: str
    lines: tuple[int, ...] = ()
    example: str = ""
    field: str = ""

    @property
    def sentence(self) -> str:
        more = [str(line) for line in self.lines if line != self.line]
        if not more:
            return self.message
        which = f"line {more[0]}" if len(more) == 1 else f"lines {spell_list(more, _MOST_LINES)}"
        return f"{self.message} Also on {which}."

    @property
    def is_problem(self) -> bool:
        return self.severity == SHOULD

    @property
    def quote(self) -> str:
        return f"> {self.line}: {self.quoted.strip()}\n\n{self.sentence} ({self.source})"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleReport:
    """A rule as it was taken: its lines in the text, in ABNF, and as a tree to draw."""

    name: str
    line: int
    last_line: int
    abnf: str
    tree: Tree | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GrammarDecision:
    """A question about all names: ``yes``, ``no``, or ``open`` where it was not decided."""

    code: str
    question: str
    answer: str
    how: str
    example: str = ""

    @property
    def answer_in_words(self) -> str:
        return {YES: "Yes", NO: "No", OPEN: "Not checked"}[self.answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleReport:
    """A URN of the text: whether it matches, as what it is read, or where matching stops."""

    text: str
    line: int
    column: int
    verdict: str
    stops_at: int | None = None
    expected: str = ""
    parts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedName:
    """A name that the grammar generates, and whether it is a URN."""

    text: str
    is_urn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceExample:
    """Two spellings that a declared rule of equivalence makes equal."""

    one: str
    other: str
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """All that is known of a grammar in a text. ``too_large`` says what was not decided."""

    nid: str | None = None
    rules: tuple[RuleReport, ...] = ()
    grammar: str = ""
    known: tuple[str, ...] = ()
    start: str | None = None
    start_why: str = ""
    judged_as: str = ""
    other_starts: tuple[str, ...] = ()
    is_recursive: bool = False
    findings: tuple[GrammarFinding, ...] = ()
    decisions: tuple[GrammarDecision, ...] = ()
    examples: tuple[ExampleReport, ...] = ()
    generated: tuple[GeneratedName, ...] = ()
    joins: tuple[EquivalenceExample, ...] = ()
    too_large: tuple[str, ...] = field(default=())

    @property
    def problems(self) -> tuple[GrammarFinding, ...]:
        return tuple(finding for finding in self.findings if finding.is_problem)

    @property
    def caveats(self) -> tuple[str, ...]:
        ways = dict.fromkeys(decision.how for decision in self.decisions)
        return tuple(f"{how[:1].upper()}{how[1:]}." for how in ways)

    @property
    def is_empty(self) -> bool:
        """Whether the whole text was studied and has no grammar."""
        return not self.rules and not self.too_large


_LISTS: Mapping[str, Any] = {
    "rules": RuleReport,
    "findings": GrammarFinding,
    "decisions": GrammarDecision,
    "examples": ExampleReport,
    "generated": GeneratedName,
    "joins": EquivalenceExample,
}


def study_to(study: Study) -> dict[str, Any]:
    return asdict(study)


def part_to(part: Mapping[str, Any]) -> dict[str, Any]:
    """A part of a study, some of its members, as a JSON document."""
    return {
        name: [_members(one) for one in value] if name in _LISTS else value
        for name, value in part.items()
    }


def _members(one: Any) -> dict[str, Any]:
    return {member.name: getattr(one, member.name) for member in fields(one)}


def study_from(parts: Iterable[Mapping[str, Any]]) -> Study:
    """The study from the documents of its parts, in their order: lists are put together."""
    members: dict[str, Any] = {}
    for part in parts:
        for name, value in part.items():
            if name in _LISTS:
                made = tuple(_LISTS[name](**_frozen(one)) for one in value)
                members[name] = members.get(name, ()) + made
            elif isinstance(value, list | tuple):
                members[name] = members.get(name, ()) + tuple(value)
            else:
                members[name] = value
    found = sorted(
        members.pop("findings", ()), key=lambda one: (not one.is_problem, one.line, one.column)
    )
    return Study(findings=tuple(found), **members)


def move_study(study: Study, place: Callable[[int], tuple[str, int]], *, in_fields: bool) -> Study:
    """Return the study with other line numbers: ``place`` gives the field and line of each line."""
    return replace(
        study,
        rules=tuple(
            replace(one, line=place(one.line)[1], last_line=place(one.last_line)[1])
            for one in study.rules
        ),
        findings=tuple(_moved(one, place, in_fields) for one in study.findings),
        examples=tuple(replace(one, line=place(one.line)[1]) for one in study.examples),
    )


def _moved(
    found: GrammarFinding, place: Callable[[int], tuple[str, int]], in_fields: bool
) -> GrammarFinding:
    own, line = place(found.line)
    others = [place(one) for one in found.lines]
    lines = tuple(at for name, at in others if name == own or not in_fields)
    return replace(found, field=own, line=line, lines=lines)


def _frozen(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(tuple(one) if isinstance(one, list) else one for one in value)
        if isinstance(value, list) and name != "tree"
        else value
        for name, value in document.items()
    }


_ASKED, _YIELDS = "You selected it.", "It generates `urn:`."
_GUESS = "It uses the most rules."
_WHOLE = ("namestring", "assigned-name", "urn", "uri")
_SCHEME = "urn:"
_STEPS = 60_000
_MOST_WEIGHED = 50


@dataclass(frozen=True, slots=True)
class StartRule:
    """The rule that is taken, why, whether it is judged as an NSS, and whether nothing says so."""

    key: str
    why: str
    is_nss: bool
    others: tuple[str, ...]

    @property
    def is_guess(self) -> bool:
        return self.why == _GUESS


def choose_start(
    grammar: Grammar, graph: RuleGraph, solver: ReachabilitySolver, wanted: str | None
) -> StartRule | None:
    """The rule of names: one that was asked for; one that yields ``urn:``; one so called; an NSS.
    Raises BudgetExceeded."""
    choosing = _StartChooser(grammar, graph, solver)
    if wanted is not None:
        key = wanted.strip().strip("<>").lower()
        return choosing.start(key, _ASKED) if key in grammar.rules else None
    return choosing.start(*choosing.guessed()) if grammar.own else None


class _SchemeMachine:
    def steps(self, state: int, members: Charset, node: int) -> ReachableTexts:
        if not members:
            return {}
        if state >= len(_SCHEME):
            return {state: TextRope(1, 0, None, None, typical_character(members), node)}
        if count_characters(members) > 2 or not charset_contains(members, ord(_SCHEME[state])):
            return {}
        return {state + 1: TextRope(1, 0, None, None, _SCHEME[state], node)}


class _StartChooser:
    def __init__(self, grammar: Grammar, graph: RuleGraph, solver: ReachabilitySolver) -> None:
        self._grammar, self._graph, self._shortest = grammar, graph, solver
        self._spelling = ReachabilitySolver(graph, _SchemeMachine(), Budget(_STEPS))

    def start(self, key: str, why: str) -> StartRule:
        grammar = self._grammar
        others = tuple(grammar.own[root].name for root in grammar.roots if root != key)
        return StartRule(key, why, not (self._begins(key) or _is_whole(key)), others)

    def guessed(self) -> tuple[str, str]:
        roots = set(self._grammar.roots)
        rest = [key for key in self._grammar.own if key not in roots]
        ordered = self._grammar.roots + rest
        if begins := [key for key in ordered if self._begins(key)]:
            return self._widest(begins), _YIELDS
        for is_called, why in ((_is_whole, "Its name suggests it."), (_is_nss, "It is named NSS.")):
            if called := [key for key in ordered if is_called(key)]:
                return called[0], why
        return self._widest(ordered), _GUESS

    def _widest(self, keys: list[str]) -> str:
        own = set(self._grammar.own)
        return max(
            keys[:_MOST_WEIGHED], key=lambda key: len(reachable_rules(self._grammar, key) & own)
        )

    def _begins(self, key: str) -> bool:
        node = self._graph.rule(key)
        if len(_SCHEME) in self._spelling.ways(node, 0):
            return True
        text = shortest_of(self._shortest, node)
        begun = spell_rope(text, 4).lower() if text else ""
        return begun[:3] == "urn" and len(begun) == 4 and not begun[3].isalnum()


def _is_whole(key: str) -> bool:
    return key in _WHOLE or key.endswith(("-urn", "_urn"))


def _is_nss(key: str) -> bool:
    return "nss" in re.split(r"[-_.]", key)
