"""Two changes of one text made into one, and what is lost where that cannot be."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.pages.text.template_diff import MergedText, lost_words, merge_lines

LINES = st.lists(st.sampled_from("abc"), max_size=6).map("\n".join)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "text"),
    [
        ("a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC"),
        ("a\nb\nc", "a\nb\nc\nd", "z\na\nb\nc", "z\na\nb\nc\nd"),
        ("a\nb", "a\nX", "a\nX", "a\nX"),
        ("a\nb\nc\nd", "X\nb\nc\nD", "X\nb\nc\nd", "X\nb\nc\nD"),
    ],
)
def test_changes_that_do_not_touch_are_both_made(
    base: str, ours: str, theirs: str, text: str
) -> None:
    assert merge_lines(base, ours, theirs) == MergedText(text)
    assert merge_lines(base, theirs, ours) == MergedText(text)


def test_of_the_same_lines_ours_stand_and_it_is_said() -> None:
    assert merge_lines("a\nb", "a\nOurs", "a\nTheirs") == MergedText("a\nOurs", is_whole=False)
    assert lost_words("a\nb", "a\nOurs", "a\nTheirs") == "Theirs"
    assert not lost_words("a\nb", "a\nOurs", "a"), "they only took words away"
    assert len(lost_words("", "", "long " * 50)) <= 80
    endless = "\n".join("x" * 3_000), "\n".join("xy" * 1_500), "\n".join("yx" * 1_500)
    assert merge_lines(*endless) == MergedText(endless[1], is_whole=False), (
        "it takes no endless time"
    )


@settings(max_examples=60, deadline=None)
@given(LINES, LINES, LINES)
def test_nothing_is_lost_in_silence(base: str, ours: str, theirs: str) -> None:
    assert merge_lines(base, base, theirs) == MergedText(theirs)
    assert merge_lines(base, ours, base) == MergedText(ours)
    found = merge_lines(base, ours, theirs)
    if found.is_whole:
        assert {*ours.split("\n")} - {*base.split("\n")} <= {*found.text.split("\n")}
        assert {*theirs.split("\n")} - {*base.split("\n")} <= {*found.text.split("\n")}
    else:
        assert found.text == ours
