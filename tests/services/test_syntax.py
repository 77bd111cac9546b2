"""The study of a text that somebody asks for, with the rules of equivalence that it declares."""

import json

import pytest

from app.grammar.analysis.study import Study
from app.outside import template_study
from app.registration.profiles.equivalence_answers import EQUIVALENCE
from app.services.requests.syntax_studies import grammar_of, grammar_source
from tests.grammar.studies import study


def study_of(fields: dict[str, str], nid: str) -> Study:
    given = grammar_source(fields, nid)
    assert given is not None
    return grammar_of(given)


def test_declared_rules_are_shown_at_work_and_wrong_ones_spoil_nothing() -> None:
    fields = {"syntax": 'a = "urn:wombat:" 1*ALPHA\n\nSuch as urn:wombat:abc.'}
    rule = {"do": "fold-case", "clause": "Case makes no difference."}
    found = study_of(fields | {EQUIVALENCE: json.dumps({"rules": [rule]})}, "wombat")
    assert [join.clause for join in found.joins] == ["Case makes no difference."]
    wrong = study_of(
        fields | {EQUIVALENCE: json.dumps({"rules": [rule | {"clause": ""}]})}, "wombat"
    )
    assert (wrong.joins, wrong.too_large) == ((), ())


def test_words_alone_are_studied_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template_study, "study_in_child", lambda *_a, **_n: 1 / 0)
    words = "Ten digits: the first two name the office (01 to 99), the others count."
    assert study_of({"syntax": words}, "wombat") == study(words, "wombat")
