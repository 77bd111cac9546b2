"""Whether a host is ready, asked of the application now and then, however many want to know.

What balances load asks each second or two, and takes a host out that does not answer. So the
question has a thread of its own: a crowd at the other pages does not make a host seem away.
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from wsgiref.types import WSGIApplication

from app.front.bounded_pool import PoolLimits
from app.front.gateway import WsgiGateway
from app.front.request_bodies import RequestBodies
from app.front.request_problems import FAULT, RequestRefused
from app.published.http.http_exchange import HttpAnswer, HttpRequest

_log = logging.getLogger(__name__)

PATH = "/readyz"
_READY = "ready"
_HOLDS_FOR = 1.0  # seconds
_LIMITS = PoolLimits(threads=1, waiting=1, seconds=10.0)
_NO_ANSWER = HttpAnswer(
    503,
    [("Content-Type", "application/json"), ("Cache-Control", "no-store"), ("Retry-After", "10")],
    b'{"status":"no answer in time: the database may have stopped responding"}\n',
)
_ASKED = HttpRequest("GET", PATH, PATH, "", {"host": "localhost"})


class ReadinessProbe:
    """What an application says at ``/readyz``; it holds for a second."""

    def __init__(
        self, application: WSGIApplication, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._gateway, self._bodies = WsgiGateway(application, _LIMITS), RequestBodies()
        self._clock = clock
        self._told: tuple[float, HttpAnswer] | None = None
        self._asking: asyncio.Task[HttpAnswer] | None = None
        self._noted: tuple[int, str] | None = None

    async def answer(self, method: str) -> HttpAnswer:
        """The answer to GET or HEAD, also if the application gives none in time."""
        if self._told is None or self._clock() - self._told[0] >= _HOLDS_FOR:
            if self._asking is None:
                self._asking = asyncio.ensure_future(self._ask())
                self._asking.add_done_callback(self._asked)
            answer = await asyncio.shield(self._asking)
        else:
            answer = self._told[1]
        return answer if method == "GET" else answer._replace(body=b"", prepared=None)

    async def _ask(self) -> HttpAnswer:
        body = await self._bodies.read(_ASKED, _nothing_comes, lambda: False)
        try:
            answer = await self._gateway.answer(_ASKED, body, None, asyncio.Event().wait)
        except RequestRefused as error:
            if error.problem is FAULT:
                self._note(error.problem.status, "no answer")
                raise
            answer = _NO_ANSWER
        self._told = self._clock(), answer
        self._note(answer.status, _status_words(answer.body))
        return answer

    def _note(self, status: int, words: str) -> None:
        if (status, words) != self._noted:
            self._noted = status, words
            level = logging.INFO if words == _READY else logging.WARNING
            _log.log(level, "/readyz answers %d: %s", status, words)

    def _asked(self, _task: object) -> None:
        self._asking = None


def _status_words(body: object) -> str:
    try:
        document = json.loads(body if isinstance(body, bytes) else b"")
        troubles = ", ".join(map(str, document.get("troubles", ())))
        return f"{document['status']}{f': {troubles}' if troubles else ''}"
    except (ValueError, AttributeError, KeyError, TypeError):
        return "no status"


async def _nothing_comes() -> dict[str, object]:
    return {"type": "http.request", "body": b"", "more_body": False}
