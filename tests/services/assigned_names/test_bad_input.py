"""Rows that are refused or told: each in words, with its code, and nothing half done."""

import pytest

from app.services.assigned_names import prefixes
from app.services.assigned_names.prefixes import PrefixRules
from app.services.refusals import InvalidInput
from app.store.assigned_names import assigned_name_rows
from tests import factories
from tests.services.assigned_names.conftest import NameDesk, revision

NAME = "ark:10099/z5b"
GOOD = f"{NAME},https://a.example/1\n"
LONG = "x" * 3_000
# what a row says, and the code by which it is refused
ROWS = {
    f'{NAME}1,"https://a.example': "csv",
    f"{NAME}1,https://a.example/,more,cells": "cells",
    f"{NAME}1,ftp://a.example/": "target_scheme",
    f"{NAME}1,javascript:alert(1)": "target_scheme",
    f"{NAME}1,//a.example/": "target_scheme",
    f"{NAME}1,http://127.0.0.1/": "target_host",
    f"{NAME}1,http://[::1]/": "target_host",
    f"{NAME}1,http://10.0.0.7:8080/": "target_host",
    f"{NAME}1,http://169.254.169.254/latest": "target_host",
    f"{NAME}1,http://0x7f.1/": "target_host",
    f"{NAME}1,http://localhost/": "target_host",
    f"{NAME}1,https://me:secret@a.example/": "target_host",
    f"{NAME}1,https://a.example/ b": "target_character",
    f"{NAME}1,https://a.example/{LONG}": "too_long",
    "ark:10098/z5b,https://a.example/": "prefix_unknown",
    "ark:10099/q9,https://a.example/": "prefix_unknown",
    "ark:10099/z5,https://a.example/": "prefix_unknown",
    "doi:10.1/x,https://a.example/": "scheme",
    f"{NAME}1?info,https://a.example/": "query",
    "ark:10099/x5bbbbbbbb,https://a.example/": "mask_length",
    "ark:10099/x5b,https://a.example/": "mask_length",
    ",https://a.example/": "name_missing",
}


@pytest.mark.parametrize(("row", "code"), ROWS.items())
def test_a_bad_row_is_refused_in_words_and_those_beside_it_are_taken(
    desk: NameDesk, row: str, code: str
) -> None:
    desk.add("ark:10099/z5", mask="")
    found = desk.found(f"name,target\n{GOOD}{row}\n")
    assert [(line, one) for line, one, _ in found] == [(3, code)]
    assert found[0][2].endswith(".")
    assert desk.known(NAME).n == 1


def test_what_is_no_file_of_names_is_one_finding(desk: NameDesk) -> None:
    assert [code for _, code, _ in desk.found("\0\1\2", "csv")] == ["heading"]


def test_a_wrong_check_character_is_refused(desk: NameDesk) -> None:
    name = desk.mint()[0]
    wrong = f"{name[:-1]}{'b' if name[-1] != 'b' else 'c'}"
    found = desk.found(f"name,target\n{wrong},https://a.example/\n")
    assert [code for _, code, _ in found] == ["check_character"]


def test_10001_changes_at_once_are_refused_with_the_limit(desk: NameDesk) -> None:
    name = desk.mint()[0]
    with pytest.raises(InvalidInput, match="10,000"):
        desk.change(*[revision(name, target="https://a.example/")] * 10_001)


# ---- names that are one by the rules of their namespace, and names that look alike


def test_of_names_that_a_namespace_holds_equivalent_one_form_is_given(desk: NameDesk) -> None:
    desk.add("urn:isbn:", mask="")
    rows = [
        "urn:isbn:9789510184356,https://a.example/1",
        "urn:isbn:978-951-0-18435-6,https://a.example/2",
        "urn:isbn:951-0-18435-7,https://a.example/3",
    ]
    found = desk.found("\n".join(["name,target", *rows]))
    assert [(line, code) for line, code, _ in found] == [(3, "equivalent"), (4, "equivalent")]
    assert all("`urn:isbn:9789510184356`" in message for _, _, message in found)
    with pytest.raises(InvalidInput, match="9789510184356"):
        desk.change(revision("urn:isbn:978-9510184356", target="https://a.example/"))


def test_a_template_whose_names_have_another_form_is_refused(desk: NameDesk) -> None:
    assert desk.mint(1, prefix=desk.add("urn:isbn:97895118", mask="sequence4+isbn"))
    with pytest.raises(InvalidInput, match="equivalent to"):
        desk.add("urn:isbn:978-95119", mask="sequence4+isbn")


@pytest.mark.parametrize(
    ("there", "alike"),
    [
        *(("doc-o1", "doc-01"), ("DOC7", "doc7"), ("a1", "al"), ("ab", "a-b")),
        *(("doc-001", "doc-OOl"), ("O0O1", "0O0l"), ("Report", "REP0RT"), ("RePort", "report")),
        *(("x-y-z", "xyz"), ("abc", "%D0%B0bc"), ("%D0%B0bc", "abc"), ("ab", "ab%E2%80%8B")),
    ],
)
def test_a_name_that_looks_like_one_that_is_there_is_told_and_given(
    desk: NameDesk, there: str, alike: str
) -> None:
    factories.registered(desk.people, desk.clock())
    desk.add("urn:quokka:", mask="")
    desk.bring_in(f"name,target\nurn:quokka:{there},https://a.example/\n")
    found = desk.found(f"name,target\nurn:quokka:{alike},https://a.example/\n")
    assert [(code, f"urn:quokka:{there}" in message) for _, code, message in found] == [
        ("look_alike", True)
    ]
    assert desk.known(f"urn:quokka:{alike}").n == 1


def test_names_that_hide_others_by_their_number_do_so_in_words(
    desk: NameDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.add("ark:10099/z5", mask="")
    monkeypatch.setattr(assigned_name_rows, "_MOST_ALIKE", 4)
    there = ("oo", "oO", "Oo", "OO", "0o", "o0", "O0", "0O")
    desk.bring_in("\n".join(["name", *(f"{NAME}{signs}" for signs in there)]))
    found = desk.found(f"name\n{NAME}00\n{NAME}2\n{NAME}3\n")
    assert [(line, code) for line, code, _ in found] == [(2, "look_alike"), (3, "look_alike")]
    assert "may be missing" in found[1][2]


@pytest.mark.parametrize("there", ["b12C", "bl2c", "b12%D1%81", "b-12c"])
def test_a_name_of_a_mask_that_looks_like_one_that_is_there_is_told_and_given(
    desk: NameDesk, there: str
) -> None:
    factories.registered(desk.people, desk.clock())
    made = desk.add("urn:quokka:b", mask="")
    desk.bring_in(f"name,target\nurn:quokka:{there},https://a.example/\n")
    prefixes.change_prefix(desk.command(), made, PrefixRules(numbering="rdde"))
    found = desk.found("name,target\nurn:quokka:b12c,https://a.example/\n")
    assert [(line, code) for line, code, _ in found] == [(2, "look_alike")]
    assert f"looks like `urn:quokka:{there}`" in found[0][2]
    assert desk.known("urn:quokka:b12c").n == 1


def test_names_of_one_file_that_look_alike_are_told_both(desk: NameDesk) -> None:
    factories.registered(desk.people, desk.clock())
    desk.add("urn:quokka:", mask="")
    found = desk.found("name,target\nurn:quokka:O-0,\nurn:quokka:00,\nurn:quokka:7,\n")
    assert [(line, code) for line, code, _ in found] == [(2, "look_alike"), (3, "look_alike")]
