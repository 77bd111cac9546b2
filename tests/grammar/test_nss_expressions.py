"""A grammar of NSSs becomes a regular expression only where that takes exactly the same names."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from app.grammar.analysis.nss_compiler import compile_nss
from app.grammar.analysis.nss_expressions import is_of_automaton
from app.grammar.expressions.regular_expressions import (
    find_unsafe_pattern,
    read_expression,
    write_expression,
)
from tests.torture.conftest import rounds

from .grammars import Drawn, grammars, texts_of

HERBARIUM = """
NSS = acronym ":" number
acronym = 1*8ALPHA
number = 1*9DIGIT [ "-" 1*7DIGIT ]
"""


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        (HERBARIUM, "[A-Za-z]{1,8}:[0-9]{1,9}(?:-[0-9]{1,7})?"),
        ('urn = "urn:ex:" year "/" 1*4DIGIT\nyear = 4DIGIT\n', "[0-9]{4}/[0-9]{1,4}"),
        ('urn = "urn" ":" "ex" ":" 1*DIGIT\n', "[0-9]+"),
        ('namestring = "urn:ex:" 1*DIGIT [ rq-components ] [ "#" f-component ]\n', "[0-9]+"),
        ('NSS = 1*( ALPHA / DIGIT / "-" / "." )\n', r"[0-9A-Za-z\-.]+"),
        ('NSS = %s"a." / %s"b$" *DIGIT / ""\n', r"(?:a\.|b\$[0-9]*)?"),
        ('NSS = 2( "%" %x61-66 %x61-66 )\n', "(?:%[a-f][a-f]){2}"),
        ('NSS = "a" 0"b" *""\n', "[Aa]"),
    ],
)
def test_a_grammar_that_is_regular_is_written_as_its_rules_are(text: str, expression: str) -> None:
    assert compile_nss(text, "ex").expression == expression


@pytest.mark.parametrize(
    "text",
    [
        "",
        "NSS = <a date>\n",
        'NSS = part [ ":" NSS ]\npart = 1*ALPHA\n',  # regular, but no rule says it without itself
        'NSS = *( *ALPHA [ "-" ] )\n',  # of which a matcher may need very long
        "NSS = 1*1500DIGIT\n",
        'NSS = 1*DIGIT "?" 1*DIGIT\n',  # the component may not be left out
    ],
)
def test_where_none_can_be_made_there_is_none(text: str) -> None:
    assert compile_nss(text, "ex").expression == ""


def test_where_case_makes_no_difference_it_takes_both() -> None:
    assert compile_nss("NSS = 1*%x41-5A\n", "ex", folds=True).expression == "[A-Za-z]+"


@pytest.mark.parametrize("other", ["[0-9]*", "[0-9]{1,9}", "[0-9]+a?", "[1-9][0-9]*", "a"])
def test_an_expression_that_says_another_thing_of_one_name_is_told(other: str) -> None:
    automaton = compile_nss("NSS = 1*DIGIT\n", "ex").automaton
    assert automaton is not None
    assert is_of_automaton(read_expression("[0-9][0-9]*"), automaton)
    assert not is_of_automaton(read_expression(other), automaton)


@settings(max_examples=rounds(80, 25), suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), grammars())
def test_it_takes_what_the_automaton_takes(data: st.DataObject, drawn: Drawn) -> None:
    found = compile_nss("whole-urn = name\n" + drawn.text, "ex")
    assume(found.expression)
    assert found.automaton is not None
    assert find_unsafe_pattern(found.expression) == ""
    assert write_expression(read_expression(found.expression)) == found.expression
    pattern = re.compile(found.expression)
    text = data.draw(texts_of(drawn)) or ""
    for name in (text, text.removeprefix("urn:ex:"), text[:-1], f"{text}0", "a", ""):
        if name.isascii():
            nss = re.split("[?#]", name)[0]
            assert bool(pattern.fullmatch(nss)) is found.automaton.accepts(nss)


def test_templates_that_iana_published_have_some(shared: Path) -> None:
    files = (shared / "data/iana/templates").rglob("*")
    texts = {one.name: one.read_text("utf-8", "replace") for one in files if one.is_file()}
    found = {nid: compile_nss(text, nid) for nid, text in texts.items()}
    known = {nid for nid, one in found.items() if one.expression}
    assert known <= {nid for nid, one in found.items() if one.automaton}
    assert {"isni", "issn"} <= known
