"""What lies ready is written by one write, octet for octet as uvicorn writes it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.front.admission import Admission
from app.front.asgi import AsgiFront
from app.front.prepared_answers import write_prepared
from app.published.exchange import HttpAnswer
from app.published.headers import EncodedHeaders
from app.published.plane import Published
from tests.front.test_connections import LIMITS, connected, rest, serving
from tests.published.bundles import CODINGS, CSV, PAGE, XML, contents, lasting, pack

LARGE = "/editions/1/large.txt"
HOST = "Host: registry.example\r\n"
CLOSE = "Connection: close\r\n"
REQUESTS = [
    f"GET {XML} HTTP/1.1\r\n{HOST}",
    f"GET {XML} HTTP/1.1\r\n{HOST}Accept-Encoding: br\r\n",
    f"HEAD {XML} HTTP/1.1\r\n{HOST}",
    f"GET {XML} HTTP/1.1\r\n{HOST}If-None-Match: *\r\n",
    f"GET {XML} HTTP/1.0\r\n{HOST}",
    f"GET {PAGE}?q=a HTTP/1.1\r\n{HOST}Expect: 100-continue\r\n",
    f"POST {XML} HTTP/1.1\r\n{HOST}Content-Length: 0\r\n",
    f"GET {LARGE} HTTP/1.1\r\n{HOST}Range: bytes=-5\r\n",
    f"GET http://registry.example{CSV} HTTP/1.1\r\n{HOST}",
]
WRITES = "app.front.asgi.write_prepared"
_DATE = re.compile(rb"date: [^\r]*\r\n")


@pytest.fixture(scope="module", params=["", "https://registry.example"])
def port(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server of an edition; of one that is reached by TLS alone as well."""
    folder: Path = tmp_path_factory.mktemp("published")
    lasting(1, {"large.txt": ("text/plain", b"x" * 2_000_000)}).lay_out_for_ever(folder)
    pack(contents(1), codings=CODINGS).lay_out(folder)
    front = AsgiFront(Published(folder), Admission(request.param, demo=False))
    with serving(LIMITS._replace(head_seconds=60, unread_seconds=60), front) as port:
        yield port


def answers(port: int, sent: str) -> bytes:
    """All that comes back, without the moment."""
    with connected(port) as connection:
        connection.sendall(sent.encode())
        return _DATE.sub(b"", rest(connection))


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda sent: sent.partition(" HTTP")[0])
def test_it_is_what_would_have_been_written_otherwise(
    port: int, request_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = f"{request_}\r\n{request_}{CLOSE}\r\n"
    written = answers(port, sent)
    monkeypatch.setattr(WRITES, lambda *_: False)
    assert written == answers(port, sent)
    assert len(re.findall(rb"HTTP/1.1 \d{3}", written)) == (1 if "HTTP/1.0" in request_ else 2)


def test_it_is_done_for_what_lies_ready_alone(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[bool] = []

    def watched(send: Any, answer: HttpAnswer, more: EncodedHeaders) -> bool:
        done.append(write_prepared(send, answer, more))
        return done[-1]

    monkeypatch.setattr(WRITES, watched)
    for request_ in REQUESTS:
        answers(port, f"{request_}{CLOSE}\r\n")
    assert done == [True] * 6 + [False] * 3 + [True]  # a refusal is looked for by a task again
