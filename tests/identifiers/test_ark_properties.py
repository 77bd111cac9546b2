"""What holds for every text, ARK or not, and for every normal form."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.identifiers.ark import ArkProfile, ark_equivalent, find_embedded_ark, parse_ark
from app.identifiers.errors import InvalidARK

from .ark_recognizer import normalize, recognize
from .ark_strategies import (
    Parts,
    Spelled,
    arks,
    awkward_texts,
    basic_ark,
    mutated_arks,
    near_arks,
    path_parts,
    spelled_arks,
)
from .test_ark import CODES

PARTS = ("naan", "name", "components", "variants", "query", "fragment")
# One of these makes an ARK of any text that an ARK can begin with.
ENDINGS = ["", "x", "1/x", "/x", "ark:1/x", "rk:1/x", "k:1/x", ":1/x"]


@given(spelled_arks())
def test_an_ark_made_by_the_grammar_parses_into_what_it_was_made_of(spelled: Spelled) -> None:
    ark = parse_ark(spelled.text)
    assert tuple(getattr(ark, part) for part in PARTS) == spelled[1:]
    assert str(ark) == spelled.text
    assert ark.basic_ark + ark.inflection + (
        "" if ark.fragment is None else f"#{ark.fragment}"
    ) == spelled.text  # fmt: skip


@given(mutated_arks() | awkward_texts | st.text(st.characters(exclude_categories=[])))
def test_any_text_parses_to_itself_or_is_refused_at_a_place_within_it(text: str) -> None:
    for profile in ArkProfile:
        try:
            assert str(parse_ark(text, profile)) == text
        except InvalidARK as refusal:
            assert refusal.text == text
            assert refusal.position is not None
            assert 0 <= refusal.position <= len(text)
            assert refusal.code in CODES
            assert refusal.message.isascii()
            assert refusal.message.isprintable()


@given(mutated_arks() | awkward_texts)
def test_the_patterns_accept_what_a_reading_by_hand_accepts(text: str) -> None:
    assert _parts(text) == recognize(text)


@pytest.mark.parametrize(
    ("start", "characters"), [("ark:1/a", "-/.?#%2d"), ("ark:", "/1-a%2"), ("ark:1%", "2dD/a%")]
)
def test_the_patterns_and_the_reading_by_hand_agree_on_every_short_ending(
    start: str, characters: str
) -> None:
    for length in range(6):
        for ending in product(characters, repeat=length):
            assert _parts(text := start + "".join(ending)) == recognize(text), text


def _parts(text: str) -> dict[str, Any] | None:
    try:
        ark = parse_ark(text)
    except InvalidARK:
        return None
    return {part: getattr(ark, part) for part in PARTS}


@given(mutated_arks() | awkward_texts)
def test_what_stands_before_a_fault_is_without_fault(text: str) -> None:
    try:
        parse_ark(text)
    except InvalidARK as refusal:
        sound = text[: refusal.position]
        assert any(recognize(sound + ending) is not None for ending in ENDINGS)


@given(mutated_arks() | awkward_texts)
def test_kunzes_rules_read_what_the_schemes_do_and_structure_at_the_end(text: str) -> None:
    basic, mark, rest = (
        text.partition("?") if "?" in text.partition("#")[0] else text.partition("#")
    )
    trimmed = basic.rstrip("/.") + mark + rest
    try:
        read = parse_ark(text, ArkProfile.ARKSPEC)
    except InvalidARK:
        assert recognize(trimmed) is None
    else:
        assert recognize(trimmed) is not None
        assert read.normal_form == normalize(trimmed)
        assert read.arkspec_form == parse_ark(trimmed).arkspec_form


@given(arks)
def test_the_normal_form_is_what_the_algorithm_gives_by_hand(text: str) -> None:
    assert parse_ark(text).normal_form == normalize(text)


_plain_parts = st.lists(st.text("x5Z=~*+@_$", min_size=1, max_size=3), max_size=7)


@given(
    st.sampled_from(["1", "B1", "b" * 99, "b" * 100]),
    st.sampled_from(["x5", "x" * 999, "x" * 1000]),
    _plain_parts,
    _plain_parts,
    st.sampled_from(["", "?", "??", "?info", "?a=b", "?a-b", "?" + "q" * 1000, "#f", "?info#f"]),
)
def test_an_ark_with_nothing_to_normalize_is_read_like_any_other(
    naan: str, name: str, components: list[str], variants: list[str], rest: str
) -> None:
    text = basic_ark(Parts(naan, name, components, variants), "ark:/") + rest
    ark = parse_ark(text)
    assert ark.normal_form == normalize(text)
    assert {part: getattr(ark, part) for part in PARTS} == recognize(text)
    assert ark.normal_form == normalize(text)  # once its parts were asked for


@given(arks)
def test_normalizing_twice_is_normalizing_once(text: str) -> None:
    form = parse_ark(text).normal_form
    assert form.isascii()
    assert parse_ark(form).normal_form == form
    arkspec_form = parse_ark(text).arkspec_form
    assert parse_ark(arkspec_form).arkspec_form == arkspec_form


@given(arks)
def test_an_ark_is_basic_just_when_its_normal_form_is(text: str) -> None:
    ark = parse_ark(text)
    form = parse_ark(ark.normal_form)
    assert (ark.query is None and ark.fragment is None) == (
        form.query is None and form.fragment is None
    )


@given(near_arks | arks, near_arks, near_arks, st.sampled_from(ArkProfile))
def test_equivalence_is_an_equivalence_relation(
    a: str, b: str, c: str, profile: ArkProfile
) -> None:
    def same(x: str, y: str) -> bool:
        return ark_equivalent(x, y, profile)

    assert same(a, a)
    assert same(a, b) == same(b, a)
    assert same(a, c) or not (same(a, b) and same(b, c))


@given(path_parts, st.data())
def test_hyphens_put_in_anywhere_change_nothing(made: Parts, data: st.DataObject) -> None:
    plain = basic_ark(made)
    hyphen = st.sampled_from(["-", "--", "%2d", "%2D"])
    at = data.draw(st.integers(len("ark:"), len(plain)))
    while "%" in plain[max(at - 2, 0) : at]:  # not within what is encoded
        at -= 1
    assert ark_equivalent(plain, plain[:at] + data.draw(hyphen) + plain[at:])


@given(path_parts, st.sampled_from(["ark:/", "ARK:", "Ark:/"]))
def test_a_slash_after_the_scheme_and_its_case_change_nothing(made: Parts, begun: str) -> None:
    assert ark_equivalent(basic_ark(made), basic_ark(made, begun))


@given(path_parts, st.data())
def test_the_order_of_variants_and_their_number_change_nothing(
    made: Parts, data: st.DataObject
) -> None:
    again = data.draw(st.lists(st.sampled_from(made.variants))) if made.variants else []
    variants = data.draw(st.permutations([*made.variants, *again]))
    assert ark_equivalent(basic_ark(made), basic_ark(made._replace(variants=variants)))


@given(path_parts)
def test_every_container_contains_the_next_and_is_an_ark(made: Parts) -> None:
    ark = parse_ark(basic_ark(made))
    assert len(ark.containers) == len(made.components)
    for container, component in zip(ark.containers, made.components, strict=True):
        assert parse_ark(container).variants == ()
        assert basic_ark(made).startswith(f"{container}/{component}")


@given(arks)
def test_an_ark_is_found_in_a_url_whole(text: str) -> None:
    for prefix in ("", "https://n2t.net/", "http://a.example:8080/b//ark:/c/", "x:"):
        assert find_embedded_ark(prefix + text) == parse_ark(text)


@given(mutated_arks() | awkward_texts, st.sampled_from(["", "https://n2t.net/", "b", "x:/a"]))
def test_no_text_makes_the_search_fail(text: str, prefix: str) -> None:
    found = find_embedded_ark(prefix + text)
    assert found is None or (prefix + text).endswith(str(found))
