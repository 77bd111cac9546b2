"""The published plane as a WSGI application."""

import json
import logging
import os
import re
import time
from collections.abc import Callable, Iterable
from http import HTTPStatus
from pathlib import Path
from threading import Lock, Thread
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from app.exports.bundle import CURRENT, FOR_COPIES
from app.exports.history import EDITIONS, edition_path
from app.published.accepting import find_best
from app.published.blobs import Blobs, Damaged
from app.published.copying import find_for_copies
from app.published.days import find_edition_of_day, names_a_day
from app.published.edition import BrokenBundle, Edition, Found, nothing, read_edition
from app.published.headers import SAFE
from app.published.history import History
from app.published.problems import (
    BEING_READ,
    NO_DAY,
    NO_EDITION,
    NOT_ALLOWED,
    NOT_FOUND,
    no_media_type,
    not_asked_here,
    not_by_day,
    not_in_copy,
    refuse,
)
from app.published.representation import Offer, Representation
from app.published.sending import lead, redirect, refuse_damaged, send

_log = logging.getLogger(__name__)

_TRY_AGAIN_AFTER = 30.0  # a broken bundle may be mended in place
# So long a request waits for the new edition. Where it is longer in coming, the asker is told to
# come again: another process may have it by now, and no two answer from different ones.
_PATIENCE = 5.0

_READS = frozenset({"GET", "HEAD"})
_STEM = "urn-namespaces"  # of the files of the whole registry
_REGISTRY = f"/assignments/{_STEM}/"
_NAMES = "/namespaces/"
_BLOBS = f"{FOR_COPIES}blobs/"  # by content, so that they are the same in all editions
_LIVES = "/healthz"
_HEALTH = (_LIVES, "/readyz")
# What the registry's pages can be asked, as its list and its first page say it.
QUESTIONS = frozenset({"q", "kind", "status", "reference", "year", "sort", "order", "after"})
_KEPT = "/~!$&'()*+,;=:@"  # of a path, RFC 3986 appendix A, besides what is always kept


class Published:
    """Answers from the current bundle in ``folder``; the rest falls through, if it can.

    A page falls through as well for who carries the session cookie or asks with a query,
    since it may be made for them. Each request looks where ``current`` points, so that all
    processes switch at the same moment; a new edition is one assignment, so each answer is of
    one edition. With nothing to fall through to, this is a whole site: it says itself what
    it does not have, and whether it is ready.
    """

    def __init__(
        self,
        folder: Path,
        fall_through: WSGIApplication | None = None,
        session_cookie: str = "session",
        clock: Callable[[], float] = time.monotonic,
        patience: float = _PATIENCE,
    ) -> None:
        self._blobs = Blobs(folder)
        self._history = History(self._blobs)
        self._fall_through = fall_through
        self._session = re.compile(rf"(?:^|;)\s*{re.escape(session_cookie)}\s*(?:[=;]|$)")
        self._clock, self._patience = clock, patience
        self._looking, self._reading = Lock(), Thread()
        self._pointer = os.fspath(folder / CURRENT)
        self._current = nothing(self._blobs)
        self._broken: str | None = None
        self._try_again = clock()
        self._look(patience=None)

    @property
    def edition(self) -> int | None:
        """The number of the edition that is answered from; None before the first."""
        return self._current.number if self._current.link else None

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        is_behind = _find_link(self._pointer) != self._current.link and not self._catches_up()
        edition = self._current
        file = edition.files.get(environ.get("PATH_INFO", ""))
        try:
            if is_behind and self._hangs_on(edition, environ):
                return refuse(BEING_READ, environ, start_response)
            if file is None or environ["REQUEST_METHOD"] not in _READS:
                return self._other(edition, environ, start_response)
            return self._answer(edition, file, environ, start_response)
        except Damaged as error:
            return refuse_damaged(error, environ, start_response)

    def _answer(
        self,
        edition: Edition,
        file: Representation,
        environ: WSGIEnvironment,
        start_response: StartResponse,
    ) -> Iterable[bytes]:
        if names_a_day(environ.get("QUERY_STRING", "")):
            if _is_of_days(environ):
                return self._lead_to_day(environ, start_response)
            if environ["PATH_INFO"].startswith(_NAMES):
                there = f"{_REGISTRY}?{_query_of(environ)}"
                return refuse(not_by_day(there), environ, start_response)
        if self._fall_through is not None and file.is_personal and self._is_own(environ):
            return self._fall_through(environ, start_response)
        if self._cannot_answer(edition, file, environ):
            there = _in_registry(edition, environ)
            problem = not_asked_here(*_which(edition), there)
            return refuse(problem, environ, start_response)
        if file.offer is not None and environ.get("HTTP_ACCEPT"):
            return self._choose(edition, file.offer, environ, start_response)
        return send(file, self._blobs, environ, start_response)

    def _lead_to_day(
        self, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Lead to the edition of a day; where there is none, whoever is behind says why."""
        try:
            there = self._find_of_day(environ)
        except Damaged as error:
            return refuse_damaged(error, environ, start_response)
        if there is not None:
            return lead(there, start_response)
        if self._fall_through is not None:
            return self._fall_through(environ, start_response)
        return refuse(NO_DAY, environ, start_response)

    def _find_of_day(self, environ: WSGIEnvironment) -> str | None:
        """Where an edition of the day has the file, or else its page. Raises Damaged."""
        number = find_edition_of_day(environ["QUERY_STRING"], self._history)
        if number is None:
            return None
        file = environ["PATH_INFO"].rpartition("/")[2] if _is_of_registry(environ) else ""
        there = edition_path(number, file)
        # older software kept fewer formats
        return there if self._find_kept(there) else edition_path(number)

    def _is_own(self, environ: WSGIEnvironment) -> bool:
        cookies = environ.get("HTTP_COOKIE")
        has_session = cookies is not None and self._session.search(cookies) is not None
        return has_session or bool(environ.get("QUERY_STRING"))

    def _cannot_answer(
        self, edition: Edition, file: Representation, environ: WSGIEnvironment
    ) -> bool:
        """Whether a page is asked a question that the registry answers and a copy cannot."""
        if self._fall_through is not None or not (edition.registry and file.is_personal):
            return False
        asked = (part.partition("=") for part in environ.get("QUERY_STRING", "").split("&"))
        return any(name in QUESTIONS and value for name, _, value in asked)

    def _choose(
        self,
        edition: Edition,
        offer: Offer,
        environ: WSGIEnvironment,
        start_response: StartResponse,
    ) -> Iterable[bytes]:
        """Send the file that Accept asks for, with its own path unless that was asked for."""
        offer = self._with_kept(offer)
        best = find_best(environ.get("HTTP_ACCEPT", ""), offer.media_types)
        if best is None:
            return refuse(no_media_type(offer), environ, start_response)
        path = offer.paths[best]
        file = edition.find(path) or self._find_kept(path)
        if file is None:  # it was there a moment ago
            raise Damaged(f"{path} is no longer listed.")
        if path == environ.get("PATH_INFO"):
            return send(file, self._blobs, environ, start_response)
        if file.is_personal and self._fall_through is not None and self._is_own(environ):
            return self._fall_through(environ, start_response)
        return send(file, self._blobs, environ, start_response, path)

    def _with_kept(self, offer: Offer) -> Offer:
        """An edition's page with the formats that it keeps; any other offer as it is."""
        page = offer.paths[0]
        owner = self._history.find(page) if len(offer.paths) == 1 else None
        kept = owner.catalogue.find_offer(page + _STEM) if owner else None
        if kept is None:
            return offer
        return Offer(offer.media_types + kept.media_types, offer.paths + kept.paths)

    def _find_kept(self, path: str) -> Representation | None:
        owner = self._history.find(path)
        return owner.find(path) if owner else None

    def _other(
        self, edition: Edition, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Answer what does not lie ready in memory, or let it fall through."""
        reads = environ["REQUEST_METHOD"] in _READS
        try:
            owner, found = self._find(edition, environ)
            if found is not None and reads:
                return self._send(owner, found, environ, start_response)
        except Damaged as error:
            return refuse_damaged(error, environ, start_response)
        if isinstance(found, Representation) and not found.is_personal:
            return refuse(NOT_ALLOWED, environ, start_response)  # no form stands behind a file
        if self._fall_through is not None:
            return self._fall_through(environ, start_response)
        if reads and environ.get("PATH_INFO") in _HEALTH:
            return self._tell_health(environ, start_response)
        if edition.link is None:
            return refuse(NO_EDITION, environ, start_response)
        if found is not None:
            return refuse(NOT_ALLOWED, environ, start_response)
        return self._miss(edition, environ, start_response)

    def _miss(
        self, edition: Edition, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Lead on who wrote a path otherwise; the rest is told that nothing is there."""
        try:
            there = _find_elsewhere(edition, environ.get("PATH_INFO", ""))
        except Damaged as error:
            return refuse_damaged(error, environ, start_response)
        if there is not None and environ["REQUEST_METHOD"] in _READS:
            return redirect(there, environ, start_response)
        if not edition.registry:
            return refuse(NOT_FOUND, environ, start_response)
        problem = not_in_copy(*_which(edition), _in_registry(edition, environ))
        return refuse(problem, environ, start_response)

    def _find(self, edition: Edition, environ: WSGIEnvironment) -> tuple[Edition, Found | None]:
        """What is at the path, and the edition that has it. Raises Damaged."""
        path = environ.get("PATH_INFO", "")
        found = edition.look_up(path)
        if found is None and (lasting := self._history.find(path)):
            return lasting, lasting.look_up(path)
        if found is None and path.startswith(FOR_COPIES):
            query = environ.get("QUERY_STRING", "")
            return edition, find_for_copies(path, query, edition, self._history)
        return edition, found

    def _send(
        self,
        owner: Edition,
        found: Found,
        environ: WSGIEnvironment,
        start_response: StartResponse,
    ) -> Iterable[bytes]:
        if isinstance(found, str):
            return redirect(found, environ, start_response)
        if isinstance(found, Offer):
            return self._choose(owner, found, environ, start_response)
        return self._answer(owner, found, environ, start_response)

    def _tell_health(
        self, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Say that the process answers, and whether it has an edition to answer from."""
        is_ready = environ["PATH_INFO"] == _LIVES or self.edition is not None
        status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        word = "ok" if is_ready else "no edition here yet"
        body = json.dumps({"status": word, "edition": self.edition}).encode()
        headers = [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            *SAFE,
        ]
        start_response(f"{status.value} {status.phrase}", headers)
        return (body,) if environ["REQUEST_METHOD"] == "GET" else ()

    def _catches_up(self) -> bool:
        """Wait for the new edition, as long as patience lasts; whether none is being read then.

        Another process may answer from it already. One that cannot be read is no new edition.
        """
        self._look(self._patience)
        return not self._reading.is_alive()

    def _hangs_on(self, edition: Edition, environ: WSGIEnvironment) -> bool:
        """Whether what is asked for may differ between two editions. Raises Damaged."""
        path = environ.get("PATH_INFO", "")
        if environ["REQUEST_METHOD"] not in _READS or path in _HEALTH:
            return False
        if path.startswith(FOR_COPIES):
            return not path.startswith(_BLOBS)
        if edition.look_up(path) is not None:
            return True
        return self._fall_through is None and self._history.find(path) is None

    def _look(self, patience: float | None) -> None:
        """Follow ``current``; whoever comes while another looks waits for the same."""
        if not self._looking.acquire(timeout=-1 if patience is None else patience):
            return
        try:
            # read here: where it led a moment ago may be an edition before the one followed since
            now, link = self._clock(), _find_link(self._pointer)
            if self._is_news(link, now):
                self._reading = Thread(target=self._follow, args=(link, now), daemon=True)
                self._reading.start()
                self._reading.join(patience)
        finally:
            self._looking.release()

    def _is_news(self, link: str | None, now: float) -> bool:
        is_known = link == self._current.link or self._reading.is_alive()
        return not is_known and (link != self._broken or now >= self._try_again)

    def _follow(self, link: str | None, now: float) -> None:
        try:
            self._switch(link)
        except Exception:  # whatever is wrong with the new edition, the old one goes on
            self._broken, self._try_again = link, now + _TRY_AGAIN_AFTER
            _log.exception("Bundle %s cannot be read; edition %s stays.", link, self.edition)

    def _switch(self, link: str | None) -> None:
        if link is None:
            raise BrokenBundle(f"There is no {CURRENT} in {self._blobs.folder}.")
        self._current = read_edition(self._blobs, link, self._current)
        _log.info("Edition %s is published.", self.edition)


def _find_elsewhere(edition: Edition, path: str) -> str | None:
    """Where a path written otherwise is: a name in another case, a page without its slash.

    Raises Damaged.
    """
    spelt = path.lower() if path.startswith(_NAMES) else path
    written = (other for other in (spelt, f"{path}/") if other != path)
    return next((other for other in written if edition.find(other)), None)


def _which(edition: Edition) -> tuple[int, str]:
    """An edition by its number and its day."""
    return edition.number, edition.moment.date().isoformat()


def _in_registry(edition: Edition, environ: WSGIEnvironment) -> str:
    """What is asked for, at the registry that the edition is of."""
    path = quote(environ.get("PATH_INFO", ""), safe=_KEPT, encoding="latin-1")
    query = _query_of(environ)
    return f"{edition.registry}{path or '/'}{f'?{query}' if query else ''}"


def _query_of(environ: WSGIEnvironment) -> str:
    return quote(environ.get("QUERY_STRING", ""), safe=f"{_KEPT}?%", encoding="latin-1")


def _is_of_registry(environ: WSGIEnvironment) -> bool:
    return str(environ.get("PATH_INFO", "")).startswith(_REGISTRY)


def _is_of_days(environ: WSGIEnvironment) -> bool:
    """Whether an edition of a day has what is at the path: the registry, or the editions."""
    return _is_of_registry(environ) or environ.get("PATH_INFO") == EDITIONS


def _find_link(path: str) -> str | None:
    """Where ``current`` points; asked at each request, so that every process switches at once."""
    try:
        return os.readlink(path)  # noqa: PTH115 — no Path is made for each request
    except OSError:
        return None
