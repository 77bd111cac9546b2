"""URNs among other words: each is found whole, and nothing of the sentence with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.identifiers.urn import find_urns, parse_urn

from .strategies import AWKWARD, Spelled, spelled_urns


def found_in(text: str) -> list[str]:
    return [found.text for found in find_urns(text)]


@pytest.mark.parametrize(
    ("text", "urns"),
    [
        ("See urn:isbn:0451450523.", ["urn:isbn:0451450523"]),
        ("<urn:example:a>, “urn:example:b”;", ["urn:example:a", "urn:example:b"]),
        ("(as urn:example:a does)", ["urn:example:a"]),
        ("(urn:example:a)", ["urn:example:a"]),
        ("(urn:example:a(1))", ["urn:example:a(1)"]),
        ("Is it urn:example:a? Yes!", ["urn:example:a"]),
        ("urn:example:a?=x, or not", ["urn:example:a?=x"]),
        ("urn:example:a?=.", ["urn:example:a"]),
        ("urn:example:a?+r?=q#f.", ["urn:example:a?+r?=q#f"]),
        ("urn:example:a?+r?=q#", ["urn:example:a?+r?=q#"]),
        ("urn:example:a#.", ["urn:example:a#"]),
        ("URN:EXAMPLE:a%2", ["URN:EXAMPLE:a"]),
        ("urn:example:a/b/c: the third", ["urn:example:a/b/c"]),
        ("urn:example:ends-in-a-hyphen-", ["urn:example:ends-in-a-hyphen-"]),
        ("'urn:example:a'", ["urn:example:a"]),
        ("urn:example:a\nurn:example:b", ["urn:example:a", "urn:example:b"]),
        ("saturn:rings:a is a planet", []),
        ("x-urn:example:a and a+urn:example:a", []),
        ("urn:example: and urn:-a:b and urn:a:b", []),
        ("urn:example:.", []),
        ("http://example.org/urn:example:a", ["urn:example:a"]),
        ("", []),
    ],
)
def test_urns_are_found_without_the_punctuation_round_them(text: str, urns: list[str]) -> None:
    assert found_in(text) == urns


def test_it_is_told_where_each_stands() -> None:
    (first, second) = find_urns("😀 urn:Example:a, urn:isbn:1")
    assert (first.position, first.nid) == (2, "Example")
    assert (second.position, second.nid) == (17, "isbn")


@given(st.lists(st.text(AWKWARD, max_size=20) | spelled_urns().map(lambda urn: urn.text)))
def test_whatever_is_found_is_a_urn_at_its_place(parts: list[str]) -> None:
    text = "".join(parts)
    end = 0
    for found in find_urns(text):
        assert found.position >= end
        end = found.position + len(found.text)
        assert text[found.position : end] == found.text
        assert parse_urn(found.text).nid == found.nid


@given(spelled_urns())
def test_a_urn_that_does_not_end_like_a_sentence_is_found_whole(urn: Spelled) -> None:
    if urn.text[-1] not in ".,;:!?'*_~&)" and not urn.text.endswith("#"):
        assert found_in(f"It is <{urn.text}>.") == [urn.text]


def test_long_texts_take_no_longer_than_they_are() -> None:
    for piece in (
        "urn:",
        "urn:a",
        "urn:aa:((((",
        "urn:aa:))))",
        "urn:aa:%",
        "urn:aa:a?",
        "urn:aa:....x",
    ):
        list(find_urns(piece * 30_000))
    assert found_in("urn:aa:" + "a?=." * 20_000) == ["urn:aa:" + ("a?=." * 20_000)[:-1]]
