"""Mail that comes back marks an address: what is for it waits in sight, and nothing is lost."""

import pytest
from flask import Flask
from sqlalchemy import select

from app.services.accounts import sign_in
from app.services.mail import incoming_mail, mail_desk
from app.services.refusals import NotAllowed, NotFound
from app.store.database import db, read_transaction
from app.store.tables import Outbox
from app.store.tables.discussion import MailDisposition
from tests import factories
from tests.conftest import Clock
from tests.factories import POST, SECRET, Cast
from tests.services.test_mailing import Server, messages, send_all


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def bounce(
    ident: str, address: str, status: str = "5.1.1", words: str = "550 no such user"
) -> bytes:
    """What a mail server says of a message that it could not deliver."""
    return (
        "From: MAILER-DAEMON@mx.example\nTo: registry@registry.example\n"
        "Subject: Undelivered Mail Returned to Sender\nAuto-Submitted: auto-replied\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        "--b\nContent-Type: text/plain\n\nIt failed.\n"
        "--b\nContent-Type: message/delivery-status\n\n"
        f"Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; {address}\n"
        f"Action: failed\nStatus: {status}\nDiagnostic-Code: smtp; 550 no such user\n\n"
        f"--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: {ident}\n--b--\n"
    ).encode()


def come_back(clock: Clock, ident: str, address: str, status: str = "5.1.1") -> None:
    raw = bounce(ident, address, status)
    assert (
        incoming_mail.ingest(raw, clock(), factories.policy(SECRET)).filed is MailDisposition.BOUNCE
    )


def ident_to(address: str) -> str:
    """The Message-ID of the newest message to somebody."""
    with read_transaction():
        to_them = select(Outbox.message_id).where(Outbox.recipient == address)
        return db.session.scalars(to_them.order_by(Outbox.id.desc()).limit(1)).one()


def marked(people: Cast) -> list[tuple[str, str, int]]:
    with read_transaction():
        found = mail_desk.mail(people.operator).marked
    return [(one.address, one.why, one.held) for one in found]


@pytest.fixture
def number(people: Cast, clock: Clock) -> int:
    """A request whose mail was sent, the expert's among it."""
    made = factories.in_review(people, clock())
    send_all(clock, Server())
    return made


def test_what_is_for_an_address_that_mail_came_back_from_waits_until_it_is_cleared(
    people: Cast, number: int, clock: Clock
) -> None:
    gone = people.expert.email
    come_back(clock, ident_to(gone), gone)
    assert marked(people) == [(gone, "550 no such user", 0)]
    with read_transaction():
        ((failed, why),) = mail_desk.mail(people.operator).failed
        back = mail_desk.came_back(people.expert)
        assert mail_desk.came_back(people.leader) is None
    assert (failed.recipient, "no such user" in why) == (gone, True)
    assert back == mail_desk.BounceReport(clock(), "550 no such user")
    factories.comment(number, people.registrant, clock(), "For zoos.")
    server = Server()
    send_all(clock, server)
    assert server.reached
    assert gone not in server.reached
    assert marked(people) == [(gone, "550 no such user", 1)]
    with read_transaction():
        desk = mail_desk.mail(people.operator)
    assert (desk.count, desk.waiting) == (0, ()), "it is shown as held"
    assert desk.marked[0].reviews == (number,), "what goes on without its mail"
    mail_desk.clear(factories.command(people.operator, clock()), desk.marked[0].id)
    assert send_all(clock, server) == 1
    assert server.reached[-1] == gone
    with pytest.raises(NotFound):
        mail_desk.clear(factories.command(people.operator, clock()), desk.marked[0].id)
    with pytest.raises(NotAllowed):
        mail_desk.clear(factories.command(people.leader, clock()), desk.marked[0].id)


def ask(address: str, clock: Clock) -> str:
    """Ask for a link; gives its token once it was sent."""
    sign_in.ask_for_link(address, "/", clock(), secret="s", host="h.example")
    server = Server()
    send_all(clock, server)
    (letter,) = server.taken
    assert letter["To"] == address
    return str(letter.get_content()).partition("/sign-in/")[2].split()[0]


def test_a_link_to_sign_in_is_sent_all_the_same_and_whoever_uses_it_gets_their_mail_again(
    people: Cast, number: int, clock: Clock
) -> None:
    gone = people.expert.email
    before = ask(gone, clock)
    clock.on(minutes=1)
    factories.comment(number, people.registrant, clock(), "For zoos.")
    come_back(clock, next(one.message_id for one in messages() if one.recipient == gone), gone)
    assert send_all(clock, Server()) > 0
    sign_in.use_link(before, clock())
    assert marked(people) == [(gone, "550 no such user", 1)], (
        "it was sent before the mail came back"
    )
    clock.on(minutes=1)
    sign_in.use_link(ask(gone, clock), clock())
    assert marked(people) == []
    server = Server()
    send_all(clock, server)
    assert server.reached == [gone]


def test_a_forged_report_silences_nobody(people: Cast, number: int, clock: Clock) -> None:
    theirs, others = people.expert.email, people.second_expert.email
    for ident in ("<urn.1.0000@127.0.0.1>", "", ident_to(others), ident_to(POST.list_address)):
        come_back(clock, ident, theirs)
    come_back(clock, ident_to(POST.list_address), POST.list_address)
    assert marked(people) == []


def test_a_message_that_waits_has_not_come_back(people: Cast, number: int, clock: Clock) -> None:
    factories.comment(number, people.registrant, clock(), "For zoos.")
    come_back(clock, ident_to(people.expert.email), people.expert.email)
    assert marked(people) == []
    assert send_all(clock, Server()) > 0


def test_a_report_of_a_message_counts_once(people: Cast, number: int, clock: Clock) -> None:
    gone = people.expert.email
    ident = ident_to(gone)
    come_back(clock, ident, gone)
    with read_transaction():
        (one,) = mail_desk.mail(people.operator).marked
    mail_desk.clear(factories.command(people.operator, clock()), one.id)
    raw = bounce(ident, gone).replace(b"It failed.", b"It failed again.")
    incoming_mail.ingest(raw, clock(), factories.policy(SECRET))
    assert marked(people) == []


@pytest.mark.parametrize("status", ["4.4.7", "5.7.1", "5.6.0", "5.3.4", "5.2.3", ""])
def test_what_failed_for_a_while_or_for_what_it_holds_marks_the_message_alone(
    people: Cast, number: int, clock: Clock, status: str
) -> None:
    gone = people.expert.email
    come_back(clock, ident_to(gone), gone, status)
    assert marked(people) == []
    with read_transaction():
        ((failed, why),) = mail_desk.mail(people.operator).failed
    assert (failed.recipient, failed.has_failed) == (gone, True)
    assert "no such user" in why
