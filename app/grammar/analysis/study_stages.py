"""A study, part after part, each within its budget: what is too large is left open and said."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from app.grammar.abnf.elements import ProseValue, Rule, element_tree, leaf_nodes, write_rule
from app.grammar.abnf.lexer import NOTATION, Diagnostic, Diagnostics, LineIndex
from app.grammar.abnf.parser import known_rules
from app.grammar.abnf.rule_extraction import with_pattern
from app.grammar.abnf.rule_reader import read_rules
from app.grammar.analysis.grammar_queries import DECIDE, RootedGrammar, question_in_parts
from app.grammar.analysis.rule_checks import (
    Grammar,
    check_case,
    check_definitions,
    check_known,
    check_names,
    check_placeholders,
    check_sources,
    grammar_of,
    is_recursive,
    reachable_rules,
)
from app.grammar.analysis.study import (
    NOTE,
    SHOULD,
    GrammarFinding,
    RuleReport,
    StartRule,
    choose_start,
    part_to,
)
from app.grammar.automata.rule_graph import (
    AnyCharacterMachine,
    ReachabilitySolver,
    RuleGraph,
    shortest_of,
)
from app.grammar.budget import Budget, BudgetExceeded
from app.grammar.character_sets import charset, charset_of
from app.identifiers.equivalence import Equivalence
from app.identifiers.errors import ODD_SPACES, spell_character, spell_list

MOST_CHARACTERS = 1_000_000
_GRAPH = 100_000
_MOST_TREES, _LONGEST_TREE = 300, 4_000
_MOST_QUOTED = 200
_PLAIN = str.maketrans({**dict.fromkeys(ODD_SPACES, " "), **dict.fromkeys("\u2010\u2011", "-")})
_NID = re.compile(
    r"^[ \t#*0-9.]*Namespace (?:ID|Identifier)[ \t*]*(?::|\r?\n)[\s:*]*(?:<br/?>)?"
    r"[\"“‘'`]?([A-Za-z0-9][A-Za-z0-9-]{1,31})[\"”’'`]?[ \t]*"
    r"(?:\.|\(?requested.*|-.*|[\r\n]|\Z)",
    re.IGNORECASE | re.MULTILINE,
)
# What stands where words of prose do, when examples are matched: whatever an NSS has.
_ANY_WORDS = charset([(0x21, 0x21), (0x24, 0x3B), (0x40, 0x5A), (0x61, 0x7A), *charset_of("=_~")])


def study_in_parts(
    text: str,
    nid: str | None = None,
    start: str | None = None,
    equivalence: Equivalence | None = None,
    section: tuple[int, int] | None = None,
) -> Iterator[dict[str, Any]]:
    """Study the grammar in a text, with or without prose around it.

    The parts of a study as JSON documents, each as soon as it is known, the surest first; as a
    whole by ``study_from``. ``nid`` is the namespace that is asked for, ``start`` the rule of its
    names, ``equivalence`` what it declares; without a NID the text's own is taken. ``section`` is
    the first and last line of the section that describes the syntax.

    Source: RFC 8141 sections 2, 3 and 6.4.2; RFC 5234.
    """
    if len(text) > MOST_CHARACTERS:
        yield part_to({"too_large": [(f"The text has more than {MOST_CHARACTERS:,} characters.")]})
        return
    nid, equivalence = nid or _nid_in(text), equivalence or Equivalence()
    yield from _StudyRun(text, nid, start, equivalence, section).parts()


def _nid_in(text: str) -> str | None:
    found = _NID.search(text)
    return found[1].lower() if found and found[1].lower() not in ("tbd", "requested") else None


def _is_known(rule: Rule) -> bool:
    known = known_rules().get(rule.key)
    if known is None or rule.node is None or not known.origin.startswith("RFC 5234"):
        return False
    return write_rule(rule).lower() == write_rule(known).lower()


def _odd_characters(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[Diagnostic]:
    for start, end in spans:
        for at in range(start, end):
            if plain := _PLAIN.get(ord(text[at])):
                message = f"The grammar contains {spell_character(text[at])}."
                fix = f"Use {spell_character(plain)}."
                yield Diagnostic("odd-character", at, f"{message} {fix}", NOTATION)


def _is_drawn(number: int, rule: Rule) -> bool:
    return number < _MOST_TREES and rule.end - rule.at < _LONGEST_TREE


class _StudyRun:
    def __init__(
        self,
        text: str,
        nid: str | None,
        wanted: str | None,
        equivalence: Equivalence,
        section: tuple[int, int] | None,
    ) -> None:
        self._text, self._nid, self._wanted = text, nid, wanted
        self._equivalence = equivalence
        self._notes, self._lines = Diagnostics(), LineIndex(text)
        # Word writes some spaces and hyphens in a way that looks right and that no rule can have.
        plain = text.translate(_PLAIN)
        self._read = read_rules(plain, self._lines.span(*section) if section else None)
        self._notes.take(*self._read.notes.found, *_odd_characters(text, self._read.spans))
        self._rules = with_pattern(plain, self._read.rules)
        self._grammar: Grammar = grammar_of(self._rules, text, self._notes)

    def parts(self) -> Iterator[dict[str, Any]]:
        yield part_to({"nid": self._nid, **self._taken()})
        yield from self._findings()
        self._notes.take(*check_placeholders(self._text))
        if not self._rules:
            yield from self._findings()
            return
        self._notes.take(*check_case(self._text, self._rules, self._read.spans))
        try:
            begun = self._begin()
        except BudgetExceeded:
            yield part_to(
                {"too_large": [("The grammar has too many rules, or rules that are too long.")]}
            )
            return
        yield from self._findings()
        if begun is not None and not self._is_of_known_rules():
            yield part_to(self._started(begun))
            self._notes.take(*check_sources(self._text, self._known(begun)))
            for part in question_in_parts(begun, self._notes):
                yield part
                yield from self._findings()

    def _is_of_known_rules(self) -> bool:
        """Whether every rule is one of RFC 5234's own, so that none is of names."""
        return self._wanted is None and all(map(_is_known, self._grammar.own.values()))

    def _taken(self) -> dict[str, Any]:
        taken = [
            RuleReport(
                name=rule.name,
                line=self._lines.place(rule.at)[0],
                last_line=self._lines.place(rule.end)[0],
                abnf=write_rule(rule),
                tree=element_tree(rule.node) if rule.node and _is_drawn(number, rule) else None,
            )
            for number, rule in enumerate(self._rules)
        ]
        return {"rules": taken, "grammar": "".join(f"{one.abnf}\n" for one in taken)}

    def _findings(self) -> Iterator[dict[str, Any]]:
        """What was noted since it was asked last."""
        found = [self._finding(note, places) for note, places in self._notes.told()]
        self._notes.found.clear()
        if found:
            yield part_to({"findings": found})

    def _finding(self, note: Diagnostic, places: list[int]) -> GrammarFinding:
        line, column = self._lines.place(note.at)
        return GrammarFinding(
            code=note.code,
            severity=SHOULD if note.is_problem else NOTE,
            line=line,
            column=column,
            message=note.sentence,
            source=note.source,
            quoted=self._lines.line(line - 1)[:_MOST_QUOTED],
            lines=tuple(sorted({self._lines.place(at)[0] for at in places})),
            example=note.example,
        )

    def _begin(self) -> RootedGrammar | None:
        graph = RuleGraph(self._grammar.rules, Budget(_GRAPH))
        for key in self._grammar.own:
            graph.rule(key)
        solver = ReachabilitySolver(graph, AnyCharacterMachine(), Budget(DECIDE))
        start = choose_start(self._grammar, graph, solver, self._wanted)
        if start is None:
            self._note_no_start()
            return None
        check_known(self._grammar, self._notes)
        check_names(self._grammar, start.key, self._text, self._notes)
        check_definitions(self._grammar, graph, solver, self._notes)
        return self._begun(graph, solver, start)

    def _begun(
        self, graph: RuleGraph, solver: ReachabilitySolver, start: StartRule
    ) -> RootedGrammar:
        reached = reachable_rules(self._grammar, start.key)
        return RootedGrammar(
            text=self._text,
            lines=self._lines,
            spans=self._read.spans,
            grammar=self._grammar,
            graph=graph,
            wide=RuleGraph(self._grammar.rules, Budget(_GRAPH), _ANY_WORDS),
            start=start,
            nid=self._nid,
            equivalence=self._equivalence,
            is_recursive=is_recursive(self._grammar, start.key),
            in_words=self._in_words(reached),
            matches_nothing=shortest_of(solver, graph.rule(start.key)) is None,
        )

    def _in_words(self, reached: set[str]) -> tuple[str, ...]:
        grammar = self._grammar
        written = {
            name: found.name for key in grammar.own for name, found in grammar.uses[key].items()
        } | {key: rule.name for key, rule in grammar.rules.items()}
        return tuple(written.get(key, key) for key in sorted(reached) if self._has_words(key))

    def _has_words(self, key: str) -> bool:
        rule = self._grammar.rules.get(key)
        if rule is None or rule.node is None:
            return True
        return any(isinstance(leaf, ProseValue) for leaf in leaf_nodes(rule.node))

    def _note_no_start(self) -> None:
        names = [f"`{rule.name}`" for rule in self._grammar.own.values()]
        message = f"The rule `{self._wanted}` doesn't exist. Choose one of {spell_list(names)}."
        self._notes.wrong("no-start", 0, message, "RFC 5234 section 2.1")

    def _started(self, begun: RootedGrammar) -> dict[str, Any]:
        start = begun.start
        return {
            "start": self._grammar.rules[start.key].name,
            "start_why": start.why,
            "judged_as": "NSS" if start.is_nss else "URN",
            "other_starts": list(start.others),
            "is_recursive": begun.is_recursive,
            "known": [f"{rule.name} ({rule.origin})" for rule in self._known(begun)],
        }

    def _known(self, begun: RootedGrammar) -> list[Rule]:
        grammar = self._grammar
        used = reachable_rules(grammar, begun.start.key) & set(grammar.known) - set(grammar.own)
        return [grammar.known[key] for key in sorted(used)]
