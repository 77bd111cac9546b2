"""Parsing URNs: RFC 8141 section 2, by tables and by name."""

import copy
import pickle
import time
from typing import Any

import pytest

from app.identifiers.errors import InvalidIdentifier, InvalidURN
from app.identifiers.urn import URN, explain_refusal, parse_urn

from .recognizer import recognize
from .vectors import read_vectors

VALID = read_vectors("urn-valid")
INVALID = read_vectors("urn-invalid")
CODES = {
    "scheme",
    *(f"nid_{fault}" for fault in ("missing", "too_short", "too_long", "hyphen", "character")),
    *(
        f"{part}_{fault}"
        for part in ("nss", "r_component", "q_component")
        for fault in ("missing", "start", "character", "percent")
    ),
    *(f"f_component_{fault}" for fault in ("character", "percent")),
    "question_mark",
}


@pytest.mark.parametrize("row", VALID, ids=lambda row: row["input"])
def test_a_valid_text_is_split_into_its_parts(row: dict[str, Any]) -> None:
    urn = parse_urn(row["input"])
    assert {key: getattr(urn, key) for key in row if key != "input"} == {
        key: value for key, value in row.items() if key != "input"
    }
    assert str(urn) == row["input"]


@pytest.mark.parametrize("row", INVALID, ids=lambda row: ascii(row["input"]))
def test_an_invalid_text_is_refused_with_a_code_and_a_place(row: dict[str, Any]) -> None:
    with pytest.raises(InvalidURN) as caught:
        parse_urn(row["input"])
    assert (caught.value.code, caught.value.position) == (row["code"], row["position"])


def test_the_tables_agree_with_a_reading_by_hand() -> None:
    assert all(recognize(row["input"]) is not None for row in VALID)
    assert all(recognize(row["input"]) is None for row in INVALID)


def test_the_table_of_invalid_texts_shows_every_code() -> None:
    assert {row["code"] for row in INVALID} == CODES


@pytest.mark.parametrize("row", INVALID, ids=lambda row: ascii(row["input"]))
def test_a_refusal_keeps_the_text_and_is_safe_to_show(row: dict[str, Any]) -> None:
    with pytest.raises(InvalidURN) as caught:
        parse_urn(row["input"])
    refusal = caught.value
    assert refusal.text == row["input"]
    assert str(refusal) == refusal.message
    assert refusal.message.isascii()
    assert refusal.message.isprintable()
    assert refusal.message.endswith(".")
    assert refusal.source.startswith(("RFC 8141 section 2", "RFC 3986 section 2"))


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("example", "RFC 8141 section 2"),
        ("urn:a:b", "RFC 8141 section 2"),
        ("urn:example:a?b", "RFC 8141 section 2"),
        ("urn:example", "RFC 8141 section 2.2"),
        ("urn:example:/", "RFC 8141 section 2.2"),
        ("urn:example:a?+ ", "RFC 8141 section 2.3.1"),
        ("urn:example:a?=", "RFC 8141 section 2.3.2"),
        ("urn:example:a##", "RFC 8141 section 2.3.3"),
        ("urn:example:a#%", "RFC 3986 section 2.1"),
    ],
)
def test_a_refusal_cites_the_rule(text: str, source: str) -> None:
    with pytest.raises(InvalidURN) as caught:
        parse_urn(text)
    assert caught.value.source == source


def test_a_text_without_a_fault_cannot_be_explained_away() -> None:
    with pytest.raises(RuntimeError):
        explain_refusal("urn:example:a?+b?=c#d")


def test_a_refusal_is_a_value_error_and_survives_pickling() -> None:
    with pytest.raises(ValueError) as caught:
        parse_urn("urn:example:a b")
    twin = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(twin, InvalidURN)
    assert isinstance(twin, InvalidIdentifier)
    assert vars(twin) == vars(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("urn:example:a b", "Character 14 is a space. In the NSS, encode it as `%20`."),
        ("urn:example:a\n", "Character 14 is a line break. Remove it."),
        ("urn:example:a\ud800", "Character 14 is U+D800 (half of a surrogate pair). Remove it."),
        (
            "urn:example:а",
            "Character 13 is U+0430 (CYRILLIC SMALL LETTER A). In the NSS, encode it as `%D0%B0`.",
        ),
        ("urn:example:a#b#", "Character 16 is `#`. In the f-component, encode it as `%23`."),
        (
            "urn:example:a?b",
            (
                "Character 14 is `?` without `+` or `=` after it. "
                "Add one of them, or encode it as `%3F`."
            ),
        ),
    ],
)
def test_a_message_names_the_character_and_what_to_do(text: str, message: str) -> None:
    with pytest.raises(InvalidURN) as caught:
        parse_urn(text)
    assert caught.value.message == message


def test_an_empty_f_component_is_there_and_an_absent_one_is_not() -> None:
    assert parse_urn("urn:example:a#").f_component == ""
    assert parse_urn("urn:example:a").f_component is None


def test_equality_and_hash_go_by_the_text() -> None:
    a, b = parse_urn("urn:example:a"), parse_urn("urn:example:a")
    assert a == b
    assert hash(a) == hash(b)
    assert a != parse_urn("URN:example:a")
    assert a != "urn:example:a"
    assert {a, b, parse_urn("urn:example:a#")} == {a, parse_urn("urn:example:a#")}


def test_a_urn_cannot_be_changed_or_extended() -> None:
    urn = parse_urn("urn:example:a")
    for name in ("nid", "nss", "normal_form", "note"):
        with pytest.raises(AttributeError):
            setattr(urn, name, "b")
    assert not hasattr(urn, "__dict__")


def test_there_is_no_way_to_make_a_urn_of_another_text() -> None:
    assert URN("urn:example:a") == parse_urn("urn:example:a")
    with pytest.raises(InvalidURN):
        URN("example")
    with pytest.raises(TypeError):
        URN()  # type: ignore[call-arg]  # the mistake under test


def test_bytes_are_not_a_text() -> None:
    with pytest.raises(TypeError):
        parse_urn(b"urn:example:a")  # type: ignore[arg-type]  # the mistake under test


def test_a_copy_and_a_pickle_are_the_same_urn() -> None:
    urn = parse_urn("urn:example:a?+b?=c#d")
    assert copy.copy(urn) == copy.deepcopy(urn) == pickle.loads(pickle.dumps(urn)) == urn
    assert pickle.loads(pickle.dumps(urn)).r_component == "b"


def test_repr_shows_the_text() -> None:
    assert repr(parse_urn("urn:example:it's")) == """URN("urn:example:it's")"""


def test_the_text_of_a_marked_up_string_comes_back_plain() -> None:
    class Marked(str):
        __slots__ = ()

    assert type(str(parse_urn(Marked("urn:example:a")))) is str


@pytest.mark.parametrize(
    "piece", ["a", "%41", "%4", "?", "?+", "?=", "#", "/", "-", ":", "ab?c", " ", "é", "\ud800"]
)
@pytest.mark.parametrize("start", ["", "urn:", "urn:example:", "urn:example:a?+", "urn:example:a#"])
@pytest.mark.parametrize("end", ["", " ", "%"])
def test_no_text_takes_more_than_one_pass(start: str, piece: str, end: str) -> None:
    text = start + piece * (65_536 // len(piece)) + end
    began = time.process_time()
    try:
        assert str(parse_urn(text)) == text
    except InvalidURN as refusal:
        assert refusal.position is not None
        assert len(refusal.message) < 200
    assert time.process_time() - began < 2, "ten times what 64 KB may take"
