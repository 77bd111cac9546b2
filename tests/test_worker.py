"""The worker: does all that waits, goes on when something fails, ends when told."""

import errno
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from flask import Flask
from psycopg.errors import DiskFull
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from app import worker
from app.bundles import edition_checks
from app.bundles.layout import current_manifest
from app.outside import smtp
from app.services.accounts import sign_in
from app.services.editions import edition_build, publication
from app.services.mail import outbox_delivery
from app.store.database import db, read_transaction
from app.store.editions import edition_rows
from app.store.tables import Host, Outbox
from app.store.tables.outbox import Delivery
from app.worker import WorkerContext
from tests import factories
from tests.conftest import Clock
from tests.outside.test_smtp import Running
from tests.rounds import run_once
from tests.store.schema import rows_of
from tests.torture.mail_server import STALLS, Door, Weather
from tests.waiting import DEADLINE, wait_until


@pytest.fixture
def taken() -> list[EmailMessage]:
    return []


@pytest.fixture
def work(app: Flask, clock: Clock, tmp_path: Path, taken: list[EmailMessage]) -> WorkerContext:
    factories.registered(factories.cast(clock()), clock())
    return WorkerContext(
        folder=tmp_path / "published",
        making=factories.making(),
        secret=lambda: "s",
        sender="registry@registry.example",
        now=clock,
        deliver=taken.append,
        context=app.app_context,
    )


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "PAUSE", 0.01)
    monkeypatch.setattr(worker, "HEARTBEAT", 0.05)


@contextmanager
def running(work: WorkerContext) -> Iterator[threading.Thread]:
    thread = threading.Thread(target=worker.run, args=(work,))
    thread.start()
    try:
        yield thread
    finally:
        work.stopped.set()
        thread.join(DEADLINE)
        assert not thread.is_alive(), "it hangs"
        for lane in threading.enumerate():  # in a process of its own it would end with that
            if lane.name in {one.name for one in worker.LANES}:
                lane.join(DEADLINE)


def current_edition(work: WorkerContext) -> int | None:
    manifest = current_manifest(work.folder)
    return manifest.edition if manifest else None


def states() -> list[str]:
    with read_transaction():
        return list(db.session.scalars(select(Outbox.state).order_by(Outbox.id)))


def hosts() -> list[Host]:
    with read_transaction():
        found = list(db.session.scalars(select(Host)))
        db.session.expunge_all()
        return found


def test_it_builds_publishes_and_sends_what_waits(
    work: WorkerContext, taken: list[EmailMessage]
) -> None:
    with running(work):
        wait_until(lambda: current_edition(work) == 2 and set(states()) == {Delivery.SENT})
    assert len(taken) == len(states()) > 0


def test_a_host_that_answers_nothing_yet_waits_for_no_later_edition(
    work: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = list[int | None]()
    known = edition_checks.check_files

    def check(*arguments: Any) -> None:
        seen.append(current_edition(work))
        known(*arguments)
        if len(seen) > 1:
            raise ValueError("It cannot be published.")

    monkeypatch.setattr(edition_build, "check_files", check)
    worker.build(work)
    assert seen == [None, 1]
    assert current_edition(work) == 1


def test_a_new_host_answers_before_it_tries_what_cannot_be_built(
    work: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker.build(work)

    def tried(*_arguments: Any) -> list[int]:
        assert current_edition(new) == 2
        return []

    new = replace(work, folder=work.folder.with_name("new"))
    monkeypatch.setattr(edition_build, "build_pending", tried)
    worker.build(new)
    assert current_edition(new) == 2


def test_publishing_rests_as_long_as_it_worked_but_never_for_long() -> None:
    rests = [worker.PUBLISHING.pause(took) for took in (0.01, 2.0, 600.0)]
    assert rests == [worker.PAUSE, 2.0, 5.0]


def test_without_a_way_for_mail_it_waits(work: WorkerContext, taken: list[EmailMessage]) -> None:
    run_once(replace(work, deliver=None))
    assert current_edition(work) == 2
    run_once(work)
    assert taken


@pytest.mark.parametrize(
    ("room", "broken"), [(edition_build, "build_pending"), (publication, "lay_out_newest")]
)
def test_what_fails_keeps_nothing_else_from_being_done(
    work: WorkerContext,
    taken: list[EmailMessage],
    monkeypatch: pytest.MonkeyPatch,
    room: ModuleType,
    broken: str,
) -> None:
    monkeypatch.setattr(room, broken, lambda *_: 1 / 0)
    with pytest.raises(ExceptionGroup) as failed:
        run_once(work)
    assert [type(error) for error in failed.value.exceptions] == [ZeroDivisionError]
    assert taken


def test_mail_that_fails_keeps_no_edition_from_being_published(
    work: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox_delivery, "send_waiting", lambda *_, **__: 1 / 0)
    with pytest.raises(ExceptionGroup):
        run_once(work)
    assert current_edition(work) == 2


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Door, str]]:
    monkeypatch.setattr(smtp, "TIMEOUT", DEADLINE)
    monkeypatch.setattr(worker, "PATIENCE", 0.2)
    weather = Weather()
    weather.always, weather.stall = STALLS, 10 * DEADLINE
    door = Door(weather)
    with Running(door) as address:
        yield door, address
        door.goes_on.set()


@pytest.mark.slow
def test_a_mail_server_that_hangs_delays_no_edition(
    work: WorkerContext, hanging: tuple[Door, str], clock: Clock
) -> None:
    door, address = hanging

    def deliver(message: EmailMessage) -> None:
        smtp.send(message, f"smtp://{address}")

    with running(replace(work, deliver=deliver)):
        assert door.stalls.wait(DEADLINE)
        factories.registered(factories.cast(clock()), clock(), namespace_identifier="numbat")
        wait_until(lambda: current_edition(work) == 3)
        assert Delivery.SENT not in states(), "the mail server hangs still"
        door.goes_on.set()


def test_a_stop_waits_for_no_mail_server_that_hangs(
    work: WorkerContext, hanging: tuple[Door, str]
) -> None:
    door, address = hanging

    def deliver(message: EmailMessage) -> None:
        smtp.send(message, f"smtp://{address}")

    with running(replace(work, deliver=deliver)) as thread:
        assert door.stalls.wait(DEADLINE)
        work.stopped.set()
        thread.join(DEADLINE / 2)
        assert not thread.is_alive()
        assert Delivery.SENT not in states()
        door.goes_on.set()


def test_a_stop_lets_the_message_at_hand_go_out_and_no_other(work: WorkerContext) -> None:
    taken = []

    def deliver(message: EmailMessage) -> None:
        work.stopped.set()
        time.sleep(0.1)
        taken.append(message)

    assert worker.run(replace(work, deliver=deliver))
    assert len(taken) == 1
    assert states().count(Delivery.SENT) == 1


def test_a_large_edition_keeps_no_mail_waiting(
    work: WorkerContext, taken: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = threading.Event()
    monkeypatch.setattr(edition_build, "build_pending", lambda *_: made.wait(DEADLINE) and [])
    with running(work):
        wait_until(lambda: set(states()) == {Delivery.SENT})
        assert not made.is_set()
        made.set()


def test_a_failure_ends_no_lane_and_is_in_the_log(
    work: WorkerContext, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    build, left = edition_build.build_pending, [1, 2]

    def fail_twice(*arguments: object) -> list[int]:
        if left:
            raise OSError(f"trouble {left.pop(0)}")
        return build(*arguments)  # type: ignore[arg-type]  # as they came

    monkeypatch.setattr(edition_build, "build_pending", fail_twice)
    with running(work):
        wait_until(lambda: current_edition(work) == 2)
    assert "trouble 1" in caplog.text
    assert "trouble 2" in caplog.text


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_lane_that_ends_by_itself_ends_the_worker(
    work: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(*_: object, **__: object) -> None:
        raise SystemExit

    monkeypatch.setattr(outbox_delivery, "send_waiting", end)
    assert not worker.run(work)


def test_what_is_kept_for_a_while_is_forgotten(work: WorkerContext, clock: Clock) -> None:
    sign_in.ask_for_link("a@org.example", "/", clock(), secret="s", host="h", kept="typed")
    token = sign_in.token_of(rows_of("sign_in")[0][0], "s")
    clock.on(hours=1)
    run_once(work, [worker.UPKEEP])
    clock.on(hours=-1)
    assert sign_in.use_link(token, clock()).kept == ""


def test_it_tells_of_its_host_every_few_seconds(
    work: WorkerContext, clock: Clock, tmp_path: Path
) -> None:
    with running(work):
        wait_until(lambda: any(host.edition == 2 and host.mailed for host in hosts()))
        clock.on(minutes=2)
        wait_until(lambda: hosts()[0].seen == clock())
        (host,) = hosts()
    assert host.id == (tmp_path / "host-id").read_text()
    assert (tmp_path / "host-id").stat().st_mode & 0o777 == 0o600
    assert host.free_bytes > 0
    assert host.sends


def test_a_clean_stop_takes_the_host_off_the_list_and_a_start_brings_it_back(
    work: WorkerContext,
) -> None:
    for _ in range(2):
        with running(work):
            wait_until(lambda: bool(hosts()))
            (host,) = hosts()
        assert hosts() == []
        work.stopped.clear()
    assert host.label == socket.gethostname()


def test_what_the_mail_server_said_is_told_without_an_address_or_a_token(
    work: WorkerContext,
) -> None:
    def refuse(message: EmailMessage) -> None:
        raise OSError(f"451 nobody takes mail for <{message['To']}> /sign-in/{'a' * 64}")

    with running(replace(work, deliver=refuse)):
        wait_until(lambda: any(host.mail_said for host in hosts()))
        said = hosts()[0].mail_said
    assert said.startswith("OSError: 451 nobody takes mail for <(an address)>")
    assert "a" * 64 not in said


def test_a_database_that_is_away_ends_no_worker(
    work: WorkerContext, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    away = threading.Event()

    def fail(*_: object, **__: object) -> None:
        away.set()
        raise OSError("away")

    with monkeypatch.context() as patched:
        patched.setattr("app.services.operations.heartbeats.give_sign", fail)
        with running(work) as thread:
            assert away.wait(DEADLINE)
            patched.undo()
            wait_until(lambda: bool(hosts()))
            assert thread.is_alive()


def test_a_database_that_lacks_what_was_published_sends_nothing(
    work: WorkerContext, taken: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("app.services.stored_editions.divergence.is_noted", lambda: True)
        run_once(work, [worker.MAILING])
    assert taken == []
    run_once(work, [worker.MAILING])
    assert taken != []


def test_a_database_that_is_away_is_told_once_by_each_lane_in_a_line_until_it_is_back(
    work: WorkerContext, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    tried = {"build_pending": 0, "give_sign": 0}

    def fail(what: str) -> None:
        tried[what] += 1
        raise OperationalError("SELECT 1", {}, OSError("connection refused\nat a port"))

    with monkeypatch.context() as patched:
        patched.setattr(edition_build, "build_pending", lambda *_: fail("build_pending"))
        patched.setattr(
            "app.services.operations.heartbeats.give_sign", lambda *_, **__: fail("give_sign")
        )
        with running(replace(work, deliver=None)):
            wait_until(lambda: min(tried.values()) > 2)
            patched.undo()
            wait_until(lambda: bool(hosts()) and current_edition(work) == 2)
    told = [one.getMessage() for one in caplog.records if "connection refused" in one.getMessage()]
    assert sorted(line.partition(":")[0] for line in told) == [
        "heartbeat can't reach the database; trying again",
        "publishing can't reach the database; trying again",
    ]
    assert "at a port" not in caplog.text
    assert "Traceback" not in caplog.text
    assert "publishing works again" in caplog.text


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            OperationalError("INSERT", {}, DiskFull("could not extend file")),
            "can't write because the disk of the database is full",
        ),
        (OSError(errno.ENOSPC, "No space left"), "can't write because a disk of this host is full"),
    ],
)
def test_a_full_disk_is_told_once_in_a_line_and_never_as_a_database_that_is_away(
    work: WorkerContext,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    words: str,
) -> None:
    caplog.set_level(logging.INFO)
    tried = list[None]()

    def fail(*_: object) -> None:
        tried.append(None)
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(publication, "lay_out_newest", fail)
        with running(replace(work, deliver=None)):
            wait_until(lambda: len(tried) > 5)
            wait_until(lambda: any(host.trouble for host in hosts()))
            (host,) = hosts()
            patched.undo()
            wait_until(lambda: current_edition(work) == 2)
            wait_until(lambda: "publishing works again" in caplog.text)
    assert host.trouble.startswith(words)
    assert caplog.text.count(words) == 1
    assert "Traceback" not in caplog.text
    assert "can't reach" not in caplog.text


def test_an_edition_is_not_blamed_for_a_full_disk(
    work: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OperationalError("INSERT a secret", {}, DiskFull("could not extend file"))

    with monkeypatch.context() as patched:
        patched.setattr("app.store.editions.edition_rows.keep_bytes", fail)
        with pytest.raises(ExceptionGroup) as failed:
            run_once(work, [worker.PUBLISHING])
    assert {type(one.orig) for one in failed.value.exceptions if isinstance(one, OperationalError)}
    assert edition_rows.standing_failures(10) == []
    run_once(work, [worker.PUBLISHING])
    assert current_edition(work) == 2
