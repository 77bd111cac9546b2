"""The study of a text that somebody asks for, with the rules of equivalence that it declares."""

import json

from app.registration.profiles.equivalence_answers import EQUIVALENCE
from app.services.requests.syntax_studies import study_of


def test_declared_rules_are_shown_at_work_and_wrong_ones_spoil_nothing() -> None:
    fields = {"syntax": 'a = "urn:wombat:" 1*ALPHA\n\nSuch as urn:wombat:abc.'}
    rule = {"do": "fold-case", "clause": "Case makes no difference."}
    found = study_of(fields | {EQUIVALENCE: json.dumps({"rules": [rule]})}, "wombat")
    assert found is not None
    assert [join.clause for join in found.joins] == ["Case makes no difference."]
    wrong = study_of(
        fields | {EQUIVALENCE: json.dumps({"rules": [rule | {"clause": ""}]})}, "wombat"
    )
    assert wrong is not None
    assert (wrong.joins, wrong.too_large) == ((), ())
