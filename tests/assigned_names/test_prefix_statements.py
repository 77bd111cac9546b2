"""What is said of a prefix, as a document and back."""

import pytest

from app.assigned_names.prefix_statements import (
    PrefixStatement,
    prefix_statement_from,
    prefix_statement_to,
)

PREFIX = "ark:12345/x5"


@pytest.mark.parametrize(
    ("said", "document"),
    [
        (PrefixStatement(PREFIX, "Given once.", "Kept."), {"policy", "persistence"}),
        (PrefixStatement(PREFIX, policy="Given once."), {"policy"}),
        (PrefixStatement(PREFIX, persistence="Kept."), {"persistence"}),
        (PrefixStatement(PREFIX), set()),
    ],
)
def test_a_document_has_what_is_said_and_nothing_that_is_empty(
    said: PrefixStatement, document: set[str]
) -> None:
    assert prefix_statement_to(said).keys() == document
    assert prefix_statement_from(PREFIX, prefix_statement_to(said)) == said


@pytest.mark.parametrize("wrong", [None, 1, True, ["Kept."], {"en": "Kept."}])
@pytest.mark.parametrize("member", ["policy", "persistence"])
def test_what_is_no_text_is_left_out(member: str, wrong: object) -> None:
    document = {"policy": "Given once.", "persistence": "Kept.", member: wrong}
    said = prefix_statement_from(PREFIX, document)
    assert said.policy == ("" if member == "policy" else "Given once.")
    assert said.persistence == ("" if member == "persistence" else "Kept.")
