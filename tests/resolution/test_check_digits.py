"""Check characters are told right or wrong, and what they would be."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.resolution.check_digits import ALGORITHMS, read_number
from tests.torture.conftest import rounds

RIGHT = {
    "isbn": (
        "978-951-0-18435-6",
        "9789510184356",
        "951-0-18435-7",
        "080442957X",
        "979-10-90636-07-1",
    ),
    "issn": ("1234-1231", "0259-000X", "0259000x"),
    "eic": ("10X1001A1001A450", "10YFR-RTE------C", "22XWATTPLUS----G"),
    "gs1": (
        "01:09506000134352",
        "01:09506000134352:10:ABC123:17:250101",
        "10:A:00:106141412345678908",
        "414:9506000134352:254:1",
        "253:9506000134352DOC1",
    ),
    "iso7064-mod11-2": ("0000000121241960", "0000-0001-2124-1960", "000000012146438X"),
    "iso7064-mod37-36": (
        "10.5240:7791-8534-2C23-9030-8610-5",
        "0000-0000-2CEA-0000-1-0000-0000-Y",
        "0000-0000-2cea-0000-1",
    ),
    "iso7064-mod97-10": ("7LTWFZYICNSX8D621K86", "7ltwfzyicnsx8d621k86"),
}
UNREAD = {
    "isbn": ("nope", "978951018435", "1239510184356", "978-951-0-18435-", "é"),
    "issn": ("1234-123", "12341231-"),
    "eic": ("10X1001A1001A45", "10X1001A1001A45-"),
    "gs1": ("gdd:cl:X", "10:ABC", "01:123", "01", "01:0950600013435x"),
    "iso7064-mod11-2": ("000000012124196", "nope"),
    "iso7064-mod37-36": ("10.5240:nope", "10.9999:7791-8534-2C23-9030-8610-6", "0123"),
    "iso7064-mod97-10": ("7LTWFZYICNSX8D621KXX", "7LTW"),
}


def test_every_algorithm_is_tried_and_has_its_clause() -> None:
    assert set(RIGHT) == set(UNREAD) == set(ALGORITHMS)
    assert all(one.clause for one in ALGORITHMS.values())


@pytest.mark.parametrize(("algorithm", "names"), RIGHT.items())
def test_a_right_check_character_is_right_and_any_other_wrong(
    algorithm: str, names: tuple[str, ...]
) -> None:
    for name in names:
        found = read_number(algorithm, name)
        assert found is not None, name
        assert found.is_valid, name
        assert found.corrected == name
    name = names[0]
    for digit in "0123456789":
        other = name[:-1] + digit if algorithm != "gs1" else f"01:0950600013435{digit}"
        found = read_number(algorithm, other)
        if found is not None and other != name and name.upper().startswith(other[:-1].upper()):
            assert found.is_valid is (found.corrected == other)
            assert found.is_valid is False
            assert read_number(algorithm, found.corrected) is not None


@pytest.mark.parametrize(("algorithm", "names"), UNREAD.items())
def test_what_is_no_number_of_it_is_not_judged(algorithm: str, names: tuple[str, ...]) -> None:
    for name in names:
        assert read_number(algorithm, name) is None, name
    assert read_number("nobody's", "9789510184356") is None


def test_the_correction_keeps_the_spelling_and_mends_each_check_character() -> None:
    wrong = {
        ("isbn", "978-951-0-18435-1"): "978-951-0-18435-6",
        ("isbn", "0-8044-2957-1"): "0-8044-2957-X",
        ("gs1", "01:09506000134351:414:9506000134351"): "01:09506000134352:414:9506000134352",
        ("gs1", "253:9506000134351DOC1"): "253:9506000134352DOC1",
        ("iso7064-mod37-36", "1881-66C7-3420-6541-9-9F3A-0245-U"): (
            "1881-66C7-3420-6541-Y-9F3A-0245-O"
        ),
        ("iso7064-mod97-10", "7ltwfzyicnsx8d621k00"): "7ltwfzyicnsx8d621k86",
    }
    for (algorithm, name), right in wrong.items():
        found = read_number(algorithm, name)
        assert found is not None
        assert (found.is_valid, found.corrected) == (False, right)


def test_an_isbn_of_ten_has_the_form_of_thirteen_and_is_printed_with_hyphens() -> None:
    isbn, issn = ALGORITHMS["isbn"], ALGORITHMS["issn"]
    assert isbn.unify("951-0-18435-7") == isbn.unify("978-951-0-18435-6") == "9789510184356"
    assert isbn.write("9510184357") == "978-951-0-18435-6"
    assert issn.write("12341231") == "1234-1231"
    assert isbn.unify("nope") == isbn.write("nope") == issn.write("nope") == "nope"


@settings(max_examples=rounds(60, 15))
@given(
    st.sampled_from(sorted(ALGORITHMS)),
    st.text("0123456789ABXxe:-.%é", max_size=30)
    | st.from_regex(r"\A(01:)?[0-9]{8,14}X?\Z")
    | st.from_regex(r"\A10\.5240:[0-9A-Fa-f]{4}(-[0-9A-F]{4}){4}-[0-9A-Z]\Z"),
)
def test_no_text_raises_and_what_is_corrected_is_right(algorithm: str, nss: str) -> None:
    found = read_number(algorithm, nss)
    known = ALGORITHMS[algorithm]
    assert known.unify(known.unify(nss)) == known.unify(nss)
    assert known.write(known.write(nss)) == known.write(nss)
    if found is not None and found.corrected != nss:
        assert not found.is_valid
        again = read_number(algorithm, found.corrected)
        assert again is not None
        assert again.is_valid
