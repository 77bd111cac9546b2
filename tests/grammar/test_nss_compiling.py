"""A grammar becomes an automaton of NSSs only where it says of every name whether it is one."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from app.grammar.analysis.nss_compiler import compile_nss
from app.grammar.automata.automaton import Automaton
from app.identifiers.urn import InvalidURN, parse_urn
from tests.torture.conftest import rounds

from .grammars import Drawn, grammars, texts_of

WHOLE = 'example-urn = "urn:ex:" year "/" 1*4DIGIT\nyear = 4DIGIT\n'


def compiled(text: str, *examples: str, folds: bool = False) -> Automaton:
    automaton = compile_nss(text, "ex", examples, folds=folds)
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
    "text",
    [
        "",
        "Names are assigned by us.\n",
        "number = 1*DIGIT\nletters = 1*ALPHA\n",  # of what, nobody says
        "NSS = <a date>\n",
        "NSS = date\n",
        'NSS = 1*DIGIT "\n',
        "NSS = 1*DIGIT | ALPHA\n",
        'NSS = "(" [ NSS ] ")"\n',  # no regular one
        'NSS = NSS ":" part / part\npart = 1*DIGIT\n',
        "NSS = 1*1000000000DIGIT\n",
        "NSS = 1000000000DIGIT\n",
        'NSS = *ALPHA "a" 20ALPHA\n',
        "NSS = 3000DIGIT\n",
        'example-urn = "urn:other:" 1*DIGIT\n',
        "NSS = 1*DIGIT\n\nSuch as urn:ex:12 and urn:ex:twelve.\n",
        "NSS = " + "(" * 400 + "DIGIT" + ")" * 400 + "\n",
        "NSS = 1*DIGIT\n" + "x" * 100_000,
    ],
)
def test_what_leaves_something_open_is_no_grammar_to_refuse_names_by(text: str) -> None:
    assert compile_nss(text, "ex") is None


def test_examples_beside_the_text_have_to_agree_too() -> None:
    assert compile_nss(WHOLE, "ex", ["urn:ex:2024/1", "urn:other:x", "no URN"]) is not None
    assert compile_nss(WHOLE, "ex", ["urn:ex:nope"]) is None


def test_where_case_makes_no_difference_the_automaton_takes_both() -> None:
    text = "NSS = 1*%x41-5A\n"
    assert not compiled(text).accepts("abc")
    assert compiled(text, folds=True).accepts("aBc")


@settings(max_examples=rounds(40, 15), suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), grammars())
def test_names_of_a_grammar_are_names_of_its_automaton(data: st.DataObject, drawn: Drawn) -> None:
    text = data.draw(texts_of(drawn))
    grammar = "whole-urn = name\n" + drawn.text
    automaton = compile_nss(grammar, "ex")
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
    found = {nid: compile_nss(text, nid) for nid, text in texts.items()}
    known = {nid: automaton for nid, automaton in found.items() if automaton}
    assert {"dev", "isni", "issn"} <= set(known)
    assert known["isni"].accepts("0000000121241960")
    assert not known["issn"].accepts("1234")
