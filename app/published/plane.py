"""The published plane: a request -> its answer, from an edition alone."""

import json
import logging
import os
import re
import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from threading import Lock, Thread
from urllib.parse import quote

from app.exports.content.file_names import URN_NAMESPACES, registry_folder
from app.exports.editions.edition_list import EDITIONS, edition_path
from app.exports.manifests.manifest import CURRENT, FOR_COPIES
from app.published.accept_headers import find_best
from app.published.blobs import BlobFolder, DamagedBlob
from app.published.days import find_edition_of_day, names_a_day, no_edition_of_day
from app.published.edition import BrokenBundle, Found, PublishedEdition, empty_edition, read_edition
from app.published.edition_history import EditionHistory
from app.published.file_answers import lead, redirect, refuse_damaged, send
from app.published.headers import SAFE
from app.published.http_exchange import HttpAnswer, HttpRequest
from app.published.name_resolver import NameResolver
from app.published.name_targets import THTTP, is_of_name
from app.published.problems import (
    BEING_READ,
    NO_EDITION,
    NOT_ALLOWED,
    NOT_FOUND,
    no_media_type,
    not_asked_here,
    not_in_copy,
    refuse,
)
from app.published.replication_files import find_for_copies
from app.published.representation import MediaTypeOffer, Representation
from app.published.thttp_resolver import ThttpResolver

_log = logging.getLogger(__name__)

_TRY_AGAIN_AFTER = 30.0  # a broken bundle may be mended in place
# So long a request waits for the new edition. Where it is longer in coming, the asker is told to
# come again: another process may have it by now, and no two answer from different ones.
_PATIENCE = 5.0

_READS = frozenset({"GET", "HEAD"})
_REGISTRY = registry_folder(URN_NAMESPACES)
_NAMES = "/namespaces/"
_FILE = re.compile(r"/(?:assignments|editions|namespaces|schemas)/[^.]*\.[a-z0-9.]+")
_BLOBS = f"{FOR_COPIES}blobs/"  # by content, so that they are the same in all editions
_LIVES = "/healthz"
_HEALTH = (_LIVES, "/readyz")
# What the registry's pages can be asked, as its list and its first page say it.
QUESTIONS = frozenset({"q", "kind", "status", "reference", "year", "sort", "order", "after"})
_KEPT = "/~!$&'()*+,;=:@"  # of a path, RFC 3986 appendix A, besides what is always kept


class _StaleEditionError(Exception):
    """What is asked for may be otherwise in a newer edition, which is being read."""


class PublishedPlane:
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
        falls_through: bool = False,
        session_cookie: str = "session",
        clock: Callable[[], float] = time.monotonic,
        patience: float = _PATIENCE,
    ) -> None:
        self._blobs = BlobFolder(folder)
        self._history = EditionHistory(self._blobs)
        self._falls_through = falls_through
        self._session = re.compile(rf"(?:^|;)\s*{re.escape(session_cookie)}\s*(?:[=;]|$)")
        self._names = NameResolver(is_copy=not falls_through)
        self._thttp = ThttpResolver(self._names)
        self._clock, self._patience = clock, patience
        self._looking, self._reading = Lock(), Thread()
        self._pointer = os.fspath(folder / CURRENT)
        self._current = empty_edition(self._blobs)
        self._broken: str | None = None
        self._try_again = clock()
        self._look(patience=None)

    @property
    def edition(self) -> int | None:
        """The number of the edition that is answered from; None before the first."""
        return self._current.number if self._current.link else None

    def answer(self, request: HttpRequest) -> HttpAnswer | None:
        """The answer to a request from the current edition; None where it falls through.

        Waits for a new edition, as ``catch_up`` does. An event loop asks ``is_behind``, lets a
        thread ``catch_up``, and then takes ``answer_at_once``.
        """
        until = time.monotonic() + self._patience
        while time.monotonic() < until:
            if _find_link(self._pointer) != self._current.link:
                self._catch_up(until)
            try:
                return self._answer_from(self._current, request)
            except _StaleEditionError:  # another thread began to read the next one just now
                continue
        return self.answer_at_once(request)

    def is_behind(self) -> bool:
        """Whether there is a new edition that nobody has begun to read."""
        link = _find_link(self._pointer)
        return link != self._current.link and self._is_news(link, self._clock())

    def catch_up(self) -> None:
        """Read the newest edition, for as long as patience lasts; it is read to the end anyway."""
        self._catch_up(time.monotonic() + self._patience)

    def answer_at_once(self, request: HttpRequest) -> HttpAnswer | None:
        """The answer from the edition that was read last, without a look at which is current.

        While a newer one is being read, the asker is told to come again: another process may
        answer from that already.
        """
        try:
            return self._answer_from(self._current, request)
        except _StaleEditionError:
            return refuse(BEING_READ, request)

    def _answer_from(self, edition: PublishedEdition, request: HttpRequest) -> HttpAnswer | None:
        """The answer from an edition; raises _OlderEdition where a newer one is being read."""
        file = edition.files.get(request.path)
        try:
            if self._reading.is_alive() and self._is_older(edition, request):
                raise _StaleEditionError
            if file is None and is_of_name(request.path):
                return self._names.answer(edition, request)
            if file is None and request.path.startswith(THTTP):
                return self._thttp.answer(edition, request)
            if file is None or request.method not in _READS:
                return self._other(edition, request)
            return self._answer(edition, file, request)
        except DamagedBlob as error:
            return refuse_damaged(error, request)

    def _answer(
        self, edition: PublishedEdition, file: Representation, request: HttpRequest
    ) -> HttpAnswer | None:
        if request.query and names_a_day(request.query) and _is_of_days(request):
            return self._lead_to_day(request)
        if file.is_personal and self._falls_through and self._is_own(request):
            return None
        if self._cannot_answer(edition, file, request):
            there = _in_registry(edition, request)
            return refuse(not_asked_here(*_which(edition), there), request)
        if file.offer is not None and request.headers.get("accept"):
            return self._choose(edition, file.offer, request)
        return send(file, self._blobs, request)

    def _lead_to_day(self, request: HttpRequest) -> HttpAnswer | None:
        """Lead to the edition of a day; where there is none, whoever is behind says why."""
        try:
            there = self._find_of_day(request)
        except DamagedBlob as error:
            return refuse_damaged(error, request)
        if there is not None:
            return lead(there)
        return None if self._falls_through else refuse(no_edition_of_day(request), request)

    def _find_of_day(self, request: HttpRequest) -> str | None:
        """Where an edition of the day has the file, or else its page. Raises Damaged."""
        number = find_edition_of_day(request.query, self._history)
        if number is None:
            return None
        if request.path.startswith(_NAMES):
            return edition_path(number, request.path[1:])
        file = request.path.rpartition("/")[2] if _is_of_registry(request) else ""
        there = edition_path(number, file)
        # older software kept fewer formats
        return there if self._find_kept(there) else edition_path(number)

    def _is_own(self, request: HttpRequest) -> bool:
        if request.query:
            return True
        cookies = request.headers.get("cookie")
        return cookies is not None and self._session.search(cookies) is not None

    def _cannot_answer(
        self, edition: PublishedEdition, file: Representation, request: HttpRequest
    ) -> bool:
        """Whether a page is asked a question that the registry answers and a copy cannot."""
        if self._falls_through or not (edition.registry and file.is_personal):
            return False
        asked = (part.partition("=") for part in request.query.split("&"))
        return any(name in QUESTIONS and value for name, _, value in asked)

    def _choose(
        self, edition: PublishedEdition, offer: MediaTypeOffer, request: HttpRequest
    ) -> HttpAnswer | None:
        """Send the file that Accept asks for, with its own path unless that was asked for."""
        offer = self._with_kept(offer)
        best = find_best(request.headers.get("accept", ""), offer.media_types)
        if best is None:
            return refuse(no_media_type(offer), request)
        path = offer.paths[best]
        file = edition.find(path) or self._find_kept(path)
        if file is None:  # it was there a moment ago
            raise DamagedBlob(f"{path} is no longer listed.")
        if path == request.path:
            return send(file, self._blobs, request)
        if file.is_personal and self._falls_through and self._is_own(request):
            return None
        return send(file, self._blobs, request, path)

    def _with_kept(self, offer: MediaTypeOffer) -> MediaTypeOffer:
        """An edition's page with the formats that it keeps; any other offer as it is."""
        page = offer.paths[0]
        owner = self._history.find(page) if len(offer.paths) == 1 else None
        kept = owner.catalogue.find_offer(page + URN_NAMESPACES) if owner else None
        if kept is None:
            return offer
        return MediaTypeOffer(offer.media_types + kept.media_types, offer.paths + kept.paths)

    def _find_kept(self, path: str) -> Representation | None:
        owner = self._history.find(path)
        return owner.find(path) if owner else None

    def _other(self, edition: PublishedEdition, request: HttpRequest) -> HttpAnswer | None:
        """Answer what does not lie ready in memory, or let it fall through."""
        reads = request.method in _READS
        try:
            owner, found = self._find(edition, request)
            if found is not None and reads:
                return self._send(owner, found, request)
        except DamagedBlob as error:
            return refuse_damaged(error, request)
        if isinstance(found, Representation) and not found.is_personal:
            return refuse(NOT_ALLOWED, request)  # no form stands behind a file
        if self._falls_through:
            is_missing = edition.link is None and reads and _is_laid_out(request.path)
            return refuse(NO_EDITION, request) if is_missing else None
        if reads and request.path in _HEALTH:
            return self._tell_health(request)
        if edition.link is None:
            return refuse(NO_EDITION, request)
        if found is not None:
            return refuse(NOT_ALLOWED, request)
        return self._miss(edition, request)

    def _miss(self, edition: PublishedEdition, request: HttpRequest) -> HttpAnswer:
        """Lead on who wrote a path otherwise; the rest is told that nothing is there."""
        try:
            there = _find_elsewhere(edition, request.path)
        except DamagedBlob as error:
            return refuse_damaged(error, request)
        if there is not None and request.method in _READS:
            return redirect(there, request)
        if not edition.registry:
            return refuse(NOT_FOUND, request)
        return refuse(not_in_copy(*_which(edition), _in_registry(edition, request)), request)

    def _find(
        self, edition: PublishedEdition, request: HttpRequest
    ) -> tuple[PublishedEdition, Found | None]:
        """What is at the path, and the edition that has it. Raises Damaged."""
        path = request.path
        found = edition.look_up(path)
        if found is None and (lasting := self._history.find(path)):
            return lasting, lasting.look_up(path)
        if found is None and path.startswith(FOR_COPIES):
            return edition, find_for_copies(path, request.query, edition, self._history)
        return edition, found

    def _send(
        self, owner: PublishedEdition, found: Found, request: HttpRequest
    ) -> HttpAnswer | None:
        if isinstance(found, str):
            return redirect(found, request)
        if isinstance(found, MediaTypeOffer):
            return self._choose(owner, found, request)
        return self._answer(owner, found, request)

    def _tell_health(self, request: HttpRequest) -> HttpAnswer:
        """Say that the process answers, and whether it has an edition to answer from."""
        is_ready = request.path == _LIVES or self.edition is not None
        status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        word = "ok" if is_ready else "no edition here yet"
        body = json.dumps({"status": word, "edition": self.edition}).encode()
        headers = [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            *SAFE,
        ]
        return HttpAnswer(status.value, headers, body if request.method == "GET" else b"")

    def _is_older(self, edition: PublishedEdition, request: HttpRequest) -> bool:
        """Whether a newer edition than this may have it otherwise. Raises Damaged."""
        if request.method not in _READS or request.path in _HEALTH:
            return False
        if _find_link(self._pointer) == edition.link:
            return False
        if request.path.startswith(FOR_COPIES):
            return not request.path.startswith(_BLOBS)
        if is_of_name(request.path) or request.path.startswith(THTTP):
            return True
        if edition.look_up(request.path) is not None:
            return True
        return not self._falls_through and self._history.find(request.path) is None

    def _catch_up(self, until: float) -> None:
        """While one edition is read the next may come; one that cannot be read is not awaited."""
        while self.is_behind() or self._reading.is_alive():
            left = until - time.monotonic()
            if left <= 0:
                return
            self._look(left)
            if self._reading.is_alive():
                self._reading.join(left)
            if _find_link(self._pointer) == self._broken:
                return

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


def _is_laid_out(path: str) -> bool:
    """Whether a path is of a file that editions alone have: none may be said not to exist."""
    return path.startswith(FOR_COPIES) or _FILE.fullmatch(path) is not None


def _find_elsewhere(edition: PublishedEdition, path: str) -> str | None:
    """Where a path written otherwise is: a name in another case, a page without its slash.

    Raises Damaged.
    """
    spelt = path.lower() if path.startswith(_NAMES) else path
    written = (other for other in (spelt, f"{path}/") if other != path)
    return next((other for other in written if edition.find(other)), None)


def _which(edition: PublishedEdition) -> tuple[int, str]:
    """An edition by its number and its day."""
    return edition.number, edition.moment.date().isoformat()


def _in_registry(edition: PublishedEdition, request: HttpRequest) -> str:
    """What is asked for, at the registry that the edition is of."""
    path = quote(request.path, safe=_KEPT, encoding="latin-1")
    query = _query_of(request)
    return f"{edition.registry}{path or '/'}{f'?{query}' if query else ''}"


def _query_of(request: HttpRequest) -> str:
    return quote(request.query, safe=f"{_KEPT}?%", encoding="latin-1")


def _is_of_registry(request: HttpRequest) -> bool:
    return request.path.startswith(_REGISTRY)


def _is_of_days(request: HttpRequest) -> bool:
    """Whether what is at a path is to be had as of a day: the registry, names, the editions."""
    return request.path == EDITIONS or request.path.startswith((_REGISTRY, _NAMES))


def _find_link(path: str) -> str | None:
    """Where ``current`` points; asked at each request, so that every process switches at once."""
    try:
        return os.readlink(path)  # noqa: PTH115 — no Path is made for each request
    except OSError:
        return None
