"""What is said of an ARK before it is published."""

import json

import pytest
from hypothesis import given

from app.identifiers.ark import ArkProfile, parse_ark
from app.identifiers.ark_checks import (
    CheckCharacterScope,
    ark_check_report,
    ark_compare_report,
    ark_normal_form_report,
    ark_report,
    check_ark,
    find_check_scope,
    noid_report,
)
from app.identifiers.errors import InvalidARK
from app.identifiers.noid import check_character

from .ark_strategies import arks, awkward_texts, mutated_arks

PRACTICES = ("shared_naan", "shoulder_slash", "upper_case", "word", "date")
SOUND = "ark:13030/xf93gt2q"
BY_NAME = "xf93gt2" + check_character("xf93gt2")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (SOUND, []),
        ("ark:/13-030/xf-93-gt2q/c2.pdf?info", []),
        (f"ark:13030/{BY_NAME}", []),
        ("ark:12345/ax20315", []),
        ("ark:13030/xf93gt3q", ["check_character"]),
        ("ark:13030/x6", ["check_character"]),
        (f"{SOUND}?", ["reserved_inflection"]),
        (f"{SOUND}??", ["reserved_inflection"]),
        ("ark:12345/4бф3х1", ["not_ascii"]),
        ("ark:12345/pаypal", ["mixed_scripts"]),
        ("ark:12345/é1", ["not_ascii"]),
        ("ark:12345/café", ["not_ascii"]),
        ("ark:b2/4бф3х1.en", ["not_ascii"]),
        ("ark:12345/ax/c.pаy", ["mixed_scripts"]),
        (f"{SOUND}?{'q' * 255}", ["long"]),
        (f"{SOUND}/{'é' * 250}", ["long", "not_ascii"]),
    ],
)
def test_an_advisory_asks_for_a_second_look_and_forbids_nothing(
    text: str, codes: list[str]
) -> None:
    report = check_ark(text, has_check=True)
    assert report.valid
    advised = [finding.code for finding in report.advisories if finding.code not in PRACTICES]
    assert advised == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("ark:13030/xf93gt3q", []),
        ("ark:13030/x6", []),
        ("ark:12148/btv1b8449691v/f29", []),
        ("ark:12345/x5wf6789/c2/s4.pdf", ["shared_naan"]),
        ("ark:12345/x5/wf6789/c2/s4.pdf", ["shared_naan", "shoulder_slash"]),
        ("ark:99152/p0", ["shared_naan"]),
        ("ark:99166/w66d60p2", ["shared_naan"]),
        ("ark:1/cd456f9_87", []),
        ("ark:1/141e86dc-d396-4e59-bbc2-4c3bf5326152", []),
        ("ark:1/deadbeefcafe", []),
        ("ark:1/h8k74926g", []),
        ("ark:1/BTV1", ["upper_case"]),
        ("ark:1/metadc107835", ["word"]),
        ("ark:1/Gay_Divorcee_1934_April_1", ["upper_case", "word", "date"]),
        ("ark:1/19340401", ["date"]),
        ("ark:1/x5-1934-04-01", ["date"]),
        ("ark:1/x5/GD/1934", ["shoulder_slash"]),
        ("ark:1/x5wf/Report_1934.pdf", []),
        ("ark:1/x5\u2010wf", ["look_alike_hyphen"]),
        ("ark:1/x5%E2%80%95wf", ["look_alike_hyphen"]),
        ("ark:1/x5%C2%ADwf", ["look_alike_hyphen"]),
        ("ark:1/x5-wf", []),
        ("ark:1/x5%2Dwf", []),
    ],
)
def test_the_advice_of_the_ark_alliance_is_given(text: str, codes: list[str]) -> None:
    report = check_ark(text)
    assert report.valid
    assert [finding.code for finding in report.advisories] == codes


@pytest.mark.parametrize("text", ["ark:99999/fk4", "ARK:/99-999/ax", "ark:%39%39999/x.a"])
def test_the_naan_for_tests_parses_and_is_invalid_to_publish(text: str) -> None:
    assert parse_ark(text).normal_form.startswith("ark:99999/")
    report = check_ark(text)
    assert [finding.code for finding in report.problems] == ["test_naan"]
    assert not report.valid


def test_the_naan_for_examples_is_valid_to_publish() -> None:
    assert check_ark("ark:12345/ax20315").problems == ()
    assert check_ark("ark:12346/ax20315").advisories == ()


def test_a_refused_text_has_its_fault_for_a_problem() -> None:
    report = check_ark("ark:12345/a:b")
    assert (report.ark, report.valid, report.advisories) == (None, False, ())
    assert report.problems[0].code == "name_character"


@pytest.mark.parametrize(
    ("text", "checked"),
    [
        (SOUND, CheckCharacterScope(naan_and_name=True, name=False)),
        ("ARK:/13-030/xf93-gt2q.pdf", CheckCharacterScope(naan_and_name=True, name=False)),
        (f"ark:13030/{BY_NAME}", CheckCharacterScope(naan_and_name=False, name=True)),
        ("ark:13030/xf93gt2r", CheckCharacterScope(naan_and_name=False, name=False)),
        ("ark:13030/Xf93", None),
        ("ark:13030/x%2E", None),
    ],
)
def test_a_check_character_may_be_over_the_naan_and_the_name_or_the_name_alone(
    text: str, checked: CheckCharacterScope | None
) -> None:
    assert find_check_scope(parse_ark(text)) == checked


def test_the_check_character_that_is_missing_is_named() -> None:
    message = check_ark("ark:13030/xf93gt2r", has_check=True).advisories[0].message
    assert "after `13030/xf93gt2` should be `q`" in message


@given(arks)
def test_a_check_character_is_never_a_reason_to_refuse_an_ark(text: str) -> None:
    report = check_ark(text)
    assert report.valid or [finding.code for finding in report.problems] == ["test_naan"]


@given(mutated_arks() | awkward_texts)
def test_every_finding_is_safe_to_show_and_every_report_is_json(text: str) -> None:
    report = check_ark(text)
    for finding in (*report.problems, *report.advisories):
        assert finding.message.isascii()
        assert finding.message.isprintable()
        assert len(finding.message) < 250
    for made in (ark_report(text), ark_check_report(text), noid_report(text)):
        assert json.loads(json.dumps(made)) == made
        assert made["input"] == text


def test_the_report_of_an_ark_gives_its_parts_as_given() -> None:
    assert ark_report("ARK:/12345/x-5/c2.pdf.en?info#top") == {
        "input": "ARK:/12345/x-5/c2.pdf.en?info#top",
        "valid": True,
        "naan": "12345",
        "name": "x-5",
        "components": ["c2"],
        "variants": ["pdf", "en"],
        "inflection": "?info",
        "query": "info",
        "fragment": "top",
        "normal_form": "ark:12345/x5/c2.en.pdf?info#top",
        "error": None,
    }


def test_the_report_of_a_refused_text_gives_the_error_and_no_part() -> None:
    report = ark_report("ark:12345")
    assert report.pop("error") == {
        "code": "name_missing",
        "message": "The Name after the NAAN is missing. Add a slash and a Name, "
        "as in `ark:12345/x`.",
        "position": 9,
        "source": "The ARK URI scheme section 4",
    }
    assert report == {
        "input": "ark:12345",
        "valid": False,
        "naan": None,
        "name": None,
        "components": [],
        "variants": [],
        "inflection": "",
        "query": None,
        "fragment": None,
        "normal_form": None,
    }


def test_where_no_inflection_is_the_report_says_so() -> None:
    assert ark_report("ark:1/x")["inflection"] == ""
    assert ark_report("ark:1/x")["query"] is None
    assert ark_report("ark:1/x?")["inflection"] == "?"


def test_normal_forms_and_comparisons_go_by_the_profile() -> None:
    assert ark_normal_form_report("ark:/1/x.b.a?c") == {
        "input": "ark:/1/x.b.a?c",
        "valid": True,
        "normal_form": "ark:1/x.a.b?c",
        "error": None,
    }
    kunzes = ark_normal_form_report("ark:/1/x.b.a/?c", ArkProfile.ARKSPEC)
    assert kunzes["normal_form"] == "ark:1/x.b.a"
    assert ark_normal_form_report("ark:/1/x/")["normal_form"] is None
    assert ark_compare_report("ark:1/x", "ark:1/x?") == {"equivalent": False}
    assert ark_compare_report("ark:1/x/", "ark:1/x?", ArkProfile.ARKSPEC) == {"equivalent": True}
    with pytest.raises(InvalidARK):
        ark_compare_report("ark:1/x", "x")


def test_the_report_of_a_check_tells_what_the_ark_implies() -> None:
    assert ark_check_report("ark:/13030/xf93gt2q/c2/s4.pdf") == {
        "input": "ark:/13030/xf93gt2q/c2/s4.pdf",
        "valid": True,
        "normal_form": "ark:13030/xf93gt2q/c2/s4.pdf",
        "containers": ["ark:13030/xf93gt2q", "ark:13030/xf93gt2q/c2"],
        "shoulder": "xf9",
        "check_character": {"naan_and_name": True, "name": False},
        "citation": {
            "url": "https://n2t.net/ark:13030/xf93gt2q/c2/s4.pdf",
            "display": "ark:13030/xf93gt2q/c2/s4.pdf",
        },
        "problems": [],
        "advisories": [],
    }
    refused = ark_check_report("ark:1")
    assert (refused["citation"], refused["containers"], refused["valid"]) == (None, [], False)


@pytest.mark.parametrize(
    ("text", "valid", "over", "expected"),
    [
        ("13030/xf93gt2q", True, "naan_and_name", "q"),
        ("ARK:/13030/xf-93gt2q", True, "naan_and_name", "q"),
        (f"13030/{BY_NAME}", True, "name", check_character(f"13030/{BY_NAME}"[:-1])),
        (BY_NAME, True, "name", BY_NAME[-1]),
        ("13030/xf93gt2r", False, None, "q"),
        ("", False, None, None),
        ("x", False, None, None),
    ],
)
def test_the_report_of_a_noid(text: str, valid: bool, over: str | None, expected: str) -> None:
    assert noid_report(text) == {
        "input": text, "valid": valid, "over": over, "expected": expected
    }  # fmt: skip
