"""The median time to a decision, from the log of events."""

import pytest
from flask import Flask

from app.store.database import read_transaction
from app.store.requests.decision_times import median_days_to_decision
from app.workflow.reviews import Verdict
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.web.visitor import Visitor


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    return factories.cast(clock())


def median() -> int | None:
    with read_transaction():
        return median_days_to_decision()


def approve(number: int, people: Cast, clock: Clock) -> None:
    for expert in (people.expert, people.second_expert):
        factories.review(number, expert, Verdict.APPROVE, clock())


def test_without_decisions_there_is_no_figure_and_no_sentence(
    app: Flask, people: Cast, clock: Clock
) -> None:
    factories.in_review(people, clock())
    assert median() is None
    assert "Median time" not in Visitor(app).get("/requests/").words


def test_time_runs_from_the_first_submission_to_the_first_decision(
    app: Flask, people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock.on(days=3), namespace_identifier="wombat")
    factories.review(number, people.expert, Verdict.RETURN, clock.on(days=2))
    factories.change_text(number, people.registrant, clock(), purpose="Better.")
    factories.act(number, Action.RESUBMIT, people.registrant, clock.on(days=1))
    clock.on(days=1)
    approve(number, people, clock)
    assert median() == 4
    factories.act(
        number, Action.REGISTER, people.operator, clock.on(days=40), reference=factories.REFERENCE
    )
    assert median() == 4, "registration follows the decision"
    words = Visitor(app).get("/requests/").words
    assert "Median time to decision: 4 days" in words


def test_the_figure_is_the_middle_of_all_decisions(people: Cast, clock: Clock) -> None:
    numbers = [
        factories.in_review(people, clock(), namespace_identifier=name)
        for name in ("quoll", "bilby", "numbat")
    ]
    for days, number in zip((1, 2, 20), numbers, strict=True):
        clock.on(days=days)
        approve(number, people, clock)
    assert median() == 3
