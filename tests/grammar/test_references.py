"""The automata that grammars are held against, by texts on both sides of their edges."""

import pytest

from app.grammar.automata.automaton import (
    Automaton,
    beginning_automaton,
    dot_segment,
    empty_segment,
    invalid_utf8,
    needless_encoding,
)


def check(automaton: Automaton, inside: str, outside: str) -> None:
    assert [text for text in inside.split() if not automaton.accepts(text)] == []
    assert [text for text in outside.split() if automaton.accepts(text)] == []


def test_octets_that_are_no_utf8() -> None:
    check(
        invalid_utf8(),
        "%80 a%C3 %c3%28 %C1%80 %E0%80%80 %E0%9F%BF %ED%A0%80 %F0%8F%BF%BF %F4%90%80%80 %F5%80 %BF",
        "a %41 %C2%80 %c3%a9 %E0%A0%80 %ED%9F%BF %EF%BF%BF %F0%90%80%80 %F4%8F%BF%BF % ?=%80 #%FF",
    )


def test_characters_that_need_no_encoding() -> None:
    check(
        needless_encoding(),
        "%41 %5a %61 %7A %30 %39 %2D %2e %5F %7e a%41 %2F%41",
        "%40 %5B %60 %7B %2F %3A %2C %7F %5E %00 a41 #%41 ?+%41",
    )


def test_segments_that_clients_rewrite() -> None:
    check(dot_segment(), "a/./b a/../b a/. a/.. a/.?=b a/..#b", "a a/.b a/b. a/... a?=/./ ./a ../a")
    check(empty_segment(), "a//b a// //", "a/b a/ a?=// a#//")


@pytest.mark.parametrize("text", ["urn:quoll:", "URN:Quoll:a b"])
def test_names_of_a_namespace_begin_with_it_in_either_case(text: str) -> None:
    assert beginning_automaton("urn:quoll:").accepts(text)
    assert not beginning_automaton("urn:quoll:").accepts(text.replace(":", ";"))
    assert not beginning_automaton("urn:quoll:").accepts("urn:quoll")
