"""An hour of bad weather for mail: every message is delivered, waits, or has failed in sight.

A real mail server refuses connections, stalls for longer than one waits, answers 451 at every
stage, refuses one recipient with 550 and dies with a message in its hands. Two workers, each a
process, send at once, and are killed by SIGKILL before a message, with it, and at any moment
between the server's 250 and the commit that notes it or later. Chance says when, from a seed.
"""

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select

from app.services.accounts import sign_in
from app.store.database import db, read_transaction
from app.store.tables import Outbox
from app.store.tables.accounts import Grant
from app.store.tables.outbox import Delivery
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.outside.test_smtp import free_port
from tests.torture.conftest import rounds
from tests.torture.mail_server import NOBODY, PATIENCE, STALLS, Weather, Worker, workers
from tests.torture.sending import Turn
from tests.web.visitor import Visitor

ROUNDS = rounds(40, 1)
AHEAD = [
    timedelta(),
    timedelta(milliseconds=-1),
    timedelta(hours=-1),
    timedelta(days=3650),
]
STALLED = 60  # seconds, unless the server goes on before: a kill limit
AT_MOST = 10  # minutes in which what was not taken at first is tried again
AWAY = 0.15  # how often a worker finds nobody at the server's door


def rows() -> list[Outbox]:
    with read_transaction():
        found = list(db.session.scalars(select(Outbox).order_by(Outbox.id)))
        db.session.expunge_all()
        return found


def check(weather: Weather) -> Counter[Delivery]:
    """What must hold at every moment; gives how many are where."""
    found = rows()
    for row in found:
        if row.state == Delivery.SENT:
            assert row.message_id in weather.promised, "sent only with a 250"
            assert row.recipient != NOBODY
        elif row.state == Delivery.FAILED:
            assert row.why
        else:
            assert not row.why.startswith("550"), "it is not tried in vain"
    told = Counter(handed.ident for handed in weather.handed if handed.is_told)
    assert max(told.values(), default=0) <= 1, "sent again although it was noted"
    untold = sum(not handed.is_told for handed in weather.handed)
    assert len(weather.handed) - len(weather.kept) <= untold, "one more for each blow at most"
    assert set(weather.kept) <= {row.message_id for row in found}, "under the same Message-ID"
    return Counter(Delivery(row.state) for row in found)


def write_some(people: factories.Cast, minute: int, clock: Clock) -> None:
    """Mail for several people every ten minutes, and links that are soon too old."""
    if minute % 10 == 0:
        factories.sent(people.registrant, clock(), namespace_identifier=f"weather-{minute}")
    if minute % 15 == 0:
        for who in (NOBODY, people.rival.email):
            sign_in.ask_for_link(who, "/", clock(), secret="s", host="h.example")


def take_turns(at_work: list[Worker], weather: Weather, clock: Clock) -> None:
    """All at once send what is due."""
    for worker in at_work:
        is_away = not weather.calm and weather.chance.random() < AWAY
        address = f"127.0.0.1:{free_port()}" if is_away else worker.address
        worker.tell(Turn(clock(), address, PATIENCE, clock()))
    for worker in at_work:
        worker.wait()


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.slow
def test_an_hour_of_bad_weather(
    app: Flask, database_url: str, tmp_path: Path, clock: Clock, seed: int
) -> None:
    people = factories.cast(clock())
    factories.person(NOBODY, clock(), Grant.OPERATOR)
    weather = Weather(seed)
    with workers(weather, database_url, tmp_path, 2) as at_work:
        for minute in range(60):
            write_some(people, minute, clock)
            take_turns(at_work, weather, clock)
            clock.on(minutes=1)
            check(weather)
        assert len(set(weather.befell)) > 4, "the weather is bad"
        assert sum(worker.deaths for worker in at_work), "and deadly"
        weather.calm = True
        for _ in range(20):
            take_turns(at_work, weather, clock)
            clock.on(days=1)
    after = check(weather)
    assert not after[Delivery.WAITING], "nothing waits once the weather is calm"
    failed = {(row.recipient, row.why) for row in rows() if row.state == Delivery.FAILED}
    refused = {(who, why) for who, why in failed if "expired before" not in why}
    assert refused == {(NOBODY, "550 5.1.1 no such user")}


@pytest.mark.parametrize("ahead", AHEAD)
def test_two_workers_send_each_message_once_whatever_their_clocks_say(
    app: Flask, database_url: str, tmp_path: Path, clock: Clock, ahead: timedelta
) -> None:
    clock.now = datetime.now(UTC)  # the database's own clock counts
    for n in range(rounds(400, 40)):
        sign_in.ask_for_link(f"somebody{n}@org.example", "/", clock(), secret="s", host="h")
    weather = Weather(calm=True)
    with workers(weather, database_url, tmp_path, 2) as at_work:
        for minutes in range(0, AT_MOST, 2):
            told = clock() + timedelta(minutes=minutes)
            for worker, at in zip(at_work, (told, told + ahead), strict=True):
                worker.tell(Turn(at, worker.address, STALLED, told if minutes else None))
            for worker in at_work:
                worker.wait()
            # a machine may be too busy for a message, which then is due some minutes later
            if {row.state for row in rows()} == {Delivery.SENT}:
                break
    assert {row.state for row in rows()} == {Delivery.SENT}
    assert set(weather.kept.values()) == {1}
    assert len(weather.kept) == len(rows())


def test_no_web_request_waits_for_mail_that_stalls(
    make_app: MakeApp, database_url: str, tmp_path: Path, clock: Clock
) -> None:
    weather = Weather()
    weather.stall = STALLED
    weather.always = STALLS
    with workers(weather, database_url, tmp_path, 1) as (worker,):
        visitor = Visitor(make_app(smtp_url=f"smtp://{worker.address}"))
        assert visitor.send("/sign-in", {"email": "robin@org.example"}).status == 200
        assert not weather.handed, "nobody came to the server yet"
        worker.tell(Turn(clock(), worker.address, STALLED, clock()))
        assert worker.door.stalls.wait(STALLED)
        assert visitor.send("/sign-in", {"email": "rival@other.example"}).status == 200
        assert visitor.get("/requests/").status == 200
        assert not worker.line.poll(), "the worker waits for its message still"
        worker.door.goes_on.set()
        worker.wait()
        with visitor.app.app_context():
            assert [row.state for row in rows()] == [Delivery.WAITING] * 2
