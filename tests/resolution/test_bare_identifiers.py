"""Numbers without their scheme are known by form and check character, and nothing else is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.identifiers.corrections import unwrap_identifier
from app.identifiers.urn import parse_urn
from app.resolution.bare_identifiers import recognize_bare
from tests.torture.conftest import rounds


def every(_: str) -> bool:
    """Every namespace is registered."""
    return True


CERTAIN = {
    "978-951-0-18435-6": ("ISBN", "urn:isbn:978-951-0-18435-6"),
    "9789510184356": ("ISBN", "urn:isbn:9789510184356"),
    "978 951 0 18435 6": ("ISBN", "urn:isbn:978-951-0-18435-6"),
    "951-0-18435-7": ("ISBN", "urn:isbn:951-0-18435-7"),
    "ISBN-13: 978\u2011951\u20110\u201118435\u20116": ("ISBN", "urn:isbn:978-951-0-18435-6"),
    "\u200f978-951-0-18\u00ad435-6\u200e": ("ISBN", "urn:isbn:978-951-0-18435-6"),
    "<\uff29SBN 9789510184356>": ("ISBN", "urn:isbn:9789510184356"),
    "ISBN 951-0-18435-8": ("ISBN", "urn:isbn:951-0-18435-8"),
    "0259000x": ("ISSN", "urn:issn:0259-000X"),
    "e-ISSN 0259-000X": ("ISSN", "urn:issn:0259-000X"),
    "https://portal.issn.org/resource/ISSN/0259-000X": ("ISSN", "urn:issn:0259-000X"),
    "{F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6}": (
        "UUID",
        "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    ),
    "10.1000/182": ("DOI", "urn:doi:10.1000/182"),
    "doi:10.1000/182.": ("DOI", "urn:doi:10.1000/182"),
    "https://dx.doi.org/10.1000%2F456%23789?x=y": ("DOI", "urn:doi:10.1000/456%23789"),
    "0000-0002-1825-0097": ("ORCID iD", "urn:isni:0000000218250097"),
    "https://orcid.org/0000-0002-1694-233X": ("ORCID iD", "urn:isni:000000021694233X"),
    "0000 0001 2124 1960": ("ISNI", "urn:isni:0000000121241960"),
    "355123456789016": ("IMEI", "urn:gsma:imei:35512345-678901-0"),
    "IMEI: 35-512345-678901-6": ("IMEI", "urn:gsma:imei:35512345-678901-0"),
    "7ltwfzyicnsx8d621k86": ("LEI", "urn:lei:7LTWFZYICNSX8D621K86"),
}


@pytest.mark.parametrize("text", CERTAIN)
def test_a_number_is_recognized_however_people_write_it(text: str) -> None:
    found = recognize_bare(text, every)[0]
    assert (found.kind, found.urn) == CERTAIN[text]
    assert found.is_certain
    assert found.source


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("978-951-0-18435-7", "urn:isbn:978-951-0-18435-6"),
        ("978 951 0 18435 7", "urn:isbn:978-951-0-18435-6"),
        ("2049-3631", "urn:issn:2049-3630"),
        ("0000-0002-1825-0098", "urn:isni:0000000218250097"),
    ],
)
def test_an_unmistakable_form_with_a_wrong_check_character_is_not_certain(
    text: str, mended: str
) -> None:
    found, right = recognize_bare(text, every)
    assert not found.is_certain
    assert "check digit is wrong" in found.why
    assert (right.urn, right.is_certain) == (mended, False)
    assert "corrected check digit" in right.why


def test_what_is_said_to_be_a_number_comes_before_that_with_the_right_check_character() -> None:
    found = recognize_bare("LEI 7LTWFZYICNSX8D621K87", every)
    urns = [one.urn for one in found]
    assert urns == ["urn:lei:7LTWFZYICNSX8D621K87", "urn:lei:7LTWFZYICNSX8D621K86"]
    (device,) = recognize_bare("IMEI 35-512345-678901-5", every)  # a URN has no check of it
    assert device.urn == "urn:gsma:imei:35512345-678901-0"


NONE = [
    "355123456789012", "378282246310005", "2019-2026",
    "", "isbn", "12345678", "20260101", "951-0-18435-8", "7LTWFZYICNSX8D621K87", "10.1000/",
    "10.1000/..", "10.1/x", "10.1000/\u00e9", "\u0669789510184356", "9789510184356\0", "ISBN",
    "978951018435", "97895101843566", "978--951-0-18435-6", "ISBN isbn 9789510184356",
    "f81d4fae7dec11d0a76500a0c91e6bf6", "9789510184356 and more", "x" * 400, "10.1000/" + "9" * 400,
]  # fmt: skip


@pytest.mark.parametrize("text", NONE)
def test_what_has_no_form_or_no_check_is_no_number(text: str) -> None:
    assert recognize_bare(text, every) == ()


def test_a_number_of_a_namespace_that_nobody_registered_has_no_urn() -> None:
    assert recognize_bare("9789510184356", lambda nid: nid == "issn") == ()


@given(st.text(max_size=60) | st.from_regex(r"(ISBN|DOI|ORCID iD)?:? ?[0-9./X-]{1,30}[ -~]{0,9}"))
@settings(max_examples=rounds(150, 40))
def test_whatever_is_recognized_is_a_urn_and_so_is_what_is_unwrapped(text: str) -> None:
    for found in recognize_bare(text, every):
        assert parse_urn(found.urn).nid == found.nid
    assert unwrap_identifier(unwrap_identifier(text) + " ") == unwrap_identifier(
        unwrap_identifier(text)
    )


@pytest.mark.parametrize(
    ("text", "within"),
    [
        (' "<urn:a-b:c>"\n', "urn:a-b:c"),
        ("\u201curn:a-b:c\u201d", "urn:a-b:c"),
        ("<urn:a-b:c", "urn:a-b:c"),
        ("\u2066isbn\u2069", "isbn"),
        ("<>", ""),
        ("<" * 500_000 + ">" * 500_000, "<" * 499_996 + ">" * 499_996),
    ],
    ids=range(6),
)
def test_what_stands_round_an_identifier_is_taken_off(text: str, within: str) -> None:
    assert unwrap_identifier(text) == within
