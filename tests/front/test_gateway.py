"""A WSGI application behind an event loop: whole answers, and never more at once than threads."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest

from app.front.bounded_pool import PoolLimits
from app.front.gateway import WsgiGateway, call, environ_of
from app.front.request_bodies import ReceivedBody, RequestBodies
from app.front.request_problems import BUSY, FAULT, LATE_ANSWER, ClientGone, RequestRefused
from app.published.http.http_exchange import HttpAnswer, HttpRequest

GET = HttpRequest("GET", "/a%20b?c", "/a b", "c", {"host": "x"}, "1.1", "192.0.2.1")


def answering(status: str, *pieces: bytes, length: str = "") -> WSGIApplication:
    def application(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response(status, [("Content-Length", length)] if length else [])
        return iter(pieces)

    return application


def told(answer: HttpAnswer) -> tuple[int, dict[str, str], bytes]:
    body = answer.body if isinstance(answer.body, bytes) else b"".join(answer.body)
    return answer.status, dict(answer.headers), body


@pytest.mark.parametrize(
    ("method", "application", "answer"),
    [
        ("GET", answering("200 OK", b"a", b"", b"bc"), (200, {"Content-Length": "3"}, b"abc")),
        (
            "HEAD",
            answering("200 OK", b"abc", length="3"),
            (200, {"Content-Length": "3"}, b""),
        ),
        ("GET", answering("304 Not Modified", length="3"), (304, {}, b"")),
        ("POST", answering("204 No Content"), (204, {}, b"")),
    ],
)
def test_an_answer_has_the_bytes_that_belong_to_it(
    method: str, application: WSGIApplication, answer: object
) -> None:
    assert told(call(application, {"REQUEST_METHOD": method})) == answer


def test_a_long_answer_waits_on_disk() -> None:
    pieces = [bytes([number]) * 100_000 for number in range(30)]
    answer = call(answering("200 OK", *pieces), {"REQUEST_METHOD": "GET"})
    assert not isinstance(answer.body, bytes)
    assert told(answer) == (200, {"Content-Length": "3000000"}, b"".join(pieces))
    answer.body.close()


class _Broken:
    def __init__(self, *_: object) -> None:
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        yield b"a"
        raise OSError("the disk")

    def close(self) -> None:
        self.is_closed = True


def test_an_answer_that_breaks_off_is_a_fault_and_no_half_of_it_is_sent() -> None:
    broken = _Broken()

    def application(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [])
        return broken

    with pytest.raises(RequestRefused) as caught:
        call(application, {"REQUEST_METHOD": "GET"})
    assert (caught.value.problem, broken.is_closed) == (FAULT, True)


def test_what_an_application_says_last_of_its_answer_counts() -> None:
    def application(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [("A", "b")])(b"written ")
        start_response("503 Later", [("C", "d")], (None, None, None))
        return [b"and given"]

    answer = call(application, {"REQUEST_METHOD": "GET"})
    assert told(answer) == (503, {"C": "d", "Content-Length": "17"}, b"written and given")


def body_of(octets: bytes = b"") -> ReceivedBody:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": octets}

    headers = {"content-length": str(len(octets))} if octets else {}
    request = GET._replace(headers=headers)
    return asyncio.run(RequestBodies().read(request, receive, lambda: False))


def test_no_header_says_where_the_site_is_or_who_asks() -> None:
    sent = {
        "host": "x",
        "x_forwarded_for": "192.0.2.9",
        "x-forwarded-for": "192.0.2.8",
        "script_name": "/evil",
        "proxy": "http://evil.example",
        "content-type": "a/b",
        "transfer-encoding": "chunked",
        "x-forwarded-proto": "https",
    }
    body = body_of(b"abc")
    environ = environ_of(GET._replace(headers=sent), body, ("192.0.2.2", 80))
    fields = {name: value for name, value in environ.items() if name.startswith("HTTP_")}
    assert fields == {
        "HTTP_HOST": "x",
        "HTTP_X_FORWARDED_FOR": "192.0.2.8",
        "HTTP_X_FORWARDED_PROTO": "https",
    }
    expected = {
        "PATH_INFO": "/a b",
        "QUERY_STRING": "c",
        "RAW_URI": "/a%20b?c",
        "REMOTE_ADDR": "192.0.2.1",
        "SCRIPT_NAME": "",
        "CONTENT_TYPE": "a/b",
        "CONTENT_LENGTH": "3",
        "wsgi.url_scheme": "http",
    }
    assert {name: environ[name] for name in expected} == expected
    body.close()


class Stuck:
    def __init__(self) -> None:
        self.go_on = threading.Event()

    def __call__(self, _environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        assert self.go_on.wait(60)
        start_response("200 OK", [])
        return [b"at last"]


async def _never() -> None:
    await asyncio.Event().wait()


async def _at_once() -> None:
    return None


async def _ask(
    gateway: WsgiGateway, bodies: RequestBodies, until_gone: Callable[[], Any] = _never
) -> HttpAnswer | str:
    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    body = await bodies.read(GET, receive, lambda: False)
    try:
        return await gateway.answer(GET, body, None, until_gone)
    except RequestRefused as error:
        return error.problem.title
    except ClientGone:
        return "gone"


def test_who_finds_no_thread_and_no_place_to_wait_is_told_at_once() -> None:
    async def run() -> None:
        stuck, bodies = Stuck(), RequestBodies()
        gateway = WsgiGateway(stuck, PoolLimits(threads=2, waiting=1, patience=60))
        asked = [asyncio.ensure_future(_ask(gateway, bodies)) for _ in range(3)]
        await asyncio.sleep(0.05)
        assert await asyncio.wait_for(_ask(gateway, bodies), 5) == BUSY.title
        stuck.go_on.set()
        answers = [await one for one in asked]
        assert [one.body for one in answers if isinstance(one, HttpAnswer)] == [b"at last"] * 3
        assert isinstance(await _ask(gateway, bodies), HttpAnswer)
        assert bodies.held == (0, 0)

    asyncio.run(run())


def test_patience_ends_and_so_does_a_wait_for_who_went_away() -> None:
    async def run() -> None:
        stuck, bodies = Stuck(), RequestBodies()
        gateway = WsgiGateway(stuck, PoolLimits(threads=1, waiting=9, patience=0.05))
        first = asyncio.ensure_future(_ask(gateway, bodies))
        await asyncio.sleep(0.02)
        assert await _ask(gateway, bodies) == BUSY.title
        assert await _ask(gateway, bodies, _at_once) == "gone"
        stuck.go_on.set()
        assert isinstance(await first, HttpAnswer)
        assert isinstance(await _ask(gateway, bodies), HttpAnswer)
        assert bodies.held == (0, 0)

    asyncio.run(run())


def test_a_thread_that_is_stuck_is_taken_until_it_returns() -> None:
    async def run() -> None:
        stuck, bodies = Stuck(), RequestBodies()
        gateway = WsgiGateway(stuck, PoolLimits(threads=1, waiting=0, patience=0.05, seconds=0.05))
        assert await _ask(gateway, bodies) == LATE_ANSWER.title
        assert await _ask(gateway, bodies) == BUSY.title
        stuck.go_on.set()
        while await _ask(gateway, bodies) == BUSY.title:
            await asyncio.sleep(0.01)
        assert isinstance(await _ask(gateway, bodies), HttpAnswer)
        assert bodies.held == (0, 0)

    asyncio.run(run())
