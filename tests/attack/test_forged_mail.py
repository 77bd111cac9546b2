"""Mail that claims to be somebody's: whose word it is, and how that is shown."""

import json
from email.message import EmailMessage

import pytest
from flask import Flask
from sqlalchemy import select

from app.registration.templates.template_writer import format_template
from app.services.accounts.actors import Actor
from app.services.mail import incoming_mail, mail_desk
from app.services.mail.incoming_mail import IngestResult, reply_address
from app.services.refusals import NotAllowed
from app.services.requests import comments
from app.services.requests.comments import CommentView, discussion_of
from app.store.database import db, read_transaction, transaction
from app.store.mail import correspondence
from app.store.mail.correspondence import NewComment
from app.store.requests import request_rows
from app.store.tables import Event, Outbox
from app.store.tables.discussion import Channel, MailDisposition
from app.workflow.states import Role, State
from tests import factories
from tests.conftest import Clock
from tests.factories import POST, SECRET, Cast
from tests.web.stages import Office

REPLY = "reply@registry.example"
MX = "mx.registry.example"
NOTHING_PROVES = "The sender isn’t verified"


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def letter(sender: str, body: str, *results: str, to: str = REPLY, **headers: str) -> bytes:
    """A message with these Authentication-Results, the topmost first."""
    message = EmailMessage()
    for result in results:
        message["Authentication-Results"] = result
    message["From"], message["To"] = sender, to
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(body)
    return message.as_bytes()


def passing(address: str) -> str:
    return f"{MX}; dmarc=pass header.from={address.rpartition('@')[2]}"


def failing(address: str) -> str:
    return passing(address).replace("pass", "fail")


def ingest(raw: bytes, clock: Clock, trusted: str = MX) -> IngestResult:
    return incoming_mail.ingest(raw, clock(), factories.policy(SECRET), authserv_id=trusted)


def said(number: int, actor: Actor | None = None) -> list[CommentView]:
    with read_transaction():
        return list(discussion_of(number, actor))


def how(number: int) -> list[tuple[str, str, str]]:
    return [(one.who, one.way, one.body) for one in said(number)]


ROLES = ("operator", "expert", "leader", "registrant", "rival")


@pytest.mark.parametrize("role", ROLES)
def test_forged_mail_is_nobodys_word_and_waits_for_a_person(
    people: Cast, clock: Clock, role: str
) -> None:
    number = factories.in_review(people, clock())
    address = getattr(people, role).email
    subject = f"Re: [urn {number}] quokka"
    outcome = incoming_mail.ingest(
        letter(address, "It is approved.", failing(address), Subject=subject),
        clock(),
        factories.policy(SECRET),
    )
    assert (outcome.filed, outcome.why[: len(NOTHING_PROVES)]) == (
        MailDisposition.QUEUED,
        NOTHING_PROVES,
    )
    assert said(number) == []
    (waiting,) = mail_desk.queue(people.operator, 10)
    assert NOTHING_PROVES in waiting.why


def test_the_reason_says_what_the_trusted_server_says(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    address, subject = people.operator.email, f"[urn {number}] x"
    given = [
        ((failing(address),), MX, f"{MX} reported dmarc=fail"),
        ((), MX, f"{MX} reported no DMARC result"),
        ((passing(address),), "", "no mail server is trusted"),
    ]
    for n, (results, trusted, why) in enumerate(given):
        raw = letter(address, f"Yes {n}.", *results, Subject=subject)
        outcome = ingest(raw, clock, trusted)
        assert outcome.filed is MailDisposition.QUEUED
        assert why in outcome.why


@pytest.mark.parametrize("trusted", [MX, ""])
def test_the_reason_says_that_an_address_for_replies_no_longer_counts(
    people: Cast, clock: Clock, trusted: str
) -> None:
    number, sender = factories.in_review(people, clock()), people.expert
    ended = reply_address(REPLY, number, sender.id, SECRET, at=clock(), generation=1)
    old = reply_address(REPLY, number, sender.id, SECRET, at=clock())
    for to, at in ((ended, clock()), (old, clock.on(days=91))):
        raw = letter(sender.email, f"Yes {to}.", to=to)
        outcome = incoming_mail.ingest(raw, at, factories.policy(SECRET), authserv_id=trusted)
        assert outcome.filed is MailDisposition.QUEUED
        assert "sent to a reply address that has expired" in outcome.why
        assert "wasn’t sent to" not in outcome.why


@pytest.mark.parametrize(
    "results",
    [
        ("evil.example; dmarc=pass header.from={domain}", "{pass}"),
        (f"{MX}; none", "{pass}"),
        (f"{MX}; dmarc=pass header.from=evil.example",),
        (f"{MX}.evil.example; dmarc=pass header.from={{domain}}",),
        (f"{MX}; spf=pass smtp.mailfrom={{domain}}; dkim=pass header.d={{domain}}",),
        (f"{MX} (; dmarc=pass header.from={{domain}}); none",),
        (f'{MX}; dmarc=pass reason="header.from={{domain}}"',),
    ],
)
def test_a_pass_that_is_not_the_servers_own_is_none(
    people: Cast, clock: Clock, results: tuple[str, ...]
) -> None:
    number = factories.in_review(people, clock())
    address = people.operator.email
    known = {"domain": address.rpartition("@")[2], "pass": passing(address)}
    written = [result.format_map(known) for result in results]
    raw = letter(address, "It is approved.", *written, Subject=f"[urn {number}] x")
    assert ingest(raw, clock).filed is MailDisposition.QUEUED
    assert said(number) == []


@pytest.mark.parametrize(
    "sender",
    [
        "{0}, mallory@{1}",
        '"mallory"@{1}, {0}',
        "<mallory@{1}> <{0}>",
        "{0} (, mallory@{1}",
        "{0}, mallory@[192.0.2.1]",
        "mallory@{1} <{0}>",
        "{0}" + " " * 20_000 + ", mallory@{1}",
        "{0}\nFrom: mallory@{1}",
    ],
)
def test_a_sender_who_may_be_read_as_two_authors_is_neither(
    people: Cast, clock: Clock, sender: str
) -> None:
    number = factories.in_review(people, clock())
    address = people.operator.email
    authors = sender.format(address, address.partition("@")[2])
    raw = letter("x@y.example", "Approved.", passing(address), Subject=f"[urn {number}] x")
    raw = raw.replace(b"From: x@y.example", f"From: {authors}".encode())
    assert ingest(raw, clock).filed is MailDisposition.QUEUED
    assert said(number) == []


def test_mail_that_a_trusted_server_checked_is_its_senders_and_says_so(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    address, subject = people.operator.email, f"[urn {number}] x"
    below = failing(address)
    raw = letter(address, "We look at it.", passing(address), below, Subject=subject)
    assert ingest(raw, clock) == IngestResult(MailDisposition.COMMENT, "", number)
    way = f"by e-mail, verified by {MX} (DMARC)"
    assert how(number) == [("The operator", way, "We look at it.")]
    (told,) = {json.loads(row)["who"] for row in _arguments("comment")}
    assert told == f"The operator, {way},"


def test_mail_to_ones_own_address_for_replies_is_ones_own_and_says_so(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    to = reply_address(REPLY, number, people.expert.id, SECRET, at=clock())
    assert (
        ingest(letter(people.expert.email, "Why?", to=to), clock, "").filed
        is MailDisposition.COMMENT
    )
    assert how(number) == [("An expert", "by e-mail, to a reply address", "Why?")]


def test_somebody_elses_address_for_replies_is_none_even_with_a_pass(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    to = reply_address(REPLY, number, people.expert.id, SECRET, at=clock())
    sender = people.operator.email
    assert (
        ingest(letter(sender, "No.", passing(sender), to=to), clock).filed is MailDisposition.QUEUED
    )
    assert ingest(letter(sender, "No!", to=to), clock).filed is MailDisposition.QUEUED


def test_what_is_said_on_the_page_says_nothing_of_how(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    factories.comment(number, people.expert, clock(), "Why?")
    assert how(number) == [("An expert", "", "Why?")]


def _place(number: int, people: Cast, clock: Clock) -> None:
    waiting = mail_desk.queue(people.operator, 10)[0]
    mail_desk.place(factories.command(people.operator, clock()), waiting.id, number)


@pytest.mark.postgresql
@pytest.mark.parametrize("role", ROLES)
def test_what_the_operator_places_is_the_senders_claim_and_in_no_role(
    people: Cast, clock: Clock, role: str
) -> None:
    number = factories.in_review(people, clock())
    address = getattr(people, role).email
    ingest(letter(f'"The operator" <{address}>', "It is approved.", failing(address)), clock)
    _place(number, people, clock)
    shown = f"{address[0]}…@{address.partition('@')[2]}"
    who, way = f"An unverified sender ({shown})", "by e-mail, filed by the operator"
    assert how(number) == [(who, way, "It is approved.")]
    mails = [json.loads(row) for row in _arguments("comment")]
    assert {mail["who"] for mail in mails} == {f"{who}, {way},"}
    assert address not in json.dumps([one.who + one.way for one in said(number)])
    with read_transaction():
        event = db.session.scalars(select(Event).order_by(Event.n.desc()).limit(1)).one()
        assert (event.actor, event.role) == (people.operator.id, Role.OPERATOR)


def test_nobody_puts_other_words_into_a_placed_message(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    ingest(letter(people.rival.email, "I object."), clock)
    _place(number, people, clock)
    (placed,) = said(number, people.operator)
    assert not placed.own
    for actor in (people.operator, people.rival):
        with pytest.raises(NotAllowed):
            comments.change(factories.command(actor, clock()), number, placed.id, "I agree.")


def test_what_the_operator_relays_for_an_expert_is_the_operators_word(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    factories.comment(number, people.operator, clock(), "Too broad.", relayed=True)
    assert [one.who for one in said(number)] == ["The operator, passing on an expert’s words"]


def test_a_message_that_is_pasted_in_proves_nothing_by_its_header(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    address = people.expert.email
    raw = letter(address, "I approve.", passing(address), Subject=f"[urn {number}] x").decode()
    outcome = mail_desk.paste(factories.command(people.operator, clock(), secret=SECRET), raw)
    assert outcome.filed is MailDisposition.QUEUED
    assert said(number) == []


def test_a_template_that_nothing_proves_waits_and_a_proven_one_is_a_draft(
    people: Cast, clock: Clock
) -> None:
    text = format_template(factories.template(namespace_identifier="wombat"))
    address = people.rival.email
    assert ingest(letter(address, text, failing(address)), clock).filed is MailDisposition.QUEUED
    (waiting,) = mail_desk.queue(people.operator, 10)
    assert waiting.is_template
    assert NOTHING_PROVES in waiting.why
    outcome = ingest(letter(address, text, passing(address), Message_ID="<2@x.example>"), clock)
    assert outcome.filed is MailDisposition.DRAFT
    with read_transaction():
        request = request_rows.find_request(outcome.request or 0)
        assert request is not None
        assert request.registrant == people.rival.id


def test_what_the_list_sends_in_its_own_name_is_nobodys_word(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    rewritten = f"Odell via urn <{POST.list_address}>"
    subject = f"Re: [urn {number}] x"
    raw = letter(rewritten, "Approved.", passing(POST.list_address), Subject=subject)
    assert ingest(raw, clock).filed is MailDisposition.QUEUED
    arc = letter(
        people.operator.email,
        "Approved.",
        Subject=subject,
        ARC_Authentication_Results=f"i=1; {passing(people.operator.email)}",
    )
    assert ingest(arc, clock).filed is MailDisposition.QUEUED
    assert said(number) == []


def test_of_what_was_said_earlier_mail_is_told_where_the_words_show_it(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    own = f"<urn.{number}.{{}}@127.0.0.1>"
    rows = [
        ("<1@org.example>", "", "by e-mail"),
        (own.format("0123456789abcdef"), "> Why?", "by e-mail"),
        (own.format("fedcba9876543210"), "", ""),
    ]
    with transaction():
        for message_id, folded, _ in rows:
            earlier = NewComment(
                request=number,
                at=clock(),
                author=people.expert.id,
                role=Role.EXPERT,
                body="Why?",
                folded=folded,
                message_id=message_id,
                channel=Channel.EARLIER,
            )
            correspondence.add_comment(earlier)
    assert [way for _, way, _ in how(number)] == [way for _, _, way in rows]


def test_the_page_and_the_record_say_how_a_comment_came(office: Office) -> None:
    stage = office.at(State.EXPERT_REVIEW)
    address = office.people.expert.email
    ingest(
        letter(address, "Why?", passing(address), Subject=f"[urn {stage.number}] x"), office.clock
    )
    ingest(letter(address, "Because.", failing(address)), office.clock)
    _place(stage.number, office.people, office.clock)
    page = stage.get(f"/requests/{stage.number}", office.people.registrant).words
    record = stage.get(f"/requests/{stage.number}/record.txt", office.people.registrant)
    for shown in (page, " ".join(record.html.split())):
        assert f"An expert, by e-mail, verified by {MX} (DMARC)" in shown
        placed = "An unverified sender (e…@experts.example), by e-mail, filed by the operator"
        assert placed in shown


def _arguments(template: str) -> list[str]:
    with read_transaction():
        found = select(Outbox.arguments).where(Outbox.template == template)
        return list(db.session.scalars(found))
