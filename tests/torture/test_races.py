"""Two who decide at one moment, again and again: one wins, one event tells of it.

Nothing makes them meet here but chance; the tests of services arrange it.
"""

from functools import partial
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from app.factory import now
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.operations.edition_verification import verify_database
from app.services.refusals import EditConflict, NameUnavailable
from app.store.database import db, read_transaction
from app.store.editions import edition_rows
from app.store.requests import request_rows
from app.store.tables import Name
from app.workflow.engine import ActionRefused
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.services.racing import kinds, reviewing, sending, split, state_of
from tests.services.test_verifying import silent
from tests.store.at_once import at_once
from tests.torture.conftest import rounds
from tests.web.stages import NAMES

ROUNDS = rounds(200, 3)
MOST_SENT = 200


def one_of(app: Flask, *forms: Any) -> State:
    """Where the one that won led; the others were told."""
    done, refused = split(at_once(app, *forms))
    assert len(done) == 1, refused
    assert all(
        isinstance(error, EditConflict | ActionRefused | NameUnavailable) for error in refused
    ), refused
    state: State = done[0]
    return state


def test_approve_against_decline(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    for _, name in zip(range(ROUNDS), NAMES, strict=False):
        number = factories.in_review(people, clock(), namespace_identifier=name)
        factories.review(number, people.expert, Verdict.APPROVE, clock())
        state = one_of(
            app,
            reviewing(number, people.second_expert, Verdict.APPROVE, clock()),
            reviewing(number, people.leader, Verdict.DECLINE, clock()),
        )
        assert state_of(number) is state
        assert kinds(number)[4:] == ["approved" if state is State.ASSIGNABLE else "declined"]


def test_one_name_by_two_applicants_in_mixed_case(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    for _, name in zip(range(ROUNDS), NAMES, strict=False):
        numbers = [
            factories.assignable(people.registrant, clock(), namespace_identifier=name.upper()),
            factories.assignable(people.rival, clock(), namespace_identifier=name.title()),
        ]
        operators = people.operator, people.second_operator
        given = {"reference": factories.REFERENCE}
        state = one_of(
            app,
            *(
                sending(number, Action.REGISTER, operator, clock(), **given)
                for number, operator in zip(numbers, operators, strict=True)
            ),
        )
        assert state is State.ASSIGNED
        assert sorted(map(state_of, numbers)) == [State.ASSIGNABLE, State.ASSIGNED]
        assert sum(kinds(number).count("registered") for number in numbers) == 1
        with read_transaction():
            held = db.session.scalars(select(Name.id).where(Name.folded == name)).all()
        assert len(held) == 1


def test_register_against_withdraw(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    for _, name in zip(range(ROUNDS), NAMES, strict=False):
        number = factories.assignable(people.registrant, clock(), namespace_identifier=name)
        state = one_of(
            app,
            sending(
                number, Action.REGISTER, people.operator, clock(), reference=factories.REFERENCE
            ),
            sending(number, Action.WITHDRAW, people.registrant, clock()),
        )
        assert state_of(number) is state
        assert kinds(number)[1:] == ["registered" if state is State.ASSIGNED else "withdrawn"]
        with read_transaction():
            held = db.session.scalars(select(Name.id).where(Name.folded == name)).all()
        assert len(held) == (state is State.ASSIGNED)


def send_again_while_busy(form: Any) -> None:
    """Send one form, with its key, until it is taken.

    SQLite has no queue: of many who write one can miss every turn for as long as it waits, on a
    machine that is loaded. Who is told so sends the same form again.
    """
    for _ in range(MOST_SENT):
        try:
            form()
        except OperationalError as error:
            if "database is locked" not in str(error):
                raise
        else:
            return
    raise AssertionError(f"the database was busy {MOST_SENT} times in a row")


@pytest.mark.parametrize("threads", [rounds(16, 4)])
def test_informal_numbers_are_in_sequence(app: Flask, clock: Clock, threads: int) -> None:
    people, each = factories.cast(clock()), rounds(20, 3)
    numbers = [
        factories.assignable(people.registrant, clock(), informal=True)
        for _ in range(threads * each)
    ]
    forms = [
        sending(number, Action.REGISTER, people.operator, clock(), reference=factories.REFERENCE)
        for number in numbers
    ]

    def register(own: list[Any]) -> None:
        for form in own:
            send_again_while_busy(form)

    shares = [forms[n::threads] for n in range(threads)]
    assert at_once(app, *(partial(register, share) for share in shares)) == [None] * threads
    with read_transaction():
        given = [request_rows.find_request(number) for number in numbers]
        names = [request.assigned_name for request in given if request]
    assert sorted(int(str(name)[4:]) for name in names) == list(range(9, 9 + len(numbers)))


def test_editions_of_three_who_register_at_once_are_in_order(app: Flask) -> None:
    # each reads the clock first and comes to the lock by chance
    app.extensions["now"] = now
    people = factories.cast(now())
    for _, names in zip(range(rounds(30, 3)), zip(*[iter(NAMES)] * 3, strict=False), strict=False):
        numbers = [
            factories.assignable(people.registrant, now(), namespace_identifier=name)
            for name in names
        ]
        forms = [
            partial(
                factories.act,
                *(number, Action.REGISTER, people.operator),
                reference=factories.REFERENCE,
            )
            for number in numbers
        ]

        def send(form: Any) -> None:
            form(at=now())

        assert at_once(app, *(partial(send, form) for form in forms)) == [None] * 3
    with read_transaction():
        moments = [edition.as_of for edition in edition_rows.all_editions(URN_GROUP)]
    assert moments == sorted(set(moments))
    assert not [problem for problem in verify_database(silent) if "Edition" in problem]
