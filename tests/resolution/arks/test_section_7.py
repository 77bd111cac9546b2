"""Each statement of The ARK URI scheme sections 3.1, 3.4, 7.1 and 8.1 that is decided here."""

import pytest

from app.identifiers.ark import parse_ark
from app.resolution.ark_documents import ark_reasons
from app.resolution.ark_resolver import (
    ArkHandedOn,
    BadArkSyntax,
    InflectedArk,
    NaanAlone,
    OverlongArk,
    ResolvedArk,
    UnregisteredNaan,
    encode_octets,
    read_ark_request,
)
from app.resolution.ark_rules import REDIRECTS, ArkRedirect
from tests.resolution.arks.naans import answer, resolved


def test_3_1_examples_are_not_special_and_99999_is_told_as_invalid() -> None:
    example, invalid = resolved("ark:12345/a"), resolved("ark:99999/a")
    assert isinstance(example, ResolvedArk)
    assert isinstance(invalid, ResolvedArk)
    assert (example.notes, [one.code for one in invalid.notes]) == ((), ["test_ark"])


def test_3_2_a_naan_without_a_name_is_no_ark_and_refers_to_nothing() -> None:
    assert not isinstance(resolved("ark:12345"), ResolvedArk)
    assert isinstance(resolved("ark:12345/"), NaanAlone)


@pytest.mark.parametrize("inflection", ["?", "??", "?info", "?%69%6E%66%6F"])
def test_3_4_all_three_inflections_ask_for_what_is_known(inflection: str) -> None:
    asked, plain = resolved(f"ark:12345/a{inflection}"), resolved("ark:12345/a?info")
    assert isinstance(asked, InflectedArk)
    assert isinstance(plain, InflectedArk)
    assert (asked.holders, asked.described_by) == (plain.holders, plain.described_by)


def test_3_4_an_inflection_speaks_of_the_prefix_and_says_so() -> None:
    reasons = list(ark_reasons(resolved("ark:12345/a?info")))
    assert reasons[0].code == "about_prefix"
    assert {one.code for one in reasons} >= {"holder", "policy_nr"}


def test_3_4_no_other_query_is_an_inflection() -> None:
    for query in ("???", "info?", "info=", "Info", "%3F", "x"):
        assert isinstance(resolved(f"ark:12345/a?{query}"), ResolvedArk)


def test_7_1_what_is_beyond_ascii_comes_percent_encoded_and_goes_so() -> None:
    asked = resolved("ark:12345/4%d0%b1%D1%843%D1%851")
    assert isinstance(asked, ResolvedArk)
    assert asked.target.endswith("/4%D0%B1%D1%843%D1%851")
    assert answer(asked) == answer(resolved("ark:12345/4бф3х1"))
    octets = "ark:12345/4бф3х1".encode().decode("latin-1")
    assert answer(asked) == answer(resolved(encode_octets(octets)))
    assert encode_octets("ark:1/a?%20[]|") == "ark:1/a?%20[]|"


def test_7_1_a_request_that_is_no_basic_ark_may_be_answered_with_an_error() -> None:
    assert isinstance(resolved("ark:12346/a:b"), BadArkSyntax)
    assert isinstance(resolved("ark:12345/a:b"), ArkHandedOn)


def test_7_1_extended_arks_of_one_normal_form_are_treated_equally() -> None:
    spellings = [
        *("ark:12345/c3700931", "ark:12345/c370-0931", "ark:/12-345/c37-009-31--"),
        *("ARK:/12345/c3700931", "ark:%312345/%633700931", "ark:1%2D2345/c3700931"),
    ]
    assert len({parse_ark(one).normal_form for one in spellings}) == 1
    assert len({answer(resolved(one)) for one in spellings}) == 1
    assert len({answer(resolved(f"{one}?a=%41%7e")) for one in spellings}) == 1
    assert answer(resolved("ark:12345/a.b.c?a")) == answer(resolved("ark:12345/a.c.b.c?%61"))


def test_7_1_a_fragment_is_the_clients() -> None:
    assert answer(resolved("ark:12345/a#b")) == answer(resolved("ark:12345/a"))


@pytest.mark.parametrize(
    "text",
    [
        "ark:12345/" + "a" * 245,
        "ark:12345/" + "-" * 244 + "a",
        "ark:12345/a?" + "b" * 243,
        *(f"ark:12345/{'a' * 245}{inflection}" for inflection in ("", "?", "??", "?info")),
        # 255 characters of four octets, as they are sent
        f"ark:12345/{'%F0%9F%98%80' * 245}?info",
    ],
)
def test_7_1_1_nothing_protected_is_too_long(text: str) -> None:
    assert isinstance(resolved(text), ResolvedArk | InflectedArk)


def test_7_1_1_what_is_too_long_is_told_so_and_is_no_other_fault() -> None:
    assert isinstance(resolved(f"ark:12345/{'a' * 8_200}"), OverlongArk)
    assert isinstance(resolved(f"ark:12345/{'%' * 8_200}"), OverlongArk)


def test_7_1_2_no_way_to_lead_on_is_for_ever() -> None:
    assert set(REDIRECTS) == {302, 303, 307}
    assert set(REDIRECTS.values()) == set(ArkRedirect)


def test_7_1_2_see_other_leads_to_what_is_related() -> None:
    (led, *_), (there, *_) = (ark_reasons(resolved(f"ark:{naan}/a")) for naan in ("20003", "12345"))
    assert led.message.startswith("A related resource")
    assert there.message.startswith("The object")


def test_7_1_2_a_resolver_that_has_no_location_says_so() -> None:
    assert isinstance(resolved("ark:12346/a"), UnregisteredNaan)


@pytest.mark.parametrize("hidden", ["\u202e", "\u2066", "\u200f", "\x00", "\x1b", "\x7f", "\x85"])
def test_8_1_control_and_formatting_characters_are_refused_or_encoded(hidden: str) -> None:
    refused = resolved(f"ark:12345/a{hidden}b")
    assert isinstance(refused, BadArkSyntax)
    reasons = "".join(one.message for one in ark_reasons(refused))
    assert reasons.isascii()
    assert reasons.isprintable()
    encoded = "".join(f"%{octet:02x}" for octet in hidden.encode())
    led = resolved(f"ark:12345/a{encoded}b")
    if isinstance(led, ResolvedArk):
        assert led.target.endswith(f"/a{encoded.upper()}b")
    assert isinstance(led, ResolvedArk) == (len(encoded) == 9)


def test_8_1_arks_are_shown_in_normal_form_which_is_ascii() -> None:
    assert read_ark_request("ark:12345/é").normal_form == "ark:12345/%C3%A9"
