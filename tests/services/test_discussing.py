"""The discussion of a request: public, kept, mailed to whom it concerns, by those who want it."""

import json
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.messages.notices import MailKind
from app.pages.mail.letters import compose_letter
from app.services.accounts.actors import Actor
from app.services.mail import mail_desk
from app.services.refusals import (
    EditConflict,
    InvalidInput,
    NotAllowed,
    NotFound,
    RateLimitExceeded,
)
from app.services.requests import comments
from app.services.requests.comments import CommentView, discussion_of
from app.services.requests.detail.request_detail import show_request
from app.store.database import db, read_transaction
from app.store.requests import iteration_rows
from app.store.tables import Outbox
from app.workflow.reviews import Verdict
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock
from tests.factories import POST, Cast


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def said(number: int, actor: Actor | None = None) -> tuple[CommentView, ...]:
    with read_transaction():
        return discussion_of(number, actor)


def mails() -> list[Outbox]:
    """The messages that carry a comment."""
    with read_transaction():
        found = list(db.session.scalars(select(Outbox).where(Outbox.template == "comment")))
        db.session.expunge_all()
        return found


def test_a_comment_is_public_in_a_role_and_a_name_only_where_it_is_signed(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    factories.comment(number, people.registrant, clock(), "We mean *zoos*.", signed=True)
    factories.comment(number, people.expert, clock(), "Which `syntax`?", section="syntax")
    factories.comment(number, people.rival, clock(), "I use them.")
    factories.comment(number, people.operator, clock(), "Too broad.", relayed=True)
    first, second, third, fourth = said(number)
    assert [one.who for one in (first, second, third, fourth)] == [
        "The registrant, Robin",
        "An expert",
        "A reader",
        "The operator, passing on an expert’s words",
    ]
    assert (second.section, second.body) == ("syntax", "Which `syntax`?")
    assert said(number, people.expert)[1].own
    assert not first.own
    with read_transaction():
        kinds = [told.kind for told in show_request(number, None, clock()).story]
    assert comments.COMMENTED not in kinds, "the discussion has a place of its own"


def change(number: int, ident: int, body: str, who: Actor, clock: Clock) -> int:
    """Change a comment."""
    return comments.change(factories.command(who, clock()), number, ident, body)


def test_an_edit_keeps_the_earlier_words(people: Cast, clock: Clock) -> None:
    number = factories.sent(people.registrant, clock())
    first = factories.comment(number, people.rival, clock(), "One.")
    clock.on(minutes=5)
    second = change(number, first, "Two.", people.rival, clock)
    change(number, second, "Three.", people.rival, clock)
    (comment,) = said(number)
    assert (comment.body, comment.earlier) == ("Three.", ("Two.", "One."))
    with pytest.raises(EditConflict):
        change(number, first, "Four.", people.rival, clock)
    with pytest.raises(NotAllowed):
        change(number, second, "Mine.", people.expert, clock)
    for wrong_number, wrong in ((number, 99), (99, first)):
        with pytest.raises(NotFound):
            change(wrong_number, wrong, "x", people.rival, clock)


@pytest.mark.parametrize(
    "wrong", [{"body": " "}, {"body": "x" * 8001}, {"body": "a\0b"}, {"section": "contact_name"}]
)
def test_a_comment_that_cannot_be_kept_is_refused(
    people: Cast, clock: Clock, wrong: dict[str, Any]
) -> None:
    number = factories.sent(people.registrant, clock())
    with pytest.raises(InvalidInput):
        factories.comment(number, people.rival, clock(), **wrong)
    with pytest.raises(NotAllowed):
        factories.comment(number, people.expert, clock(), relayed=True)
    with pytest.raises(NotFound):
        factories.comment(factories.draft(people.rival, clock()), people.rival, clock())
    assert said(number) == ()


def test_a_request_whose_form_asks_for_lines_alone_is_spoken_of_in_paragraphs(
    people: Cast, clock: Clock
) -> None:
    number = factories.checked_naan(people, clock())
    factories.comment(number, people.rival, clock(), "Which names?\n\nThey have some.")
    assert [one.body for one in said(number)] == ["Which names?\n\nThey have some."]
    with pytest.raises(InvalidInput):
        factories.comment(number, people.rival, clock(), "a\x07b")


def test_nobody_but_an_operator_floods_a_discussion_and_an_hour_later_there_is_room(
    people: Cast, clock: Clock
) -> None:
    number = factories.sent(people.registrant, clock())
    for _ in range(comments.MOST_AN_HOUR):
        clock.on(seconds=1)
        for who in (people.rival, people.operator):
            factories.comment(number, who, clock())
    factories.comment(number, people.operator, clock())
    factories.comment(number, people.registrant, clock())
    first = said(number)[0].id
    with pytest.raises(RateLimitExceeded):
        factories.comment(number, people.rival, clock())
    with pytest.raises(RateLimitExceeded):
        change(number, first, "Or this?", people.rival, clock)
    clock.on(days=-3650)
    factories.comment(number, people.rival, clock(), "The clock was set back.")
    clock.on(days=3650, hours=1)
    change(number, first, "Or this?", people.rival, clock)


def test_who_takes_part_gets_it_once_with_the_list_first_in_its_thread(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    factories.comment(number, people.rival, clock(), "I use them.")
    factories.comment(number, people.expert, clock(), "For what?")
    second = [one for one in mails() if "For what?" in one.arguments]
    assert sorted(one.recipient for one in second) == sorted(
        [
            POST.list_address,
            people.registrant.email,
            people.second_expert.email,
            people.rival.email,
        ]
    )
    arguments = [json.loads(one.arguments) for one in second]
    assert len({one["in_reply_to"] for one in arguments}) == 1
    letter = compose_letter(
        "comment",
        json.loads(next(one for one in second if one.recipient == people.rival.email).arguments),
        sender="registry@example.org",
        recipient=people.rival.email,
        message_id="<x@y>",
        date=clock(),
    )
    text = letter.get_content()
    subject = f"Comment: quokka [urn {number}]"
    assert letter["Subject"] == subject
    assert text.startswith(f"You get this because you take part in request {number}.")
    assert "An expert wrote:\n\nFor what?" in text
    assert text.rstrip().endswith(f"Choose which e-mail you get: {POST.base_url}/account")


def thread(one: Outbox) -> tuple[str, list[str]]:
    """What a message answers, and the whole thread above it."""
    arguments = json.loads(one.arguments)
    return arguments["in_reply_to"], arguments["thread"].split()


def test_an_answer_names_its_parent_and_the_whole_thread_above(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    with read_transaction():
        (text,) = (sent.message_id for sent in iteration_rows.iterations_of(number))
    factories.comment(number, people.rival, clock(), "I use them.")
    (asked,) = (one.message_id for one in mails() if one.recipient == POST.list_address)
    copy = next(one for one in mails() if one.recipient == people.registrant.email)
    assert thread(copy) == (text, [text])
    factories.comment(number, people.registrant, clock(), "Why?", followed=(copy.message_id,))
    answer = next(one for one in mails() if "Why?" in one.arguments)
    assert (answer.recipient, thread(answer)) == (POST.list_address, (asked, [text, asked]))
    followed = (text, asked, answer.message_id)
    factories.comment(number, people.rival, clock(), "Since 1990.", followed=followed)
    last = [one for one in mails() if "Since 1990." in one.arguments]
    above = [text, asked, answer.message_id]
    assert [thread(one) for one in last] == [(answer.message_id, above)] * len(last)


def test_an_answer_to_what_only_the_list_knows_stands_below_it_for_those_who_have_it(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    with read_transaction():
        (text,) = (sent.message_id for sent in iteration_rows.iterations_of(number))
    foreign = ("<of-somebody@elsewhere.example>",)
    factories.comment(number, people.rival, clock(), "By list.", followed=foreign, posted=True)
    factories.comment(number, people.rival, clock(), "By mail.", followed=foreign)
    found = {json.loads(one.arguments)["body"]: thread(one) for one in mails()}
    assert found == {
        "By list.": (foreign[0], [text, foreign[0]]),
        "By mail.": (text, [text]),
    }


def test_an_answer_to_a_decision_or_to_mail_of_ones_own_finds_its_place(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    factories.act(number, Action.WITHDRAW, people.registrant, clock())
    with read_transaction():
        (text,) = (sent.message_id for sent in iteration_rows.iterations_of(number))
        sent = list(db.session.scalars(select(Outbox).where(Outbox.template != "comment")))
        decision = sent_to(sent, POST.list_address)
        own = sent_to(sent, people.registrant.email)
    for words, followed in {"On it.": decision, "On mine.": own}.items():
        factories.comment(number, people.rival, clock(), words, followed=(followed,))
    found = {json.loads(one.arguments)["body"]: thread(one) for one in mails()}
    assert found == {"On it.": (decision, [text, decision]), "On mine.": (text, [text])}


def sent_to(sent: list[Outbox], recipient: str) -> str:
    """The newest message to somebody."""
    return [one.message_id for one in sent if one.recipient == recipient][-1]


def test_an_edit_stands_below_the_earlier_words(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    ident = factories.comment(number, people.rival, clock(), "I use them.")
    before = mails()[0].message_id
    change(number, ident, "I use some.", people.rival, clock)
    assert thread(mails()[-1])[0] == before
    sections = {json.loads(one.arguments)["section"] for one in mails() if "some" in one.arguments}
    assert sections == {" (replacing an earlier comment)"}


def test_who_does_not_want_a_kind_of_mail_gets_none_of_it(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    assert mail_desk.wanted_by(people.registrant) == frozenset(MailKind)
    mail_desk.choose(factories.command(people.registrant, clock()), ["news", "work"])
    mail_desk.choose(factories.command(people.second_expert, clock()), [])
    assert mail_desk.wanted_by(people.registrant) == {MailKind.NEWS, MailKind.WORK}
    factories.comment(number, people.expert, clock(), "For what?")
    assert [one.recipient for one in mails()] == [POST.list_address]
    factories.review(number, people.expert, Verdict.RETURN, clock())
    factories.change_text(number, people.registrant, clock(), purpose="Better.")
    factories.act(number, Action.RESUBMIT, people.registrant, clock())
    with read_transaction():
        told = set(db.session.scalars(select(Outbox.recipient)))
    assert people.registrant.email in told
    with pytest.raises(InvalidInput):
        mail_desk.choose(factories.command(people.registrant, clock()), ["gossip"])


def test_a_message_that_was_given_up_is_tried_again_by_the_operator(
    people: Cast, clock: Clock
) -> None:
    factories.sent(people.registrant, clock())
    ident = factories.failed_message()
    desk = mail_desk.mail(people.operator)
    ((message, why),) = desk.failed
    assert (message.id, message.has_failed, why) == (ident, True, "550 No such user")
    mail_desk.send_again(factories.command(people.operator, clock()), ident)
    assert mail_desk.mail(people.operator).count == desk.count + 1
    with pytest.raises(NotFound):
        mail_desk.send_again(factories.command(people.operator, clock()), ident)
    with pytest.raises(NotAllowed):
        mail_desk.mail(people.leader)
