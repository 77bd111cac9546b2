"""How long decisions take, from the record of what happened."""

from datetime import date, timedelta

import pytest
from flask import Flask
from sqlalchemy import event

from app.services.requests import decision_durations
from app.services.requests.decision_durations import DECIDING, times_to_decision
from app.store.database import db, read_transaction
from app.workflow.reviews import Verdict
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def told(clock: Clock) -> dict[str, tuple[int, float | None]]:
    """The months in which something was decided."""
    with read_transaction():
        made = times_to_decision(clock())
    assert sum(month.count for month in made.months) == made.whole.count
    return {month.label: (month.count, month.days) for month in made.months if month.count}


def approve(number: int, people: Cast, clock: Clock) -> None:
    for expert in (people.expert, people.second_expert):
        factories.review(number, expert, Verdict.APPROVE, clock())


def test_what_decides_is_what_the_tables_say() -> None:
    assert {
        "approved",
        "declined",
        "registered",
        "directed",
        "completed",
        "refused",
        "upheld",
        "overturned and approved",
    } <= DECIDING
    under_way = {"submitted", "taken", "passed", "returned", "reviewed", "reopened", "appealed"}
    assert DECIDING.isdisjoint(under_way | {"withdrawn", "lapsed", "overturned", "collided"})


def test_nothing_was_decided_yet(people: Cast, clock: Clock) -> None:
    factories.in_review(people, clock())
    assert told(clock) == {}
    with read_transaction():
        made = times_to_decision(clock.on(days=30))
    assert (made.whole.count, made.bars) == (0, ())


def test_the_first_decision_ends_the_time_and_the_sending_begins_it(
    people: Cast, clock: Clock
) -> None:
    factories.draft(people.registrant, clock(), namespace_identifier="bilby")
    number = factories.in_review(people, clock.on(days=3), namespace_identifier="wombat")
    clock.on(days=4)
    approve(number, people, clock)
    assert told(clock) == {"2026-09": (1, 4)}
    factories.act(
        number,
        Action.REGISTER,
        people.operator,
        clock.on(days=40),
        reference=factories.REFERENCE,
    )
    assert told(clock) == {"2026-09": (1, 4)}, "the registration follows the decision"


def test_sending_again_does_not_begin_anew(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    factories.review(number, people.expert, Verdict.RETURN, clock.on(days=2))
    factories.change_text(number, people.registrant, clock(), purpose="Better.")
    factories.act(number, Action.RESUBMIT, people.registrant, clock.on(days=5))
    clock.on(days=1)
    approve(number, people, clock)
    assert told(clock) == {"2026-09": (1, 8)}


def test_a_declined_request_was_decided_and_a_withdrawn_one_was_not(
    people: Cast, clock: Clock
) -> None:
    declined = factories.in_review(people, clock(), namespace_identifier="wombat")
    withdrawn = factories.in_review(people, clock(), namespace_identifier="numbat")
    clock.on(days=6)
    for expert in (people.expert, people.second_expert):
        factories.review(declined, expert, Verdict.DECLINE, clock())
    factories.act(withdrawn, Action.WITHDRAW, people.registrant, clock())
    assert told(clock) == {"2026-09": (1, 6)}


def test_what_was_reopened_counts_once_it_is_decided_again(people: Cast, clock: Clock) -> None:
    number = factories.approved(people, clock.on(days=2))
    factories.act(number, Action.REOPEN, people.operator, clock.on(days=1), reason="New facts.")
    assert told(clock) == {}
    clock.on(days=3)
    approve(number, people, clock)
    assert told(clock) == {"2026-09": (1, 0)}


def test_what_was_decided_before_the_twelve_months_is_left_aside(
    people: Cast, clock: Clock
) -> None:
    number = factories.approved(people, clock())
    clock.now = clock.now.replace(year=2027, month=8, day=31)
    assert told(clock) == {"2026-09": (1, 0)}
    factories.act(number, Action.REGISTER, people.operator, clock(), reference=factories.REFERENCE)
    clock.on(days=1)
    assert told(clock) == {}
    with read_transaction():
        assert times_to_decision(clock()).first == date(2026, 10, 1)


def test_so_many_decisions_are_counted_the_newest_ones(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision_durations, "MOST_COUNTED", 2)
    for days, name in enumerate(("wombat", "numbat", "bilby")):
        number = factories.in_review(people, clock(), namespace_identifier=name)
        clock.on(days=days)
        approve(number, people, clock)
    assert told(clock) == {"2026-09": (2, 1.5)}


def test_it_is_one_query_that_finds_its_events_by_their_index(
    app: Flask, people: Cast, clock: Clock
) -> None:
    factories.approved(people, clock())
    heard: list[tuple[str, object]] = []

    def hear(
        _connection: object, _cursor: object, statement: str, values: object, *_: object
    ) -> None:
        heard.append((statement, values))

    event.listen(db.engine, "before_cursor_execute", hear)
    with read_transaction():
        times_to_decision(clock() + timedelta(days=1))
    event.remove(db.engine, "before_cursor_execute", hear)
    queries = [(asked, values) for asked, values in heard if asked.startswith("SELECT")]
    assert len(queries) == 1
    if db.engine.dialect.name == "sqlite":
        with db.engine.connect() as connection:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {queries[0][0]}", queries[0][1])  # type: ignore[arg-type]  # as they were sent
            steps = " ".join(row[3] for row in plan)
        assert "SEARCH event USING INDEX ix_event_subject_about (subject=? AND about=?)" in steps
        assert "USING INDEX ix_request_state" in steps
