"""Who is told what of a request: written with its event, once to each address."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.pages.mail.letters import compose_letter
from app.registration.declarations.registries import Procedure
from app.registration.records.registry_records import Purpose
from app.services.experts.panel_membership import appoint, dismiss, panel
from app.services.notifications import request_notices
from app.services.policy import MailSettings
from app.services.requests import queues, request_actions
from app.services.requests.request_evidence import ActionInput
from app.store.accounts import expert_panels
from app.store.database import db, read_transaction
from app.store.requests import iteration_rows
from app.store.tables import Event, Outbox, Request
from app.store.tables.accounts import Grant
from app.workflow.action_rows import Audience
from app.workflow.engine import ProcedureCase
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.services.use_cases import USE_CASES, UseCase

LIST = factories.POST.list_address
AUDIENCES = {
    "submitted": {LIST, "odell@registry.example", "otto@registry.example", "robin@org.example"},
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
    with read_transaction():
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
    own = [one.template for one in new if one.recipient == getattr(people, case.actor).email]
    sends = Audience.RECEIPT in case.action.row.tells
    assert own == (["receipt"] if sends else []), "a receipt of what one sent, and nothing else"


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
        assert (told_of_it["reason"], told_of_it["told"]) == ("More words.", "")


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
    request_actions.carry_out(command, number, Action.SUBMIT, ActionInput())


def test_a_list_with_a_persons_address_still_gets_its_post(people: Cast, clock: Clock) -> None:
    for address in ("Odell@Registry.example", "robin@org.example"):
        act_with(MailSettings("http://x.example", address, "x.example"), people, clock)
        posted = [message for message in messages() if message.recipient == address]
        assert [one.template for one in posted if one.template != "receipt"] == ["list"]
    told = [message.recipient.lower() for message in messages()]
    assert told.count("odell@registry.example") == 2, "once for each request"


def test_without_a_list_the_public_page_is_the_posting(people: Cast, clock: Clock) -> None:
    act_with(MailSettings("http://x.example", "", "x.example"), people, clock)
    assert {message.template for message in messages()} == {"operators", "receipt"}
    with read_transaction():
        assert iteration_rows.iterations_of(1)[0].message_id == ""


def test_what_is_posted_stands_in_one_thread_that_the_first_text_begins(
    people: Cast, clock: Clock
) -> None:
    number = factories.returned(people, clock())
    factories.act(number, Action.RESUBMIT, people.registrant, clock())
    factories.act(number, Action.WITHDRAW, people.registrant, clock())
    with read_transaction():
        first, second = (sent.message_id for sent in iteration_rows.iterations_of(number))
    posted = {kind: to_list(kind) for kind in ("submitted", "resubmitted", "withdrawn")}
    assert [posted["submitted"].message_id, posted["resubmitted"].message_id] == [first, second]
    follows = [(arguments(one)["in_reply_to"], arguments(one)["thread"]) for one in posted.values()]
    assert follows == [("", ""), (first, first), (second, f"{first} {second}")]
    assert "Better." in arguments(posted["resubmitted"])["template"]
    assert arguments(posted["resubmitted"])["reason"] == (
        "An expert asked (The whole text):\n> Because.\n\nChanged."
    )  # the answers go to the list, and are no part of the template
    assert "Changed." not in arguments(posted["resubmitted"])["template"]
    assert arguments(posted["withdrawn"])["template"] == ""


def test_experts_are_not_told_of_what_does_not_wait_for_them(people: Cast, clock: Clock) -> None:
    number = factories.sent(people.registrant, clock())
    factories.act(number, Action.TAKE, people.operator, clock())
    factories.act(number, Action.RETURN, people.operator, clock(), reason="Which?")
    factories.change_text(number, people.registrant, clock(), purpose="Better.")
    factories.act(number, Action.RESUBMIT, people.registrant, clock())
    told = {message.template for message in messages("resubmitted")}
    assert told == {"list", "operators", "receipt"}


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


def letters(kind: str) -> dict[str, tuple[str, str]]:
    """The subject and the words of each message about the events of a kind, by its template."""
    found = {}
    for one in messages(kind):
        letter = compose_letter(
            one.template,
            arguments(one),
            sender="registry@registry.example",
            recipient=one.recipient,
            message_id="<1@x.example>",
            date=one.created,
        )
        found[one.template] = str(letter["Subject"]), str(letter.get_content())
    return found


def test_no_letter_tells_an_expert_of_their_turn_where_they_advise(
    people: Cast, clock: Clock
) -> None:
    factories.recognized(people, clock(), "Quokka Society")
    number = factories.sent(people.registrant, clock())
    factories.change_request(number, procedure=Procedure.FAST_TRACK)
    for action in (Action.TAKE, Action.PASS):
        factories.act(number, action, people.operator, clock(), reason="They authorize it.")
    factories.act(number, Action.PASS_ON, people.expert, clock(), iteration=1, reason="Away.")
    told = letters(Action.PASS.past)["experts"], letters(Action.PASS_ON.past)["next"]
    for subject, words in told:
        assert subject == f"Advice requested: quokka [urn {number}]"
        assert "Please advise on the request." in words
        assert "our turn" not in words
    assert "assigned to you for advice" in " ".join(told[1][1].split())


def test_a_letter_says_what_happened_what_to_do_until_when_and_of_what(
    people: Cast, clock: Clock
) -> None:
    number = factories.returned(people, clock())
    told = letters("returned")
    subject, words = told["registrant"]
    assert subject == f"Returned: quokka, due 1 October 2026 [urn {number}]"
    assert "again, due 1 October 2026." in " ".join(words.split()).partition("Your turn: ")[2]
    assert f"  Request {number}: a new formal namespace, community procedure" in words
    assert "submit it again.\n" in words
    assert " ".join(words.split()).count("1 October 2026") == 1
    assert "returned to you with comments" in words
    assert "Purpose: " in words
    posted, words = told["list"]
    assert "due by 1 October 2026." in " ".join(words.split())
    assert posted == f"[urn {number}] Returned: quokka"
    assert "you" not in words.partition("Purpose: ")[0], "the list is nobody in particular"


@pytest.mark.parametrize(
    ("audience", "days", "said"),
    [
        (Audience.OPERATORS, 2, ", due 2 September 2026"),
        (Audience.REGISTRANT, 2, ""),  # it is another's day
        (Audience.OPERATORS, 0, ""),  # it is over
    ],
)
def test_the_due_day_is_told_to_whom_it_is_of_and_until_it_is_over(
    audience: Audience, days: int, said: str
) -> None:
    at = datetime(2026, 9, 1, tzinfo=UTC)
    due = Request(number=1, due=at + timedelta(days=days))
    case = ProcedureCase(Procedure.COMMUNITY, Purpose.NEW, State.NEW)
    news: Any = SimpleNamespace(request=due, case=case, at=at)
    assert request_notices._due(news, audience) == said


def test_a_text_that_goes_back_to_the_experts_waits_for_no_operator(
    people: Cast, clock: Clock
) -> None:
    number = factories.returned(people, clock())
    factories.change_text(number, people.registrant, clock(), purpose="Better.")
    factories.act(number, Action.RESUBMIT, people.registrant, clock())
    told = letters("resubmitted")
    assert told["operators"][0] == f"Submitted again: quokka [urn {number}]"
    assert told["experts"][0].startswith("Review requested: quokka, due ")
    for _, words in told.values():
        assert "operator checks" not in words
        assert "\n\nTwo experts must agree" in words


def test_a_denial_is_told_with_the_last_day_of_its_appeal(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    factories.review(number, people.leader, Verdict.DECLINE, clock())
    for template, (subject, words) in letters("declined").items():
        assert "until 1 November 2026" in " ".join(words.split()), template
        assert (
            subject.removesuffix(f" [urn {number}]").removeprefix(f"[urn {number}] ")
            == "Declined: quokka"
        )
        whose = "You can appeal" if template == "registrant" else "The registrant can appeal"
        assert whose in words, template


def test_whoever_is_appointed_hears_of_it_and_of_its_end(people: Cast, clock: Clock) -> None:
    command = factories.command(people.operator, clock())
    appoint(command, "nova@experts.example", "expert", "", "Decided on 1 September 2026.")
    subject, words = letters("granted expert")["appointed"]
    assert subject.partition(": ")[2].startswith("expert, all registries")
    assert "Decided on 1 September 2026." in words
    with read_transaction():
        (ident,) = (one.id for one in panel() if one.email == "nova@experts.example")
    dismiss(factories.command(people.operator, clock()), ident, "Their term is over.")
    subject, words = letters("revoked expert")["appointed"]
    assert subject.startswith("Your appointment ended")
    assert "Their term is over." in words


def test_whoever_returned_a_text_hears_of_the_answer_whether_they_were_given_it_or_not(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    with read_transaction():
        assert people.leader.id not in {one.id for one in expert_panels.assigned_to(number)}
    factories.review(number, people.leader, Verdict.RETURN, clock())
    factories.change_text(number, people.registrant, clock(), purpose="Better.")
    with read_transaction():
        assert not queues.waits_for(people.leader, number)
    before = len(messages())
    factories.act(number, Action.RESUBMIT, people.registrant, clock())
    factories.comment(number, people.rival, clock(), "I use them.")
    told = [one.template for one in messages()[before:] if one.recipient == people.leader.email]
    assert told == ["experts", "comment"]
    with read_transaction():
        assert queues.waits_for(people.leader, number)
        assert number in {row.number for row in queues.expert_queue(people.leader, clock()).mine}
