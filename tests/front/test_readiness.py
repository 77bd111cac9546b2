"""A crowd does not make a host seem away, nor does asking whether it is ready make a crowd."""

import asyncio
import json
import logging
import threading
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from app.front import readiness as readiness_module
from app.front.bounded_pool import PoolLimits
from app.front.readiness import ReadinessProbe


def ask(readiness: ReadinessProbe, times: int, method: str = "GET") -> list[tuple[int, object]]:
    async def all_of_them() -> list[tuple[int, object]]:
        found = await asyncio.gather(*(readiness.answer(method) for _ in range(times)))
        return [(int(answer.status), answer.body) for answer in found]

    return asyncio.run(all_of_them())


class Application:
    asked = 0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        assert (environ["REQUEST_METHOD"], environ["PATH_INFO"]) == ("GET", "/readyz")
        self.asked += 1
        start_response("200 OK", [("Content-Type", "application/json")])
        return [b"{}"]


def test_of_many_who_ask_within_a_second_one_is_handed_on() -> None:
    application, now = Application(), [0.0]
    readiness = ReadinessProbe(application, lambda: now[0])
    assert ask(readiness, 20) == [(200, b"{}")] * 20
    assert ask(readiness, 1, "HEAD") == [(200, b"")]
    assert application.asked == 1
    now[0] = 1.0
    assert ask(readiness, 20) == [(200, b"{}")] * 20
    assert application.asked == 2


def test_each_change_of_what_it_answers_is_one_line_of_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    now = [0.0]
    answers = [
        ("200 OK", {"status": "ready", "troubles": []}),
        ("200 OK", {"status": "ready", "troubles": []}),
        ("503 Service Unavailable", {"status": "the database cannot be reached"}),
        ("503 Service Unavailable", {"status": "the database cannot be reached"}),
        ("200 OK", {"status": "degraded", "troubles": ["mail", "disk"]}),
    ]

    def application(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        status, document = answers[int(now[0])]
        start_response(status, [("Content-Type", "application/json")])
        return [json.dumps(document).encode()]

    readiness = ReadinessProbe(application, lambda: now[0])
    for n in range(len(answers)):
        now[0] = float(n)
        ask(readiness, 3)
    assert caplog.messages == [
        "/readyz answers 200: ready",
        "/readyz answers 503: the database cannot be reached",
        "/readyz answers 200: degraded: mail, disk",
    ]


def test_an_application_that_hangs_is_told_as_a_database_that_may_not_respond(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = PoolLimits(threads=1, waiting=1, patience=0.01, seconds=0.01)
    monkeypatch.setattr(readiness_module, "_LIMITS", limits)
    hang, now = threading.Event(), [0.0]

    def application(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        hang.wait()
        start_response("200 OK", [("Content-Type", "application/json")])
        return [b'{"status":"ready"}']

    async def ask_again() -> list[tuple[int, object]]:
        readiness = ReadinessProbe(application, lambda: now[0])
        found = []
        for n in range(3):  # the first question keeps the thread
            now[0] = float(n)
            answer = await readiness.answer("GET")
            assert isinstance(answer.body, bytes)
            found.append((answer.status, json.loads(answer.body)["status"]))
        return found

    words = "no answer in time: the database may have stopped responding"
    try:
        assert asyncio.run(ask_again()) == [(503, words)] * 3
    finally:
        hang.set()
    assert caplog.messages == [f"/readyz answers 503: {words}"]
