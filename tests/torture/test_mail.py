"""An hour of bad weather for mail: every message is delivered, waits, or has failed in sight.

A real mail server is away, stalls, answers 451 at every stage, refuses one recipient with 550
and dies with a message in its hands; the worker is killed before it sends, after the server's
250, and between writing that down and the commit. Chance says when, from a seed.
"""

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from email import message_from_bytes
from email.message import EmailMessage
from random import Random
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP
from flask import Flask
from sqlalchemy import select

from app.outside import smtp
from app.services import mailing, sign_in
from app.store import outbox
from app.store.database import db, reading
from app.store.tables import Outbox
from app.store.tables.accounts import Grant
from app.store.tables.outbox import Delivery
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.outside.test_smtp import Mailbox, Running, free_port
from tests.torture.conftest import rounds
from tests.web.visitor import Visitor

ROUNDS = rounds(40, 2)
NOBODY = "nobody@org.example"
BEFORE, AFTER, BETWEEN = "before sending", "after the 250", "before the commit"
KINDS = ["takes"] * 8 + ["away", "MAIL", "RCPT", "DATA", "dies", "stalls"]
KEPT_UNTOLD = {"dies", "stalls"}


class Killed(BaseException):
    """Stands for the end of the worker."""


class Weather(Mailbox):
    """A mail server and a worker, and what befalls them."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.chance = Random(seed)
        self.calm = False
        self.kind = "takes"
        self.kept: Counter[str] = Counter()
        self.promised: set[str] = set()
        self.untold: Counter[str] = Counter()  # kept by the server, and the worker cannot know
        self.befell: Counter[str] = Counter()
        self.gone = threading.Event()

    def choose(self, kinds: list[str], ident: str, quiet: set[str]) -> str:
        """What happens next; to one message what nobody can know happens once."""
        kind = self.chance.choice(kinds)
        if self.calm or (kind in quiet and self.untold[ident]):
            return kinds[0]
        self.befell[kind] += 1
        return kind

    async def handle_MAIL(self, *given: Any) -> str:  # noqa: N802 — the name that the server asks for
        """A message begins."""
        self.answers = {self.kind: "451 try again later"} if self.kind in {"MAIL", "RCPT"} else {}
        return await super().handle_MAIL(*given)

    async def handle_RCPT(  # noqa: N802 — the name that the server asks for
        self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        """A recipient is named."""
        if address == NOBODY:
            return "550 5.1.1 no such user"
        return await super().handle_RCPT(server, session, envelope, address, options)

    async def handle_DATA(self, server: SMTP, _session: Any, envelope: Any) -> str:  # noqa: N802
        """The message is there."""
        ident, kind = message_from_bytes(envelope.content)["Message-ID"], self.kind
        if kind == "DATA":
            return "451 try again later"
        self.kept[ident] += 1
        if kind in KEPT_UNTOLD:
            self.untold[ident] += 1
            if kind == "stalls":
                await asyncio.to_thread(self.gone.wait, 30)
            line: Any = server.transport
            line.abort()
            return "421 gone"
        self.promised.add(ident)
        return "250 OK"


class Worker:
    """Sends what waits through the weather, and begins anew when it was killed."""

    def __init__(self, weather: Weather, address: str, patched: pytest.MonkeyPatch) -> None:
        self.weather, self.address, self.patched = weather, address, patched
        self.end = ""
        marked = outbox.mark_sent

        def mark_sent(ident: int) -> None:
            marked(ident)
            if self.end == BETWEEN:
                raise Killed

        patched.setattr(outbox, "mark_sent", mark_sent)

    def deliver(self, message: EmailMessage) -> None:
        """What the worker calls to send a message."""
        weather, ident = self.weather, message["Message-ID"]
        weather.kind = weather.choose(KINDS, ident, KEPT_UNTOLD)
        ends = ["goes on"] * 12 + [BEFORE, AFTER, BETWEEN]
        self.end = "" if weather.kind != "takes" else weather.choose(ends, ident, {AFTER, BETWEEN})
        if self.end == BEFORE:
            raise Killed
        port = f"127.0.0.1:{free_port()}" if weather.kind == "away" else self.address
        self.patched.setattr(smtp, "TIMEOUT", 0.5 if weather.kind == "stalls" else 30)
        weather.gone.clear()
        try:
            smtp.send(message, f"smtp://{port}")
        finally:
            weather.gone.set()
        if self.end in {AFTER, BETWEEN}:
            weather.untold[ident] += 1
        if self.end == AFTER:
            raise Killed

    def work(self, clock: Clock) -> None:
        """Until nothing is due or it is killed."""
        with suppress(Killed):
            while self.is_due(clock):
                mailing.send_waiting(
                    clock(),
                    deliver=self.deliver,
                    sender="registry@registry.example",
                    secret="s",
                    base_url="https://registry.example",
                )

    @staticmethod
    def is_due(clock: Clock) -> bool:
        """Whether anything is to be sent now."""
        with reading():
            return outbox.is_due(clock())


def rows() -> list[Outbox]:
    with reading():
        found = list(db.session.scalars(select(Outbox).order_by(Outbox.id)))
        db.session.expunge_all()
        return found


def check(weather: Weather) -> Counter[Delivery]:
    """What must hold at every moment; gives how many are where."""
    counted: Counter[Delivery] = Counter()
    for row in rows():
        counted[Delivery(row.state)] += 1
        ident = row.message_id
        assert weather.kept[ident] <= 1 + weather.untold[ident] <= 2
        if row.state == Delivery.SENT:
            assert ident in weather.promised, "sent only with a 250"
        elif row.state == Delivery.FAILED:
            assert row.why
        if row.recipient == NOBODY:
            assert row.state != Delivery.SENT
    assert sum(weather.kept.values()) == sum(weather.kept[row.message_id] for row in rows())
    return counted


@pytest.fixture
def hour(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Where the test changes what it needs to."""
    monkeypatch.setattr(mailing._log, "disabled", True)  # it says of each what went wrong
    yield monkeypatch


def write_some(people: factories.Cast, minute: int, clock: Clock) -> None:
    """Mail for several people every ten minutes, and links that are soon too old."""
    if minute % 10 == 0:
        factories.sent(people.registrant, clock(), namespace_identifier=f"weather-{minute}")
    if minute % 15 == 0:
        for who in (NOBODY, people.rival.email):
            sign_in.ask_for_link(who, "/", clock(), secret="s", host="h.example")


@pytest.mark.few_names
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_an_hour_of_bad_weather(
    app: Flask, clock: Clock, hour: pytest.MonkeyPatch, seed: int
) -> None:
    people = factories.cast(clock())
    factories.person(NOBODY, clock(), Grant.OPERATOR)
    weather = Weather(seed)
    with Running(weather) as address:
        worker = Worker(weather, address, hour)
        for minute in range(60):
            write_some(people, minute, clock)
            worker.work(clock)
            clock.on(minutes=1)
            check(weather)
        assert len(weather.befell) > 4, "the weather is bad"
        weather.calm = True
        for _ in range(20):
            worker.work(clock)
            clock.on(days=1)
        after = check(weather)
        assert not after[Delivery.WAITING], "nothing waits once the weather is calm"
        failed = {(row.recipient, row.why) for row in rows() if row.state == Delivery.FAILED}
        refused = {(who, "no such user" in why) for who, why in failed if "too old" not in why}
        assert refused == {(NOBODY, True)}


def test_no_web_request_waits_for_mail(make_app: MakeApp, clock: Clock) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.setblocking(False)
        app = make_app(smtp_url=f"smtp://127.0.0.1:{silent.getsockname()[1]}")
        page = Visitor(app).send("/sign-in", {"email": "robin@org.example"})
        assert page.status < 400
        with app.app_context():
            assert [row.recipient for row in rows()] == ["robin@org.example"]
            assert Worker.is_due(clock)
        with pytest.raises(BlockingIOError):  # nobody came
            silent.accept()
