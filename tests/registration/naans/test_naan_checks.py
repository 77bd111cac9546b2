"""Dirt in records, each kind with its code; policies and kinds of organization in words."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from app.registration.naans.naan_checks import check_naan_records, web_host
from app.registration.naans.naan_records import NaanFile, NaanRow, name_key
from app.registration.naans.policy_wording import (
    PolicyStatement,
    kind_in_words,
    policy_in_words,
    policy_statements,
)
from tests.registration.naans.made_records import LIBRARY, RECORDS, SHOULDER
from tests.torture.conftest import rounds

CLEAN = (LIBRARY, replace(SHOULDER, where="http://rare.example", policy="NR"))

# A fact of a NAAN that is dirty, and the code that it is told by.
OF_NAANS: tuple[tuple[str, Any, str], ...] = (
    ("where", "N/A", "where_missing"),
    ("where", "", "where_missing"),
    ("where", "http//cams.example", "where_scheme"),
    ("where", "http:/cams.example", "where_scheme"),
    ("where", "cams.example", "where_no_scheme"),
    ("where", "ftp://cams.example", "where_scheme"),
    ("where", "https://b.example@cams.example", "where_user"),
    ("where", "https://cams.example/\u202e", "where_character"),
    ("where", "303 http://cams.example", "where_status"),
    ("where", "https:///cams.example", "where_no_host"),
    ("where", "https://TRP/cams.example", "where_host"),
    ("where", "https://bibliothèque.example", "where_host_not_ascii"),
    ("where", "https://cams.example/ark:$id", "where_template"),
    ("where", "https://[cams", "where_no_host"),
    ("target", "", "target_missing"),
    ("target", "https:///cams.example/${content}", "target_no_host"),
    ("target", "cams.example/${content}", "target_scheme"),
    ("target", "javascript:alert(${pid})", "target_scheme"),
    ("target", "https://cams.example/", "target_fixed"),
    ("target", "https://cams.example/${pid}${arkpid}", "target_variable"),
    ("target", "https://n2t.net/ark:/${content}", "target_circle"),
    ("target", "https://LEGACY.N2T.net:443/ark:/${content}", "target_circle"),
    ("target", "http://arks.org./${content}", "target_circle"),
    ("target", "https://cams.example/{+content,arkpid:3}", "target_variable"),
    ("when", "2001-02-31T00:00:00+00:00", "day_unreadable"),
    ("when", "0001-01-01T00:00:00+14:00", "day_unreadable"),
    ("when", "1970-01-01T00:00:00+00:00", "day_unknown"),
    ("when", "2002.07.12", "day_unreadable"),
    ("kind", "XX", "kind_unknown"),
    ("policy", "NR, XY", "policy_unknown"),
    ("naan", "2468", "naan_form"),
    ("naan", "a2468", "naan_form"),
    ("naan", "24680x", "naan_form"),
)


def test_clean_records_are_not_told_of() -> None:
    other = replace(LIBRARY, naan="b7272", where="http://library.example/n2t.net")
    targets = ("http://n2t.library.example/${value}?of=${prefix}", "https://a.example/{+content}")
    assert check_naan_records(CLEAN) == ()
    for target in (*targets, "https://a.example/{prefix}{/value*}{?suffix:3}"):
        assert check_naan_records([replace(other, target=target)]) == ()


@pytest.mark.parametrize(("fact", "value", "code"), OF_NAANS)
def test_each_dirty_fact_is_told_once_with_its_place(fact: str, value: Any, code: str) -> None:
    dirty: dict[str, Any] = {fact: value}
    found = check_naan_records([replace(LIBRARY, **dirty)])
    assert [one.code for one in found] == [code]
    assert found[0].message.endswith(".")
    assert found[0].message.isprintable()
    assert found[0].source
    assert found[0].place.startswith("/") or fact == "naan"


# Shoulders under one NAAN, and what is told of them.
OF_SHOULDERS: tuple[tuple[list[str], list[tuple[str, str]]], ...] = (
    (["x5", "x6", "fk4"], []),
    (["x"], [("24680/x", "shoulder_convention")]),
    (["5"], [("24680/5", "shoulder_convention")]),
    (["a1"], [("24680/a1", "shoulder_convention")]),
    (["x55"], [("24680/x55", "shoulder_convention")]),
    (["x5", "x5/"], [("24680/x5/", "shoulder_convention"), ("24680/x5/", "shoulder_prefix")]),
    (["bn1", "bn"], [("24680/bn1", "shoulder_prefix"), ("24680/bn", "shoulder_convention")]),
)


@pytest.mark.parametrize(("shoulders", "told"), OF_SHOULDERS)
def test_shoulders_are_held_against_the_convention_and_each_other(
    shoulders: list[str], told: list[tuple[str, str]]
) -> None:
    records = [replace(CLEAN[1], shoulder=shoulder) for shoulder in shoulders]
    other = replace(CLEAN[1], naan="13579", shoulder="b1")  # under another NAAN: no conflict
    found = check_naan_records([LIBRARY, replace(LIBRARY, naan="13579"), other, *records])
    assert [(one.name, one.code) for one in found] == told


def test_a_shoulder_without_a_policy_or_without_its_naan_is_told() -> None:
    for policy in ("", "(:unkn) unknown", "(:unkn)", "  "):
        found = check_naan_records([replace(CLEAN[1], policy=policy)])
        assert [one.code for one in found] == ["shoulder_policy", "shoulder_orphan"]


def test_the_dirt_of_the_newest_state_is_all_told(
    naan_states: list[tuple[bytes, NaanFile]],
) -> None:
    counted = Counter(one.code for one in check_naan_records(naan_states[-1][1].records))
    assert counted == {
        "shoulder_policy": 322,
        "where_no_scheme": 33,
        "shoulder_convention": 23,
        "target_circle": 9,
        "where_template": 6,
        "day_unknown": 6,
        "where_missing": 2,
        "target_no_host": 2,
        "where_scheme": 1,
        "where_host": 1,
        "target_host": 2,
        "where_status": 1,
    }


@settings(max_examples=rounds(60, 20), deadline=None)
@given(RECORDS)
def test_whatever_is_on_file_a_check_ends_in_sentences(records: list[NaanRow]) -> None:
    for one in check_naan_records(records):
        assert one.message.isprintable()
        assert name_key(one.name) in {name_key(record.name) for record in records}


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("303 http://A.Example:80/b", "a.example"),
        ("a.example/b", "a.example"),
        ("http//a.example", "a.example"),
        ("https:///a.example", ""),
        ("N/A", "n"),
        ("https://user@a.example/${pid}", "a.example"),
        ("http://[::1", ""),
        ("", ""),
    ],
)
def test_the_host_of_an_address_on_file_is_found_as_far_as_it_has_one(
    address: str, host: str
) -> None:
    assert web_host(address) == host


def test_a_policy_is_told_in_words_a_sentence_for_each_statement() -> None:
    assert policy_statements("NR, OP,CC") == tuple(PolicyStatement)
    sentences = [policy_in_words(code) for code in PolicyStatement]
    assert policy_in_words("CC NR OP") == tuple(one for (one,) in sentences)
    assert len(set(sentences)) == 3
    nothing = policy_in_words("(:unkn) unknown")
    assert nothing == policy_in_words("") == policy_in_words("(:unkn)")
    assert "No policy" in nothing[0]
    assert policy_in_words("NR, Z\u202eZ")[1].isprintable()


@pytest.mark.parametrize(
    ("when", "day"),
    [
        ("2001-03-08T00:00:00+00:00", "2001-03-08"),
        ("2001-03-08T23:30:00.5-02:00", "2001-03-09"),
        ("2001-03-08T23:30:00Z", "2001-03-08"),
        ("1970-01-01T00:00:00+00:00", ""),
        ("2001-03-08", ""),
        ("9999-12-31T23:59:59-14:00", ""),
        ("", ""),
    ],
)
def test_the_day_of_a_record_is_told_where_it_is_known(when: str, day: str) -> None:
    assert replace(LIBRARY, when=when).day == day


def test_the_kind_of_an_organization_is_told_in_words() -> None:
    kinds = [kind_in_words(replace(LIBRARY, kind=kind)) for kind in ("NP", "FP", "", "np")]
    assert [kind.split()[1] for kind in kinds[:2]] == ["not-for-profit", "for-profit"]
    assert "undeclared" in kinds[2] == kinds[3]
