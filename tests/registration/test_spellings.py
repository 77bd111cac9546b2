"""Which spellings are one name: as a form asks, as it is kept, and as people are told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.identifiers.equivalence import (
    Equivalence,
    EquivalenceOperation,
    EquivalenceRule,
    NssSegments,
)
from app.registration.profiles.equivalence_answers import (
    EQUIVALENCE,
    EquivalenceAnswers,
    InvalidNameParts,
    check_declaration,
    declaration_of,
    declared_equivalence,
    equivalence_answers_of,
    equivalence_sentences,
    write_declaration,
)

parts = st.builds(
    lambda a, b: (str(a), f"{a}-{a + b}", f"{a}-")[b % 3], st.integers(1, 40), st.integers(1, 40)
)
where = st.tuples(st.sampled_from(":/.-~"), parts) | st.just(("", ""))
answers = st.builds(
    lambda case, where, dropped, decoded, clause: EquivalenceAnswers(
        ignores_case=case,
        separator=where[0] if case else "",
        parts=where[1] if case else "",
        dropped=" ".join(sorted(set(dropped))),
        decoded=" ".join(sorted(set(decoded))),
        clause=clause if case or dropped or decoded else "",
    ),
    st.booleans(),
    where,
    st.text("-.:_", max_size=3),
    st.text("~!*", max_size=3),
    st.text("ab1.", min_size=1, max_size=9),
)


def declaring(**given: object) -> Equivalence:
    return declaration_of(EquivalenceAnswers(**given))  # type: ignore[arg-type]  # as a form gives them


def findings(equivalence: Equivalence) -> list[str]:
    fields = {EQUIVALENCE: write_declaration(equivalence)}
    return [finding.message for finding in check_declaration(fields)]


@given(answers)
def test_what_is_declared_is_asked_for_again_as_it_was_answered(
    spellings: EquivalenceAnswers,
) -> None:
    declared = declaration_of(spellings)
    kept = declared_equivalence({EQUIVALENCE: write_declaration(declared)})
    assert kept == declared
    assert declaration_of(equivalence_answers_of(kept)) == declared


def test_nothing_is_declared_where_nothing_is_answered() -> None:
    assert declaration_of(EquivalenceAnswers(clause="section 3")) == Equivalence()
    assert write_declaration(Equivalence()) == ""
    assert declared_equivalence({}) == Equivalence()


def test_parts_are_counted_from_one_by_people_and_from_nothing_by_programs() -> None:
    declared = declaring(ignores_case=True, separator=":", parts="1-2", clause="3")
    assert declared.rules == (
        EquivalenceRule(EquivalenceOperation.FOLD_CASE, "3", part=NssSegments(":", 0, 2)),
    )
    rest = declaring(ignores_case=True, separator=":", parts="2-", clause="3")
    assert rest.rules[0].part == NssSegments(":", 1, None)
    assert rest.equivalent("urn:example:a:B", "urn:example:a:b")
    assert not rest.equivalent("urn:example:A:b", "urn:example:a:b")


@pytest.mark.parametrize(("separator", "which"), [(":", ""), ("", "1"), (":", "x"), (":", "0")])
def test_parts_that_cannot_be_told_are_refused(separator: str, which: str) -> None:
    with pytest.raises(InvalidNameParts, match="such as `1` or `1-2`"):
        declaring(ignores_case=True, separator=separator, parts=which, clause="3")


def test_rules_that_may_not_be_declared_are_found() -> None:
    right = {"ignores_case": True, "dropped": "-", "decoded": "~", "clause": "section 3"}
    assert findings(declaring(**right)) == []
    assert "has no clause" in findings(declaring(**right | {"clause": ""}))[0]
    assert "differ in a letter or digit" in findings(declaring(**right | {"dropped": "a"}))[0]
    assert "never appears in an NSS" in findings(declaring(**right | {"decoded": "é"}))[0]


def test_people_are_told_each_rule_in_a_sentence() -> None:
    declared = declaring(
        ignores_case=True, separator=":", parts="2-", dropped="- .", decoded="~", clause="section 3"
    )
    assert [sentence for sentence, _ in equivalence_sentences(declared)] == [
        "Not case-sensitive in part 2 and the rest, separated by `:`.",
        "URNs with and without `-` and `.` are equivalent.",
        "`~` can be percent-encoded or not; the URNs are equivalent.",
    ]
    assert {clause for _, clause in equivalence_sentences(declared)} == {"section 3"}
