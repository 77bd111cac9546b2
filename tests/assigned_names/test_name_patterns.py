"""Patterns of prefixes: which are taken, and which names follow one."""

import time

import pytest

from app.assigned_names.name_prefixes import NamePattern, find_pattern_fault, read_prefix
from app.assigned_names.name_schemes import LONGEST_NAME

PREFIX = read_prefix("urn:example:b")


def test_all_that_stands_behind_the_prefix_follows_the_pattern() -> None:
    pattern = NamePattern(PREFIX, "[0-9]{4}(?:/[a-z]+)?")
    for part in ("1234", "1234/page"):
        assert pattern.fault_of(f"urn:example:b{part}") is None
    for part in ("", "123", "12345", "1234/", "1234/Page", "a1234", "1234%0A"):
        fault = pattern.fault_of(f"urn:example:b{part}")
        assert fault is not None and fault.code == "pattern"
        assert "`[0-9]{4}(?:/[a-z]+)?`" in fault.message


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("(?:[a-z]+)*", "may double the time"),
        ("[a-z]*[a-z]*" * 4, "in many ways"),
        ("(?:[0-9]{1000}){1000}", "too complex"),
        ("[a-z", "character 1"),
        ("(?=a)a", "lookahead"),
        ("(a)\\1", "character 4"),
        ("a" * 501, "at most 500"),
    ],
)
def test_what_is_no_pattern_or_may_take_long_is_told(expression: str, why: str) -> None:
    assert why in find_pattern_fault(expression)


def test_a_pattern_of_500_characters_is_taken() -> None:
    assert find_pattern_fault("a" * 500) == ""


def test_no_name_takes_long_to_be_held_to_a_pattern_that_is_taken() -> None:
    expression = "(?:[a-z]+-)*[a-z]+"
    assert find_pattern_fault(expression) == ""
    pattern = NamePattern(PREFIX, expression)
    began = time.thread_time()
    assert pattern.fault_of(f"urn:example:b{'a' * (LONGEST_NAME - 14)}!")
    assert time.thread_time() - began < 1
