"""A shoulder that is new keeps to the rules; what is on file and breaks them is told, and stays."""

import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.identifiers.noid import BETANUMERIC
from app.registration.declarations.naan_registries import SHOULDERS, NaanProcedure
from app.registration.naans.naan_checks import check_naan_records
from app.registration.naans.naan_names import NaanNameReport
from app.registration.naans.naan_records import NaanFile
from app.registration.naans.shoulder_rules import ShoulderIndex, check_mask
from app.registration.records.registry_records import Submission
from app.registration.submissions.submission_rules import check_submission
from tests.torture.conftest import rounds

# Some as they are on file, with those that break a rule.
TAKEN = (
    *("24680/x5", "24680/bn", "24680/s6.caida", "24680/dsp01", "24680/t", "13579/b1"),
    *("24680/X7", "24680/m-9"),
)


def report_of(name: str) -> NaanNameReport:
    """What the declared registry says of a shoulder beside those that are taken."""
    report = SHOULDERS.check(name, SHOULDERS.space.index(TAKEN, ["24680/v8"]))
    assert isinstance(report, NaanNameReport)
    return report


@pytest.mark.parametrize(
    ("name", "problems", "advisories"),
    [
        ("24680/x6", [], []),
        ("13579/x5", [], []),
        ("13579/bn5", [], []),
        ("b7291/xyz5", ["shoulder-letters"], []),
        ("b7291/xz5", [], []),
        ("24680/x5", ["taken"], []),
        ("24-680/X5", ["taken"], []),
        ("24680/v8", ["reserved"], []),
        ("24680/Z5", ["shoulder-spelling"], []),
        ("24680/z-5", ["shoulder-spelling"], []),
        ("24680", ["no-shoulder"], []),
        ("24680/", ["missing"], []),
        ("2468/x5", ["no-shoulder"], []),
        ("/x5", ["no-shoulder"], []),
        ("", ["no-shoulder"], []),
        ("13579/x5/", ["shoulder-slash"], []),
        ("13579/x5/z6", ["shoulder-slash"], []),
        ("13579/ac3", ["shoulder-letters"], []),
        ("13579/ml3", ["shoulder-letters"], []),
        ("13579/x\u0665", ["shoulder-letters"], []),
        ("13579/\u212a5", ["shoulder-letters"], []),
        ("13579/x5\n", ["shoulder-letters"], []),
        ("13579/x_5", ["shoulder-letters"], []),
        ("13579/5", ["shoulder-digit-first"], []),
        ("13579/bn", ["shoulder-no-digit"], []),
        ("13579/x55", ["shoulder-beyond-digit"], []),
        ("13579/x5b", ["shoulder-beyond-digit"], []),
        ("24680/bn5", ["shoulder-prefix"], []),
        ("24680/s6", ["shoulder-prefix"], []),
        ("24680/dsp0", ["shoulder-prefix"], ["shoulder-zero"]),
        ("24680/tkt4", ["shoulder-prefix"], []),
        ("24680/x55", ["shoulder-beyond-digit", "shoulder-prefix"], []),
        ("24680/x", ["shoulder-no-digit", "shoulder-prefix"], []),
        ("13579/x0", [], ["shoulder-zero"]),
        ("13579/bcdfg5", [], ["shoulder-long"]),
        ("13579/fk4", [], ["shoulder-of-tests"]),
        ("99999/fk4", [], ["shoulder-no-reference"]),
        ("12345/x5", [], ["shoulder-no-reference"]),
        ("99999/924680_", ["shoulder-own-tests"], []),
        ("99999/924680", ["shoulder-own-tests"], []),
    ],
)
def test_a_new_shoulder_is_refused_by_the_rule_that_it_breaks(
    name: str, problems: list[str], advisories: list[str]
) -> None:
    report = report_of(name)
    assert [one.code for one in report.problems] == problems
    assert [one.code for one in report.advisories] == advisories
    for one in (*report.problems, *report.advisories):
        assert one.message.endswith(".")
        assert one.message.isprintable()
        assert one.source


_PIECE = st.text(st.sampled_from("bx5/"), max_size=4)


@settings(max_examples=rounds(200, 40), deadline=None)
@given(st.lists(_PIECE, max_size=6), st.sampled_from(["24680", "13579"]), _PIECE)
def test_a_shoulder_overlaps_those_of_its_naan_of_which_one_begins_the_other(
    others: list[str], naan: str, wanted: str
) -> None:
    names = [f"24680/{one}" for one in others]
    index = ShoulderIndex(names[::2], names)
    met = {
        one
        for one in others
        if one != wanted and (one.startswith(wanted) or wanted.startswith(one))
    }
    expected = {f"24680/{one}" for one in met if wanted and naan == "24680"}
    found = index.find_look_alikes(f"{naan}/{wanted}")
    assert set(found) == expected
    if found:
        codes = [one.code for one in SHOULDERS.check(f"{naan}/{wanted}", index).problems]
        assert "shoulder-prefix" in codes or codes in (["taken"], ["reserved"])


@settings(max_examples=rounds(100, 30), deadline=None)
@given(st.lists(st.text(BETANUMERIC, min_size=1, max_size=3), max_size=30))
def test_of_shoulders_that_were_given_one_by_one_none_begins_another(wanted: list[str]) -> None:
    given_so_far: list[str] = []
    for one in wanted:
        report = SHOULDERS.check(f"24680/{one}", SHOULDERS.space.index(given_so_far, ()))
        if not report.problems:
            given_so_far.append(f"24680/{one}")
    assert not [
        (one, other)
        for one in given_so_far
        for other in given_so_far
        if one != other and one.startswith(other)
    ]


def test_a_request_for_a_shoulder_is_refused_by_its_rules() -> None:
    fields = {"naan_name": "24680/bn5", "organization": "Utopian Library"}
    for mask, told in (("bn5.zed", []), ("x5.zed", [("mask", "mask-prefix", "must")])):
        submission = Submission(registry=SHOULDERS.id, fields=fields | {"mask": mask})
        index = SHOULDERS.space.index(TAKEN, ())
        found = check_submission(submission, NaanProcedure.SHOULDER, index).problems
        assert [
            (one.field, one.code, str(one.severity)) for one in found if one.code != "missing"
        ] == [("naan_name", "shoulder-prefix", "must"), *told]


def test_shoulders_on_file_that_break_a_rule_are_told_and_could_not_be_given_anew(
    naan_states: list[tuple[bytes, NaanFile]],
) -> None:
    newest = naan_states[-1][1]
    told = {
        one.name
        for one in check_naan_records(newest.records)
        if one.code in ("shoulder_convention", "shoulder_prefix")
    }
    names = [one.name for one in newest.shoulders]
    refused = Counter[str]()
    for name in names:
        others = SHOULDERS.space.index([one for one in names if one != name], ())
        report = SHOULDERS.check(name, others)
        assert bool(report.problems) == (name in told), name
        refused.update(one.code for one in report.problems)
    assert len(told) == 23
    assert refused == {
        "shoulder-no-digit": 13,
        "shoulder-letters": 8,
        "shoulder-beyond-digit": 2,
    }


def test_no_text_takes_long() -> None:
    index = SHOULDERS.space.index([f"24680/b{n}" for n in range(50_000)], ())
    began = time.process_time()
    for text in ("24680/" + "b" * 64_000, "24680/" + "b/" * 32_000, "/" * 64_000, "24680/b"):
        assert SHOULDERS.check(text, index).problems
        check_mask(text, text)
        check_mask("r" + "e" * 64_000 + "k", "24680/x5")
    assert time.process_time() - began < 2, "ten times what it may take"


@pytest.mark.parametrize(
    ("mask", "policy", "problems", "advisories"),
    [
        ("", "CC", [], []),
        ("x5.reedeedk", "NR, CC", [], []),
        ("zek", "CC", [], []),
        ("x5.zed", "NR, OP", [], []),
        ("x5reedeedk", "", ["mask-form"], []),
        ("x5.", "", ["mask-form"], []),
        ("${content}", "", ["mask-form"], []),
        ("x5.r" + "e" * 70, "", ["mask-form"], []),
        ("f5.reedeedk", "CC", ["mask-prefix"], []),
        ("x5.zedk", "NR", [], ["mask-undeclared-check"]),
        ("x5.zed", "CC", [], ["mask-no-check"]),
        ("x5.r" + "e" * 19 + "k", "CC", [], []),
        ("x5.r" + "e" * 20 + "k", "CC", [], ["mask-long-check"]),
    ],
)
def test_a_mask_mints_names_of_its_shoulder_as_its_policy_declares_them(
    mask: str, policy: str, problems: list[str], advisories: list[str]
) -> None:
    report = check_mask(mask, "24680/x5", policy)
    assert [one.code for one in report.problems] == problems
    assert [one.code for one in report.advisories] == advisories
    for one in (*report.problems, *report.advisories):
        assert one.message.endswith(".")
        assert one.message.isprintable()


def test_a_mask_is_held_against_no_shoulder_where_none_is_told() -> None:
    assert check_mask("x5.zed", "").problems == ()
