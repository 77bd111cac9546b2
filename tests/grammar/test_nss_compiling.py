"""A grammar becomes an automaton of NSSs only where it says of every name whether it is one."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from app.grammar.analysis.nss_compiler import compile_nss
from app.grammar.automata.automaton import Automaton
from app.identifiers.errors import InvalidURN
from app.identifiers.urn import parse_urn
from tests.torture.conftest import rounds

from .grammars import Drawn, grammars, texts_of

WHOLE = 'example-urn = "urn:ex:" year "/" 1*4DIGIT\nyear = 4DIGIT\n'


def compiled(text: str, *, folds: bool = False) -> Automaton:
    automaton = compile_nss(text, "ex", folds=folds).automaton
    assert automaton is not None
    return automaton


@pytest.mark.parametrize(
    ("text", "has", "has_not"),
    [
        (WHOLE, "2024/17", "24/17"),
        ('NSS = part [ ":" NSS ]\npart = 1*ALPHA\n', "a:b:c", "a:"),
        ("NSS = UUID\n", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "nope"),
        ('namestring = "urn:ex:" 1*DIGIT [ rq-components ] [ "#" f-component ]\n', "12", "a"),
        ("We write urn:ex:{year}-{number}.\n\nyear = 4DIGIT\nnumber = 1*DIGIT\n", "2024-1", "2024"),
        ('NSS = 2( "%" %x61-66 %x61-66 )\n', "%aa%bb", "%aa"),
    ],
)
def test_a_grammar_that_says_all_is_compiled(text: str, has: str, has_not: str) -> None:
    automaton = compiled(text)
    assert automaton.accepts(has)
    assert not automaton.accepts(has_not)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ""),
        ("Names are assigned by us.\n", ""),
        ("number = 1*DIGIT\nletters = 1*ALPHA\n", "which rule"),  # of what, nobody says
        ("NSS = <a date>\n", "only in words"),
        ("NSS = date\n", "undefined"),
        ('NSS = 1*DIGIT "\n', "faulty"),
        ("NSS = 1*DIGIT | ALPHA\n", "faulty"),
        ('NSS = "(" [ NSS ] ")"\n', "regular"),
        ('NSS = NSS ":" part / part\npart = 1*DIGIT\n', ""),
        ("NSS = 1*1000000000DIGIT\n", "too large"),
        ("NSS = 1000000000DIGIT\n", "too large"),
        ('NSS = *ALPHA "a" 20ALPHA\n', "too large"),
        ("NSS = 3000DIGIT\n", "too large"),
        ('example-urn = "urn:other:" 1*DIGIT\n', "starts with `urn:ex:`"),
        ("NSS = " + "(" * 400 + "DIGIT" + ")" * 400 + "\n", ""),
        ("NSS = 1*DIGIT\n" + "x" * 100_000, "more than 60,000 characters"),
    ],
)
def test_what_leaves_something_open_is_no_grammar_to_refuse_names_by(text: str, told: str) -> None:
    found = compile_nss(text, "ex")
    assert (found.automaton, found.expression) == (None, "")
    assert told in found.fault
    assert bool(found.fault) is ("=" in text), "a grammar that is not used is told, and why"


def test_examples_of_the_text_are_told_beside_its_grammar() -> None:
    found = compile_nss("NSS = 1*DIGIT\n\nSuch as urn:ex:12 and urn:ex:twelve.\n", "ex")
    assert found.automaton is not None
    assert found.shown == ("urn:ex:12", "urn:ex:twelve")


def test_where_case_makes_no_difference_the_automaton_takes_both() -> None:
    text = "NSS = 1*%x41-5A\n"
    assert not compiled(text).accepts("abc")
    assert compiled(text, folds=True).accepts("aBc")


@settings(max_examples=rounds(40, 15), suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), grammars())
def test_names_of_a_grammar_are_names_of_its_automaton(data: st.DataObject, drawn: Drawn) -> None:
    text = data.draw(texts_of(drawn))
    grammar = "whole-urn = name\n" + drawn.text
    automaton = compile_nss(grammar, "ex").automaton
    assume(text is not None and automaton is not None)
    try:
        urn = parse_urn(str(text))
    except InvalidURN:
        return
    assert automaton is not None
    assert automaton.accepts(urn.nss)


def test_templates_that_iana_published_are_compiled_or_left(shared: Path) -> None:
    files = (shared / "data/iana/templates").rglob("*")
    texts = {one.name: one.read_text("utf-8", "replace") for one in files if one.is_file()}
    found = {nid: compile_nss(text, nid).automaton for nid, text in texts.items()}
    known = {nid: automaton for nid, automaton in found.items() if automaton}
    assert {"dev", "isni", "issn"} <= set(known)
    assert known["isni"].accepts("0000000121241960")
    assert not known["issn"].accepts("1234")
