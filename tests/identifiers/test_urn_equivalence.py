"""URN-equivalence and normal form: RFC 8141 section 3."""

from itertools import combinations, product

import pytest
from hypothesis import given

from app.identifiers.errors import InvalidURN
from app.identifiers.urn import parse_urn, urn_equivalent

from .recognizer import normalize
from .strategies import near_urns, urns

# Section 3.2 groups its examples; within a group all are equivalent, across groups none are.
EXAMPLES = [
    [
        "urn:example:a123,z456",
        "URN:example:a123,z456",
        "urn:EXAMPLE:a123,z456",
        "urn:example:a123,z456?+abc",
        "urn:example:a123,z456?=xyz",
        "urn:example:a123,z456#789",
    ],
    ["urn:example:a123,z456/foo"],
    ["urn:example:a123,z456/bar"],
    ["urn:example:a123,z456/baz"],
    ["urn:example:a123%2Cz456", "URN:EXAMPLE:a123%2cz456"],
    ["urn:example:A123,z456"],
    ["urn:example:a123,Z456"],
    ["urn:example:%D0%B0123,z456"],
]


@pytest.mark.parametrize("group", EXAMPLES, ids=lambda group: group[0])
def test_the_equivalent_examples_of_the_specification(group: list[str]) -> None:
    assert all(urn_equivalent(a, b) for a, b in product(group, repeat=2))
    assert len({parse_urn(text).normal_form for text in group}) == 1


@pytest.mark.parametrize(("one", "other"), [*combinations(EXAMPLES, 2)], ids=lambda group: group[0])
def test_the_different_examples_of_the_specification(one: list[str], other: list[str]) -> None:
    assert not any(urn_equivalent(a, b) or urn_equivalent(b, a) for a, b in product(one, other))


def test_percent_encoding_is_never_decoded() -> None:
    assert not urn_equivalent("urn:example:%61", "urn:example:a")


def test_the_case_of_a_percent_encoded_letter_is_not_the_case_of_letters_beside_it() -> None:
    assert parse_urn("urn:example:a%2ca%aFf").normal_form == "urn:example:a%2Ca%AFf"


def test_texts_and_urns_compare_alike() -> None:
    a, b = "urn:example:a", "URN:EXAMPLE:a#b"
    assert urn_equivalent(parse_urn(a), b)
    assert urn_equivalent(a, parse_urn(b))
    assert urn_equivalent(parse_urn(a), parse_urn(b))


def test_a_text_that_is_no_urn_is_equivalent_to_nothing_but_refused() -> None:
    with pytest.raises(InvalidURN):
        urn_equivalent("urn:example:a", "example")
    with pytest.raises(InvalidURN):
        urn_equivalent("example", "example")


@given(urns)
def test_equivalence_is_reflexive(text: str) -> None:
    assert urn_equivalent(text, text)


@given(near_urns, near_urns)
def test_equivalence_is_symmetric(a: str, b: str) -> None:
    assert urn_equivalent(a, b) == urn_equivalent(b, a)


@given(near_urns, near_urns, near_urns)
def test_equivalence_is_transitive(a: str, b: str, c: str) -> None:
    if urn_equivalent(a, b) and urn_equivalent(b, c):
        assert urn_equivalent(a, c)


@given(near_urns, near_urns)
def test_equivalence_is_that_of_a_normal_form_made_by_hand(a: str, b: str) -> None:
    assert urn_equivalent(a, b) == (normalize(a) == normalize(b))


@given(urns)
def test_the_normal_form_is_the_one_made_by_hand(text: str) -> None:
    assert parse_urn(text).normal_form == normalize(text)


@given(urns)
def test_the_normal_form_is_its_own_normal_form(text: str) -> None:
    normal = parse_urn(text).normal_form
    assert parse_urn(normal).normal_form == normal
    assert urn_equivalent(text, normal)
