"""A table of ARKs: each is led where its holder has it, or told why not."""

import pytest

from app.resolution.ark_resolver import (
    ArkHandedOn,
    ArkOutcome,
    ArkResolver,
    BadArkSyntax,
    CircularArk,
    InflectedArk,
    NaanAlone,
    OverlongArk,
    ResolvedArk,
    ShoulderAlone,
    UnregisteredNaan,
    UnresolvedArk,
    WithdrawnNaan,
)
from app.resolution.ark_rules import ArkRedirect
from tests.resolution.arks.naans import BOOK, resolved

LED = [
    ("ark:12345/z9", "https://library.example/ark:/12345/z9"),
    ("ark:12345/z9/c2/s4.pdf", "https://library.example/ark:/12345/z9/c2/s4.pdf"),
    # the longest registered prefix, of which a former shoulder is none
    ("ark:12345/x5/c1", "https://project.example/p/c1/on"),
    ("ark:12345/x5%2F", "https://project.example/p%2F/on"),
    ("ark:12345/x556", "https://project.example/?rest=6"),
    ("ark:12345/x5z1", "https://project.example/pz1/on"),
    ("ark:12345/v1.b.c", "https://variant.example/.c"),
    # each of the variables, and those of RFC 6570
    ("ark:21345/a", "https://pid.example/?ark=ark:21345/a"),
    ("ark:/B7280/d1988w", "https://doi.example/10.7280/d1988w"),
    ("ark:20000/a/b", "https://whole.example/20000/a/b?pid=ark%3A20000%2Fa%2Fb"),
    ("ark:20001/a", "https://fixed.example/page?id=1#top"),
    # any query that is no inflection goes on, behind that of the target and before its fragment
    ("ark:12345/z9?a=b&c=%20d", "https://library.example/ark:/12345/z9?a=b&c=%20d"),
    ("ark:21345/a?b=c", "https://pid.example/?ark=ark:21345/a&b=c"),
    ("ark:20001/a?b=%2F", "https://fixed.example/page?id=1&b=%2F#top"),
    ("ark:12345/z9?info=1", "https://library.example/ark:/12345/z9?info=1"),
    ("ark:12345/z9?INFO", "https://library.example/ark:/12345/z9?INFO"),
    ("ark:12345/z9?%3F", "https://library.example/ark:/12345/z9?%3F"),
    ("ark:12345/z9?f[]=a|b", "https://library.example/ark:/12345/z9?f[]=a%7Cb"),
    ("ark:12345/z9#top", "https://library.example/ark:/12345/z9"),
    # as it came, where the holder wants it so
    ("ARK:/20-002/a-%41?b", "https://as.example/20-002/a-%41?b"),
    # 99999 resolves, and what somebody with a NAAN tests goes to that NAAN
    ("ark:99999/z", "https://tests.example/99999/z"),
    ("ark:99999/fk4z", "https://fake.example/99999/fk4z"),
    ("ark:99999/912345_z", "https://library.example/ark:/99999/912345_z"),
    ("ark:99999/912345_s5z", "https://shared.example/99999/912345_s5z"),
    ("ark:99999/930003_z", "https://tests.example/99999/930003_z"),
    ("ark:99999/955555_z", "https://tests.example/99999/955555_z"),
]
# No Basic ARK, under a NAAN that somebody has: its holder may know it.
HANDED_ON = [
    ("ark:/12345/1:1:M-Z", "https://library.example/ark:/12345/1:1:M-Z"),
    ("ark:12-345/a//b", "https://library.example/ark:/12-345/a//b"),
    ("ark:12345/a/?b=c", "https://library.example/ark:/12345/a/?b=c"),
    ("ark:12345/a.", "https://library.example/ark:/12345/a."),
    ("ark:12345/a.pdf/b", "https://library.example/ark:/12345/a.pdf/b"),
    ("ARK:/21345/a:b", "https://pid.example/?ark=ARK:/21345/a:b"),
    ("ark:12345/x5:1", "https://project.example/p:1/on"),
]
OTHERWISE: list[tuple[str, type[ArkOutcome]]] = [
    ("ark:12345", NaanAlone),
    ("ark:12345/", NaanAlone),
    ("ark:/12345/?info", InflectedArk),
    ("ARK:/1-23%345?a=b", NaanAlone),
    ("ark:30003", NaanAlone),
    ("ark:12345/x5", ShoulderAlone),
    ("ark:/123-45/x%35-", ShoulderAlone),
    ("ark:12345/x5z", ResolvedArk),
    *((f"ark:12345/z9?{query}", InflectedArk) for query in ("", "?", "info", "%69nf%6F")),
    ("ark:12345?info", InflectedArk),
    ("ark:12345/x5?", InflectedArk),
    ("ark:12345/1:1?info", InflectedArk),
    ("ark:30003/a?info", InflectedArk),
    ("ark:12346/a", UnregisteredNaan),
    ("ark:12346", UnregisteredNaan),
    ("ark:12346/a?info", UnregisteredNaan),
    ("ark:30000/a", UnresolvedArk),
    ("ark:30001/a", UnresolvedArk),
    ("ark:30002/a", CircularArk),
    ("ark:30003/a", WithdrawnNaan),
    ("ark:12345/" + "-" * 8_000 + "z", ResolvedArk),
    ("ark:12345/z?" + "a" * 8_180, ResolvedArk),
    ("ark:12345/z?" + "a" * 8_181, OverlongArk),
    ("x" * 9_000, OverlongArk),
]
# Where the fault is, and of which kind.
REFUSED = [
    ("", "scheme", 0),
    ("bark:12345/a", "scheme", 0),
    ("ark:", "naan_missing", 4),
    ("ark:/", "naan_missing", 5),
    ("ark:1l345/a", "naan_character", 5),
    ("ark:12345/--", "name_hyphens", 10),
    ("ark:12345//a", "name_missing", 10),
    ("ark:12345/a%", "name_percent", 11),
    ("ark:12345/a:%2", "name_percent", 12),
    ("ark:12345/a?b=%zz", "query_percent", 14),
    ("ark:12345?%", "query_percent", 10),
    ("ark:12345/a?b c", "query_character", 13),
    ("ark:12345/a\r\nb", "name_character", 11),
    ("ark:12345/a%0d%0Ab", "name_character", 11),
    ("ark:12345/a%C2%85", "name_character", 11),
    ("ark:12345/a:%00", "name_character", 12),
    ("ark:12345/a\u202eb", "name_invisible", 11),
    ("ark:12345/a/\u2066", "name_invisible", 12),
    ("ark:12345/a?\u200b", "query_invisible", 12),
    ("ark:12345/a/../b", "component_character", 12),
    ("ark:b7280/%2e-%2E/10.1/b", "component_character", 10),
    ("ark%3A12345/a%", "name_percent", 13),
    ("ark:12346/a:b", "name_character", 11),
]


@pytest.mark.parametrize(("text", "target"), LED)
def test_an_ark_is_led_where_its_holder_has_it(text: str, target: str) -> None:
    outcome = resolved(text)
    assert isinstance(outcome, ResolvedArk)
    assert outcome.target == target


@pytest.mark.parametrize(("text", "target"), HANDED_ON)
def test_what_is_no_basic_ark_is_handed_on_as_it_came(text: str, target: str) -> None:
    outcome = resolved(text)
    assert isinstance(outcome, ArkHandedOn)
    assert outcome.target == target
    assert outcome.request.normal_form == ""


@pytest.mark.parametrize(("text", "kind"), OTHERWISE)
def test_every_other_text_is_told_what_it_is(text: str, kind: type[ArkOutcome]) -> None:
    assert type(resolved(text)) is kind


@pytest.mark.parametrize(("text", "code", "position"), REFUSED)
def test_what_is_no_ark_is_refused_at_the_place_of_its_fault(
    text: str, code: str, position: int
) -> None:
    outcome = resolved(text)
    assert isinstance(outcome, BadArkSyntax)
    error = outcome.request.error
    assert error is not None
    assert (error.code, error.position, error.text) == (code, position, text)


@pytest.mark.parametrize(
    ("naan", "wish"),
    [
        ("12345", ArkRedirect.FOUND),
        ("20003", ArkRedirect.SEE_OTHER),
        ("20004", ArkRedirect.TEMPORARY_REDIRECT),
    ],
)
def test_the_holder_says_how_an_ark_is_led_on(naan: str, wish: ArkRedirect) -> None:
    outcome = resolved(f"ark:{naan}/a")
    assert isinstance(outcome, ResolvedArk)
    assert outcome.rules.redirect is wish


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("ark:12345/a", []),
        ("ark:99999/a", ["test_ark"]),
        ("ark:99999/912345_a", ["test_ark"]),
        ("ark:20002/a", ["verbatim"]),
        ("ark:99999/a:b", ["handed_on", "test_ark"]),
    ],
)
def test_what_departs_from_the_rule_is_told(text: str, codes: list[str]) -> None:
    outcome = resolved(text)
    assert isinstance(outcome, ResolvedArk | ArkHandedOn)
    assert [note.code for note in outcome.notes] == codes


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ark:12345/z9?", "https://library.example/ark:/12345/z9?info"),
        ("ark:21345/a??", "https://pid.example/?ark=ark:21345/a&info"),
        ("ark:12345?info", ""),
        ("ark:12345/x5?info", ""),
        ("ark:30000/a?info", ""),
        ("ark:30002/a?info", ""),
        ("ark:30003/a?info", ""),
    ],
)
def test_an_inflection_names_where_the_holder_describes_it(text: str, address: str) -> None:
    outcome = resolved(text)
    assert isinstance(outcome, InflectedArk)
    assert outcome.described_by == address


def test_an_inflection_tells_of_the_shoulder_and_of_the_naan() -> None:
    outcome = resolved("ark:12345/x5a?info")
    assert isinstance(outcome, InflectedArk)
    assert [one.prefix for one in outcome.holders] == ["12345/x5", "12345"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("ark%3A%2F12345%2Fa", "ark:12345/a"),
        ("https://n2t.example/ark:/12345/a", "ark:12345/a"),
        ("ark:I2345/a-b", "ark:12345/ab"),
        ("ark:12345/a\u200b b", "ark:12345/ab"),
        ("ark:12345/a:b\u202e", ""),
        ("ark:55555/a%", ""),
    ],
)
def test_a_mistyped_ark_is_told_what_it_may_have_been(text: str, meant: str) -> None:
    outcome = resolved(text)
    assert isinstance(outcome, BadArkSyntax)
    assert (outcome.correction.identifier if outcome.correction else "") == meant


def test_the_site_that_is_asked_is_no_place_to_lead_to_whatever_it_is_called() -> None:
    elsewhere = ArkResolver(BOOK, ["elsewhere.example"]).resolve("ark:30002/a")
    assert isinstance(elsewhere, ResolvedArk)
    home = ArkResolver(BOOK, ["library.EXAMPLE"]).resolve("ark:12345/a")
    assert isinstance(home, CircularArk)
