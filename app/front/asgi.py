"""The whole site under an ASGI server: what is published at once, the rest by threads behind it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any

from app.front.admission import TLS_ALONE, Admission
from app.front.bounded_pool import BoundedPool, PoolLimits
from app.front.connections import IS_CUT, TARGET
from app.front.gateway import WsgiGateway
from app.front.prepared_answers import find_octets, write_prepared
from app.front.readiness import PATH as READY
from app.front.readiness import ReadinessProbe
from app.front.request_bodies import Message, Receive, RequestBodies
from app.front.request_problems import FAULT, ClientGone, RequestRefused
from app.front.thread_pool import ThreadPool
from app.problems.problem_documents import note_refusal
from app.published.group_plane import GroupPlane
from app.published.http.http_exchange import (
    SAFE,
    EncodedHeaders,
    HttpAnswer,
    HttpRequest,
    StreamedBody,
    encode_headers,
    request_of_scope,
)
from app.published.http.problems import Problem
from app.published.plane import PublishedPlane

_log = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
AsgiApplication = Callable[[Scope, Receive, Send], Awaitable[None]]

_ALIVE = b'{"status": "ok"}\n'
_LIVES = HttpAnswer(
    HTTPStatus.OK,
    [
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(_ALIVE))),
        ("Cache-Control", "no-store"),
        *SAFE,
    ],
    _ALIVE,
)
_READS = frozenset({"GET", "HEAD"})
_READERS = 2  # threads that read what is too long for memory


class AsgiFront:
    """Answers what is published, and whether it lives, from the event loop itself.

    Neither who sends slowly, nor a database that hangs, nor who reads slowly has a part in that:
    everything else is handed to ``behind`` when its body is there to the end, and each answer is
    whole before it is sent.
    """

    def __init__(
        self,
        published: PublishedPlane,
        admission: Admission,
        behind: WsgiGateway | None = None,
        readiness: ReadinessProbe | None = None,
    ) -> None:
        self._published, self._admission, self._behind = published, admission, behind
        self._readiness = readiness
        self._bodies = RequestBodies()
        self._readers = ThreadPool("reads", _READERS)
        self._lists = BoundedPool("lists", PoolLimits(threads=1))
        self._tls_alone = encode_headers([TLS_ALONE]) if admission.is_secure else []
        self._follower = ThreadPool("editions", len(published.planes))
        self._following: dict[GroupPlane, asyncio.Future[None]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # neither sockets of other kinds nor a life span
            return
        request = request_of_scope(scope, scope.get(TARGET))
        try:
            answer = self._refuse_or_live(request)
            if answer is None:
                plane = self._published.plane_of(request)
                if plane in self._following or plane.is_behind():
                    await self._follow(plane)
                answer = await self._answer_published(plane, request, receive)
            if answer is None:
                answer = await self._answer_behind(request, scope, receive)
        except ClientGone:
            return
        except RequestRefused as error:
            answer = self._refuse(error.problem, request)
        except Exception:
            _log.exception("request failed")
            answer = self._refuse(FAULT, request)
        if answer.refusal:
            note_refusal(answer.refusal)
        if not write_prepared(send, answer, self._tls_alone):
            await self._send_unless_gone(answer, receive, send)

    async def _answer_published(
        self, plane: GroupPlane, request: HttpRequest, receive: Receive
    ) -> HttpAnswer | None:
        if not self._published.takes_long(request):
            return plane.answer_at_once(request)
        made = await self._lists.begin(
            lambda: plane.answer_at_once(request), lambda: _until_gone(receive)
        )
        await asyncio.wait((made,))
        return made.result()

    async def _send_unless_gone(self, answer: HttpAnswer, receive: Receive, send: Send) -> None:
        try:
            await self._send(answer, receive, send)
        except RuntimeError as error:  # what the loop says of a connection that was closed
            if "closed" not in str(error):
                raise

    def octets_at_once(
        self, request: HttpRequest, defaults: EncodedHeaders, is_last: bool
    ) -> bytes | None:
        """The octets of an answer to a request without a body, if it lies ready."""
        try:
            answer = self._find_at_once(request)
        except Exception:
            return None
        if answer is None:
            return None
        octets = find_octets(answer, defaults, self._tls_alone, is_last)
        if octets is not None and answer.refusal:
            note_refusal(answer.refusal)
        if not isinstance(answer.body, bytes):
            answer.body.close()
        return octets

    def _find_at_once(self, request: HttpRequest) -> HttpAnswer | None:
        plane = self._published.plane_of(request)
        is_later = self._published.takes_long(request) or plane in self._following
        if is_later or plane.is_behind():
            return None
        return self._refuse_or_live(request) or plane.answer_at_once(request)

    def _refuse_or_live(self, request: HttpRequest) -> HttpAnswer | None:
        problem = self._admission.find_problem(request)
        if problem is not None:
            return self.refuse(problem, request)
        if self._behind is not None and request.path == "/healthz" and request.method in _READS:
            return _LIVES if request.method == "GET" else _LIVES._replace(body=b"")
        return None

    def refuse(self, problem: Problem, request: HttpRequest) -> HttpAnswer:
        return self._published.root.refuse(problem, request)

    def _refuse(self, problem: Problem, request: HttpRequest) -> HttpAnswer:
        answer = self.refuse(problem, request)
        headers = [*answer.headers, ("Connection", "close")]
        return answer._replace(headers=headers, prepared=None, in_shell=None)

    async def _follow(self, plane: GroupPlane) -> None:
        following = self._following.get(plane)
        if following is None:
            following = self._following[plane] = self._follower.run(plane.catch_up)
            following.add_done_callback(lambda _: self._following.pop(plane))
        await asyncio.wait((following,))

    async def _answer_behind(
        self, request: HttpRequest, scope: Scope, receive: Receive
    ) -> HttpAnswer:
        if self._readiness is not None and request.path == READY and request.method in _READS:
            return await self._readiness.answer(request.method)
        if self._behind is None:
            raise LookupError("a request without a published answer needs an application")
        body = await self._bodies.read(request, receive, lambda: IS_CUT in scope)
        return await self._behind.answer(
            request, body, scope.get("server"), lambda: _until_gone(receive)
        )

    async def _send(self, answer: HttpAnswer, receive: Receive, send: Send) -> None:
        headers = [*answer.raw_headers, *self._tls_alone]
        status = int(answer.status)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        if isinstance(answer.body, bytes):
            await send({"type": "http.response.body", "body": answer.body})
        else:
            await self._send_pieces(answer.body, receive, send)

    async def _send_pieces(self, pieces: StreamedBody, receive: Receive, send: Send) -> None:
        gone = asyncio.ensure_future(_until_gone(receive))
        each = iter(pieces)
        try:
            while not gone.done() and (piece := await self._readers.run(lambda: next(each, b""))):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()
            pieces.close()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] == "http.request":
        pass
