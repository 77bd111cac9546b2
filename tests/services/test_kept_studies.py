"""The study of a sent text's grammar: made once by a worker, read by whoever reviews."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from app.grammar.analysis.study import Study
from app.services.registry.base_version import PENDING
from app.services.requests import syntax_studies
from app.services.requests.syntax_studies import (
    GrammarSource,
    grammar_of,
    grammar_source,
    sent_grammar,
    study_one_sent,
)
from app.store.database import read_transaction
from app.store.requests import iteration_rows
from app.store.requests.grammar_studies import find_grammar_study, newest_texts
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock

GRAMMAR = 'nss = 1*DIGIT "/" word\nword = 1*ALPHA\n\nSuch as urn:quokka:12/ab.'
FIELDS = {"syntax": GRAMMAR}


def _studied(given: GrammarSource | None) -> Study:
    assert given is not None
    return grammar_of(given)


def study_of(fields: dict[str, str], nid: str) -> Study:
    return _studied(grammar_source(fields, nid))


def sent_fields(number: int) -> dict[str, str]:
    with read_transaction():
        sent = iteration_rows.find_iteration(number, 1)
    assert sent is not None
    return dict(sent.fields)


def study_of_sent(number: int, nid: str) -> Study:
    fields = sent_fields(number)
    with read_transaction():
        return _studied(sent_grammar(number, 1, fields, nid))


def forget() -> None:
    """Be another process: nothing is in its memory."""
    syntax_studies._kept.cache_clear()
    syntax_studies._tried.cache_clear()
    syntax_studies._LOOKED_AT.clear()


def nobody_studies(patched: pytest.MonkeyPatch) -> None:
    def refuse(*_given: Any, **_named: Any) -> Study:
        raise AssertionError("it was studied again")

    patched.setattr(syntax_studies, "study_fields", refuse)


def test_what_a_worker_found_is_read_whole_by_every_other_process(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = factories.cast(clock())
    number = factories.in_review(people, clock(), **FIELDS)
    made = study_of(sent_fields(number), "quokka")
    assert made.rules
    assert study_one_sent() == 1
    forget()
    nobody_studies(monkeypatch)
    assert study_one_sent() == 0, "another worker makes it again"
    assert study_of_sent(number, "quokka") == made


def test_other_software_studies_anew(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = factories.in_review(factories.cast(clock()), clock(), **FIELDS)
    assert study_one_sent() == 1
    forget()
    monkeypatch.setattr(syntax_studies, "fingerprint", lambda: "newer")
    assert study_one_sent() == 1
    assert study_of_sent(number, "quokka").rules


def test_another_name_is_another_study(app: Flask, clock: Clock) -> None:
    number = factories.in_review(factories.cast(clock()), clock(), **FIELDS)
    study_one_sent()
    other = study_of_sent(number, "wombat")
    assert other.nid == "wombat"


def test_what_was_cut_short_is_not_kept(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = factories.in_review(factories.cast(clock()), clock(), **FIELDS)
    forget()
    whole = study_of(sent_fields(number), "quokka")
    forget()
    with monkeypatch.context() as patched:
        patched.setattr(
            syntax_studies,
            "study_fields",
            lambda *_a, **_n: replace(whole, rules=(), too_large=("Cut.",)),
        )
        study_one_sent()
    forget()
    assert study_of_sent(number, "quokka") == whole


def test_nothing_is_kept_of_a_request_that_ended(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    ended = factories.in_review(people, clock(), **FIELDS)
    assert study_one_sent() == 1
    factories.act(ended, Action.WITHDRAW, people.registrant, clock())
    wombat = {"syntax": GRAMMAR.replace("quokka", "wombat")}
    factories.in_review(people, clock(), namespace_identifier="wombat", **wombat)
    assert study_one_sent() == 1
    with read_transaction():
        assert [number for number, _ in newest_texts(PENDING)] == [ended + 1]
        source = syntax_studies._source_of(sent_fields(ended), "quokka")
        assert source is not None
        assert find_grammar_study(ended, 1, source.digest) == ""
