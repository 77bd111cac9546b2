"""What may be entered as a pattern is linear on every name, and means what it means in Python."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.grammar.budget import Budget
from app.grammar.expressions.regular_expressions import (
    PositionAutomaton,
    find_unsafe_pattern,
    read_expression,
)
from app.services.registry.bundled_profiles import bundled_patterns
from tests.attack.patterns import Found, slow
from tests.torture.conftest import rounds

# Each is slow for a matcher that backtracks, on some name.
EXPLODING = (
    "(a+)+b",
    "(?:a|[ab]c?)*!",
    "(a|a)*b",
    "(a*)*b",
    "(?:aa|a)*b",
    "(?:a?b?)*!",
    "(?:a*b*)*!",
    "(?:[^:]+:?)*!",
    "(?:(?:a:)?(?:a:)?)+!",
    "([a-z]+-?)+:x",
    "(?i:(?:a|A)+)!",
)
SHARING = (
    "a*a*!",
    ".+:.+:.+!",
    ".*x.*y",
    "[a-z.]*[a-z]*:",
    "(?:a?){25}a{25}",
    "a?" * 25 + "!",
    ".*a.{200}",
    "(?:[0-9]*[a-z]?)[0-9]*!",
)
LINEAR = (
    "[^:]+(?::[^:]+)*",
    "(?:[^:]+:)*!",
    "(?:[0-9]-?){9}[0-9X]|(?:[0-9]-?){12}[0-9]",
    "(?P<year>[0-9]{4})-(?P<rest>.*)",
    "(?:a|ab)(?:c|bcd)*",
    "_(?:[0-9A-F]{32})+",
    "[A-Za-z0-9](?:[A-Za-z0-9-]{0,25}[A-Za-z0-9])?",
    "(?i:isbn):[0-9]+",
    r"10\.[0-9]{4,9}/.+",
    "a{2,}b",
    "",
)
REFUSED = {
    "(?=a)b": "character 1",
    "x(?<!a)": "character 2",
    r"(a)\1": "character 4",
    "(?P<a>b)(?P=a)": "character 9",
    "(a)?(?(1)b|c)": "character 5",
    "(?x)a": "character 1",
    "(?i)a": "character 1",
    "^a$": "whole NSS",
    r"\d+": "[0-9]",
    r"a\Z": "escape",
    "a*+": "quantifier",
    "a+?": "quantifier",
    "a{5,2}": "count",
    "a{2000}": "count",
    "a{1,9999999}": "count",
    "(a": "not closed",
    "a)": "no group is open",
    "[a": "not closed",
    "[z-a]": "range",
    "[[a]": "class",
    "[a&&b]": "class",
    "a b": "a space",
    "é": "U+00E9",
    "[<>]": "no NSS contains",
    "a#": "no NSS contains",
    "{a}": "no NSS contains",
    "*a": "nothing to repeat",
    "(?P<nss>a)": "group name",
    "(?P<a>b)(?P<a>c)": "group name",
    "(?P<é>b)": "kind of group",
    "(" * 30 + "a" + ")" * 30: "groups",
    "a" * 3000: "Shorten",
    "(?:a{1,1000}){1000}": "too complex",
}


@pytest.mark.parametrize("expression", [*EXPLODING, *SHARING])
def test_a_pattern_that_a_name_can_hurt_is_refused(expression: str) -> None:
    assert re.compile(expression)
    told = find_unsafe_pattern(expression)
    assert ("may double" in told) == (expression in EXPLODING), told
    assert "Rewrite it" in told


@pytest.mark.parametrize("expression", [r"(?:[a-z][a-z]|[A-Z])*!", r"(?:aa|A)*-", r"[a-f]*[A-F]*-"])
def test_a_pattern_is_held_to_the_case_that_counts_where_it_is_matched(expression: str) -> None:
    """Where a namespace folds case, one text can be read in ways that it has nowhere else."""
    assert find_unsafe_pattern(expression) == ""
    assert "Rewrite it" in find_unsafe_pattern(expression, folds=True)
    assert "Rewrite it" in find_unsafe_pattern(f"(?i:{expression})")


@pytest.mark.cost
@pytest.mark.parametrize("expression", LINEAR)
def test_a_pattern_that_no_name_hurts_is_taken(expression: str) -> None:
    assert find_unsafe_pattern(expression) == ""
    assert slow(Found(expression, 0, "entered", frozenset({"fullmatch"}))) is None


@pytest.mark.parametrize(("expression", "told"), REFUSED.items())
def test_what_is_refused_is_told_with_its_place_and_a_way_out(expression: str, told: str) -> None:
    sentence = find_unsafe_pattern(expression)
    assert told in sentence
    assert sentence.isascii()
    assert len(re.findall(r"\. [A-Z]|\.$", sentence)) >= 2


def test_patterns_as_shipped_are_safe_but_for_looking_ahead() -> None:
    """Those that look ahead were written with the facts; nobody can enter another."""
    refused = {find_unsafe_pattern(text, folds) for text, folds in bundled_patterns()}
    assert {told for told in refused if told and "lookahead" not in told} == set()


@pytest.mark.cost
def test_patterns_as_shipped_that_look_ahead_are_not_slow() -> None:
    looking = [one for one in bundled_patterns() if re.search(r"\(\?<?[=!]", one[0])]
    flags = {False: re.ASCII, True: re.ASCII | re.IGNORECASE}
    found = (
        Found(text, flags[folds], "bundled", frozenset({"fullmatch"})) for text, folds in looking
    )
    assert [one.source for one in found if slow(one)] == []


atoms = st.sampled_from(["a", "b", "A", ":", "-", r"\.", ".", "[ab]", "[^a:]", "[a-c0-9]", "%"])
quantifiers = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,3}", "{2,}"])


def grouped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    groups = st.sampled_from(["(?:{})", "({})", "(?i:{})"])
    whole = st.lists(inner, min_size=1, max_size=3).map("|".join)
    return st.builds(
        lambda group, text, times: group.format(text) + times, groups, whole, quantifiers
    )


def series(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(part, min_size=0, max_size=3).map("".join)


expressions = st.recursive(
    series(st.builds(str.__add__, atoms, quantifiers)),
    lambda inner: series(inner | grouped(inner)),
    max_leaves=6,
).filter(lambda text: not re.search(r"[*+?}][*+?{]", text))


@settings(max_examples=rounds(300, 60))
@given(expressions, st.lists(st.text("aAbB:-.0%c", max_size=7), max_size=8))
def test_an_expression_means_what_it_means_in_python(expression: str, texts: list[str]) -> None:
    automaton = PositionAutomaton(read_expression(expression), Budget(300_000))
    for text in texts:
        assert automaton.matches(text) == bool(re.fullmatch(expression, text)), text


@settings(max_examples=rounds(150, 40))
@given(expressions, st.text("aAb:-.0", min_size=1, max_size=3))
def test_what_is_taken_reads_a_long_name_in_few_ways(expression: str, piece: str) -> None:
    """Counted by runs, walked one after the other as a matcher that backtracks does."""
    if find_unsafe_pattern(expression):
        return
    automaton = PositionAutomaton(read_expression(expression), Budget(300_000))
    runs = {0: 1}
    for character in piece * 40:
        onward: dict[int, int] = {}
        for at, ways in runs.items():
            for to, more in automaton.follow[at].items():
                if any(low <= ord(character) <= high for low, high in automaton.sets[to]):
                    onward[to] = onward.get(to, 0) + ways * more
        runs = onward
        assert sum(runs.values()) <= 64


@given(st.text("ab[]()|*+?{}^$\\.-,:0123<>=!Pi#é \n\0", max_size=40))
def test_any_text_is_taken_or_refused_in_a_sentence(text: str) -> None:
    told = find_unsafe_pattern(text)
    assert told.isprintable()
    if not told:
        re.compile(text)
