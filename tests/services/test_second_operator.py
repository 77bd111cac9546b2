"""A second operator agrees where one gave as many NAANs within 24 hours as one may alone."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from flask import Flask

from app.services.accounts.actors import Actor
from app.services.experts import panel_membership
from app.services.requests import queues, request_actions
from app.services.requests.detail import request_detail
from app.services.requests.request_evidence import ActionInput
from app.store.database import read_transaction
from app.store.event_log import event_rows
from app.store.requests import given_names, request_rows
from app.store.tables import Request
from app.store.tables.accounts import Grant
from app.workflow.engine import ActionRefused, EvidenceMissing
from app.workflow.evidence import Evidence
from app.workflow.separation_of_duties import SeparationOfDuties
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.store.at_once import Meeting, at_once

ONE = SeparationOfDuties(share=1)
NONE = SeparationOfDuties(share=0)


def act(
    number: int,
    action: Action,
    actor: Actor,
    clock: Clock,
    rule: SeparationOfDuties = NONE,
    **given: Any,
) -> State:
    """Take an action on what stands now, in a registry with a share."""
    command = factories.command(actor, clock(), seen=factories.lock_of(number), separation=rule)
    given.setdefault("reason", "They are one library in many towns.")
    return request_actions.carry_out(command, number, action, ActionInput(**given))


def request_of(number: int) -> Request:
    with read_transaction():
        found = request_rows.find_request(number)
        assert found is not None
        return found


def kinds_of(number: int) -> list[str]:
    with read_transaction():
        return [event.kind for event in event_rows.of_request(number)]


def offered(number: int, actor: Actor, clock: Clock, rule: SeparationOfDuties) -> set[Action]:
    with read_transaction():
        rules = replace(factories.RULES, separation=rule)
        return set(request_detail.show_request(number, actor, clock(), rules).actions)


def endorsed(people: factories.Cast, clock: Clock) -> int:
    number = factories.checked_naan(people, clock())
    assert act(number, Action.ENDORSE, people.operator, clock) is State.ASSIGNABLE
    return number


def lacking(
    number: int,
    action: Action,
    actor: Actor,
    clock: Clock,
    rule: SeparationOfDuties = NONE,
) -> frozenset[Evidence]:
    with pytest.raises(EvidenceMissing) as refused:
        act(number, action, actor, clock, rule)
    return refused.value.missing


def test_one_gives_alone_up_to_the_share_of_a_day_and_a_second_agrees_beyond_it(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    first, second, third = (factories.checked_naan(people, clock()) for _ in range(3))
    assert Action.REGISTER in offered(first, people.operator, clock, ONE)
    assert lacking(first, Action.ENDORSE, people.operator, clock, ONE) == {Evidence.BEYOND_SHARE}
    assert act(first, Action.REGISTER, people.operator, clock, ONE) is State.ASSIGNED
    clock.on(minutes=1)
    assert lacking(second, Action.REGISTER, people.operator, clock, ONE) == {Evidence.WITHIN_SHARE}
    now = offered(second, people.operator, clock, ONE)
    assert (Action.ENDORSE in now, Action.REGISTER in now) == (True, False)
    assert Action.REGISTER in offered(second, people.second_operator, clock, ONE)
    assert act(second, Action.ENDORSE, people.operator, clock, ONE) is State.ASSIGNABLE
    assert act(second, Action.REGISTER, people.second_operator, clock, ONE) is State.ASSIGNED
    # what two gave counts for neither of them
    assert act(third, Action.REGISTER, people.second_operator, clock, ONE) is State.ASSIGNED
    clock.on(minutes=24 * 60)
    fourth = factories.checked_naan(people, clock())
    assert act(fourth, Action.REGISTER, people.operator, clock, ONE) is State.ASSIGNED


def test_without_a_share_one_operator_is_always_enough(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    for _ in range(3):
        number = factories.checked_naan(people, clock())
        usual = SeparationOfDuties()
        assert Action.ENDORSE not in offered(number, people.operator, clock, usual)
        assert act(number, Action.REGISTER, people.operator, clock, usual) is State.ASSIGNED


def test_the_first_yes_is_on_record_and_the_time_for_an_answer_goes_on(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    number = factories.checked_naan(people, clock())
    due = request_of(number).due
    clock.on(minutes=60)
    act(number, Action.ENDORSE, people.operator, clock, reason="It is a library.")
    assert due is not None and request_of(number).due == due
    assert kinds_of(number)[-1] == Action.ENDORSE.past
    with read_transaction():
        shown = request_detail.show_request(number, None, clock())
        desk = queues.operator_desk(clock(), people.operator)
        other = queues.operator_desk(clock(), people.second_operator)
    assert shown.story[0].reason == "It is a library." and shown.waits_for_second
    assert [row.number for row in desk.to_register] == [number]
    assert (number in desk.own, number in other.own) == (True, False)
    assert (desk.first_to_register, other.first_to_register) == (None, other.to_register[0])


def test_the_first_is_never_the_second_by_whatever_account(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = endorsed(people, clock)
    alias = factories.person("odell+desk@registry.example", clock(), Grant.OPERATOR)
    for who in (people.operator, alias):
        assert lacking(number, Action.REGISTER, who, clock) == {Evidence.SECOND_PERSON}
        assert Action.REGISTER not in offered(number, who, clock, NONE)
        with read_transaction():
            rules = replace(factories.RULES, separation=NONE)
            assert request_detail.show_request(number, who, clock(), rules).on_second
    assert act(number, Action.REGISTER, people.second_operator, clock) is State.ASSIGNED


def test_whoever_stands_near_the_request_is_not_the_second(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = endorsed(people, clock)
    author = factories.person(people.registrant.email, clock(), Grant.OPERATOR)
    missing = lacking(number, Action.REGISTER, author, clock)
    assert missing == {Evidence.NO_PARTY, Evidence.SECOND_PERSON}
    near = factories.person("olga@registry.example", clock(), Grant.OPERATOR, Grant.EXPERT)
    panel_membership.declare_interest(factories.command(near, clock()), "Wombat Library")
    assert lacking(number, Action.REGISTER, near, clock) == {Evidence.SECOND_PERSON}
    with pytest.raises(ActionRefused):
        act(number, Action.REGISTER, people.registrant, clock)
    assert request_of(number).state == State.ASSIGNABLE


def test_the_second_sends_it_back_and_the_next_text_begins_anew(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = endorsed(people, clock)
    asks = "Which texts are these?"
    state = act(number, Action.RETURN, people.second_operator, clock, reason=asks)
    assert state is State.WITH_REQUESTER
    factories.change_text(number, people.registrant, clock(), naan_purpose="manuscripts")
    back = factories.act(number, Action.RESUBMIT, people.registrant, clock())
    assert back is State.VALIDATING_REQUEST
    assert lacking(number, Action.REGISTER, people.operator, clock) == {Evidence.WITHIN_SHARE}
    assert act(number, Action.ENDORSE, people.second_operator, clock) is State.ASSIGNABLE
    assert act(number, Action.REGISTER, people.operator, clock) is State.ASSIGNED


def test_two_who_agree_at_once_give_one_name(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = factories.cast(clock())
    third = factories.person("olga@registry.example", clock(), Grant.OPERATOR)
    number = endorsed(people, clock)
    seen, meeting = factories.lock_of(number), Meeting()
    found = meeting.before(request_rows.find_request)
    monkeypatch.setattr(request_rows, "find_request", found)
    works = [
        partial(
            request_actions.carry_out,
            factories.command(who, clock(), seen=seen, separation=NONE),
            number,
            Action.REGISTER,
            ActionInput(reason="They are one library in many towns."),
        )
        for who in (people.second_operator, third)
    ]
    done = at_once(app, *works)
    assert [one for one in done if one is State.ASSIGNED] == [State.ASSIGNED]
    assert kinds_of(number).count(Action.REGISTER.past) == 1


def test_two_that_one_gives_at_once_are_counted_one_after_the_other(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    people, meeting = factories.cast(clock()), Meeting()
    numbers = [factories.checked_naan(people, clock()) for _ in range(2)]
    seen = {number: factories.lock_of(number) for number in numbers}
    counted = meeting.before(given_names.givers_since)
    monkeypatch.setattr(given_names, "givers_since", counted)
    works = [
        partial(
            request_actions.carry_out,
            factories.command(people.operator, clock(), seen=seen[number], separation=ONE),
            number,
            Action.REGISTER,
            ActionInput(reason="They are one library in many towns."),
        )
        for number in numbers
    ]
    done = at_once(app, *works)
    assert [one for one in done if one is State.ASSIGNED] == [State.ASSIGNED]
    (refused,) = (one for one in done if isinstance(one, EvidenceMissing))
    assert refused.missing == {Evidence.WITHIN_SHARE}


def test_the_share_counts_a_whole_day_and_not_a_date(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    first, second = (factories.checked_naan(people, clock()) for _ in range(2))
    act(first, Action.REGISTER, people.operator, clock, ONE)
    given = clock()
    clock.on(minutes=24 * 60 - 1)
    assert lacking(second, Action.REGISTER, people.operator, clock, ONE) == {Evidence.WITHIN_SHARE}
    clock.on(minutes=2)
    assert clock() - given > timedelta(hours=24)
    assert act(second, Action.REGISTER, people.operator, clock, ONE) is State.ASSIGNED
