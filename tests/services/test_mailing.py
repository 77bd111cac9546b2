"""The outbox: every message goes out, once as far as one can know, and fails in sight."""

import hmac
import signal
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select, update

from app import worker
from app.bundles.lease_notes import LeaseNotes
from app.messages.delivery_errors import DeliveryError, MailAccessRefused, MessageRejected
from app.messages.notices import MailKind
from app.services.accounts import sign_in
from app.services.mail import mail_desk, outbox_delivery
from app.services.mail.incoming_mail import read_reply
from app.services.refusals import NotFound
from app.services.requests.queues import operator_desk
from app.store.accounts import sign_in_rows
from app.store.database import db, read_transaction, transaction
from app.store.digests import sha256
from app.store.mail import correspondence, outbox_messages
from app.store.mail.outbox_messages import LEASE
from app.store.tables import Claim, Outbox, SignIn
from app.store.tables.outbox import Delivery
from app.worker import WorkerContext
from tests import factories
from tests.conftest import Clock
from tests.processes import PROCESSES
from tests.torture.sending import be_killed

pytestmark = pytest.mark.postgresql

Deliver = Callable[[EmailMessage], None]


class Server:
    """Takes messages, or refuses them as it is told."""

    def __init__(self) -> None:
        self.taken: list[EmailMessage] = []
        self.refusals: dict[str, BaseException] = {}
        self.asked = 0

    def __call__(self, message: EmailMessage) -> None:
        """What the worker calls to send a message."""
        self.asked += 1
        refusal = self.refusals.get(message["To"]) or self.refusals.get("*")
        if refusal:
            raise refusal
        self.taken.append(message)

    @property
    def reached(self) -> list[str]:
        """Who got a message, in order."""
        return [message["To"] for message in self.taken]


AWAY = ConnectionRefusedError("nobody listens")
MORE_THAN_ALL = outbox_delivery._MOST_ATTEMPTS + 2  # tries than a message has


def send(clock: Clock, deliver: Deliver, reply_to: str = "") -> int:
    return outbox_delivery.send_waiting(
        clock(),
        deliver=deliver,
        sender="registry@registry.example",
        secret="s",
        base_url="https://registry.example",
        reply_to=reply_to,
    )


def send_all(clock: Clock, deliver: Deliver) -> int:
    """As the worker does: again and again, until nothing is due."""
    sent = 0
    while True:
        with read_transaction():
            if not outbox_messages.is_due():
                return sent
        sent += send(clock, deliver)


def messages() -> list[Outbox]:
    with read_transaction():
        found = list(db.session.scalars(select(Outbox).order_by(Outbox.id)))
        db.session.expunge_all()
        return found


@pytest.fixture
def waiting(app: Flask, clock: Clock) -> list[str]:
    """Three messages about a request, whose sender wants no receipt; gives their recipients."""
    registrant = factories.cast(clock()).registrant
    with transaction():
        correspondence.set_unwanted(registrant.id, {MailKind.NEWS})
    factories.sent(registrant, clock())
    return [message.recipient for message in messages()]


def test_a_message_is_delivered_once_to_each(waiting: list[str], clock: Clock) -> None:
    server = Server()
    assert send(clock, server) == 3
    assert server.reached == waiting
    assert {message.state for message in messages()} == {Delivery.SENT}
    assert send_all(clock, server) == 0
    assert send_all(clock, lambda _: None) == 0
    assert len({message["Message-ID"] for message in server.taken}) == 3


def test_nothing_is_locked_where_nothing_waits(app: Flask, clock: Clock) -> None:
    def refuse() -> None:
        raise AssertionError("a write")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(outbox_delivery, "transaction", refuse)
        assert send(clock, Server()) == 0


def test_a_server_that_is_away_is_asked_again_later_and_later(
    waiting: list[str], clock: Clock
) -> None:
    server = Server()
    server.refusals["*"] = AWAY
    waits = []
    for _ in range(4):
        server.asked = 0
        assert send_all(clock, server) == 0
        assert server.asked == 3
        due = max(message.next_at for message in messages())
        waits.append(due - clock())
        clock.now = due - timedelta(seconds=1)
        assert send_all(clock, server) == 0
        assert server.asked == 3, "it waits its time"
        clock.now = due
    assert waits == [timedelta(minutes=n) for n in (1, 2, 4, 8)]
    server.refusals.clear()
    assert send_all(clock, server) == 3
    assert server.reached == waiting
    assert [message.why for message in messages()] == ["", "", ""]


def test_one_refused_recipient_keeps_nobody_else_waiting(waiting: list[str], clock: Clock) -> None:
    server = Server()
    server.refusals[waiting[0]] = DeliveryError("451 try again later")
    assert send_all(clock, server) == 2
    assert server.reached == waiting[1:]
    ((message, why),) = operator_desk(clock()).unsent
    assert (message.recipient, why) == (waiting[0], "451 try again later")


def again(ident: int, clock: Clock) -> None:
    """Press the desk's button at a message."""
    operator = factories.cast(clock()).operator
    mail_desk.send_again(factories.command(operator, clock()), ident)


def test_what_is_refused_for_good_is_given_up_at_once_and_sent_again_when_asked(
    waiting: list[str], clock: Clock
) -> None:
    server = Server()
    server.refusals[waiting[0]] = MessageRejected("550 5.1.1 no such user")
    assert send_all(clock, server) == 2
    clock.on(days=3)
    assert send_all(clock, server) == 0
    failed = messages()[0]
    assert (failed.state, failed.attempts) == (Delivery.FAILED, 1)
    assert failed.why == "550 5.1.1 no such user"
    server.refusals.clear()
    again(failed.id, clock)
    assert send_all(clock, server) == 1
    assert server.reached[-1] == waiting[0]


def test_a_wrong_password_loses_nothing_however_long_it_stays(
    waiting: list[str], clock: Clock
) -> None:
    server = Server()
    server.refusals["*"] = MailAccessRefused("535 authentication failed")
    for _ in range(MORE_THAN_ALL):
        assert send_all(clock, server) == 0
        clock.on(hours=1)
    assert {message.state for message in messages()} == {Delivery.WAITING}
    assert server.asked > 3 * outbox_delivery._MOST_ATTEMPTS
    assert "535 authentication failed" in operator_desk(clock()).unsent[0][1]
    assert "URN_REGISTRY_SMTP_URL" in operator_desk(clock()).unsent[0][1]
    server.refusals.clear()
    assert send_all(clock, server) == 3


def test_after_a_wrong_password_each_message_still_has_all_its_tries(
    waiting: list[str], clock: Clock
) -> None:
    server = Server()
    server.refusals["*"] = MailAccessRefused("535 authentication failed")
    for _ in range(MORE_THAN_ALL):
        send_all(clock, server)
        clock.on(hours=1)
    server.refusals = {waiting[0]: DeliveryError("451 try again later")}
    assert send_all(clock, server) == 2
    first = messages()[0]
    assert (first.state, first.attempts) == (Delivery.WAITING, 1)
    assert first.next_at == clock() + timedelta(minutes=1)
    server.refusals.clear()
    clock.on(minutes=1)
    assert send_all(clock, server) == 1


def test_a_worker_that_slept_through_its_lease_says_nothing_while_no_other_has_one(
    waiting: list[str], clock: Clock
) -> None:
    with transaction():
        slept = outbox_messages.lease(clock())
    assert slept is not None
    clock.on(seconds=LEASE.total_seconds())
    server = Server()
    server.refusals["*"] = MailAccessRefused("535 authentication failed")
    send_all(clock, server)
    with transaction():
        outbox_messages.mark_unsent(slept, "it timed out", None)
    assert {message.state for message in messages()} == {Delivery.WAITING}


def test_what_waits_for_another_try_is_tried_at_once_when_asked(
    waiting: list[str], clock: Clock
) -> None:
    server = Server()
    server.refusals["*"] = AWAY
    send_all(clock, server)
    server.refusals.clear()
    first, second, _ = messages()
    again(first.id, clock)
    assert send_all(clock, server) == 1
    with pytest.raises(NotFound):
        again(first.id, clock)
    clock.on(minutes=1)
    with transaction():
        outbox_messages.lease(clock())
    with pytest.raises(NotFound, match="waiting for another attempt"):
        again(second.id, clock)


def test_a_message_that_never_goes_fails_in_sight(waiting: list[str], clock: Clock) -> None:
    server = Server()
    server.refusals[waiting[0]] = AWAY
    send_all(clock, server)
    for _ in range(20):
        clock.on(days=1)
        send_all(clock, server)
    failed, *others = messages()
    assert (failed.state, failed.attempts) == (Delivery.FAILED, 15)
    assert {message.state for message in others} == {Delivery.SENT}
    assert server.asked == 15 + 2
    ((shown, why),) = operator_desk(clock()).unsent
    assert (shown.id, why) == (failed.id, "ConnectionRefusedError: nobody listens")


def test_a_message_that_cannot_be_written_fails_at_once_and_others_go(
    waiting: list[str], clock: Clock
) -> None:
    with transaction():
        row = db.session.get(Outbox, messages()[0].id)
        assert row is not None
        row.template = "a notice that is gone"
    server = Server()
    assert send_all(clock, server) == 2
    failed = messages()[0]
    assert (failed.state, failed.attempts) == (Delivery.FAILED, 1)
    assert failed.why.startswith("KeyError")


def test_an_error_that_nobody_thought_of_is_noted_and_tried_again(
    waiting: list[str], clock: Clock
) -> None:
    server = Server()
    server.refusals[waiting[0]] = RuntimeError("what is this")
    assert send_all(clock, server) == 2
    assert messages()[0].why == "RuntimeError: what is this"
    server.refusals.clear()
    clock.on(minutes=1)
    assert send_all(clock, server) == 1


class Killed(BaseException):
    """Stands for the end of the worker."""


def test_what_a_dead_worker_had_taken_is_sent_after_its_lease(
    waiting: list[str], clock: Clock
) -> None:
    server = Server()
    server.refusals[waiting[0]] = Killed()
    with pytest.raises(Killed):
        send(clock, server)
    server.refusals.clear()
    assert send_all(clock, server) == 2, "the others do not wait"
    assert send_all(clock, server) == 0
    clock.on(seconds=LEASE.total_seconds())
    assert send_all(clock, server) == 1
    assert sorted(server.reached) == sorted(waiting)


def test_a_worker_that_slept_through_its_lease_says_nothing_against_the_next(
    waiting: list[str], clock: Clock
) -> None:
    with transaction():
        slept = outbox_messages.lease(clock())
    assert slept is not None
    clock.on(seconds=LEASE.total_seconds())
    server = Server()
    assert send_all(clock, server) == 3
    with transaction():
        outbox_messages.mark_unsent(slept, "it timed out", timedelta())
    assert {message.state for message in messages()} == {Delivery.SENT}
    assert send_all(clock, server) == 0


SKEWS = [timedelta(milliseconds=-1), timedelta(hours=-1), timedelta(days=3650)]


@pytest.mark.parametrize("ahead", SKEWS)
def test_nobody_takes_a_lease_by_a_clock_of_their_own(
    app: Flask, clock: Clock, ahead: timedelta
) -> None:
    ask(clock)
    with transaction():
        assert outbox_messages.lease(clock())
    with transaction():
        assert outbox_messages.lease(clock() + ahead) is None


@pytest.mark.parametrize("ahead", SKEWS)
def test_a_worker_whose_clock_is_wrong_gives_up_no_link_and_no_message(
    app: Flask, clock: Clock, ahead: timedelta
) -> None:
    ask(clock)
    server = Server()
    server.refusals["*"] = AWAY
    for _ in range(20):
        outbox_delivery.send_waiting(
            clock() + ahead, deliver=server, sender="r@h.example", secret="s", base_url="https://h"
        )
    assert server.asked == 1, "the next try is a minute away by the database's clock"
    assert messages()[0].state == Delivery.WAITING


def test_what_a_killed_worker_had_in_hand_is_sent_at_once_by_the_next_of_its_host(
    app: Flask, clock: Clock, database_url: str, tmp_path: Path
) -> None:
    ask(clock)
    process = PROCESSES.Process(target=be_killed, args=(database_url, tmp_path, clock()))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    server = Server()
    elsewhere = next_worker(app, clock, server, tmp_path / "elsewhere")
    worker.send(elsewhere)
    assert server.reached == [], "a worker of another host can't tell that this one was killed"
    worker.send(next_worker(app, clock, server, tmp_path))
    assert len(server.reached) == 1
    assert {message.state for message in messages()} == {Delivery.SENT}


def test_what_another_worker_of_the_host_has_in_hand_stays_with_it(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    ask(clock)
    other = Server()

    def look(_message: EmailMessage) -> None:
        worker.send(next_worker(app, clock, other, tmp_path))

    worker.send(next_worker(app, clock, look, tmp_path))
    assert other.reached == []
    assert {message.state for message in messages()} == {Delivery.SENT}


def test_notes_that_are_damaged_or_cannot_be_written_keep_no_mail(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    server, folder = Server(), tmp_path / "leases"
    folder.mkdir()
    for number, text in enumerate(("", "x", "1 2 3", "1 1 None", "\0" * 9)):
        (folder / f"mail-{number}").write_text(text)
    ask(clock)
    worker.send(next_worker(app, clock, server, tmp_path))
    assert len(server.reached) == 1
    (tmp_path / "file").write_text("")
    ask(clock)
    worker.send(next_worker(app, clock, server, tmp_path / "file"))
    assert len(server.reached) == 2


def next_worker(app: Flask, clock: Clock, deliver: Deliver, data_dir: Path) -> WorkerContext:
    """What a worker knows that is started now on the host with this data folder."""
    return WorkerContext(
        folder=data_dir / "published",
        making=factories.making(),
        secret=lambda: "s",
        sender="registry@registry.example",
        now=clock,
        deliver=deliver,
        mail_leases=LeaseNotes(data_dir / "leases", "mail"),
    )


def test_a_lease_is_kept_when_the_databases_clock_is_set_back_and_ends_in_time(
    app: Flask, clock: Clock
) -> None:
    ask(clock)
    with transaction():
        leased = outbox_messages.lease(clock())
    assert leased is not None
    clock.on(minutes=-10)  # longer than its mail takes, within which its link is good
    server = Server()
    assert send_all(clock, server) == 0, "whoever has it may be at work"
    with transaction():
        clock.on(days=-3650)
        assert outbox_messages.lease(clock()) is None
    clock.on(seconds=LEASE.total_seconds())
    with transaction():
        assert outbox_messages.lease(clock()), "it is not kept for ten years"


def test_a_clock_that_is_set_back_keeps_no_message_waiting_for_years(
    waiting: list[str], clock: Clock
) -> None:
    server = Server()
    server.refusals["*"] = AWAY
    send_all(clock, server)
    server.refusals = {waiting[0]: Killed()}
    clock.on(minutes=1)
    with pytest.raises(Killed):
        send(clock, server)
    server.refusals.clear()
    clock.on(days=-3650)
    assert send_all(clock, server) == 2, "whoever has the first may be at work"
    clock.on(seconds=LEASE.total_seconds())
    assert send_all(clock, server) == 1


def test_a_worker_sends_so_many_and_then_looks_at_its_other_work(app: Flask, clock: Clock) -> None:
    for n in range(25):
        sign_in.ask_for_link(f"somebody{n}@org.example", "/", clock(), secret="s", host="h")
    server = Server()
    assert [send(clock, server) for _ in range(3)] == [20, 5, 0]


def ask(clock: Clock) -> None:
    sign_in.ask_for_link(
        "robin@org.example", "/requests/", clock(), secret="s", host="registry.example"
    )


def link_in(message: EmailMessage) -> str:
    lines = str(message.get_content()).split("\n")
    return next(line for line in lines if line.startswith("https://registry.example/sign-in/"))


def test_a_mailed_link_lets_its_reader_in_once(app: Flask, clock: Clock) -> None:
    ask(clock)
    server = Server()
    assert send(clock, server) == 1
    (message,) = server.taken
    assert (message["To"], message["Subject"]) == ("robin@org.example", "Your sign-in link")
    token = link_in(message).rpartition("/")[2]
    with read_transaction():
        assert sign_in.is_usable(token, clock.on(minutes=14))
    entered = sign_in.use_link(token, clock())
    assert (entered.actor.email, entered.next) == ("robin@org.example", "/requests/")
    with pytest.raises(sign_in.LinkSpent):
        sign_in.use_link(token, clock())


def test_a_link_that_is_too_old_is_not_sent(app: Flask, clock: Clock) -> None:
    ask(clock)
    clock.on(minutes=16)
    server = Server()
    assert send_all(clock, server) == 0
    assert server.asked == 0
    (message,) = messages()
    assert (message.state, message.why) == (
        Delivery.FAILED,
        "The sign-in link had expired before the message was sent.",
    )
    assert "/sign-in/" not in message.arguments


def test_an_answer_to_a_persons_mail_is_known_and_one_to_the_list_goes_there(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    number = factories.in_review(people, clock())
    server = Server()
    while send(clock, server, "reply@registry.example"):
        pass
    by_recipient = {letter["To"]: letter for letter in server.taken}
    assert by_recipient[factories.POST.list_address]["Reply-To"] is None
    answer = by_recipient[people.expert.email]["Reply-To"]
    with read_transaction():
        assert read_reply([answer], "s", clock()) == (number, people.expert.id)


def test_who_has_to_judge_is_led_to_a_page_and_signed_in_by_nothing(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    number = factories.in_review(people, clock())
    server = Server()
    send_all(clock, server)
    (letter,) = (one for one in server.taken if one["To"] == people.expert.email)
    assert f"\nhttp://127.0.0.1:8000/review/{number}\n" in letter.get_content()
    assert "/sign-in/" not in letter.get_content()
    assert not any("/sign-in/" in one.as_string() for one in server.taken)


def test_what_older_software_queued_leads_to_a_page_too(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = factories.in_review(people, clock())
    with transaction():
        sign_in_rows.add_sign_in("its id", people.expert.email, "its token", "/review/", clock())
        db.session.execute(
            update(Outbox).where(Outbox.recipient == people.expert.email).values(sign_in="its id")
        )
    server = Server()
    clock.on(days=2)
    send_all(clock, server)
    (letter,) = (one for one in server.taken if one["To"] == people.expert.email)
    assert f"\nhttp://127.0.0.1:8000/review/{number}\n" in letter.get_content()
    assert "/sign-in/" not in letter.get_content()


def test_a_link_that_older_software_promised_is_the_one_that_is_sent(
    app: Flask, clock: Clock
) -> None:
    ask(clock)
    made = messages()[0].sign_in or ""
    older = hmac.new(b"s", b"sign-in " + made.encode(), "sha256").hexdigest()
    with transaction():
        db.session.execute(update(SignIn).values(token_sha256=sha256(older)))
    server = Server()
    send(clock, server)
    assert token_in(server.taken[0]) == older
    assert sign_in.use_link(older, clock()).actor.email == "robin@org.example"


@pytest.mark.usefixtures("quokka")
def test_an_invitation_that_older_software_queued_is_sent_as_it_was_promised(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    factories.invite(people.registrant, "guest@org.example", clock(), "s")
    older = hmac.new(b"s", b"claim 1", "sha256").hexdigest()
    with transaction():
        db.session.execute(update(Claim).values(token_sha256=sha256(older)))
    server = Server()
    send_all(clock, server)
    (letter,) = (one for one in server.taken if one["To"] == "guest@org.example")
    assert f"/links/{older}\n" in letter.get_content()


def token_in(letter: EmailMessage) -> str:
    """The token of the link that a message carries."""
    return link_in(letter).rpartition("/")[2]
