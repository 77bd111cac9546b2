"""What holds for every grammar and every text."""

import re

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from app.grammar.abnf.lexer import Diagnostics
from app.grammar.abnf.rule_reader import read_rules
from app.grammar.analysis.grammar_queries import grammar_questions
from app.grammar.analysis.rule_checks import grammar_of
from app.grammar.analysis.study import Study
from app.grammar.automata.automaton import urn_syntax
from app.grammar.automata.matcher import match_text
from app.grammar.automata.rule_graph import RuleGraph
from app.grammar.budget import Budget
from app.identifiers.equivalence import (
    Equivalence,
    EquivalenceOperation,
    EquivalenceRule,
    NssSegments,
    check_equivalence,
)
from app.identifiers.errors import InvalidURN
from app.identifiers.urn import parse_urn, urn_equivalent
from tests.grammar.studies import study
from tests.identifiers.strategies import awkward_texts, mutated_urns, spelled_urns
from tests.torture.conftest import rounds

from .grammars import Drawn, grammars, texts_of


def is_urn(text: str) -> bool:
    try:
        parse_urn(text)
    except InvalidURN:
        return False
    return True


def answer(found: Study, code: str) -> str:
    return next(one.answer for one in found.decisions if one.code == code)


def matches(grammar: str, text: str) -> bool:
    read = read_rules(grammar)
    rules = grammar_of(read.rules, grammar, Diagnostics()).rules
    graph = RuleGraph(rules, Budget(100_000))
    return match_text(graph, graph.rule("name"), text, Budget(1_000_000)).is_whole


@given(mutated_urns() | awkward_texts | spelled_urns().map(lambda spelled: spelled.text))
def test_the_automaton_of_urns_accepts_what_their_parser_reads(text: str) -> None:
    assert urn_syntax().accepts(text) == is_urn(text)


@settings(max_examples=rounds(60, 15), suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), grammars())
def test_texts_of_an_accepted_grammar_are_urns(data: st.DataObject, drawn: Drawn) -> None:
    found = study(drawn.text, start="name")
    text = data.draw(texts_of(drawn))
    assume(text is not None)
    if answer(found, "not-a-urn") == "yes":
        assert is_urn(str(text))
    for code, (_, automaton) in grammar_questions().items():
        if answer(found, code) == "no":
            assert not automaton.accepts(str(text))


@settings(max_examples=rounds(60, 15), suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), grammars())
def test_words_in_place_of_a_rule_make_no_fault_of_names_that_are_urns(
    data: st.DataObject, drawn: Drawn
) -> None:
    others = [name for name in drawn.rules if name != "name"]
    assume(others)
    in_words = data.draw(st.sets(st.sampled_from(others), min_size=1))
    rules = {
        name: "<any words>" if name in in_words else rule for name, rule in drawn.rules.items()
    }
    worded = study("".join(f"{name} = {rule}\n" for name, rule in rules.items()), start="name")
    if answer(worded, "not-a-urn") == "no":
        assert answer(study(drawn.text, start="name"), "not-a-urn") != "yes"
    for code in grammar_questions():
        if answer(worded, code) == "no":
            assert answer(study(drawn.text, start="name"), code) != "yes"


@settings(max_examples=rounds(60, 15), suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), grammars())
def test_a_text_of_a_grammar_matches_it(data: st.DataObject, drawn: Drawn) -> None:
    text = data.draw(texts_of(drawn))
    assume(text is not None)
    assert matches(drawn.text, str(text))


def unescaped(text: str) -> str:
    return re.sub(r"\\u\{([0-9A-F]+)\}", lambda found: chr(int(found[1], 16)), text)


@settings(max_examples=rounds(60, 15), suppress_health_check=[HealthCheck.too_slow])
@given(grammars())
def test_counterexamples_are_of_the_grammar_and_never_urns(drawn: Drawn) -> None:
    found = study(drawn.text, start="name")
    for finding in found.findings:
        if finding.code in ("not-a-urn", "not-ascii"):
            text = unescaped(finding.example)
            assert matches(drawn.text, text)
            assert not is_urn(text) or "a component begins" in finding.message
    if answer(found, "not-a-urn") == "no":
        assert any(one.code in ("not-a-urn", "not-ascii") for one in found.problems)


@settings(max_examples=rounds(60, 15), suppress_health_check=[HealthCheck.too_slow])
@given(grammars())
def test_generated_names_are_of_the_grammar(drawn: Drawn) -> None:
    for one in study(drawn.text, start="name").generated:
        assert matches(drawn.text, one.text)
        assert one.is_urn == is_urn(one.text)


@settings(max_examples=rounds(60, 15), suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), grammars(), st.integers(0, 30))
def test_matching_stops_where_no_text_goes_on(
    data: st.DataObject, drawn: Drawn, place: int
) -> None:
    """Up to where it stops a text is the beginning of one that matches."""
    text = data.draw(texts_of(drawn))
    assume(text is not None)
    whole = str(text)
    broken = whole[:place] + "\x07" + whole[place:]
    read = read_rules(drawn.text)
    graph = RuleGraph(grammar_of(read.rules, drawn.text, Diagnostics()).rules, Budget(100_000))
    found = match_text(graph, graph.rule("name"), broken, Budget(1_000_000))
    assert not found.is_whole
    assert found.end >= min(place, len(whole))
    assert "\x07" not in broken[: found.end]


@given(st.text("name= \"'/|[](){}<>*+?%x09afd-;:.\n\t–“”→é_#,&\x00\ud800", max_size=120))
def test_any_text_can_be_studied(text: str) -> None:
    for one in study(text).findings:
        assert 1 <= one.line <= text.count("\n") + 1
        assert one.column >= 1
        assert one.message.isprintable()


pieces = st.text("abA-:./%4f1~", max_size=12).map(lambda text: f"urn:ex:{text}")
clauses = st.just("Clause.")
parts = st.none() | st.builds(NssSegments, st.sampled_from(":/-"), st.integers(0, 2), st.none())
rules = st.one_of(
    st.builds(
        EquivalenceRule, st.just(EquivalenceOperation.FOLD_CASE), st.just("Clause."), part=parts
    ),
    st.builds(
        EquivalenceRule,
        st.just(EquivalenceOperation.DROP),
        st.just("Clause."),
        st.sampled_from("-._"),
        parts,
    ),
    st.builds(
        EquivalenceRule,
        st.just(EquivalenceOperation.DECODE),
        st.just("Clause."),
        st.sampled_from("AO~"),
        parts,
    ),
)


@given(st.lists(rules, max_size=3), pieces, pieces)
def test_rules_of_equivalence_only_join(
    declared: list[EquivalenceRule], one: str, other: str
) -> None:
    equivalence = Equivalence(tuple(declared))
    assume(is_urn(one) and is_urn(other) and not list(check_equivalence(equivalence)))
    if urn_equivalent(one, other):
        assert equivalence.equivalent(one, other)
    form = equivalence.normal_form(one)
    assert is_urn(form)
    assert parse_urn(form).normal_form == form
    assert equivalence.normal_form(form) == form
