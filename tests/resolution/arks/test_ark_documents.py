"""What is known of a NAAN is told as being about the NAAN, and no more than its holder declared."""

import json

import pytest

from app.identifiers.errors import InvalidARK
from app.problems.identifier_codes import code_of
from app.resolution.ark_documents import (
    ARK_WORDS,
    ark_headline,
    ark_outcome_to,
    ark_reasons,
    write_erc,
)
from app.resolution.ark_resolver import ArkOutcome, InflectedArk, WithdrawnNaan
from tests.resolution.arks.naans import resolved
from tests.resolution.arks.test_ark_outcomes import HANDED_ON, LED, OTHERWISE, REFUSED

ALL = [*(text for text, *_ in [*LED, *HANDED_ON, *REFUSED]), *(text for text, _ in OTHERWISE)]


def erc(text: str) -> str:
    outcome = resolved(text)
    assert isinstance(outcome, InflectedArk)
    return write_erc(outcome)


def test_an_erc_says_nothing_of_the_thing_and_all_of_its_prefix() -> None:
    told = erc("ark:12345/x5-a?info")
    assert told == (
        "# This resolver knows the holder and the target of this prefix. "
        "For details of the object, ask the holder.\n"
        "\n"
        "erc:\n"
        "who:   (:unav) not known to this resolver\n"
        "what:  (:unav) not known to this resolver\n"
        "when:  (:unav) not known to this resolver\n"
        "where: ark:12345/x5a ; https://project.example/pa/on?info\n"
        "\n"
        "shoulder:\n"
        "who:   A project\n"
        "what:  ark:12345/x5\n"
        "\n"
        "naa:\n"
        "who:   Example Library (=) Bibliothèque (=) EXLIB\n"
        "what:  ark:12345\n"
        "when:  2001-03-08\n"
        "where: https://library.example\n"
        "how:   NR, CC | 2001\n"
        "\n"
        "erc-support:\n"
        "who:   Example Library\n"
        "what:  Identifiers are never reassigned: each refers to the same item indefinitely. "
        "Identifiers have a check character, which detects most copying errors. "
        "Kept: at least ten years.\n"
        "when:  2001\n"
        "where: https://library.example/policy\n"
    )


def test_persistence_is_stated_only_where_it_was_declared() -> None:
    assert "erc-support" not in erc("ark:30000/a?info")
    quiet = json.dumps(ark_outcome_to(resolved("ark:30000/a?info")))
    assert "never reassigned" not in quiet
    assert "declared" not in quiet
    declared = ark_outcome_to(resolved("ark:12345/z?info"))["naan"]["declared"]
    assert [one["code"] for one in declared] == ["policy_nr", "policy_cc", "policy_text"]


def test_a_test_and_a_withdrawn_naan_are_told_in_an_erc() -> None:
    assert "is for tests" in erc("ark:99999/912345_a?info").partition("erc:")[0]
    assert "is withdrawn" in erc("ark:30003/a?info").partition("erc:")[0]


def test_documents_tell_whose_an_ark_is_and_where_it_leads() -> None:
    assert ark_outcome_to(resolved("ark:20003/a?b")) == {
        "outcome": "led",
        "normal_form": "ark:20003/a",
        "query": "b",
        "grounds": [
            {
                "code": "led",
                "message": "A related resource is at https://see.example/20003/a?b.",
                "source": "The ARK URI scheme section 7.1.2",
            }
        ],
        "target": "https://see.example/20003/a?b",
        "redirect": "see other",
        "naan": {
            "prefix": "20003",
            "target": "https://see.example/${content}",
            "http_code": 303,
        },
    }
    refused = ark_outcome_to(resolved("ark:I2345/a"))
    assert (refused["position"], refused["corrected"]) == (4, "ark:12345/a")
    assert ark_outcome_to(resolved("ark:12346/a"))["nearest"] == ["12345"]
    described = ark_outcome_to(resolved("ark:12345/x5a?info"))
    assert (described["shoulder"]["prefix"], described["naan"]["prefix"]) == ("12345/x5", "12345")
    assert described["described_by"] == "https://project.example/pa/on?info"


@pytest.mark.parametrize("text", ALL)
def test_every_outcome_has_words_that_break_nothing(text: str) -> None:
    outcome: ArkOutcome = resolved(text)
    headline, reasons = ark_headline(outcome), list(ark_reasons(outcome))
    assert headline.isprintable()
    assert len(headline) < 200
    assert reasons
    for one in reasons:
        assert one.code
        assert one.message.endswith((".", "?", "`."))
    error = outcome.request.error
    if isinstance(error, InvalidARK):
        assert code_of(error).code == f"ark_{error.code}"
    document = ark_outcome_to(outcome)
    assert json.loads(json.dumps(document)) == document
    assert document["outcome"] == ARK_WORDS[type(outcome)]


def test_who_follows_a_withdrawn_naan_is_told() -> None:
    outcome = resolved("ark:30003/a")
    assert isinstance(outcome, WithdrawnNaan)
    assert "Use `12345` instead." in "".join(one.message for one in ark_reasons(outcome))
