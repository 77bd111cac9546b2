"""Noids: masks, their orders, and the check character."""

import math
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.identifiers.noid import BETANUMERIC, InvalidMask, Mask, check_character, has_valid_check
from tests.torture.conftest import rounds

betanumeric = st.text(BETANUMERIC, min_size=1, max_size=12)
masks = st.builds(
    "{}.{}{}{}".format,
    st.sampled_from(["", "f5", "x"]),
    st.sampled_from("rsz"),
    st.text("de", min_size=1, max_size=8),
    st.sampled_from(["", "k"]),
)
small_masks = st.builds(
    "{}{}".format, st.sampled_from("rsz"), st.text("de", min_size=1, max_size=3)
)

secret_masks = st.builds(
    "r{}{}".format, st.text("de", min_size=1, max_size=3), st.sampled_from(["", "k"])
)


def test_the_alphabet_is_digits_and_consonants_without_the_letter_l() -> None:
    assert len(BETANUMERIC) == 29
    assert set(BETANUMERIC) == set("0123456789bcdfghjkmnpqrstvwxyz") - set("y")
    assert sorted(BETANUMERIC) == list(BETANUMERIC)


@pytest.mark.parametrize("noid", ["13030/xf93gt2q", "13030/f54x54g11"])
def test_published_noids_have_the_check_character_that_they_were_published_with(noid: str) -> None:
    assert check_character(noid[:-1]) == noid[-1]
    assert has_valid_check(noid)


def test_the_sum_is_taken_as_the_manual_describes() -> None:
    text = "13030/xf93gt2"
    total = sum(
        place * (BETANUMERIC.index(c) if c in BETANUMERIC else 0)
        for place, c in enumerate(text, start=1)
    )
    assert (total, total % 29) == (891, 21)
    assert BETANUMERIC[21] == check_character(text) == "q"


def test_a_name_alone_may_carry_the_check_character() -> None:
    name = "f54x54g1" + check_character("f54x54g1")
    assert has_valid_check(name)
    assert not has_valid_check(f"13030/{name}")


@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_has_a_check_character(text: str) -> None:
    assert check_character(text) in BETANUMERIC
    assert has_valid_check(text) == (len(text) > 1 and text[-1] == check_character(text[:-1]))
    assert check_character(text + "/") == check_character(text)


@given(betanumeric, st.integers(0), st.sampled_from(BETANUMERIC))
def test_one_mistyped_character_is_told(name: str, place: int, typed: str) -> None:
    noid = f"12345/{name}"
    noid += check_character(noid)
    at = len("12345/") + place % (len(noid) - len("12345/"))
    mistyped = noid[:at] + typed + noid[at + 1 :]
    assert has_valid_check(mistyped) == (mistyped == noid)


@given(betanumeric, st.integers(0), st.integers(0))
def test_two_characters_that_changed_places_are_told(name: str, a: int, b: int) -> None:
    sound = f"12345/{name}"
    sound += check_character(sound)
    a, b = a % len(sound), b % len(sound)
    changed = list(sound)
    changed[a], changed[b] = sound[b], sound[a]
    if "/" not in (sound[a], sound[b]):
        assert has_valid_check("".join(changed)) == ("".join(changed) == sound)


@pytest.mark.parametrize(
    ("template", "total"),
    [
        ("f5.reedeedk", 70_728_100),
        (".rddd", 1_000),
        (".sdddddd", 1_000_000),
        ("bc.rdddd", 10_000),
        ("8rf.sdd", 100),
        (".se", 29),
        ("h9.reee", 24_389),
        (".rdedeedd", 10**4 * 29**3),
        (".sdek", 290),
        ("rek", 29),
        (".zd", None),
        (".zeee", None),
    ],
)
def test_a_mask_tells_how_many_names_it_has(template: str, total: int | None) -> None:
    mask = Mask(template)
    assert mask.total == total
    if total is not None:
        assert mask.nth(total) is None
        assert mask.nth(total - 1) is not None


@pytest.mark.parametrize(
    ("template", "n", "name"),
    [
        (".sdddddd", 0, "000000"),
        (".sdddddd", 999_999, "999999"),
        ("8rf.sdd", 7, "8rf07"),
        (".se", 28, "z"),
        (".sde", 30, "11"),
        ("sde", 289, "9z"),
        (".zd", 9, "9"),
        (".zd", 10, "10"),
        (".zd", 1234, "1234"),
        (".zeee", 0, "000"),
        (".zeee", 29**3, "1000"),
        (".zed", 290, "100"),
        (".zed", 290 * 29, "1000"),
        (".zde", 290, "100"),
        (".zde", 2900, "1000"),
        (".sdk", 5, "55"),
    ],
)
def test_names_are_counted_in_digits_of_the_mask(template: str, n: int, name: str) -> None:
    assert Mask(template).nth(n) == name


@pytest.mark.parametrize(
    "template",
    ["", ".", "f5", "f5.", ".r", ".rk", ".k", ".dd", ".rdx", ".rdkd", ".rkd", "a-b.rd", "a/b.rd",
     "a.b.rd", ".rd\n", ".RD", "é.rd"],
)  # fmt: skip
def test_what_is_no_mask_is_refused_with_its_text(template: str) -> None:
    with pytest.raises(InvalidMask) as caught:
        Mask(template)
    assert isinstance(caught.value, ValueError)
    assert caught.value.text == template
    assert "f5.reedeedk" in str(caught.value)


def test_there_is_no_name_before_the_first() -> None:
    with pytest.raises(ValueError, match="from 0"):
        Mask(".zd").nth(-1)


def test_a_template_shows_its_parts() -> None:
    mask = Mask("f5.reedeedk")
    assert (mask.prefix, mask.checked, repr(mask)) == ("f5", True, "Mask('f5.reedeedk')")
    assert not Mask("zd").checked


@given(masks, st.integers(0, 10**6), st.sampled_from(["", "12345", "b2"]))
def test_a_name_has_the_form_of_its_mask_and_its_check_character(
    template: str, n: int, naan: str
) -> None:
    mask = Mask(template)
    name = mask.nth(n, naan)
    if name is None:
        assert mask.total is not None and n >= mask.total
        return
    before = f"{naan}/{mask.prefix}" if naan else mask.prefix
    assert name.startswith(before)
    digits = name[len(before) : -1 if mask.checked else None]
    asked = template.partition(".")[2][1:].removesuffix("k")
    assert len(digits) == len(asked) or template.partition(".")[2][0] == "z"
    repeated = asked.rjust(len(digits), asked[0])
    assert all(c in (BETANUMERIC if d == "e" else "0123456789")
               for c, d in zip(digits, repeated, strict=True))  # fmt: skip
    assert not mask.checked or has_valid_check(name)


@given(small_masks, st.text(max_size=3))
def test_no_two_numbers_give_one_name(template: str, seed: str) -> None:
    mask = Mask(template, seed)
    many = min(mask.total or 30_000, rounds(30_000, 3_000))
    names = {mask.nth(n) for n in range(many)}
    assert len(names) == many
    assert None not in names


@given(secret_masks, st.binary(min_size=16, max_size=64))
def test_a_secret_order_gives_every_name_of_its_mask_once(template: str, key: bytes) -> None:
    public, secret = Mask(template), Mask(template, key=key)
    total = public.total or 0
    assert {*map(secret.nth, range(total))} == {*map(public.nth, range(total))}
    assert secret.nth(total) is None


@given(st.binary(min_size=16, max_size=64), st.sampled_from(["", "12345/x5"]))
def test_a_secret_order_cannot_be_computed_from_mask_and_seed(key: bytes, seed: str) -> None:
    public, secret = Mask("reeeeee", seed), Mask("reeeeee", seed, key=key)
    names = [secret.nth(n) for n in range(50)]
    assert not {*names} & {public.nth(n) for n in range(500)}
    assert names[:5] != [Mask("reeeeee", "other", key=key).nth(n) for n in range(5)]
    assert names[:5] != [
        Mask("reeeeee", seed, key=bytes([key[0] ^ 1]) + key[1:]).nth(n) for n in range(5)
    ]


def test_a_secret_order_of_the_longest_mask_has_a_name_for_each_number() -> None:
    mask = Mask("r" + "e" * 63, key=bytes(32))
    assert len({mask.nth((mask.total or 0) - n) for n in range(1, 500)}) == 499


def test_the_secret_order_of_a_key_never_changes() -> None:
    mask = Mask("f5.reedeedk", key=bytes(range(32)))
    assert [mask.nth(n, "13030") for n in range(4)] == SECRET


SECRET = ["13030/f56r5wj4c", "13030/f59g0jh1m", "13030/f5k07pd17", "13030/f5011tm1c"]


def test_a_large_mask_repeats_none_of_its_first_names() -> None:
    mask = Mask("f5.reedeedk")
    assert len({mask.nth(n, "12345") for n in range(100_000)}) == 100_000


@given(masks, st.integers(0, 1000))
def test_minting_goes_on_after_a_restart_where_it_stopped(template: str, stopped: int) -> None:
    before, after = Mask(template), Mask(template)
    assert [before.nth(n) for n in range(stopped, stopped + 3)] == [
        after.nth(n) for n in range(stopped, stopped + 3)
    ]


def test_the_order_of_a_template_is_for_ever() -> None:
    # Whoever has minted 3 names goes on with the fourth, whatever version of this runs.
    assert [Mask("f5.reedeedk").nth(n, "13030") for n in range(4)] == FIRST


FIRST = ["13030/f5xt0qq4v", "13030/f59738w3x", "13030/f5zk91289", "13030/f5w70348j"]


def test_an_order_of_its_own_for_each_seed() -> None:
    orders = {tuple(islice(map(Mask(".ree", seed).nth, range(841)), 10)) for seed in "abcdef"}
    assert len(orders) == 6


def test_a_mixed_order_looks_like_none() -> None:
    mask = Mask(".reee")
    total = mask.total or 0
    places = [_place(mask.nth(n) or "") for n in range(total)]
    assert sorted(places) == [*range(total)]
    steps = [b - a for a, b in pairwise(places)]
    assert len(set(steps)) > total // 2
    rising = sum(step > 0 for step in steps) / len(steps)
    assert math.isclose(rising, 0.5, abs_tol=0.05)


def _place(name: str) -> int:
    place = 0
    for character in name:
        place = place * 29 + BETANUMERIC.index(character)
    return place
