"""Lists of URNs: well-formed is said of the text, a URN only of a registered namespace."""

import json

from hypothesis import given
from hypothesis import strategies as st

from app.identifiers.urn_reports import urn_report
from app.registration.profiles.profile_records import NssPattern
from app.resolution.namespace_rules import NamespaceRules, book_of
from app.resolution.outcome_documents import COLUMNS, check_urns, checked_row, json_line
from tests.identifiers.strategies import AWKWARD, spelled_urns
from tests.published.name_rules import RULES

NUMBERS = NssPattern(expression="[0-9]+", source="Syntax")
REGISTERED = book_of(
    [
        NamespaceRules(name="isbn"),
        NamespaceRules(name="example"),
        NamespaceRules(name="numbers", pattern=NUMBERS),
    ]
)


def test_only_a_registered_namespace_makes_a_urn() -> None:
    known, unknown, broken = check_urns(["urn:ISBN:1", "urn:quokka:1", "urn:isbn:"], REGISTERED)
    assert (known.is_urn, known.registered) == (True, "isbn")
    assert unknown.urn is not None
    assert not unknown.is_urn
    assert broken.urn is None
    assert broken.error is not None
    assert not broken.is_urn


def test_what_its_namespace_cannot_have_is_no_urn() -> None:
    right, wrong = check_urns(["urn:numbers:12", "urn:numbers:nope"], REGISTERED)
    assert (right.is_urn, wrong.is_urn) == (True, False)
    assert wrong.registered == "numbers"
    told = json.loads(json_line(wrong))
    assert (told["urn"], told["possibility"]) == (False, "impossible")
    assert told["why"][0].endswith("(registration of numbers: Syntax)")
    assert told["error"]["source"] == "registration of numbers: Syntax"
    assert told["error"]["message"] in told["why"][0]


def test_a_name_of_a_former_namespace_is_told_that_and_not_that_it_is_possible() -> None:
    for checked in check_urns(["urn:gone:a", "urn:renamed:a"], book_of(RULES)):
        told = json.loads(json_line(checked))
        assert told["urn"] is False
        assert told["error"]["message"] in told["why"][-1]


def test_what_is_equivalent_points_to_the_first_of_its_kind() -> None:
    texts = ["urn:isbn:a%2f", "URN:ISBN:a%2F#x", "urn:isbn:b", "no", "no", "urn:isbn:a%2F?=q"]
    same = [checked.same_as for checked in check_urns(texts, REGISTERED)]
    assert same == [None, 1, None, None, None, 1]


@given(st.lists(st.text(AWKWARD, max_size=20) | spelled_urns().map(lambda urn: urn.text)))
def test_a_line_of_json_says_what_the_columns_and_the_parser_say(texts: list[str]) -> None:
    for checked in check_urns(texts, REGISTERED):
        line = json_line(checked)
        assert line.isascii()
        told = json.loads(line)
        row = json.dumps(dict(zip(COLUMNS, checked_row(checked), strict=True)))
        assert told == json.loads(row), "halves of a surrogate pair that meet become one"
        report = urn_report(checked.text)
        assert told["well_formed"] == report["valid"]
        assert (told["error"] is None) == told["urn"], "what is no URN is told why"
        shared = ["input", "nid", "nss", "normal_form", "rfc2141_valid", "q_component"]
        shared += [] if told["well_formed"] else ["error"]
        assert {key: told[key] for key in shared} == json.loads(
            json.dumps({key: report[key] for key in shared})
        )
