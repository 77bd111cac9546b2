"""ARKs by the NAANs and shoulders on file: whose each is, where it leads, or why nowhere."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.registration.naans.naan_records import NaanFile, NaanRow, fold_naan
from app.resolution.ark_documents import ArkJudgement, ark_judgement_to, check_arks, judge_ark
from app.resolution.ark_rules import (
    ArkRedirect,
    ArkRules,
    NaanSnapshot,
    ark_rules_from,
    ark_rules_of,
    ark_rules_to,
    naan_snapshot_of,
)
from app.services.registry.bundled_naans import bundled_naans
from tests.identifiers.ark_strategies import awkward_texts
from tests.registration.naans.made_records import LIBRARY, RECORDS, SHOULDER
from tests.resolution.arks.naans import BOOK

DAY = "2024-11-07"
# A text, whether somebody has its NAAN, what comes of it, where it leads, what is told beside.
ON_FILE = [
    ("ark:/12148/btv1b", True, "led", "http://ark.bnf.fr/ark:/12148/btv1b", ""),
    ("ARK:/12-148/btv-1b?q=1", True, "led", "http://ark.bnf.fr/ark:/12148/btv1b?q=1", ""),
    ("ark:12148/btv1b?info", True, "described", "http://ark.bnf.fr/ark:/12148/btv1b?info", ""),
    ("ark:12148", True, "naan", "", "no_name"),
    ("ark:99166/w6", True, "shoulder", "", "no_name"),
    (
        "ark:99166/w6qx54",
        True,
        "led",
        "http://socialarchive.iath.virginia.edu/ark:/99166/w6qx54",
        "",
    ),
    ("ark:99152/zz9", True, "led", "http://arks.org/ark:/99152/zz9", "target_circle"),
    ("ark:83025/x", True, "no further way", "", "target_host"),
    ("ark:99999/fk4x", True, "led", "https://ezid.cdlib.org/ark:/99999/fk4x", "test_ark"),
    ("ark:99999/912148_x", True, "led", "http://ark.bnf.fr/ark:/99999/912148_x", "test_of"),
    (
        "ark:/61903/1:1:MM",
        True,
        "handed on",
        "https://familysearch.org/ark:/61903/1:1:MM",
        "undeclared",
    ),
    ("ark:12184/x", False, "not registered", "", "nearest"),
    ("ark:9999999999/x", False, "not registered", "", "naan_unknown"),
]
HOSTILE = [
    *("", "\0", "ark:", "ark:/", "ark:12148//", "ark:12148/..", "ark:12148/%00"),
    *("\udce9", "ark:12148/\udce9", "ark:12148/a:\udce9", "ark:12148/a?\udce9", "ark:12148/a\r"),
    *("ark:１２１４８/x", "ark:١٢١٤٨/x", "аrk:12148/x", "ark:12148/a\u202eb"),
    *("ark:12148/" + "-" * 9_000, "ark:" + "1" * 8_000, "ark:12148/%zz", "ark:12148/x?%"),
    *("ark:12184:/x", "https://n2t.net/ark:/12148/x", "ark%3A%2F12148%2Fx"),
]


def judged(text: str) -> ArkJudgement:
    return judge_ark(text, bundled_naans())


@pytest.mark.parametrize(("text", "is_registered", "outcome", "target", "code"), ON_FILE)
def test_an_ark_is_told_as_the_bundled_registry_has_it(
    text: str, is_registered: bool, outcome: str, target: str, code: str
) -> None:
    found = judged(text)
    assert (found.is_registered, found.target) == (is_registered, target)
    assert ark_judgement_to(found)["outcome"] == outcome
    assert not code or code in [ground.code for ground in found.grounds]
    assert all(ground.message.endswith((".", "?")) for ground in found.grounds)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_no_ark_is_told_with_its_fault_and_leads_nowhere(text: str) -> None:
    (told,) = check_arks([text], bundled_naans())
    registry = told["registry"]
    assert (told["registered"], "target" in registry, "naan" in registry) == (False, False, False)
    assert registry["grounds"]
    assert json.loads(json.dumps(told)) == told
    meant = registry.get("corrected")
    assert meant is None or judged(meant).is_registered


@given(st.sampled_from(HOSTILE) | awkward_texts | st.text("ak/:.)(\u2010 x%2é", max_size=9))
def test_a_corrected_ark_is_sound_and_explained_and_needs_no_correction(text: str) -> None:
    for given_ in (text, f"(ark:12148/{text})", f"n2t.net/ark:/12148/{text}"):
        (told,) = check_arks([given_], bundled_naans())
        assert (told["corrected"] is None) == (told["correction"] is None)
        if told["corrected"]:
            (again,) = check_arks([told["corrected"]], bundled_naans())
            assert (again["registered"], again["problems"], again["corrected"]) == (True, [], None)


def test_persistence_is_told_as_declared_and_not_otherwise() -> None:
    quiet = ark_judgement_to(judged("ark:61903/x"))
    assert (quiet["naan"]["declared"], quiet["grounds"][-1]["code"]) == ([], "undeclared")
    told = ark_judgement_to(judged("ark:99166/w6x"))
    assert [one["code"] for one in told["shoulder"]["declared"]] == [
        *("policy_nr", "policy_op", "policy_cc")
    ]
    assert [one["code"] for one in told["naan"]["declared"]] == ["policy_nr", "policy_op"]
    assert "undeclared" not in [one["code"] for one in told["grounds"]]


def test_the_day_of_what_is_on_file_is_told_where_a_naan_is_unknown() -> None:
    assert bundled_naans().day == DAY
    assert f"NAAN `00000` was not registered on {DAY}" in judged("ark:00000/x").grounds[0].message
    assert judge_ark("ark:00000/x", NaanSnapshot(BOOK)).grounds[0].code == "naan_unknown"


def test_a_list_tells_which_are_the_same_and_what_is_withdrawn() -> None:
    texts = ["ark:12345/x", "bark", "ARK:/1-2345/x", "ark:12345/x?info", "ark:30003/a"]
    told = [*check_arks(texts, NaanSnapshot(BOOK, DAY))]
    assert [one["number"] for one in told] == [1, 2, 3, 4, 5]
    assert [one["same_as"] for one in told] == [None, None, 1, None, None]
    assert told[4]["registry"]["outcome"] == "withdrawn"
    assert told[4]["registered"] is False
    own = judge_ark("ark:30002/x", NaanSnapshot(BOOK, DAY), ["site.example:8000"])
    assert (own.target, own.grounds[0].code) == ("", "leads_back")


def test_rules_are_made_of_what_is_on_file() -> None:
    assert ark_rules_of(SHOULDER) == ArkRules(
        prefix="24680/x5",
        holder="Rare Books",
        acronym="RARE",
        where="http://rare.example",
        target="http://rare.example/ark:/${content}",
        redirect=ArkRedirect.SEE_OTHER,
        since="2010-09-01",
        tenure="2010",
    )
    rules = ark_rules_of(LIBRARY)
    assert (rules.policy, rules.policy_text, rules.policy_address) == (
        *(("NR", "OP"), "", "https://library.example/policy"),
    )


@given(RECORDS)
def test_whatever_is_on_file_has_rules_by_which_its_names_are_found(records: list[NaanRow]) -> None:
    for record in records:
        rules = ark_rules_of(record)
        assert ark_rules_from(ark_rules_to(rules)) == rules
        snapshot = naan_snapshot_of(NaanFile(records=(record,)))
        assert snapshot.book.find(rules.prefix) == rules
        assert snapshot.book.longest(f"{rules.prefix}{'' if rules.shoulder else '/'}zz") == rules
        assert rules.naan == fold_naan(record.naan)
