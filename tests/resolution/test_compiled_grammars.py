"""A grammar is compiled once in a process, whatever editions its record stands in."""

from dataclasses import replace
from typing import Any

import pytest

from app.exports.extracts.derived_files import rules_bytes
from app.grammar.analysis.nss_compiler import NssGrammar, compile_nss
from app.identifiers.equivalence import Equivalence, EquivalenceOperation, EquivalenceRule
from app.registration.profiles.profile_records import ExampleName, NamespaceProfile
from app.registration.records.registry_records import Registration, RegistrySnapshot, SubRegistry
from app.resolution import record_rules
from app.resolution import record_rules as compiled_grammars
from app.resolution.judgement import judge_by
from app.resolution.namespace_rules import Possibility, rules_from, rules_to
from app.resolution.record_rules import CompiledGrammars

GRAMMAR = 'NSS = "a" 1*DIGIT\n'


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are compiled from now on, in a process that knows none."""
    texts: list[str] = []

    def note(text: str, *asked: Any, **folds: Any) -> NssGrammar:
        texts.append(text)
        return compile_nss(text, *asked, **folds)

    monkeypatch.setattr(compiled_grammars, "compile_nss", note)
    monkeypatch.setattr(record_rules, "_COMPILED", CompiledGrammars())
    return texts


def registration(name: str, syntax: str = GRAMMAR) -> Registration:
    return Registration(name=name, fields=(("syntax", syntax),))


def edition(number: int, *records: Registration) -> RegistrySnapshot:
    table = SubRegistry(id="urn-namespaces-1", title="Formal", records=records)
    return RegistrySnapshot(
        id="urn-namespaces", title="", updated="2026-08-01", edition=number, registries=(table,)
    )


def test_an_edition_compiles_what_no_edition_before_it_had(compilations: list[str]) -> None:
    records = [registration(f"ex-{n}") for n in range(20)]
    first = rules_bytes(edition(1, *records))
    assert len(compilations) == 20, "by the name as well: urn: and the name are in a grammar"
    assert rules_bytes(edition(2, *records)) == first
    assert len(compilations) == 20
    other = 'NSS = "b" 1*DIGIT\n'
    rules_bytes(edition(3, registration("ex-0", other), *records[1:], registration("new", other)))
    assert compilations[20:] == [other, other]


def test_an_example_that_contradicts_takes_the_grammar_away_and_nothing_is_compiled_for_it(
    compilations: list[str],
) -> None:
    record = registration("ex")
    assert record_rules.rules_of(record, "formal").automaton is not None
    contradicting = NamespaceProfile(examples=(ExampleName(urn="urn:ex:nope"),))
    rules = record_rules.rules_of(replace(record, profile=contradicting), "formal")
    assert rules.automaton is None
    assert "`urn:ex:nope`" in rules.unused_grammar
    assert len(compilations) == 1


def test_case_that_does_not_count_is_of_the_digest_of_a_grammar(compilations: list[str]) -> None:
    for folds in (False, True, False):
        CompiledGrammars.grammar_of(record_rules._COMPILED, GRAMMAR, "ex", folds=folds)
    assert len(compilations) == 2


@pytest.mark.parametrize(
    ("syntax", "example", "unused"),
    [
        (GRAMMAR, "urn:ex:a1", ""),
        (GRAMMAR, "urn:other:nope", ""),
        (GRAMMAR, "no URN", ""),
        (GRAMMAR, "urn:ex:a1?=q", ""),
        (GRAMMAR, "urn:ex:nope", "own example `urn:ex:nope`"),
        (f"{GRAMMAR}\nSuch as urn:ex:twelve.\n", "urn:ex:a1", "own example `urn:ex:twelve`"),
        ("NSS = <a date>\n", "urn:ex:a1", "only in words"),
        ("Names are assigned by us.\n", "urn:ex:a1", ""),
    ],
)
def test_a_grammar_that_is_not_used_says_why(syntax: str, example: str, unused: str) -> None:
    profile = NamespaceProfile(examples=(ExampleName(urn=example),))
    record = replace(registration("ex", syntax), profile=profile)
    rules = record_rules.rules_of(record, "formal")
    assert unused in rules.unused_grammar
    assert bool(rules.unused_grammar) is bool(unused)
    assert record_rules.unused_grammar_of(record) == rules.unused_grammar
    assert rules_from(rules_to(rules)) == rules, "what an edition publishes says it too"
    judgement = judge_by("urn:ex:anything", rules)
    if unused:
        (ground,) = judgement.grounds
        assert ground.code == "grammar-unused"
        assert ground.message.endswith(rules.unused_grammar)
    assert (judgement.possibility is Possibility.IMPOSSIBLE) is (rules.automaton is not None)


def test_an_example_in_another_spelling_of_its_namespace_contradicts_no_grammar() -> None:
    drop = EquivalenceRule(EquivalenceOperation.DROP, "hyphens do not count", "-")
    profile = NamespaceProfile(examples=(ExampleName(urn="urn:ex:a-1-2"),))
    record = replace(registration("ex"), profile=profile, equivalence=Equivalence((drop,)))
    assert record_rules.unused_grammar_of(record) == ""


def test_a_text_without_a_grammar_is_not_looked_at_again(compilations: list[str]) -> None:
    known = CompiledGrammars()
    found = {known.grammar_of("Names are assigned by us.", "ex").automaton for _ in range(3)}
    assert found == {None}
    assert len(compilations) == 1


def test_the_grammars_asked_for_last_stay_within_bounds(compilations: list[str]) -> None:
    known = CompiledGrammars(most=150)  # three of these, and not four
    for nid in ("a", "b", "c", "a", "d"):
        assert known.grammar_of(GRAMMAR, nid).automaton is not None
    assert len(compilations) == 4
    known.grammar_of(GRAMMAR, "a")
    assert len(compilations) == 4, "asked for again before the bound was met"
    known.grammar_of(GRAMMAR, "b")
    assert len(compilations) == 5
    huge = CompiledGrammars(most=1)
    assert huge.grammar_of(GRAMMAR, "a") == known.grammar_of(GRAMMAR, "a"), "and is not kept"
