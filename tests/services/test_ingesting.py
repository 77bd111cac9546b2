"""Mail that comes in is filed where it belongs or waits to be placed; none is lost or decides."""

import json
from email.message import EmailMessage
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import select

from app.registration.templates.template_writer import format_template
from app.services.accounts.actors import Actor
from app.services.mail import incoming_mail, mail_desk
from app.services.mail.incoming_mail import IngestResult, reply_address
from app.services.refusals import InvalidInput, NotAllowed, NotFound
from app.services.requests.comments import MOST_AN_HOUR, archive_of, discussion_of
from app.store.accounts import account_rows
from app.store.database import db, read_transaction, transaction
from app.store.event_log import event_rows
from app.store.requests import draft_rows, iteration_rows, request_rows, review_rows
from app.store.tables import IncomingMail, Outbox
from app.store.tables.discussion import MailDisposition
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.factories import POST, SECRET, Cast
from tests.messages.corpus import CASES
from tests.store.at_once import at_once
from tests.torture.conftest import some

REPLY = "reply@registry.example"


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


MX = "mx.registry.example"  # a mail server that the operator trusts


def passed(sender: str) -> str:
    """What it says of mail that is its sender's."""
    return f"{MX}; dmarc=pass header.from={sender.rpartition('@')[2]}"


def letter(sender: str, body: str, **headers: str) -> bytes:
    message = EmailMessage()
    message["Authentication-Results"] = passed(sender)
    message["From"], message["To"] = sender, headers.pop("To", REPLY)
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(body)
    return message.as_bytes()


def ingest(raw: bytes, clock: Clock) -> IngestResult:
    return incoming_mail.ingest(raw, clock(), factories.policy(SECRET), authserv_id=MX)


def said(number: int) -> list[tuple[str, str]]:
    with read_transaction():
        return [(one.who, one.body) for one in discussion_of(number, None)]


def place(ident: int, number: int, people: Cast, clock: Clock) -> None:
    """File a message of the queue under a request."""
    mail_desk.place(factories.command(people.operator, clock()), ident, number)


def sent_message() -> str:
    """The Message-ID of a message that the mail server took."""
    with transaction():
        row = db.session.scalars(select(Outbox).order_by(Outbox.id).limit(1)).one()
        row.state = "sent"
        return row.message_id


def kept() -> list[IncomingMail]:
    with read_transaction():
        found = list(db.session.scalars(select(IncomingMail).order_by(IncomingMail.id)))
        db.session.expunge_all()
        return found


def test_a_reply_to_ones_own_address_is_a_comment(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    to = reply_address(REPLY, number, people.expert.id, SECRET, at=clock())
    body = "Which zoos?\n\nOn Tuesday you wrote:\n> Names for zoos.\n"
    raw = letter(people.expert.email, body, To=to, Message_ID="<1@home.example>")
    assert ingest(raw, clock) == IngestResult(MailDisposition.COMMENT, "", number)
    assert said(number) == [("An expert", "Which zoos?")]
    with read_transaction():
        (comment,) = discussion_of(number, None)
    assert "> Names for zoos." in comment.folded


def test_somebody_elses_reply_address_is_of_no_use_and_is_not_shown(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    to = reply_address(REPLY, number, people.expert.id, SECRET, at=clock())
    for sender in (people.rival.email, "who@nowhere.example"):
        assert (
            ingest(letter(sender, f"As {to} said.", To=to), clock).filed is MailDisposition.QUEUED
        )
    subject = f"[urn {number}] x"
    copied = letter(people.rival.email, f"See {to}.\n\n> To: {to}\n", Subject=subject)
    assert ingest(copied, clock).filed is MailDisposition.COMMENT
    with read_transaction():
        (comment,) = discussion_of(number, None)
    mark = to.partition("+")[2].partition("@")[0]
    assert mark not in comment.body + comment.folded


def test_an_id_that_somebody_else_chose_first_keeps_nothing_out(people: Cast, clock: Clock) -> None:
    number = factories.sent(people.registrant, clock())
    given = {"Subject": f"[urn {number}] x", "Message_ID": "<7@other.example>"}
    for who in (people.rival, people.registrant):
        assert (
            ingest(letter(who.email, f"I am {who.id}.", **given), clock).filed
            is MailDisposition.COMMENT
        )
    assert len(said(number)) == 2


def test_a_reply_by_reference_or_by_subject_is_a_comment(people: Cast, clock: Clock) -> None:
    number = factories.sent(people.registrant, clock())
    with read_transaction():
        first = iteration_rows.find_iteration(number, 1)
    assert first is not None
    by_reference = letter(people.rival.email, "I use them.", In_Reply_To=first.message_id)
    by_subject = letter(people.rival.email, "Still.", Subject=f"Re: [urn {number}] quokka")
    of_naans = letter(people.rival.email, "So do I.", Subject=f"[list 1] Re: [ARK {number}] x")
    for raw in (by_reference, by_subject, of_naans):
        assert ingest(raw, clock).filed is MailDisposition.COMMENT
    factories.comment(number, people.registrant, clock(), "For whom?")
    with read_transaction():
        posted = db.session.scalars(
            select(Outbox.message_id).where(
                Outbox.template == "comment", Outbox.recipient == POST.list_address
            )
        ).all()
    answer = letter(people.rival.email, "For zoos.", References=posted[-1])
    assert ingest(answer, clock).request == number
    assert [words for _, words in said(number)] == [
        "I use them.",
        "Still.",
        "So do I.",
        "For whom?",
        "For zoos.",
    ]


def test_what_came_by_the_list_does_not_go_there_again(people: Cast, clock: Clock) -> None:
    number = factories.sent(people.registrant, clock())
    subject = f"Re: [urn {number}] quokka"
    raw = letter(people.rival.email, "I use them.", Subject=subject, To=POST.list_address)
    assert ingest(raw, clock).filed is MailDisposition.COMMENT
    with read_transaction():
        told = db.session.scalars(select(Outbox.recipient).where(Outbox.template == "comment"))
        assert set(told) == {people.registrant.email}


ARCHIVED = "https://lists.example/arch/msg/urn/1"


def archives(number: int) -> list[str]:
    """Where the list's archive has what was said."""
    with read_transaction():
        return [one.archive for one in discussion_of(number, None)]


def by_list(sender: str, body: str, number: int, url: str = ARCHIVED, **headers: str) -> bytes:
    """A message as the list passes it on."""
    given = {"Subject": f"Re: [urn {number}] x", "To": POST.list_address} | headers
    return letter(sender, body, Archived_At=f"<{url}>", **given)


def test_where_the_list_keeps_a_comment_is_shown_beside_it(people: Cast, clock: Clock) -> None:
    number = factories.sent(people.registrant, clock())
    ingest(by_list(people.rival.email, "I use them.", number, Message_ID="<1@r.example>"), clock)
    elsewhere = by_list(
        people.rival.email,
        "Look here.",
        number,
        "https://evil.example/",
        Message_ID="<2@r.example>",
    )
    ingest(elsewhere, clock)
    assert archives(number) == [ARCHIVED, ""]


def test_our_own_mail_that_the_list_sends_back_is_no_comment_and_tells_its_archive(
    people: Cast, clock: Clock
) -> None:
    number = factories.sent(people.registrant, clock())
    factories.comment(number, people.registrant, clock(), "For zoos.")
    with read_transaction():
        posted = db.session.scalars(
            select(Outbox.message_id)
            .where(Outbox.recipient == POST.list_address)
            .order_by(Outbox.id)
        ).all()
        assert archive_of(number) == ""
    for n, ident in enumerate(posted):
        url = f"https://archive.lists.example/{n}"
        back = by_list("registry@registry.example", "For zoos.", number, url, Message_ID=ident)
        assert ingest(back, clock).filed is MailDisposition.IGNORED
        later = by_list("x@y.example", "Again.", number, ARCHIVED, Message_ID=ident)
        assert ingest(later, clock).filed is MailDisposition.IGNORED
    assert len(said(number)) == 1
    assert archives(number) == ["https://archive.lists.example/1"], "what was known first stays"
    with read_transaction():
        assert archive_of(number) == "https://archive.lists.example/0"


@pytest.mark.parametrize("name", ["", POST.list_address])
def test_a_comment_that_came_before_and_comes_by_the_list_tells_its_archive(
    people: Cast, clock: Clock, name: str
) -> None:
    number = factories.sent(people.registrant, clock())
    given = {"Subject": f"[urn {number}] x", "Message_ID": "<1@r.example>"}
    assert ingest(letter(people.rival.email, "I use them.", **given), clock).request == number
    sender = name or people.rival.email
    again = by_list(sender, "I use them.", number, Message_ID="<1@r.example>")
    assert ingest(again, clock).filed is MailDisposition.IGNORED
    assert archives(number) == [ARCHIVED]


def test_a_decision_by_mail_is_a_comment_and_decides_nothing(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    to = reply_address(REPLY, number, people.leader.id, SECRET, at=clock())
    ingest(letter(people.leader.email, "I approve it.", To=to), clock)
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        assert request.state == State.EXPERT_REVIEW
        assert review_rows.reviews_of(number) == []


def test_a_template_becomes_a_draft_that_its_sender_sends(people: Cast, clock: Clock) -> None:
    text = format_template(factories.template(namespace_identifier="wombat"))
    given = {"Message_ID": "<1@r.example>"}
    outcome = ingest(letter(people.rival.email, f"Please register:\n\n{text}", **given), clock)
    assert outcome.filed is MailDisposition.DRAFT
    assert drafts_told() == [(people.rival.email, "urn:wombat:", "<1@r.example>")]
    with read_transaction():
        request = request_rows.find_request(outcome.request or 0)
        assert request is not None
        assert (request.state, request.registrant) == (State.DRAFT, people.rival.id)
        assert '"namespace_identifier":"wombat"' in draft_rows.get_draft(request.number).fields
        assert event_rows.of_request(request.number) == []


def drafts_told() -> list[tuple[str, str, str]]:
    """Who was told of a draft: its name, and what the message answers."""
    with read_transaction():
        rows = db.session.scalars(select(Outbox).where(Outbox.template == "draft")).all()
    told = [(row.recipient, json.loads(row.arguments)) for row in rows]
    return [(who, given["name"], given["in_reply_to"]) for who, given in told]


def test_a_template_of_somebody_unknown_becomes_their_draft_when_the_operator_says_so(
    people: Cast, clock: Clock
) -> None:
    hello, ident = factories.queued_mail(clock()), factories.queued_template(clock())

    def draft(number: int, actor: Actor) -> None:
        mail_desk.draft(factories.command(actor, clock()), number)

    assert [one.is_template for one in mail_desk.queue(people.operator, 10)] == [True, False]
    with pytest.raises(InvalidInput):
        draft(hello, people.operator)
    with pytest.raises(NotAllowed):
        draft(ident, people.leader)
    draft(ident, people.operator)
    assert drafts_told() == [("new@nowhere.example", "urn:thylacine:", "")]
    with read_transaction():
        owner = account_rows.find_account("new@nowhere.example")
        request = request_rows.find_request(1)
    assert owner is not None
    assert request is not None
    assert (request.state, request.registrant) == (State.DRAFT, owner.id)
    with pytest.raises(NotFound):
        draft(ident, people.operator)


def test_what_came_with_a_comment_is_named_below_it(people: Cast, clock: Clock) -> None:
    number = factories.sent(people.registrant, clock())
    message = EmailMessage()
    message["Authentication-Results"] = passed(people.rival.email)
    message["From"], message["Subject"] = people.rival.email, f"[urn {number}] x"
    message.set_content("See the list.\n\nYou wrote:\n> Which zoos?\n")
    message.add_attachment(b"123", "text", "csv", filename="zoos.csv")
    ingest(message.as_bytes(), clock)
    with read_transaction():
        (comment,) = discussion_of(number, None)
    assert comment.body == "See the list."
    assert "> Which zoos?" in comment.folded
    assert comment.folded.endswith("\nAttachment, not kept: zoos.csv (text/csv, 3)")


def test_whoever_is_not_known_waits_for_the_operator(people: Cast, clock: Clock) -> None:
    number = factories.sent(people.registrant, clock())
    subject = f"[urn {number}] quokka"
    outcome = ingest(letter("who@nowhere.example", "Hello.", Subject=subject), clock)
    assert outcome.filed is MailDisposition.QUEUED
    assert said(number) == []
    (waiting,) = mail_desk.queue(people.operator, 10)
    assert (waiting.sender, waiting.text) == ("who@nowhere.example", "Hello.")
    with pytest.raises(NotFound):
        place(waiting.id, 999, people, clock)
    place(waiting.id, number, people, clock)
    assert said(number) == [("An unverified sender (w…@nowhere.example)", "Hello.")]
    assert mail_desk.queue(people.operator, 10) == ()
    with pytest.raises(NotFound):
        mail_desk.discard(factories.command(people.operator, clock()), waiting.id)
    ingest(letter("who@nowhere.example", "Hello again."), clock)
    (again,) = mail_desk.queue(people.operator, 10)
    mail_desk.discard(factories.command(people.operator, clock()), again.id)
    assert [mail.filed for mail in kept()] == [MailDisposition.COMMENT, MailDisposition.DISCARDED]
    with pytest.raises(NotAllowed):
        mail_desk.queue(people.leader, 10)


def test_a_draft_of_somebody_is_no_place_for_a_comment(people: Cast, clock: Clock) -> None:
    number = factories.draft(people.registrant, clock())
    for subject in (f"[urn {number}] x", "[urn 999] x", "Hello"):
        raw = letter(people.rival.email, f"Hello {subject}", Subject=subject)
        assert ingest(raw, clock).filed is MailDisposition.QUEUED
    empty = letter(people.rival.email, " ", Subject="[urn 1] x")
    assert ingest(empty, clock).filed is MailDisposition.QUEUED


def test_the_same_message_is_filed_once_however_often_and_at_once(
    app: Flask, people: Cast, clock: Clock
) -> None:
    number = factories.sent(people.registrant, clock())
    given = {"Subject": f"[urn {number}] x", "Message_ID": "<7@other.example>"}
    raw = letter(people.rival.email, "I use them.", **given)
    outcomes = at_once(app, *[partial(ingest, raw, clock)] * 4)
    assert sorted(outcome.filed for outcome in outcomes) == ["comment", *["ignored"] * 3]
    assert len(said(number)) == len(kept()) == 1


def test_a_flood_from_one_sender_waits_for_the_operator_and_keeps_nobody_else_out(
    people: Cast, clock: Clock
) -> None:
    number = factories.sent(people.registrant, clock())
    template = format_template(factories.template(namespace_identifier="wombat"))
    assert ingest(letter(people.rival.email, template), clock).filed is MailDisposition.DRAFT
    given = {"Subject": f"[urn {number}] x"}
    filed = []
    for n in range(MOST_AN_HOUR + 2):
        clock.on(seconds=1)
        filed.append(ingest(letter(people.rival.email, f"Word {n}.", **given), clock).filed)
    assert filed == [MailDisposition.COMMENT] * (MOST_AN_HOUR - 1) + [MailDisposition.QUEUED] * 3
    assert (
        ingest(letter(people.rival.email, f"Or: {template}"), clock).filed is MailDisposition.QUEUED
    )
    assert (
        ingest(letter(people.registrant.email, "And I.", **given), clock).filed
        is MailDisposition.COMMENT
    )
    waiting = mail_desk.queue(people.operator, 10)
    assert len(waiting) == 4
    place(waiting[-1].id, number, people, clock)
    who = "An unverified sender (r…@other.example)"
    assert said(number)[-1] == (who, f"Word {MOST_AN_HOUR - 1}.")
    clock.on(hours=1)
    assert (
        ingest(letter(people.rival.email, "Later.", **given), clock).filed
        is MailDisposition.COMMENT
    )


def test_machines_and_bounces_are_told_from_people(people: Cast, clock: Clock) -> None:
    number = factories.sent(people.registrant, clock())
    subject = f"Re: [urn {number}] quokka"
    away = letter(people.rival.email, "I am away.", Subject=subject, Auto_Submitted="auto-replied")
    assert ingest(away, clock).filed is MailDisposition.IGNORED
    assert said(number) == []
    sent = sent_message()
    bounce = (
        b"From: MAILER-DAEMON@mx.example\nTo: registry@registry.example\n"
        b"Subject: Undelivered Mail Returned to Sender\nAuto-Submitted: auto-replied\n"
        b'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        b"--b\nContent-Type: text/plain\n\nIt failed.\n"
        b"--b\nContent-Type: message/delivery-status\n\n"
        b"Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; gone@org.example\n"
        b"Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user\n\n"
        b"--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: %s\n--b--\n" % sent.encode()
    )
    outcome = ingest(bounce, clock)
    assert outcome.filed is MailDisposition.BOUNCE
    (shown,) = mail_desk.bounces(people.operator, 10)
    assert "gone@org.example" in shown.why
    assert "no such user" in shown.why
    failed = [(one.message_id, why) for one, why in mail_desk.mail(people.operator).failed]
    assert [ident for ident, _ in failed] == [sent]
    assert "no such user" in failed[0][1]


def test_a_pasted_message_is_filed_like_any_other(people: Cast, clock: Clock) -> None:
    number = factories.sent(people.registrant, clock())
    to = reply_address(REPLY, number, people.rival.id, SECRET, at=clock())
    raw = letter(people.rival.email, "Pasted.", To=to).decode()
    outcome = mail_desk.paste(factories.command(people.operator, clock(), secret=SECRET), raw)
    assert outcome.request == number
    with pytest.raises(InvalidInput):
        mail_desk.paste(factories.command(people.operator, clock(), secret=SECRET), " ")


@pytest.mark.slow
def test_of_a_whole_corpus_nothing_is_lost_and_what_names_the_request_is_said_there(
    people: Cast, clock: Clock
) -> None:
    number = factories.sent(people.registrant, clock())
    raws = some(_raw_messages(number), 2 if db.engine.dialect.name == "postgresql" else 1)
    outcomes = [ingest(raw, clock) for raw in raws if clock.on(minutes=4)]
    assert len(outcomes) == len(raws) >= 40
    assert len(kept()) == len(outcomes), "each is on file"
    filed = [outcome.filed for outcome in outcomes]
    assert len(said(number)) == filed.count(MailDisposition.COMMENT) >= 40
    assert {MailDisposition.QUEUED, MailDisposition.BOUNCE, MailDisposition.IGNORED} <= set(filed)


def _raw_messages(number: int) -> list[bytes]:
    """The corpus, each message with an id of its own, about a request that there is."""
    return [
        b"Authentication-Results: %s\n" % passed("robin@org.example").encode()
        + case.raw.replace(b"<1@org.example>", f"<{n}@org.example>".encode()).replace(
            b"[urn 58]", f"[urn {number}]".encode()
        )
        for n, case in enumerate(CASES)
        if case.raw
    ]


def test_taking_a_request_does_not_depend_on_mail(people: Cast, clock: Clock) -> None:
    number = factories.sent(people.registrant, clock())
    ingest(letter(people.operator.email, "I take it.", Subject=f"[urn {number}] x"), clock)
    assert factories.act(number, Action.TAKE, people.operator, clock()) is State.VALIDATING_REQUEST
