"""Who is told what of a request: written with its event, once to each address."""

import json
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.services.policy import MailSettings
from app.services.requests import request_actions
from app.services.requests.request_actions import ActionInput
from app.store.database import db, reading
from app.store.requests import request_rows
from app.store.tables import Event, Outbox
from app.store.tables.accounts import Grant
from app.workflow.reviews import Verdict
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.services.use_cases import USE_CASES, UseCase

LIST = factories.POST.list_address
AUDIENCES = {
    "submitted": {LIST, "odell@registry.example", "otto@registry.example"},
    "passed": {
        LIST,
        "ellis@experts.example",
        "emery@experts.example",
        "robin@org.example",
    },
    "reviewed": {LIST, "robin@org.example"},
    "approved": {LIST, "robin@org.example", "odell@registry.example", "otto@registry.example"},
    "registered": {LIST, "robin@org.example"},
}


def messages(kind: str = "") -> list[Outbox]:
    """The messages about the events of a kind, or all about events."""
    with reading():
        query = select(Outbox).join(Event, Event.n == Outbox.event).order_by(Outbox.id)
        found = list(db.session.scalars(query.where(Event.kind == kind) if kind else query))
        db.session.expunge_all()
        return found


def arguments(message: Outbox) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(message.arguments)
    return found


def to_list(kind: str) -> Outbox:
    return next(message for message in messages(kind) if message.recipient == LIST)


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


@pytest.mark.parametrize("case", USE_CASES, ids=lambda case: case.name)
def test_messages_stand_with_the_event_they_tell_of(
    people: Cast, clock: Clock, case: UseCase
) -> None:
    act = case.ready(people, clock())
    before = len(messages())
    act()
    new = messages()[before:]
    is_told = case.event in {action.past for action in Action if action.row.tells}
    assert bool(new) == is_told
    assert len({message.event for message in new}) == int(is_told)
    assert len({message.recipient for message in new}) == len(new)
    assert getattr(people, case.actor).email not in {message.recipient for message in new}


def test_everybody_concerned_is_told_once_but_who_did_it(people: Cast, clock: Clock) -> None:
    factories.registered(people, clock())
    for kind, addresses in AUDIENCES.items():
        told = {message.recipient for message in messages(kind)}
        actor = {"passed": "odell@registry.example", "registered": "odell@registry.example"}
        assert told == addresses - {actor.get(kind, "")}, kind
    factories.act(
        factories.in_review(people, clock(), namespace_identifier="wombat"),
        Action.REVIEW,
        people.expert,
        clock(),
        verdict=Verdict.RETURN,
        iteration=1,
        reason="More words.",
    )
    returned = {message.recipient: arguments(message) for message in messages("returned")}
    assert set(returned) == {"robin@org.example", LIST}
    for told_of_it in returned.values():
        assert (told_of_it["reason"], told_of_it["told"]) == ("More words.", "Outcome: Return")


def test_somebody_in_two_roles_gets_one_message(people: Cast, clock: Clock) -> None:
    factories.person("lee@experts.example", clock(), Grant.EXPERT, Grant.OPERATOR)
    factories.approved(people, clock())
    for kind in AUDIENCES:
        told = [message.recipient for message in messages(kind)]
        assert len(told) == len(set(told)), kind


def act_with(post: MailSettings, people: Cast, clock: Clock) -> None:
    """Send a request where mail goes another way."""
    number = factories.draft(people.registrant, clock())
    command = factories.command(people.registrant, clock(), seen=factories.lock_of(number))
    command = replace(command, policy=replace(command.policy, mail=post))
    request_actions.act(command, number, Action.SUBMIT, ActionInput())


def test_a_list_with_a_persons_address_still_gets_its_post(people: Cast, clock: Clock) -> None:
    for address in ("Odell@Registry.example", "robin@org.example"):
        act_with(MailSettings("http://x.example", address, "x.example"), people, clock)
        posted = [message for message in messages() if message.recipient == address]
        assert [message.template for message in posted] == ["list"]
    told = [message.recipient.lower() for message in messages()]
    assert told.count("odell@registry.example") == 2, "once for each request"


def test_without_a_list_the_public_page_is_the_posting(people: Cast, clock: Clock) -> None:
    act_with(MailSettings("http://x.example", "", "x.example"), people, clock)
    assert {message.template for message in messages()} == {"operators"}
    with reading():
        assert request_rows.iterations_of(1)[0].message_id == ""


def test_what_is_posted_stands_in_one_thread_that_the_first_text_begins(
    people: Cast, clock: Clock
) -> None:
    number = factories.returned(people, clock())
    factories.act(number, Action.RESUBMIT, people.registrant, clock())
    factories.act(number, Action.WITHDRAW, people.registrant, clock())
    with reading():
        first, second = (sent.message_id for sent in request_rows.iterations_of(number))
    posted = {kind: to_list(kind) for kind in ("submitted", "resubmitted", "withdrawn")}
    assert [posted["submitted"].message_id, posted["resubmitted"].message_id] == [first, second]
    follows = [(arguments(one)["in_reply_to"], arguments(one)["thread"]) for one in posted.values()]
    assert follows == [("", ""), (first, first), (second, f"{first} {second}")]
    assert "Better." in arguments(posted["resubmitted"])["template"]
    assert arguments(posted["withdrawn"])["template"] == ""


def test_experts_are_not_told_of_what_does_not_wait_for_them(people: Cast, clock: Clock) -> None:
    number = factories.sent(people.registrant, clock())
    factories.act(number, Action.TAKE, people.operator, clock())
    factories.act(number, Action.RETURN, people.operator, clock(), reason="Which?")
    factories.change_text(number, people.registrant, clock(), purpose="Better.")
    factories.act(number, Action.RESUBMIT, people.registrant, clock())
    assert {message.template for message in messages("resubmitted")} == {"list", "operators"}


def test_links_lead_where_each_has_something_to_do(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    links = {message.template: arguments(message)["link"] for message in messages("passed")}
    assert links == {
        "experts": f"http://127.0.0.1:8000/review/{number}",
        "registrant": f"http://127.0.0.1:8000/requests/{number}",
        "list": f"http://127.0.0.1:8000/requests/{number}",
    }


def test_no_mail_holds_what_is_private(people: Cast, clock: Clock) -> None:
    factories.registered(people, clock())
    assert all("contact" not in message.arguments for message in messages())


def test_an_informal_request_is_named_by_its_number_until_it_has_one(
    people: Cast, clock: Clock
) -> None:
    factories.registered(people, clock(), informal=True)
    assert arguments(to_list("submitted"))["name"] == "an informal number"
    assert arguments(to_list("registered"))["name"] == "urn:urn-9:"
