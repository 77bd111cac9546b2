"""Rules of equivalence as data: what they join, what they may not say, and that they only join."""

from typing import Any

import pytest

from app.identifiers.equivalence import (
    Equivalence,
    EquivalenceOperation,
    EquivalenceRule,
    InvalidEquivalence,
    NssSegments,
    check_equivalence,
    equivalence_from,
    equivalence_to,
    find_equivalent_spellings,
)
from app.identifiers.errors import InvalidURN
from app.identifiers.urn import urn_equivalent
from tests.grammar.studies import study

CLAUSE = "The letters of the prefix are not case-sensitive."


def only(
    do: EquivalenceOperation, characters: str = "", part: NssSegments | None = None
) -> Equivalence:
    return Equivalence((EquivalenceRule(do, CLAUSE, characters, part),))


PREFIX = NssSegments("-", 0, 1)
DEVICES = Equivalence((EquivalenceRule(EquivalenceOperation.FOLD_CASE, CLAUSE, begins="imei:"),))
CAPITALS = Equivalence((EquivalenceRule(EquivalenceOperation.FOLD_CASE, CLAUSE, is_upper=True),))


@pytest.mark.parametrize(
    ("equivalence", "text", "form"),
    [
        (Equivalence(), "URN:Ex:aB%2f", "urn:ex:aB%2F"),
        (only(EquivalenceOperation.FOLD_CASE), "URN:Ex:aB%2f", "urn:ex:ab%2F"),
        (only(EquivalenceOperation.FOLD_CASE, part=PREFIX), "urn:ex:AB:C-D-E", "urn:ex:ab:c-D-E"),
        (
            only(EquivalenceOperation.FOLD_CASE, part=NssSegments(":", 1, None)),
            "urn:ex:A:B:C",
            "urn:ex:A:b:c",
        ),
        (DEVICES, "urn:ex:IMEI:1;SVN=A", "urn:ex:imei:1;svn=a"),
        (DEVICES, "urn:ex:IMEIS:A", "urn:ex:IMEIS:A"),
        (CAPITALS, "urn:ex:123x%2fa", "urn:ex:123X%2FA"),
        (only(EquivalenceOperation.DROP, "-"), "urn:ex:1234-567X", "urn:ex:1234567X"),
        (only(EquivalenceOperation.DROP, "-"), "urn:ex:-", "urn:ex:-"),
        (only(EquivalenceOperation.DECODE, "~A"), "urn:ex:%7e%41%42", "urn:ex:~A%42"),
        (only(EquivalenceOperation.DECODE, "/"), "urn:ex:%2Fa", "urn:ex:%2Fa"),
    ],
)
def test_the_normal_form_of_a_namespace(equivalence: Equivalence, text: str, form: str) -> None:
    assert equivalence.normal_form(text) == form
    assert equivalence.normal_form(form) == form


@pytest.mark.parametrize(
    ("equivalence", "folds", "whole", "capitals"),
    [
        (only(EquivalenceOperation.FOLD_CASE), True, True, "urn:ex:IMEI:A-B"),
        (
            only(EquivalenceOperation.FOLD_CASE, part=NssSegments("-", 0, 1)),
            True,
            False,
            "urn:ex:IMEI:A-b",
        ),
        (DEVICES, True, False, "urn:ex:IMEI:A-B"),
        (only(EquivalenceOperation.DROP, "-"), False, False, "urn:ex:imei:ab"),
    ],
)
def test_what_is_folded_and_nothing_else_can_be_written_in_capitals(
    equivalence: Equivalence, folds: bool, whole: bool, capitals: str
) -> None:
    assert (equivalence.folds, equivalence.folds_whole) == (folds, whole)
    assert equivalence.in_capitals().normal_form("urn:ex:imei:a-b") == capitals


def test_a_rule_joins_what_section_3_1_keeps_apart() -> None:
    one, other = "urn:ex:1234-567X", "URN:EX:1234567x"
    both = Equivalence(
        (*only(EquivalenceOperation.DROP, "-").rules, *only(EquivalenceOperation.FOLD_CASE).rules)
    )
    assert not urn_equivalent(one, other)
    assert both.equivalent(one, other)
    assert both.clauses(one) == (CLAUSE, CLAUSE)
    assert both.clauses(other) == ()


def test_components_do_not_count() -> None:
    assert only(EquivalenceOperation.FOLD_CASE).equivalent("urn:ex:A?+b#c", "urn:ex:a")


def test_what_is_no_urn_has_no_normal_form() -> None:
    with pytest.raises(InvalidURN):
        only(EquivalenceOperation.FOLD_CASE).normal_form("urn:ex:")


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (EquivalenceRule(EquivalenceOperation.FOLD_CASE, " "), "has no clause"),
        (EquivalenceRule(EquivalenceOperation.FOLD_CASE, CLAUSE, "a"), "takes no characters"),
        (EquivalenceRule(EquivalenceOperation.DROP, CLAUSE), "needs characters"),
        (
            EquivalenceRule(EquivalenceOperation.DROP, CLAUSE, "-", begins="a"),
            "a rule about letter case",
        ),
        (
            EquivalenceRule(EquivalenceOperation.DROP, CLAUSE, "-", is_upper=True),
            "a rule about letter case",
        ),
        (
            EquivalenceRule(EquivalenceOperation.FOLD_CASE, CLAUSE, begins="a%20"),
            "No NSS starts with",
        ),
        (EquivalenceRule(EquivalenceOperation.DROP, CLAUSE, "%"), "never appears"),
        (EquivalenceRule(EquivalenceOperation.DROP, CLAUSE, " "), "never appears"),
        (EquivalenceRule(EquivalenceOperation.DROP, CLAUSE, "a"), "would be equivalent"),
        (EquivalenceRule(EquivalenceOperation.DECODE, CLAUSE, "é"), "never appears"),
        (
            EquivalenceRule(EquivalenceOperation.DECODE, CLAUSE, ":", NssSegments(":")),
            "separates the parts",
        ),
        (
            EquivalenceRule(EquivalenceOperation.FOLD_CASE, CLAUSE, part=NssSegments("::")),
            "one separator character",
        ),
        (
            EquivalenceRule(EquivalenceOperation.FOLD_CASE, CLAUSE, part=NssSegments("a")),
            "separate parts",
        ),
        (
            EquivalenceRule(EquivalenceOperation.FOLD_CASE, CLAUSE, part=NssSegments(":", 2, 1)),
            "Count from 0",
        ),
    ],
)
def test_what_cannot_be_declared_is_told(rule: EquivalenceRule, why: str) -> None:
    found = list(check_equivalence(Equivalence((rule,))))
    assert any(why in sentence for sentence in found)
    with pytest.raises(InvalidEquivalence):
        equivalence_from(equivalence_to(Equivalence((rule,))))


def test_a_declaration_is_kept_as_json() -> None:
    rules = (
        EquivalenceRule(EquivalenceOperation.DROP, CLAUSE, "-."),
        EquivalenceRule(EquivalenceOperation.FOLD_CASE, CLAUSE, part=PREFIX),
        EquivalenceRule(EquivalenceOperation.FOLD_CASE, CLAUSE, begins="imei:", is_upper=True),
    )
    document = equivalence_to(Equivalence(rules))
    assert document["rules"][1] == {
        "do": "fold-case",
        "clause": CLAUSE,
        "part": {"separator": "-", "first": 0, "last": 1},
    }
    assert document["rules"][2]["case"] == "upper"
    assert equivalence_from(document) == Equivalence(rules)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"rules": [{"do": "fold-case"}]},
        {"rules": [{"do": "forget", "clause": "x"}]},
        {"rules": [{"do": "drop", "clause": "x", "characters": 1}]},
        {"rules": [{"do": "fold-case", "clause": "x", "part": {"separator": ":", "first": True}}]},
        {"rules": [{"do": "fold-case", "clause": "x", "part": 7}]},
        {"rules": [{"do": "fold-case", "clause": "x", "begins": 7}]},
        {"rules": [{"do": "fold-case", "clause": "x", "case": "title"}]},
        {"rules": 3},
    ],
)
def test_another_document_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(InvalidEquivalence):
        equivalence_from(document)


@pytest.mark.parametrize(
    ("equivalence", "names"),
    [
        (only(EquivalenceOperation.FOLD_CASE), ["urn:ex:ab"]),
        (only(EquivalenceOperation.FOLD_CASE, part=PREFIX), ["urn:ex:ab-cd"]),
        (only(EquivalenceOperation.DROP, "-"), ["urn:ex:12-34"]),
        (only(EquivalenceOperation.DROP, "-"), ["urn:ex:1234"]),
        (only(EquivalenceOperation.DECODE, "~"), ["urn:ex:a~b"]),
        (only(EquivalenceOperation.DECODE, "~"), ["urn:ex:ab"]),
    ],
)
def test_two_spellings_that_a_rule_makes_equal_are_named(
    equivalence: Equivalence, names: list[str]
) -> None:
    (pair,) = find_equivalent_spellings(equivalence, names)
    assert pair.clause == CLAUSE
    assert not urn_equivalent(pair.one, pair.other)
    assert equivalence.equivalent(pair.one, pair.other)


def test_a_rule_that_joins_nothing_names_nothing() -> None:
    assert not list(
        find_equivalent_spellings(only(EquivalenceOperation.FOLD_CASE), ["urn:ex:12", "no URN"])
    )


def test_the_study_names_spellings_of_its_examples() -> None:
    found = study(
        'name = "urn:ex:" 1*ALPHA\n\nurn:ex:Ab', equivalence=only(EquivalenceOperation.FOLD_CASE)
    )
    assert [(one.one, one.other) for one in found.joins] == [("urn:ex:Ab", "urn:ex:aB")]
