"""Which procedure is whose: every way is reached, and none asks more than it must."""

import pytest

from app.registration.declarations.procedure_choice import (
    COMMUNITY,
    QUESTIONS,
    advice_for,
    next_question,
)
from app.registration.declarations.registries import REGISTRIES, Procedure

EVERY = [[False] * n + [True] for n in range(len(QUESTIONS))] + [[False] * len(QUESTIONS)]


def test_every_procedure_is_somebodys() -> None:
    ways = [advice_for(answers) for answers in EVERY]
    assert {way.procedure for way in ways if way.procedure} == set(Procedure)
    assert ways[-1] == COMMUNITY


@pytest.mark.parametrize("answers", EVERY)
def test_a_way_leads_to_a_request_that_its_registry_takes(answers: list[bool]) -> None:
    way = advice_for(answers)
    assert next_question(answers) is None
    if way.procedure:
        assert way.registry is not None
        assert way.procedure in REGISTRIES[way.registry].procedures


def test_one_is_asked_until_one_says_yes() -> None:
    for n, question in enumerate(QUESTIONS):
        assert next_question([False] * n) is question
        assert next_question([*[False] * n, True]) is None
