"""What lies ready is written by one write, octet for octet as uvicorn writes it after a task."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.front.admission import Admission
from app.front.asgi import AsgiFront, Scope, Send
from app.front.request_bodies import Receive
from app.published.http.http_exchange import EncodedHeaders, HttpRequest
from app.published.plane import PublishedPlane
from tests.front.test_connections import LIMITS, connected, rest, serving
from tests.published.bundles import CODINGS, CSV, PAGE, XML, contents, lasting, pack

LARGE = "/editions/1/large.txt"
HOST = "Host: registry.example\r\n"
CLOSE = "Connection: close\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n"
# Those that lie ready, and are whole with their heads.
READY = [
    f"GET {XML} HTTP/1.1\r\n{HOST}",
    f"GET {XML} HTTP/1.1\r\n{HOST}Accept-Encoding: br\r\n",
    f"GET {PAGE} HTTP/1.1\r\n{HOST}Accept: text/html, */*;q=0.8\r\nAccept-Encoding: gzip\r\n",
    f"HEAD {XML} HTTP/1.1\r\n{HOST}",
    f"GET {XML} HTTP/1.1\r\n{HOST}If-None-Match: *\r\n",
    f"HEAD {CSV} HTTP/1.1\r\n{HOST}if-none-match: *\r\nIF-MATCH: *\r\n",
    f"GET {PAGE}?q=a?b HTTP/1.1\r\n{HOST}Cookie: a=b\r\nCookie: c=d\r\n",
    f"GET {XML} HTTP/1.0\r\n{HOST}",
    f"GET {XML} HTTP/1.0\r\nConnection: keep-alive\r\n",
    f"GET {LARGE} HTTP/1.1\r\n{HOST}Accept: image/png\r\nIf-None-Match: *\r\n",
]
REST = [
    f"GET {PAGE}?q=a HTTP/1.1\r\n{HOST}Expect: 100-continue\r\n",
    f"POST {XML} HTTP/1.1\r\n{HOST}Content-Length: 0\r\n",
    f"GET {LARGE} HTTP/1.1\r\n{HOST}Range: bytes=-5\r\n",
    f"GET {LARGE} HTTP/1.1\r\n{HOST}",
    f"GET http://registry.example{CSV} HTTP/1.1\r\n{HOST}",
    f"GET {XML.replace('xml', '%78ml')} HTTP/1.1\r\n{HOST}",
    f"GET {XML}#part HTTP/1.1\r\n{HOST}",
    f"GET //{XML} HTTP/1.1\r\n{HOST}",
    f"GET /nothing HTTP/1.1\r\n{HOST}",
    f"GET /%00 HTTP/1.1\r\n{HOST}",
    f"GET /\xe9 HTTP/1.1\r\n{HOST}",
    f"GET * HTTP/1.1\r\n{HOST}",
    f"OPTIONS * HTTP/1.1\r\n{HOST}",
    f"BREW {XML} HTTP/1.1\r\n{HOST}",
    f"GET {XML} HTTP/1.1\r\n",
    f"GET {XML} HTTP/1.1\r\n{HOST}{HOST}",
    f"GET {XML} HTTP/1.1\r\nHost: a/b\r\n",
    f"GET {XML} HTTP/2.0\r\n{HOST}",
    f"GET {XML} HTTP/1.1\r\n{HOST}Transfer-Encoding: gzip\r\n",
    f"GET {XML} HTTP/1.1\r\n{HOST}Content-Length: 0\r\nTransfer-Encoding: chunked\r\n",
    f"GET {XML} HTTP/1.1\r\n{HOST}Content-Length: 0\r\n",
    f"GET {XML} HTTP/1.1\r\n{HOST}{CHUNKED}",
    f"GET {XML} HTTP/1.1\r\n{HOST}Connection: upgrade\r\nUpgrade: websocket\r\n",
    f"GET {XML} HTTP/1.1\r\n{HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n",
    f"CONNECT {XML} HTTP/1.1\r\n{HOST}",
    f"GET {XML} HTTP/1.1\r\n{HOST}" + "A: b\r\n" * 100,
    f"GET {XML} HTTP/1.1\r\n{HOST}A: {'b' * 33_000}\r\n",
    f"GET {XML}?{'a' * 17_000} HTTP/1.1\r\n{HOST}",
    f"GET {XML} HTTP/1.1\r\n{HOST} folded: a\r\n",
    f"GET {XML} HTTP/1.1\r\n{HOST}A : b\r\n",
]
# What is sent in one go: some of each kind, in different orders.
AHEAD = [
    [*READY[:7], f"GET {CSV} HTTP/1.1\r\n{HOST}{CLOSE}", READY[0]],
    [READY[0], REST[3], READY[1], REST[8], *READY[2:7], READY[7], READY[0]],
    [READY[3], REST[1], READY[4], REST[21], READY[6], REST[15], READY[0]],
    [READY[0], REST[0], READY[1], REST[4], REST[5], READY[2], REST[22]],
    [READY[0], "\r\n" + READY[1], READY[2], "rubbish"],
]
_DATE = re.compile(rb"date: [^\r]*\r\n")


@pytest.fixture(scope="module", params=["", "https://registry.example"])
def port(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder: Path = tmp_path_factory.mktemp("published")
    lasting(1, {"large.txt": ("text/plain", b"x" * 2_000_000)}).lay_out_for_ever(folder)
    pack(contents(1), codings=CODINGS).lay_out(folder)
    front = AsgiFront(PublishedPlane(folder), Admission(request.param, demo=False))
    with serving(LIMITS._replace(head_seconds=60, unread_seconds=60), front) as port:
        yield port


def answers(port: int, sent: str, piece: int = 1 << 20) -> bytes:
    octets = sent.encode("latin-1")
    with connected(port) as connection:
        connection.sendall(octets[:piece])
        for start in range(piece, len(octets), piece):
            connection.sendall(octets[start : start + piece])
        return _DATE.sub(b"", rest(connection))


def by_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AsgiFront, "octets_at_once", lambda *_: None)


def by_uvicorn(monkeypatch: pytest.MonkeyPatch) -> None:
    by_task(monkeypatch)
    monkeypatch.setattr("app.front.asgi.write_prepared", lambda *_: False)


@pytest.mark.parametrize("request_", READY + REST, ids=lambda sent: sent[:40].split("\r")[0])
def test_it_is_what_would_have_been_written_otherwise(
    port: int, request_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = f"{request_}\r\n{request_}{'' if CHUNKED in request_ else CLOSE}\r\n"
    sent += f"GET {CSV} HTTP/1.1\r\n{HOST}{CLOSE}\r\n"
    written = answers(port, sent)
    assert written.startswith(b"HTTP/1.1 ")
    by_task(monkeypatch)
    assert written == answers(port, sent)
    by_uvicorn(monkeypatch)
    assert written == answers(port, sent)


@pytest.mark.parametrize("requests", AHEAD, ids=range(len(AHEAD)))
def test_what_is_sent_ahead_is_answered_in_its_order_however_it_is_answered(
    port: int, requests: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = "\r\n".join([*requests, ""])
    written, in_pieces = answers(port, sent), answers(port, sent, piece=7)
    assert written.count(b"HTTP/1.1 ") > 2
    by_uvicorn(monkeypatch)
    assert written == in_pieces == answers(port, sent)


def test_what_lies_ready_is_answered_at_once_and_the_rest_by_a_task(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[bool] = []
    at_once = AsgiFront.octets_at_once

    def watched(
        self: AsgiFront, request: HttpRequest, defaults: EncodedHeaders, is_last: bool
    ) -> bytes | None:
        octets = at_once(self, request, defaults, is_last)
        done.append(octets is not None)
        return octets

    monkeypatch.setattr(AsgiFront, "octets_at_once", watched)
    for request_ in READY:
        answers(port, f"{request_}{'' if 'HTTP/1.0' in request_ else CLOSE}\r\n")
    assert done == [True] * len(READY)
    for request_ in REST:
        answers(port, f"{request_.replace(HOST, HOST + CLOSE, 1)}\r\n")
    assert not any(done[len(READY) :])


def test_nothing_is_done_for_what_follows_the_last_request(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    called = AsgiFront.__call__

    async def watched(self: AsgiFront, scope: Scope, receive: Receive, send: Send) -> None:
        asked.append(scope["method"])
        await called(self, scope, receive, send)

    monkeypatch.setattr(AsgiFront, "__call__", watched)
    for last in (f"GET {XML} HTTP/1.0\r\nConnection: keep-alive\r\n", f"{READY[0]}{CLOSE}"):
        assert answers(port, f"{last}\r\n{REST[1]}\r\n").count(b"HTTP/1.1 ") == 1
    answers(port, f"{REST[1]}{CLOSE}\r\n")
    assert asked == ["POST"]
