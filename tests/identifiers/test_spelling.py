"""Characters and texts as a message shows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.identifiers.errors import spell_character, spell_list, spell_text

any_text = st.text(st.characters(exclude_categories=[]))


@pytest.mark.parametrize(
    ("character", "spelled"),
    [
        ("a", "`a`"),
        ("'", "`'`"),
        (" ", "a space"),
        ("`", "a backtick"),
        ("\n", "a line break"),
        ("\x07", "U+0007 (a control character)"),
        ("\x85", "U+0085 (a control character)"),
        ("é", "U+00E9 (LATIN SMALL LETTER E WITH ACUTE)"),
        ("\u202e", "U+202E (RIGHT-TO-LEFT OVERRIDE)"),
        ("\udc80", "U+DC80 (half of a surrogate pair)"),
        ("\uffff", "U+FFFF (no character)"),
        ("😀", "U+1F600 (GRINNING FACE)"),
    ],
)
def test_a_character_is_named(character: str, spelled: str) -> None:
    assert spell_character(character) == spelled


@pytest.mark.parametrize(
    ("items", "spelled"),
    [
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (list("abcde"), "a, b, c, d and e"),
        (list("abcdefg"), "a, b, c, d, e and 2 more"),
    ],
)
def test_a_list_is_joined(items: list[str], spelled: str) -> None:
    assert spell_list(items) == spelled


@given(any_text)
def test_a_spelled_text_is_printable_ascii_between_two_backticks(text: str) -> None:
    spelled = spell_text(text)
    assert spelled.isascii()
    assert spelled.isprintable()
    assert spelled.count("`") == 2
    assert len(spelled) <= 2 + 40 * 10 + 3


@given(st.characters(exclude_categories=[]))
def test_every_character_has_a_printable_ascii_name(character: str) -> None:
    assert spell_character(character).isascii()
    assert spell_character(character).isprintable()
