"""Reminders: of what is due, gathered, once a week, to those who want them."""

import json

import pytest
from flask import Flask
from sqlalchemy import select

from app.services.mail import mail_desk
from app.services.mail import reminders as reminding
from app.store.database import db, read_transaction
from app.store.tables import Outbox
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.web.stages import NAMES

SETTINGS = reminding.ReminderSettings(base_url="https://r.example", host="r.example")


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def remind(clock: Clock) -> int:
    return reminding.remind(clock(), SETTINGS)


def reminders() -> list[tuple[str, str]]:
    with read_transaction():
        rows = db.session.scalars(select(Outbox).where(Outbox.template == "reminder"))
        return [(row.recipient, json.loads(row.arguments)["rows"]) for row in rows]


def test_what_is_due_is_gathered_into_one_mail_and_nobody_gets_two_in_a_week(
    people: Cast, clock: Clock
) -> None:
    numbers = [
        factories.in_review(people, clock(), namespace_identifier=next(NAMES)) for _ in range(2)
    ]
    assert remind(clock) == 0, "nothing is due yet"
    clock.on(days=26)
    assert remind(clock) == 3
    assert remind(clock) == 0
    by_person = dict(reminders())
    assert all(f"/requests/{number}" in by_person[people.expert.email] for number in numbers)
    assert by_person[people.expert.email].splitlines()[0].startswith("  urn:stage")
    clock.on(days=6)
    assert remind(clock) == 0
    clock.on(days=1)
    assert remind(clock) == 3


def test_operators_hear_of_what_is_to_check_and_who_wants_none_gets_none(
    people: Cast, clock: Clock
) -> None:
    factories.sent(people.registrant, clock(), informal=True)
    mail_desk.choose(factories.command(people.operator, clock()), [])
    clock.on(days=10)
    assert remind(clock) == 1
    ((recipient, rows),) = reminders()
    assert recipient == people.second_operator.email
    assert "an informal number, due 6 September 2026" in rows
