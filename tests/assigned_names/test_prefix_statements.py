"""What is said of a prefix, as a document and back."""

import pytest

from app.assigned_names.bound_names import (
    PrefixStatement,
    prefix_statement_from,
    prefix_statement_to,
)

PREFIX = "ark:12345/x5"
WHOLE = {
    "holder": "Baltic Port Authority",
    "policy": "Given once.",
    "persistence": "Kept.",
    "ended": "2026-11-27",
}


@pytest.mark.parametrize(
    "members", [tuple(WHOLE), ("policy", "persistence"), *((one,) for one in WHOLE), ()]
)
def test_a_document_has_what_is_said_and_nothing_that_is_empty(members: tuple[str, ...]) -> None:
    document = {member: WHOLE[member] for member in members}
    said = PrefixStatement(prefix=PREFIX, **document)
    assert prefix_statement_to(said) == document
    assert list(prefix_statement_to(said)) == list(document)
    assert prefix_statement_from(PREFIX, document) == said


@pytest.mark.parametrize("wrong", [None, 1, True, ["Kept."], {"en": "Kept."}])
@pytest.mark.parametrize("member", WHOLE)
def test_what_is_no_text_is_left_out(member: str, wrong: object) -> None:
    said = prefix_statement_from(PREFIX, {**WHOLE, member: wrong})
    assert prefix_statement_to(said) == {one: text for one, text in WHOLE.items() if one != member}


@pytest.mark.parametrize("day", ["soon", "2026-02-30", "2026-11-27T00:00:00Z", " 2026-11-27"])
def test_a_prefix_that_ended_on_what_is_no_day_is_told_without_its_end(day: str) -> None:
    assert prefix_statement_from(PREFIX, {**WHOLE, "ended": day}).ended == ""


def test_what_newer_software_says_besides_is_left_out() -> None:
    said = prefix_statement_from(PREFIX, {**WHOLE, "telephone": "1"})
    assert prefix_statement_to(said) == WHOLE
