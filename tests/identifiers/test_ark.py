"""Parsing ARKs: The ARK URI scheme sections 3, 4 and 7.1.1, by tables and by name."""

import copy
import pickle
import re
import time
from typing import Any

import pytest

from app.identifiers.ark import (
    ARK,
    INVISIBLE,
    LONGEST,
    NAME_CHARACTERS,
    QUERY_CHARACTERS,
    ArkProfile,
    ark_equivalent,
    parse_ark,
)
from app.identifiers.errors import InvalidARK, InvalidIdentifier
from tests.torture.conftest import WHOLE, rounds

from .ark_recognizer import (
    ARK_UNRESERVED,
    IN_QUERY,
    is_invisible,
    is_private,
    is_ucschar,
    normalize,
    recognize,
)
from .vectors import read_vectors

VALID = read_vectors("ark-valid")
INVALID = read_vectors("ark-invalid")
CODES = {
    "scheme",
    *(f"naan_{fault}" for fault in ("missing", "hyphens", "character", "encoded", "percent")),
    *(
        f"{part}_{fault}"
        for part in ("name", "component", "variant")
        for fault in ("missing", "hyphens", "character", "invisible", "percent")
    ),
    *(
        f"{part}_{fault}"
        for part in ("query", "fragment")
        for fault in ("character", "invisible", "percent")
    ),
    "variant_slash",
    "too_long",
}
SECTIONS = ("The ARK URI scheme section ", "RFC 3986 section 2.1")


def refusal_of(text: str, profile: ArkProfile = ArkProfile.SCHEME) -> InvalidARK:
    with pytest.raises(InvalidARK) as caught:
        parse_ark(text, profile)
    return caught.value


def given(ark: ARK, key: str) -> Any:
    value = getattr(ark, key)
    return [*value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("row", VALID, ids=lambda row: ascii(row["input"]))
def test_an_ark_is_split_into_its_parts_and_normalized(row: dict[str, Any]) -> None:
    ark = parse_ark(row["input"])
    assert {key: given(ark, key) for key in row if key != "input"} == {
        key: value for key, value in row.items() if key != "input"
    }
    assert str(ark) == row["input"]
    assert normalize(row["input"]) == row["normal_form"]


@pytest.mark.parametrize("row", INVALID, ids=lambda row: ascii(row["input"])[:60])
def test_what_is_no_ark_is_refused_with_a_code_and_a_place(row: dict[str, Any]) -> None:
    refusal = refusal_of(row["input"])
    assert (refusal.code, refusal.position) == (row["code"], row["position"])
    assert refusal.text == row["input"]
    assert str(refusal) == refusal.message
    assert refusal.message.isascii()
    assert refusal.message.isprintable()
    assert refusal.message.endswith(".")
    assert refusal.source.startswith(SECTIONS)


def test_the_tables_agree_with_a_reading_by_hand_and_show_every_code() -> None:
    assert all(recognize(row["input"]) is not None for row in VALID)
    refused = [row for row in INVALID if row["code"] != "too_long"]
    assert all(recognize(row["input"]) is None for row in refused)
    assert {row["code"] for row in INVALID} == CODES


def test_every_character_is_let_in_where_rfc_3987_and_section_8_1_say() -> None:
    every = [chr(code) for code in range(0x110000) if WHOLE or _is_tried(code)]
    text = "".join(every)
    assert set(re.findall(f"[{INVISIBLE}]", text)) == {c for c in every if is_invisible(c)} & {
        c for c in every if is_ucschar(c)
    }
    visible = {c for c in every if is_ucschar(c) and not is_invisible(c)}
    assert set(re.findall(f"[{NAME_CHARACTERS}]", text)) == visible | {*ARK_UNRESERVED, "-"}
    in_query = visible | {*IN_QUERY} | {c for c in every if is_private(c)}
    assert set(re.findall(f"[{QUERY_CHARACTERS}]", text)) == in_query


def _is_tried(code: int) -> bool:
    """Every character that is much written, every edge of a block, some of all others."""
    is_edge = code % 0x1000 < 16 or code % 0x1000 >= 0xFF0
    return code < 0x10000 or is_edge or code >> 12 == 0xE0 or code % 64 == 0


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("12345/x", "The ARK URI scheme section 4"),
        ("ark:12345", "The ARK URI scheme section 4"),
        ("ark:12345/-", "The ARK URI scheme section 6"),
        ("ark:12345/a\u202e", "The ARK URI scheme section 8.1"),
        ("ark:12345/%4", "RFC 3986 section 2.1"),
        ("ark:12345/" + "x" * 1_000_000, "The ARK URI scheme section 7.1.1"),
    ],
)
def test_a_refusal_cites_the_rule(text: str, source: str) -> None:
    assert refusal_of(text).source == source


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ark:12345/a:b", "Character 12 is `:`. In the Name, encode it as `%3A`."),
        ("ark:12345/a\n", "Character 12 is a line break. Remove it."),
        ("ark:12345/a\ud800", "Character 12 is U+D800 (half of a surrogate pair). Remove it."),
        (
            "ark:12345/\u202ea",
            "Character 11 is U+202E (RIGHT-TO-LEFT OVERRIDE), which is invisible. Remove it.",
        ),
        (
            "ark:1234\u0435/a",
            (
                "Character 9 is U+0435 (CYRILLIC SMALL LETTER IE). A NAAN has digits and the "
                "letters b to z, except e, i, l, o, u and y. It ends with a slash."
            ),
        ),
    ],
)
def test_a_message_names_the_character_and_what_to_do(text: str, message: str) -> None:
    assert refusal_of(text).message == message


def test_a_refusal_is_a_value_error_and_survives_pickling() -> None:
    refusal = refusal_of("ark:12345")
    assert isinstance(refusal, ValueError)
    twin = pickle.loads(pickle.dumps(refusal))
    assert isinstance(twin, InvalidARK)
    assert isinstance(twin, InvalidIdentifier)
    assert vars(twin) == vars(refusal)


def test_containers_are_implied_by_the_components() -> None:
    ark = parse_ark("ark:12345/ax20315/edition1/chapter5.pdf?info")
    assert ark.containers == ("ark:12345/ax20315", "ark:12345/ax20315/edition1")
    assert parse_ark("ark:12345/ax20315.en").containers == ()
    # What comes of a slash after a shoulder.
    assert parse_ark("ark:/12345/x5/wf6789").containers == ("ark:/12345/x5",)


def test_the_base_name_and_the_basic_ark_are_the_text_as_given() -> None:
    ark = parse_ark("ARK:/12-345/x5wf6789/c2/s4.pdf?info#top")
    assert ark.base_name == "ARK:/12-345/x5wf6789"
    assert ark.basic_ark == "ARK:/12-345/x5wf6789/c2/s4.pdf"


@pytest.mark.parametrize(
    ("name", "shoulder"),
    [
        ("x5wf6789", "x5"),
        ("X5wf", None),
        ("p987654", "p9"),
        ("fk4gt2m", "fk4"),
        ("w66d60p2", "w6"),
        ("-x-5wf", "x5"),
        ("%785wf", "x5"),
        ("x5", "x5"),
        ("x5/c2", "x5"),
        ("437719", None),
        ("ax20315", None),
        ("xw", None),
        ("xw/5", None),
    ],
)
def test_a_shoulder_ends_at_the_first_digit(name: str, shoulder: str | None) -> None:
    assert parse_ark(f"ark:/12345/{name}").shoulder == shoulder


def test_an_ark_is_cited_by_a_url_and_shown_in_short() -> None:
    ark = parse_ark("ark:/99166/w66d-60p2")
    assert ark.cite() == ("https://n2t.net/ark:99166/w66d60p2", "ark:99166/w66d60p2")
    assert ark.cite("https://ark.example/")[0] == "https://ark.example/ark:99166/w66d60p2"


@pytest.mark.parametrize(
    ("a", "b", "equivalent"),
    [
        ("ark:12345/c3700931", "ark:/12-345/c37-009-31--", True),
        ("ark:12345/x5wf6789", "ark:/12345/x5-wf-6789", True),
        ("ark:12345/ax20315.en.svg", "ARK:/12345/ax20315.svg.en", True),
        ("ark:12345/4бф3х1", "ark:12345/4%d0%b1%D1%843%D1%851", True),
        ("ark:12345/x", "ark:12345/X", False),
        ("ark:12345/x", "ark:12345/x?", False),
        ("ark:12345/x.pdf", "ark:12345/x.html", False),
    ],
)
def test_equivalent_arks_have_one_normal_form(a: str, b: str, equivalent: bool) -> None:
    assert ark_equivalent(a, b) is equivalent
    assert ark_equivalent(parse_ark(a), parse_ark(b)) is equivalent


def test_what_is_no_ark_is_not_compared() -> None:
    with pytest.raises(InvalidARK) as caught:
        ark_equivalent("ark:12345/x", "12345/x")
    assert caught.value.text == "12345/x"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("ark:/12345/x-5/", "ark:12345/x5"),
        ("ark:12345/x5.", "ark:12345/x5"),
        ("ark:12345/x5/c2.pdf./.?info", "ark:12345/x5/c2.pdf"),
        ("ark:12345/x5/#top", "ark:12345/x5"),
        ("ark:12345/x5.svg.en", "ark:12345/x5.svg.en"),
        ("ARK:/12345/x5?a#b", "ark:12345/x5"),
    ],
)
def test_kunzes_rules_trim_the_end_and_leave_variants_in_order(text: str, form: str) -> None:
    ark = parse_ark(text, ArkProfile.ARKSPEC)
    assert str(ark) == text
    assert ark.arkspec_form == form
    assert ark_equivalent(text, form, ArkProfile.ARKSPEC)
    assert "/?" not in ark.normal_form


def test_kunzes_rules_differ_from_the_schemes_where_they_say() -> None:
    for a, b in (("ark:1/x?info", "ark:1/x"), ("ark:1/x#f", "ark:1/x")):
        assert ark_equivalent(a, b, ArkProfile.ARKSPEC)
        assert not ark_equivalent(a, b)
    assert ark_equivalent("ark:1/x.b.a", "ark:1/x.a.b")
    assert not ark_equivalent("ark:1/x.b.a", "ark:1/x.a.b", ArkProfile.ARKSPEC)
    assert refusal_of("ark:1/x/").code == "component_missing"


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("ark:1/", "name_missing", 6),
        ("ark:1//.", "name_missing", 6),
        ("ark:1/x//y/", "component_missing", 8),
        ("ark:1/x/?[", "query_character", 9),
    ],
)
def test_kunzes_rules_refuse_what_is_wrong_before_the_end(
    text: str, code: str, position: int
) -> None:
    refusal = refusal_of(text, ArkProfile.ARKSPEC)
    assert (refusal.code, refusal.position) == (code, position)


def _of_length(length: int, character: str = "x", begun: str = "ark:12345/") -> str:
    return begun + character * (length - len(begun))


@pytest.mark.parametrize(
    "text",
    [
        _of_length(255),
        _of_length(255, "-") + "x",
        _of_length(255, "\U0001f600"),
        _of_length(255, "%F0%9F%98%80" * 2),
        parse_ark(_of_length(255, "\U0001f600")).normal_form,
        _of_length(255, "?", "ark:12345/x?"),
        *(
            basic + inflection + "#" + "f" * 1_000_000
            for basic in (_of_length(255), parse_ark(_of_length(255, "\U0001f600")).normal_form)
            for inflection in ("", "?", "??", "?info")
        ),
        _of_length(LONGEST),
    ],
    ids=len,
)
def test_nothing_is_refused_that_section_7_1_1_protects(text: str) -> None:
    assert str(parse_ark(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        _of_length(LONGEST + 1),
        "ark:12345/x?" + "q" * LONGEST,
        "ark:12345/x?other#" + "f" * LONGEST,
    ],
)
def test_what_nothing_protects_is_refused_at_the_length_that_is_read(text: str) -> None:
    refusal = refusal_of(text)
    assert (refusal.code, refusal.position) == ("too_long", LONGEST)


def test_equality_and_hash_go_by_the_text() -> None:
    a, b = parse_ark("ark:1/x"), ARK("ark:1/x")
    assert a == b
    assert hash(a) == hash(b)
    assert a != parse_ark("ark:/1/x")
    assert a != "ark:1/x"
    assert repr(a) == "ARK('ark:1/x')"


def test_an_ark_cannot_be_changed_or_extended() -> None:
    ark = parse_ark("ark:1/x")
    for name in ("naan", "name", "normal_form", "note"):
        with pytest.raises(AttributeError):
            setattr(ark, name, "b")
    assert not hasattr(ark, "__dict__")


@pytest.mark.parametrize("text", ["ark:1/x.b.a?c#d", "ark:1/x/?c"])
def test_a_copy_and_a_pickle_are_the_same_ark(text: str) -> None:
    ark = parse_ark(text, ArkProfile.ARKSPEC)
    assert copy.copy(ark) == copy.deepcopy(ark) == pickle.loads(pickle.dumps(ark)) == ark
    assert pickle.loads(pickle.dumps(ark)).query == "c"


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "-",
        "%2D",
        "%41",
        "%4",
        "/a",
        ".a",
        "/",
        ".",
        "/-",
        "?",
        "#",
        ":",
        "/ark:",
        "é",
        "\u202e",
    ],
)
@pytest.mark.parametrize(
    "start", ["", "ark:", "ark:1/", "ark:1/a", "ark:1/a.b", "ark:1/a?", "ark:1/a#"]
)
@pytest.mark.parametrize("end", ["", "!"])
def test_no_text_takes_more_than_one_pass(start: str, piece: str, end: str) -> None:
    text = start + piece * (rounds(1_000_000, 100_000) // len(piece)) + end
    began = time.process_time()
    try:
        assert str(parse_ark(text)) == text
    except InvalidARK as refusal:
        assert refusal.position is not None
        assert len(refusal.message) < 200
    assert time.process_time() - began < 10, "ten times what 1 MB may take"
