"""Bodies of requests are read to their ends, and all of them together stay within bounds."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from app.front.request_bodies import BodyLimits, Receive, ReceivedBody, RequestBodies
from app.front.request_problems import (
    BROKEN,
    LARGE_BODY,
    LATE_BODY,
    NO_ROOM,
    ClientGone,
    RequestRefused,
)
from app.published.http.http_exchange import HttpRequest
from app.published.http.problems import Problem

CHUNKED = HttpRequest("POST", "/", "/", "", {"transfer-encoding": "chunked"})
LIMITS = BodyLimits(length=1_000, seconds=60, in_memory=100, at_once=3, on_disk=1_500)


def sending(*parts: bytes, then: str = "") -> Receive:
    left = list(parts)

    async def receive() -> dict[str, Any]:
        if left:
            part = left.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(left) or bool(then)}
        if then == "stops":
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    return receive


def read(
    bodies: RequestBodies,
    receive: Receive,
    request: HttpRequest = CHUNKED,
    is_cut: Callable[[], bool] = lambda: False,
) -> ReceivedBody | Problem:
    try:
        return asyncio.run(bodies.read(request, receive, is_cut))
    except RequestRefused as error:
        return error.problem


@pytest.mark.parametrize("length", [0, 1, 100, 101, 999, 1_000])
def test_a_body_comes_whole_from_memory_or_from_disk(length: int) -> None:
    bodies, octets = RequestBodies(LIMITS), bytes(number % 251 for number in range(length))
    body = read(bodies, sending(octets[:50], octets[50:120], octets[120:]))
    assert isinstance(body, ReceivedBody)
    assert (body.stream.read(), body.length) == (octets, length)
    assert bodies.held == (1, length if length > 100 else 0)
    body.close()
    assert bodies.held == (0, 0)


def _with_length(length: str) -> HttpRequest:
    return CHUNKED._replace(headers={"content-length": length})


async def _unasked() -> dict[str, Any]:
    raise AssertionError("this body is not to be read")


@pytest.mark.parametrize(
    ("request_", "receive", "is_cut", "problem"),
    [
        (_with_length("1001"), _unasked, False, LARGE_BODY),
        (_with_length("9" * 30), _unasked, False, LARGE_BODY),
        (_with_length("ten"), _unasked, False, BROKEN),
        (CHUNKED, sending(b"x" * 600, b"x" * 600), False, LARGE_BODY),
        (CHUNKED, sending(b"x" * 600), True, BROKEN),
    ],
)
def test_what_is_not_taken_is_let_go_of(
    request_: HttpRequest, receive: Receive, is_cut: bool, problem: Problem
) -> None:
    bodies = RequestBodies(LIMITS)
    assert read(bodies, receive, request_, lambda: is_cut) is problem
    assert bodies.held == (0, 0)


def test_a_body_has_its_time() -> None:
    bodies = RequestBodies(LIMITS._replace(seconds=0.05))
    assert read(bodies, sending(b"x" * 200, then="stops")) is LATE_BODY
    assert bodies.held == (0, 0)


def test_who_goes_away_leaves_nothing_behind() -> None:
    bodies = RequestBodies(LIMITS)
    with pytest.raises(ClientGone):
        read(bodies, sending(b"x" * 200, then="goes"))
    assert bodies.held == (0, 0)


def test_all_of_them_together_are_bounded() -> None:
    bodies = RequestBodies(LIMITS)
    first = read(bodies, sending(b"x" * 1_000))
    assert isinstance(first, ReceivedBody)
    assert read(bodies, sending(b"x" * 600)) is NO_ROOM
    small = [read(bodies, sending(b"x" * 100)) for _ in range(2)]
    assert all(isinstance(one, ReceivedBody) for one in small)
    assert read(bodies, sending(b"x")) is NO_ROOM
    for body in (first, *small):
        assert isinstance(body, ReceivedBody)
        body.close()
    last = read(bodies, sending(b"x" * 600))
    assert isinstance(last, ReceivedBody)
    last.close()
    assert bodies.held == (0, 0)
