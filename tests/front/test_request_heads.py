"""Of a plain target everybody reads one path; and a connection that waits has one timer."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock

import httptools
import pytest
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.server import ServerState

from app.front.admission import Admission
from app.front.asgi import AsgiFront
from app.front.connections import BoundedHttpProtocol
from app.front.processes import config_of
from app.front.request_heads import framing_of, is_plain_read
from app.published.http.http_exchange import request_of_fields
from app.published.plane import PublishedPlane
from tests.published.bundles import XML, contents, pack

NO_FIELDS = framing_of([])
READ = f"GET {XML} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
IDLE = BoundedHttpProtocol.limits.idle_seconds


@given(st.text("/?:@.~a1%#=&-!$'()*+,;_[]\\|", max_size=20).map(lambda it: f"/{it}"))
def test_a_plain_target_has_one_path_and_one_query_whoever_reads_it(target: str) -> None:
    if not is_plain_read(b"GET", target.encode(), NO_FIELDS):
        return
    read = httptools.parse_url(target.encode())
    request = request_of_fields("GET", target, [], "1.1", None)
    assert read.path.decode() == request.path
    assert (read.query or b"").decode() == request.query
    assert not (read.schema or read.host or read.fragment)


@pytest.mark.parametrize("target", ["", "*", "/a%20", "/a#b", "http://h/a", "/\xe9", "/a b", "a"])
def test_any_other_target_is_left_to_who_can_read_it(target: str) -> None:
    assert is_plain_read(b"GET", b"/a?b", NO_FIELDS)
    assert not is_plain_read(b"GET", target.encode("latin-1"), NO_FIELDS)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[tuple[float, Callable[[], None], Mock]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, then: Callable[[], None]) -> Mock:
        timer = Mock(spec=asyncio.TimerHandle)
        self.timers.append((self.now + seconds, then, timer))
        return timer

    def create_task(self, coroutine: Any) -> Mock:
        coroutine.close()
        return Mock(spec=asyncio.Task)

    @property
    def waiting(self) -> list[tuple[float, Callable[[], None], Mock]]:
        return [timer for timer in self.timers if not timer[2].cancel.called]

    def go(self, seconds: float) -> None:
        self.now += seconds
        due = [timer for timer in self.waiting if timer[0] <= self.now]
        self.timers = [timer for timer in self.timers if timer not in due]
        for _, then, _ in due:
            then()


def connected(folder: Path, clock: Clock) -> tuple[BoundedHttpProtocol, Mock]:
    pack(contents(1)).lay_out(folder)
    front = AsgiFront(PublishedPlane(folder), Admission("", demo=False))
    config = config_of(lambda: front, 1)
    config.app, config.factory = front, False
    loop = cast(asyncio.AbstractEventLoop, clock)
    kind = type("Bounded", (BoundedHttpProtocol,), {"_idle": {}})
    config.load()
    protocol = kind(config, ServerState(), {}, _loop=loop)
    transport = Mock(spec=asyncio.Transport)
    transport.is_closing.return_value = False
    transport.get_extra_info.return_value = None
    transport.get_write_buffer_size.return_value = 0
    protocol.connection_made(transport)
    return protocol, transport


def test_each_answer_puts_off_the_end_of_a_connection_that_waits(tmp_path: Path) -> None:
    async def scenario() -> None:
        clock = Clock()
        protocol, transport = connected(tmp_path, clock)
        for _ in range(3):
            clock.go(IDLE - 1)
            protocol.data_received(READ * 2)
            assert len(clock.waiting) == 1
        assert transport.write.call_count == 6
        clock.go(IDLE - 1)
        transport.close.assert_not_called()
        clock.go(1)
        transport.close.assert_called_once()

    asyncio.run(scenario())


def test_no_connection_is_idle_while_a_request_is_answered(tmp_path: Path) -> None:
    sent = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"

    async def scenario() -> None:
        clock = Clock()
        protocol, transport = connected(tmp_path, clock)
        protocol.data_received(READ + sent)
        assert clock.waiting == []
        assert protocol not in protocol._idle, "it makes no room either"
        clock.go(10 * IDLE)
        transport.close.assert_not_called()

    asyncio.run(scenario())


def test_a_head_that_begins_after_an_answer_has_its_own_time(tmp_path: Path) -> None:
    async def scenario() -> None:
        clock = Clock()
        protocol, transport = connected(tmp_path, clock)
        protocol.data_received(READ + READ[:9])
        assert len(clock.waiting) == 1
        clock.go(protocol.limits.head_seconds)
        assert transport.write.call_args.args[0].startswith(b"HTTP/1.1 408 ")

    asyncio.run(scenario())
