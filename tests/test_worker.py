"""The worker: does all that waits, goes on when something fails, ends when told."""

from collections.abc import Callable
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest
from flask import Flask

from app import worker
from app.services import mailing, publishing, sign_in
from app.services.layout import current_manifest
from app.worker import Work
from tests import factories
from tests.conftest import Clock
from tests.store.schema import rows_of


@pytest.fixture
def taken() -> list[EmailMessage]:
    """The mail that was delivered."""
    return []


@pytest.fixture
def work(app: Flask, clock: Clock, tmp_path: Path, taken: list[EmailMessage]) -> Work:
    """The work of a registry with a request that was registered."""
    factories.registered(factories.cast(clock()), clock())
    return Work(
        folder=tmp_path / "published",
        making=factories.making(),
        secret=lambda: "s",
        sender="registry@registry.example",
        now=clock,
        deliver=taken.append,
    )


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits in a test."""
    monkeypatch.setattr(worker, "PAUSE", 0)


def times(count: int) -> Callable[[], bool]:
    """Goes on so many times."""
    return iter([True] * count + [False]).__next__


def current_edition(work: Work) -> int | None:
    manifest = current_manifest(work.folder)
    return manifest.edition if manifest else None


def test_it_builds_publishes_and_sends_what_waits(work: Work, taken: list[EmailMessage]) -> None:
    worker.run(work, times(1))
    assert current_edition(work) == 2
    assert len(taken) == 13
    worker.run(work, times(3))
    assert len(taken) == 13


def test_without_a_way_for_mail_it_waits(work: Work, taken: list[EmailMessage]) -> None:
    worker.run_once(replace(work, deliver=None))
    assert current_edition(work) == 2
    worker.run_once(work)
    assert taken


@pytest.mark.parametrize("broken", ["build_pending", "lay_out_newest"])
def test_what_fails_keeps_nothing_else_from_being_done(
    work: Work, taken: list[EmailMessage], monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    monkeypatch.setattr(publishing, broken, lambda *_: 1 / 0)
    with pytest.raises(ExceptionGroup) as failed:
        worker.run_once(work)
    assert [type(error) for error in failed.value.exceptions] == [ZeroDivisionError]
    assert taken


def test_mail_that_fails_keeps_no_edition_from_being_published(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailing, "send_waiting", lambda *_, **__: 1 / 0)
    with pytest.raises(ExceptionGroup):
        worker.run_once(work)
    assert current_edition(work) == 2


def test_a_failure_ends_no_loop_and_is_in_the_log(
    work: Work,
    taken: list[EmailMessage],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    build, left = publishing.build_pending, [1, 2]

    def fail_twice(*arguments: object) -> list[int]:
        if left:
            raise OSError(f"trouble {left.pop(0)}")
        return build(*arguments)  # type: ignore[arg-type]  # as they came

    monkeypatch.setattr(publishing, "build_pending", fail_twice)
    worker.run(work, times(3))
    assert current_edition(work) == 2
    assert "trouble 1" in caplog.text
    assert "trouble 2" in caplog.text


def test_what_is_kept_for_a_while_is_forgotten(work: Work, clock: Clock) -> None:
    sign_in.ask_for_link("a@org.example", "/", clock(), secret="s", host="h", kept="typed")
    token = sign_in.token_of(rows_of("sign_in")[0][0], "s")
    clock.on(hours=1)
    worker.run(work, times(1))
    clock.on(hours=-1)
    assert sign_in.use_link(token, clock()).kept == ""
