"""Which texts are names and prefixes, in which form they are kept, and how prefixes meet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.assigned_names.name_prefixes import (
    InvalidPrefix,
    NamePrefix,
    read_prefix,
)
from app.assigned_names.name_schemes import LONGEST_NAME, SCHEMES, read_assigned_name, scheme_of
from app.identifiers.errors import InvalidIdentifier
from app.registration.declarations.registries import declared_spaces
from tests.assigned_names.name_strategies import beginnings, prefixes, rests
from tests.identifiers.strategies import AWKWARD


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("ark:/12345/x5-abc", "ark:12345/x5abc"),
        ("ARK:BCDFG/x5Abc", "ark:bcdfg/x5Abc"),
        ("ark:12345/x5é.b.a", "ark:12345/x5%C3%A9.a.b"),
        ("URN:MRN:imo:%c3", "urn:mrn:imo:%C3"),
        ("urn:Example:A/b", "urn:example:A/b"),
    ],
)
def test_a_name_is_kept_in_its_normal_form(text: str, normal: str) -> None:
    assert read_assigned_name(text) == normal == read_assigned_name(normal)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("doi:10.5/x", "scheme"),
        ("", "scheme"),
        ("urn", "scheme"),
        ("ar\u212a:12345/x", "scheme"),
        ("ark:12345/x?info", "query"),
        ("ark:12345/x#a", "query"),
        ("urn:example:a?=b", "component"),
        ("urn:example:a?+b", "component"),
        ("urn:example:a#", "component"),
        ("ark:12345/", "name_missing"),
        ("urn:example:", "nss_missing"),
        ("urn:example:a b", "nss_character"),
        ("ark:12345/x\u200b", "name_invisible"),
        (f"ark:12345/{'x' * LONGEST_NAME}", "too_long"),
        (f"urn:example:{'x' * 1_000_000}", "too_long"),
        (f"ark:12345/{'é' * 400}", "too_long"),
    ],
)
def test_what_is_no_name_is_refused_with_a_reason(text: str, code: str) -> None:
    with pytest.raises(InvalidIdentifier) as refused:
        read_assigned_name(text)
    assert refused.value.code == code
    assert refused.value.message.endswith(".")
    assert refused.value.text == text


def test_schemes_name_spaces_that_are_declared() -> None:
    known = {space.id for space in declared_spaces()} | {""}
    for scheme in SCHEMES.values():
        assert {scheme.space_id, scheme.part_space_id} <= known
        assert scheme_of(f"{scheme.id.upper()}:x") is scheme


@pytest.mark.parametrize(
    ("text", "normal", "registered", "beginning"),
    [
        ("ark:/12345/x5", "ark:12345/x5", "12345", "x5"),
        ("ARK:BCDFG/x-5", "ark:bcdfg/x5", "bcdfg", "x5"),
        ("ark:12345", "ark:12345/", "12345", ""),
        ("ark:/12345", "ark:12345/", "12345", ""),
        ("ark:12345/", "ark:12345/", "12345", ""),
        ("ark:12345/x5/", "ark:12345/x5/", "12345", "x5/"),
        ("urn:example", "urn:example:", "example", ""),
        ("URN:MRN:imo:", "urn:mrn:imo:", "mrn", "imo:"),
        ("urn:mrn:imo:%c3:", "urn:mrn:imo:%C3:", "mrn", "imo:%C3:"),
        ("urn:mrn:a/", "urn:mrn:a/", "mrn", "a/"),
    ],
)
def test_a_prefix_is_kept_in_its_normal_form(
    text: str, normal: str, registered: str, beginning: str
) -> None:
    prefix = read_prefix(text)
    assert (prefix.text, prefix.registered, prefix.beginning) == (normal, registered, beginning)
    assert prefix.shoulder == (beginning if normal.startswith("ark") else "")
    assert read_prefix(normal) == prefix


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "ark:", "ark:/", "urn:", "urn::", "ark://a", "ark:12345/%", "ark:12345/x5%2"),
        *("urn:a:b", "urn:example:a?=b", "ark:12345/x5?", "ark:12345/-", "ark:12345//"),
        *("ark:12345/x5.", "ark:12345/x5.b", "urn:mrn:/", f"urn:mrn:{'a' * 300}", "ark:12345/x 5"),
        *("ark:a/x", "urn:mrn:\udc80"),
    ],
)
def test_what_no_name_begins_with_is_refused(text: str) -> None:
    with pytest.raises(InvalidPrefix) as refused:
        read_prefix(text)
    assert refused.value.text == text
    assert refused.value.code
    assert str(refused.value).endswith(".")


@given(st.text() | st.text(AWKWARD).map("ark:12345/{}".format) | st.text(AWKWARD))
def test_any_text_is_a_prefix_or_refused(text: str) -> None:
    try:
        prefix = read_prefix(text)
    except InvalidPrefix:
        return
    assert read_prefix(prefix.text) == prefix


@given(beginnings, rests)
def test_names_that_begin_with_a_prefix_in_any_spelling_are_under_it(begun: str, rest: str) -> None:
    prefix, name = read_prefix(begun), read_assigned_name(f"{begun}{rest}")
    assert prefix.holds(name)
    assert not prefix.holds(prefix.text)


@given(prefixes, rests, rests)
def test_a_child_lies_within_its_parent_with_all_its_names(
    parent: NamePrefix, between: str, rest: str
) -> None:
    child = read_prefix(f"{parent.text}{between}")
    name = read_assigned_name(f"{child.text}{rest}")
    assert parent.holds(name)
    assert parent.registered == child.registered
    assert child.holds(name)


def test_a_shoulder_that_is_registered_apart_comes_before_its_naan() -> None:
    assert read_prefix("ark:12345/x5q").registrations == (
        ("naan-shoulder", "12345/x5q"),
        ("naan-shoulder", "12345/x5"),
        ("naan-shoulder", "12345/x"),
        ("naan", "12345"),
    )
    assert read_prefix("ark:12345").registrations == (("naan", "12345"),)
    assert read_prefix("urn:mrn:imo:").registrations == (("nid", "mrn"),)
