"""What the short fields of a template mean, as people fill them in."""

import pytest

from app.registration.templates.field_values import (
    field_value_diagnostics,
    find_date,
    find_nid,
    find_version,
    fit_for_draft,
    stated_version,
)
from app.registration.templates.template_lint import lint
from app.registration.templates.template_reader import read_template
from app.registration.templates.text_encodings import decode_text
from tests.registration.test_reading import OLDER


@pytest.mark.parametrize(
    ("text", "nid"),
    [
        ("quokka", "quokka"),
        ("GVAT", "GVAT"),
        ("urn:quokka:", "quokka"),
        ("quokka.", "quokka"),
        ("ISBN Requested of IANA.", "ISBN"),
        ('"dev" requested', "dev"),
        ("'3gpp2' requested", "3gpp2"),
        ("`quokka` is requested", "quokka"),
        ("Request is made for a formal assignment: quokka", "quokka"),
        ("quokka (requested of IANA)", "quokka"),
        ("The NID requested is quokka.", "quokka"),
        ("urn-7", "urn-7"),
        ("Requested of IANA", None),
        ("to be assigned by IANA", None),
        ("TBD", None),
        ("", None),
    ],
)
def test_the_name_is_found_among_the_words_around_it(text: str, nid: str | None) -> None:
    assert find_nid(text) == nid


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("1", 1),
        ("1.0", 1),
        ("2 (revision of earlier registration, RFC 9999).", 2),
        ("v3", 3),
        ("Version 4", 4),
        ("none", None),
        ("", None),
    ],
)
def test_the_number_of_a_version_is_found(text: str, version: int | None) -> None:
    assert find_version(text) == version


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2020-04-02", "2020-04-02"),
        ("2020-04-2", "2020-04-02"),
        ("2023-05-01.", "2023-05-01"),
        ("2023/5/1", "2023-05-01"),
        ("5Feb2001", "2001-02-05"),
        ("11 February 2002", "2002-02-11"),
        ("February 11, 2002", "2002-02-11"),
        ("Sept. 3, 2002", "2002-09-03"),
        ("TBD", None),
        ("02/03/01", None),
        ("2020-13-45", None),
        ("31 February 2020", None),
        ("", None),
    ],
)
def test_a_day_is_read_where_it_is_clear(text: str, day: str | None) -> None:
    found = find_date(text)
    assert (found and found.isoformat()) == day


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("Version: 5\n", 5),
        ("Version:\n\n   1\n", 1),
        (OLDER, 2),
        ("Registration version number: 1", 1),
        ("Version 1.0", 1),
        ("The version is 3", None),
        ("Version: none", None),
        ("", None),
    ],
)
def test_the_version_is_the_one_that_a_text_states(text: str, version: int | None) -> None:
    assert stated_version(text) == version


def test_what_is_read_into_a_value_is_told_with_its_line() -> None:
    read = read_template('Namespace ID: "dev" requested\n\nVersion: 1.0\n\nDate: TBD\n')
    assert [
        (odd.line, odd.code, odd.message)
        for odd in field_value_diagnostics(read.fields, read.parts)
    ] == [
        (1, "name-form", '`"dev" requested` was read as the NID `dev`. Write only the NID.'),
        (3, "version-form", "`1.0` was read as version 1. Write only the number."),
        (5, "date-form", "`TBD` is not a date. Write it as YYYY-MM-DD, for example 2026-11-21."),
    ]


@pytest.mark.parametrize("day", ["2020-04-02", "2020-04-02."])
def test_values_of_the_right_form_are_not_odd(day: str) -> None:
    read = read_template(f"Namespace ID: dev\n\nVersion: 1\n\nDate: {day}\n")
    assert field_value_diagnostics(read.fields, read.parts) == ()


@pytest.mark.parametrize(
    ("character", "words"),
    [
        ("\u00ad", "U+00AD (SOFT HYPHEN). Remove it."),
        ("\u200b", "U+200B (ZERO WIDTH SPACE). Remove it."),
        ("\u201d", "U+201D (RIGHT DOUBLE QUOTATION MARK). Remove it."),
        *((chr(code), f"U+{code:04X} (") for code in range(0x2010, 0x2016)),
    ],
)
def test_a_character_of_a_word_processor_in_a_short_field_is_named_in_words(
    character: str, words: str
) -> None:
    text = (
        f"Namespace ID: my{character}name\n\nVersion: x{character}1\n\nDate: 2020{character}04-02\n"
    )
    found = {one.code: one.message for one in lint(decode_text(text.encode()))}
    assert words.partition(".")[0] in found["character"]
    for code in ("version-form", "date-form"):
        assert words in found[code]
    assert not [message for message in found.values() if "\\" in message]


def test_a_draft_takes_the_name_alone() -> None:
    given = {"namespace_identifier": "ISBN Requested of IANA.", "purpose": "Books."}
    assert fit_for_draft(given) == {"namespace_identifier": "ISBN", "purpose": "Books."}
    assert fit_for_draft({"namespace_identifier": "TBD"}) == {}
