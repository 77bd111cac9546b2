"""Connections are bounded in time and in number, and each answer is read to its end."""

import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from uvicorn import Config, Server

from app.front.asgi import AsgiApplication, Scope, Send
from app.front.connections import BoundedHttpProtocol, ConnectionLimits
from app.front.processes import open_socket
from app.front.request_bodies import Receive
from tests.waiting import DEADLINE

LIMITS = ConnectionLimits(
    head_seconds=0.2, idle_seconds=60, unread_seconds=0.5, stalled_seconds=0.5, connections=5
)
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LARGE = 20_000_000


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    body = b"x" * (LARGE if scope["path"] == "/large" else 5)
    headers = [(b"content-length", str(len(body)).encode())]
    if scope["path"] == "/close":
        headers.append((b"connection", b"close"))
    if scope["path"] == "/read":
        while (await receive()).get("more_body"):
            pass
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@contextmanager
def serving(limits: ConnectionLimits, answering: AsgiApplication = application) -> Iterator[int]:
    kind = type("Bounded", (BoundedHttpProtocol,), {"limits": limits, "_idle": {}})
    config = Config(
        answering,
        http=kind,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level=logging.ERROR,
        access_log=False,
        proxy_headers=False,
        timeout_keep_alive=limits.idle_seconds,
    )
    server = Server(config)
    with open_socket("127.0.0.1", 0) as listener:
        port: int = listener.getsockname()[1]
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        try:
            yield port
        finally:
            server.should_exit = True
            thread.join(DEADLINE)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving(LIMITS) as port:
        yield port


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=DEADLINE)


def rest(connection: socket.socket) -> bytes:
    came = b""
    try:
        while block := connection.recv(1 << 20):
            came += block
    except ConnectionResetError:
        came += b"(reset)"
    return came


@pytest.mark.parametrize("sent", [b"G", b"GET / HTTP/1.1\r\nHost:", b"\r\n", GET[:-2]])
def test_a_head_has_its_time(port: int, sent: bytes) -> None:
    with connected(port) as connection:
        connection.sendall(sent)
        assert rest(connection).startswith(b"HTTP/1.1 408 ")


def test_a_second_head_has_its_time_too(port: int) -> None:
    with connected(port) as connection:
        connection.sendall(GET + GET[:9])
        came = rest(connection)
    assert came.startswith(b"HTTP/1.1 200 ")
    assert b"HTTP/1.1 408 " in came


def test_a_drop_now_and_then_gives_a_head_no_more_time(port: int) -> None:
    with connected(port) as connection, pytest.raises(OSError, match=r"."):
        for _ in range(600):  # ten times as long as a head may take
            connection.sendall(b"\r\n")
            time.sleep(0.05)


@pytest.mark.parametrize("path", [b"/", b"/close"])
def test_who_goes_on_sending_reads_the_answer_and_is_then_left(port: int, path: bytes) -> None:
    head = b"POST " + path + b" HTTP/1.1\r\nHost: x\r\nContent-Length: 99000000\r\n\r\n"
    with connected(port) as connection:
        connection.sendall(head)
        came = connection.recv(65536)
        assert came.startswith(b"HTTP/1.1 200 ")
        assert came.endswith(b"xxxxx")
        with pytest.raises(OSError, match=r"."):
            for _ in range(1_000):
                connection.sendall(b"y" * 1_000)
                time.sleep(0.02)


def test_the_answer_of_one_that_is_closed_early_is_not_lost_by_a_reset() -> None:
    head = b"POST /close HTTP/1.1\r\nHost: x\r\nContent-Length: 400000\r\n\r\n"
    patient = LIMITS._replace(unread_seconds=DEADLINE)
    with serving(patient) as own, connected(own) as connection:
        connection.sendall(head + b"y" * 300_000)
        time.sleep(0.1)
        connection.sendall(b"y" * 100_000)
        came = rest(connection)
    assert came.startswith(b"HTTP/1.1 200 ")
    assert came.endswith(b"xxxxx")


def test_what_follows_a_body_that_nobody_asked_for_is_no_request(port: int) -> None:
    head = b"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"
    with connected(port) as connection:
        connection.sendall(head)
        came = rest(connection)
        assert came.count(b"HTTP/1.1") == 1
        assert b" 200 " in came
    with connected(port) as connection:
        connection.sendall(head.replace(b"/ ", b"/read ", 1))
        assert connection.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"123456789" + GET)
        came = connection.recv(65536)
        while came.count(b"xxxxx") < 2:
            came += connection.recv(65536)


def test_who_does_not_read_is_left(port: int) -> None:
    with connected(port) as connection:
        connection.sendall(GET.replace(b"/ ", b"/large ", 1))
        time.sleep(2)  # long after it stalled
        assert len(rest(connection)) < LARGE


def test_who_reads_gets_all_of_it() -> None:
    patient = LIMITS._replace(stalled_seconds=DEADLINE)
    with serving(patient) as own, connected(own) as connection:
        connection.sendall(GET.replace(b"/ ", b"/large ", 1))
        connection.shutdown(socket.SHUT_WR)
        assert len(rest(connection).partition(b"\r\n\r\n")[2]) == LARGE


def test_who_has_waited_longest_makes_room(port: int) -> None:
    with serving(LIMITS) as own:
        old = [connected(own) for _ in range(LIMITS.connections)]
        for one in old:
            one.sendall(GET)
            assert one.recv(65536).startswith(b"HTTP/1.1 200 ")
        old[0].sendall(GET)
        assert old[0].recv(65536).startswith(b"HTTP/1.1 200 ")  # it is the youngest now
        with connected(own) as new:
            new.sendall(GET)
            assert new.recv(65536).startswith(b"HTTP/1.1 200 ")
        assert old[1].recv(65536) == b""
        for one in old[2:] + old[:1]:
            one.sendall(GET)
            assert one.recv(65536).startswith(b"HTTP/1.1 200 ")
        for one in old:
            one.close()


def test_where_all_are_at_work_who_comes_is_told_to_come_later() -> None:
    limits = LIMITS._replace(connections=2, head_seconds=30)
    with serving(limits) as own:
        busy = [connected(own) for _ in range(2)]
        for one in busy:
            one.sendall(b"GET")
        time.sleep(0.3)
        with connected(own) as new:
            assert b" 503 " in rest(new)
        for one in busy:
            one.close()


def test_a_connection_that_is_idle_is_closed() -> None:
    with (
        serving(LIMITS._replace(idle_seconds=1)) as own,
        connected(own) as silent,
        connected(own) as asked,
    ):
        asked.sendall(GET)
        assert rest(asked).endswith(b"xxxxx")
        assert rest(silent) == b""


def test_what_follows_a_body_is_bounded() -> None:
    chunked = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: "

    async def reading(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        await application(scope, receive, send)

    with serving(LIMITS._replace(unread_seconds=60), reading) as own, connected(own) as connection:
        connection.sendall(chunked)
        for _ in range(10):
            connection.sendall(b"a" * 20_000)
            time.sleep(0.01)
        assert connection.recv(100).startswith(b"HTTP/1.1 200 "), "it waits for no end"


def test_requests_that_are_sent_ahead_are_bounded_and_answered_so_far() -> None:
    with serving(LIMITS._replace(unanswered=3)) as own, connected(own) as connection:
        connection.sendall(GET * 9)
        came = rest(connection)
        assert came.count(b"HTTP/1.1 200 ") == 3
        assert came.count(b"HTTP/1.1 429 ") == 1


def test_many_small_requests_that_come_at_once_are_no_long_head() -> None:
    with serving(LIMITS._replace(unanswered=5_000)) as own, connected(own) as connection:
        threading.Thread(target=connection.sendall, args=(GET * 3_000,), daemon=True).start()
        came = b""
        while came.count(b"HTTP/1.1 200 ") < 3_000:
            piece = connection.recv(1 << 16)
            assert piece, came[-300:]
            came += piece
