"""A grammar is compiled once in a process, whatever editions its record stands in."""

from dataclasses import replace
from typing import Any

import pytest

from app.exports.extracts.derived_files import rules_bytes
from app.grammar.analysis.nss_compiler import compile_nss
from app.grammar.automata.automaton import Automaton
from app.registration.profiles.profile_records import ExampleName, NamespaceProfile
from app.registration.records.registry_records import Registration, RegistrySnapshot, SubRegistry
from app.resolution import compiled_grammars, record_rules
from app.resolution.compiled_grammars import CompiledGrammars

GRAMMAR = 'NSS = "a" 1*DIGIT\n'


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are compiled from now on, in a process that knows none."""
    texts: list[str] = []

    def note(text: str, *asked: Any, **folds: Any) -> Automaton | None:
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


def test_what_else_decides_of_a_grammar_is_of_its_digest(compilations: list[str]) -> None:
    record = registration("ex")
    contradicting = NamespaceProfile(examples=(ExampleName(urn="urn:ex:nope"),))
    assert record_rules.rules_of(record, "formal").automaton is not None
    told = replace(record, profile=contradicting)
    assert record_rules.rules_of(told, "formal").automaton is None
    assert len(compilations) == 2


def test_a_text_without_a_grammar_is_not_looked_at_again(compilations: list[str]) -> None:
    known = CompiledGrammars()
    assert {known.automaton_of("Names are assigned by us.", "ex") for _ in range(3)} == {None}
    assert len(compilations) == 1


def test_the_grammars_asked_for_last_stay_within_bounds(compilations: list[str]) -> None:
    known = CompiledGrammars(most=150)  # three of these, and not four
    for nid in ("a", "b", "c", "a", "d"):
        assert known.automaton_of(GRAMMAR, nid) is not None
    assert len(compilations) == 4
    known.automaton_of(GRAMMAR, "a")
    assert len(compilations) == 4, "asked for again before the bound was met"
    known.automaton_of(GRAMMAR, "b")
    assert len(compilations) == 5
    huge = CompiledGrammars(most=1)
    assert huge.automaton_of(GRAMMAR, "a") == known.automaton_of(GRAMMAR, "a"), "and is not kept"
