"""What is found in what is told of a name, before it is kept."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.name_checks import (
    ELEMENT_LIMIT,
    FIELD_LIMITS,
    check_assigned_name,
)
from app.assigned_names.name_numbering import numbering_of
from app.assigned_names.name_prefixes import read_prefix
from tests.identifiers.strategies import AWKWARD

PREFIX = read_prefix("ark:12345/x5")
NUMBERING = numbering_of(PREFIX, "reedk")
NAME = NUMBERING.nth(0) or ""


def _found(name: str = NAME, **facts: Any) -> set[tuple[str, str]]:
    record = AssignedNameRecord(name=name, **facts)
    found = check_assigned_name(PREFIX, [NUMBERING], record)
    for finding in found:
        assert finding.message.endswith((".", "`."))
        assert finding.message.isprintable()
        assert finding.source
    return {(finding.field, finding.code) for finding in found if finding.refuses}


def test_a_name_with_all_that_can_be_told_of_it_is_kept() -> None:
    elements = (("who", "Käse & Söhne"), ("what", "ספר"), ("dc.title", "Un título"))
    target = "https://www.example.org:8443/a?b=%C3%A9#c"
    assert _found(target=target, elements=elements, redirect=303, persistence="For ever.") == set()
    gone = AssignedNameState.WITHDRAWN
    tombstone = {"reason": "It was a mistake.", "since": "2026-02-28"}
    for successor in ("", "ark:12345/x5other", "urn:mrn:a", "https://www.example.org/"):
        assert _found(state=gone, successor=successor, **tombstone) == set()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ark:12345/x6abc", "outside_prefix"),
        ("ark:12345/x5", "outside_prefix"),
        ("urn:mrn:a", "outside_prefix"),
        ("ark:/12345/x5abc", "normal_form"),
        ("x5abc", "scheme"),
        ("", "scheme"),
        (f"{NAME}?info", "query"),
        (f"{NAME}0", "mask_length"),
        (f"{NAME[:-1]}{'0' if NAME[-1] != '0' else '1'}", "check_character"),
        (f"{NAME[:-2]}b{NAME[-1]}", "mask_character"),
    ],
)
def test_a_name_outside_its_prefix_or_mask_is_refused(name: str, code: str) -> None:
    assert _found(name) == {("name", code)}


def test_a_prefix_without_a_template_takes_any_name_under_it() -> None:
    record = AssignedNameRecord(name="ark:12345/x5whatever_it-is".replace("-", ""))
    assert check_assigned_name(PREFIX, [], record) == []


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("ftp://www.example.org/", "target_scheme"),
        ("javascript:alert(1)", "target_scheme"),
        ("//www.example.org/", "target_scheme"),
        ("www.example.org", "target_scheme"),
        (" https://www.example.org/", "target_scheme"),
        ("https:www.example.org", "target_scheme"),
        ("https://www.example.org/a b", "target_character"),
        ("https://www.example.org\\@a.example/", "target_character"),
        ("https://www.example.org/\r\nSet-Cookie:a", "target_character"),
        ("https://www.example.org/é", "target_character"),
        ("https://www.example.org/%zz", "target_character"),
        ("https://", "target_host"),
        ("https:///a", "target_host"),
        ("https://a:b@www.example.org/", "target_host"),
        ("https://localhost/", "target_host"),
        ("https://printer.local/", "target_host"),
        ("http://127.0.0.1/", "target_host"),
        ("http://10.1.2.3:80/", "target_host"),
        ("http://169.254.169.254/latest", "target_host"),
        ("http://[::1]/", "target_host"),
        ("http://[::ffff:10.0.0.1]/", "target_host"),
        ("http://2130706433/", "target_host"),
        ("https://www.example.org:99999/", "target_host"),
        (f"https://www.example.org/{'a' * 2_048}", "too_long"),
    ],
)
def test_a_target_that_not_everybody_may_be_sent_to_is_refused(target: str, code: str) -> None:
    assert _found(target=target) == {("target", code)}


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("https://www.example.org/a\nb", "Remove it."),
        ("https://bücher.example/", "`xn--bcher-kva.example`"),
        ("https://www.example.org/bücher", "Percent-encode it"),
        ("https://www.example.org/%zz", "`%25`"),
    ],
)
def test_what_an_address_does_not_hold_is_told_with_what_to_do(target: str, told: str) -> None:
    record = AssignedNameRecord(name=NAME, target=target)
    (found,) = check_assigned_name(PREFIX, [NUMBERING], record)
    assert told in found.message


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({"redirect": 301}, ("redirect", "redirect")),
        ({"elements": (("who", "a"),) * (ELEMENT_LIMIT + 1)}, ("elements", "too_many")),
        ({"elements": (("who", "a" * 4_097),)}, ("who", "too_long")),
        ({"elements": (("who", "a\u202eb"),)}, ("who", "unseen_character")),
        ({"elements": (("who", "a\nb"),)}, ("who", "unseen_character")),
        ({"elements": (("who", "a\ud800"),)}, ("who", "unseen_character")),
        ({"elements": (("", "a"),)}, ("elements", "label")),
        ({"elements": (("a:b", "a"),)}, ("elements", "label")),
        ({"elements": (("target", "a"),)}, ("elements", "label_reserved")),
        ({"elements": (("a" * 65, "a"),)}, ("elements", "too_long")),
        ({"persistence": "a" * 2_001}, ("persistence", "too_long")),
        ({"persistence": "a\0"}, ("persistence", "unseen_character")),
    ],
)
def test_a_text_that_is_too_long_or_misleads_is_refused(
    facts: dict[str, Any], found: tuple[str, str]
) -> None:
    assert _found(**facts) == {found}


def test_the_longest_texts_are_kept() -> None:
    value = "a" * FIELD_LIMITS["element"]
    labels = [f"label{at}" for at in range(ELEMENT_LIMIT)]
    target = "https://www.example.org/".ljust(FIELD_LIMITS["target"], "a")
    elements = tuple((label, value) for label in labels)
    assert _found(target=target, elements=elements, persistence="a" * 2_000) == set()


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({"since": "2026-02-30"}, ("since", "day")),
        ({"successor": NAME}, ("successor", "successor")),
        ({"successor": "somewhere"}, ("successor", "successor")),
        ({"successor": "http://10.0.0.1/"}, ("successor", "successor_host")),
    ],
)
def test_a_tombstone_has_a_day_and_leads_somewhere_else(
    facts: dict[str, Any], found: tuple[str, str]
) -> None:
    gone = {"state": AssignedNameState.WITHDRAWN, "reason": "A mistake.", **facts}
    assert _found(**gone) == {found}


@given(st.text(AWKWARD), st.text(AWKWARD + "https://"), st.text(AWKWARD), st.text(AWKWARD))
def test_no_text_is_too_strange_to_be_judged(name: str, target: str, label: str, text: str) -> None:
    _found(
        name,
        target=target,
        elements=((label, text),),
        persistence=text,
        reason=text,
        since=text,
        successor=target,
        state=AssignedNameState.WITHDRAWN,
    )
