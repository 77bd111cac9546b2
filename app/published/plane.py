"""The published plane as a WSGI application."""

import logging
import re
import time
from collections.abc import Callable, Iterable
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from app.exports.bundle import CURRENT
from app.published.conditions import weigh
from app.published.edition import SAFE, BrokenBundle, Edition, Representation, read_edition
from app.published.problems import CHANGED, NO_EDITION, NOT_ALLOWED, NOT_FOUND, Problem, answer

_log = logging.getLogger(__name__)

_LOOK_EVERY = 1.0
_TRY_AGAIN_AFTER = 30.0  # a broken bundle may be mended in place

_READS = frozenset({"GET", "HEAD"})
_VISIBLE = "".join(map(chr, range(0x21, 0x7F)))
_OK, _NOT_MODIFIED = (f"{s.value} {s.phrase}" for s in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED))


class Published:
    """Answers from the current bundle in ``folder``; the rest falls through, if it can.

    A page falls through as well for who carries the session cookie or asks with a query,
    since it may be made for them. A new edition is one assignment, so each answer is of
    one edition.
    """

    def __init__(
        self,
        folder: Path,
        fall_through: WSGIApplication | None,
        session_cookie: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder
        self._fall_through = fall_through
        self._session = re.compile(rf"(?:^|;)\s*{re.escape(session_cookie)}\s*(?:[=;]|$)")
        self._clock = clock
        self._looking = Lock()
        self._current = Edition()
        self._broken: str | None = None
        self._try_again = self._look_again = clock()
        self._look()

    @property
    def edition(self) -> int | None:
        """The number of the edition that is answered from; None before the first."""
        return self._current.number

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        if self._clock() >= self._look_again:
            self._look()
        edition = self._current
        file = edition.files.get(environ.get("PATH_INFO", ""))
        if file is None or environ["REQUEST_METHOD"] not in _READS:
            return self._other(edition, environ, start_response)
        if file.is_page and self._fall_through is not None and self._is_own(environ):
            return self._fall_through(environ, start_response)
        return _send(file, environ, start_response)

    def _is_own(self, environ: WSGIEnvironment) -> bool:
        cookies = environ.get("HTTP_COOKIE")
        has_session = cookies is not None and self._session.search(cookies) is not None
        return has_session or bool(environ.get("QUERY_STRING"))

    def _other(
        self, edition: Edition, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        path, reads = environ.get("PATH_INFO", ""), environ["REQUEST_METHOD"] in _READS
        if reads and path in edition.redirects:
            return _redirect(edition.redirects[path], environ, start_response)
        if self._fall_through is not None:
            return self._fall_through(environ, start_response)
        if edition.link is None:
            return _refuse(NO_EDITION, environ, start_response)
        is_known = path in edition.files or path in edition.redirects
        return _refuse(NOT_ALLOWED if is_known else NOT_FOUND, environ, start_response)

    def _look(self) -> None:
        """Follow ``current``; whoever comes while another looks goes on with what there is."""
        if not self._looking.acquire(blocking=False):
            return
        try:
            now = self._clock()
            self._look_again = now + _LOOK_EVERY
            self._follow(_find_link(self._folder / CURRENT), now)
        finally:
            self._looking.release()

    def _follow(self, link: str | None, now: float) -> None:
        known = link == self._current.link
        if known or (link == self._broken and now < self._try_again):
            return
        try:
            self._switch(link)
        except Exception:  # whatever is wrong with the new edition, the old one goes on
            self._broken, self._try_again = link, now + _TRY_AGAIN_AFTER
            _log.exception("Bundle %s cannot be read; edition %s stays.", link, self.edition)

    def _switch(self, link: str | None) -> None:
        if link is None:
            raise BrokenBundle(f"There is no {CURRENT} in {self._folder}.")
        self._current = read_edition(self._folder, link, self._current)
        _log.info("Edition %s is published.", self.edition)


def _find_link(path: Path) -> str | None:
    try:
        return str(path.readlink())
    except OSError:
        return None


def _send(
    file: Representation, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes]:
    # A server may change the list of headers that it is given, hence the copies.
    status = weigh(environ, file.etag, file.modified)
    if status is HTTPStatus.NOT_MODIFIED:
        start_response(_NOT_MODIFIED, file.unchanged_headers.copy())
        return ()
    if status is HTTPStatus.PRECONDITION_FAILED:
        return _refuse(CHANGED, environ, start_response)
    start_response(_OK, file.headers.copy())
    return (file.body,) if environ["REQUEST_METHOD"] == "GET" else ()


def _redirect(
    target: str, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes]:
    # 301, not 308: only reads come here, and old clients do not know 308.
    query = quote(environ.get("QUERY_STRING", ""), safe=_VISIBLE, encoding="latin-1")
    location = f"{target}?{query}" if query else target
    status = HTTPStatus.MOVED_PERMANENTLY
    headers = [
        ("Location", location),
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", "0"),
        ("Cache-Control", "no-cache"),
        *SAFE,
    ]
    start_response(f"{status.value} {status.phrase}", headers)
    return ()


def _refuse(
    problem: Problem, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes]:
    headers, body = answer(problem, environ)
    start_response(f"{problem.status.value} {problem.status.phrase}", headers)
    return () if environ["REQUEST_METHOD"] == "HEAD" else (body,)
