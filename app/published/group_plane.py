"""A group of registries as it is published: a request -> its answer, from its current edition."""

import logging
import os
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock, Thread
from typing import Protocol

from app.exports.manifests.bundle_paths import CURRENT
from app.published.blobs import BlobFolder, DamagedBlob
from app.published.edition import (
    BrokenBundle,
    EditionHistory,
    PublishedEdition,
    empty_edition,
    read_edition,
)
from app.published.http.file_answers import refuse_damaged
from app.published.http.http_exchange import HttpAnswer, HttpRequest
from app.published.http.problems import BEING_READ, Problem, problem_answer
from app.registration.declarations.registry_groups import RegistryGroup

# The answer of a link that leaves a request to the application behind: no later link is asked.
FALL_THROUGH = HttpAnswer(0, [])


class StaleEditionError(Exception):
    """What is asked for may be otherwise in a newer edition, which is being read."""


def nothing_newer() -> None:
    """Raise nothing: no newer edition is being read."""


@dataclass(frozen=True, slots=True)
class EditionView:
    """What links answer from: a group's current edition, and what its editions keep for ever.

    A link calls ``check_current`` before it answers from what another edition may have otherwise;
    that raises StaleEditionError while a newer one is being read.
    """

    edition: PublishedEdition
    history: EditionHistory
    blobs: BlobFolder
    group: RegistryGroup
    check_current: Callable[[], None] = nothing_newer

    def in_shell(self, answer: HttpAnswer) -> HttpAnswer:
        return answer.in_shell(self.edition.shell) if answer.in_shell else answer


class Link(Protocol):
    """One kind of thing that is published, with the paths at which it is."""

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The answer to a request; None for the next link, FALL_THROUGH for no link at all. Raises
        DamagedBlob, and StaleEditionError as ``view.check_current`` does."""


class AnswerChain:
    """Links in the order in which they are asked."""

    def __init__(self, links: Iterable[Link]) -> None:
        self._answers = tuple(link.answer for link in links)

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The answer of the first link that has one; None for the application behind. Raises
        StaleEditionError."""
        try:
            for answer_of_link in self._answers:
                answer = answer_of_link(request, view)
                if answer is not None:
                    return None if answer is FALL_THROUGH else view.in_shell(answer)
        except DamagedBlob as error:
            return view.in_shell(refuse_damaged(error, request))
        return None


_log = logging.getLogger(__name__)

_TRY_AGAIN_AFTER = 30.0  # a broken bundle may be mended in place
# So long a request waits for the new edition. Where it is longer in coming, the asker is told to
# come again: another process may have it by now, and no two answer from different ones.
PATIENCE = 5.0


class GroupPlane:
    """Answers from the current bundle of a group, in the folder that it has in ``folder``.

    The rest falls through, as its ``links`` say. Each request looks where ``current`` points, so
    that all processes switch at the same moment; a new edition is one assignment, so each answer is
    of one edition. No ARK is led to ``own_hosts``.
    """

    def __init__(
        self,
        group: RegistryGroup,
        folder: Path,
        links: Iterable[Link],
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
        own_hosts: Collection[str] = (),
    ) -> None:
        self.group, folder = group, folder / group.folder
        self._blobs = BlobFolder(folder)
        self._history = EditionHistory(self._blobs)
        self._chain = AnswerChain(links)
        self._clock, self._patience = clock, patience
        self._own_hosts = own_hosts
        self._looking, self._reading = Lock(), Thread()
        self._pointer = os.fspath(folder / CURRENT)
        self._view = EditionView(empty_edition(self._blobs), self._history, self._blobs, group)
        self._broken: str | None = None
        self._try_again = clock()
        self._look(patience=None)

    @property
    def edition(self) -> int | None:
        current = self._view.edition
        return current.number if current.link else None

    def answer(self, request: HttpRequest) -> HttpAnswer | None:
        """The answer to a request from the current edition; None where it falls through.

        Waits for a new edition, as ``catch_up`` does. An event loop asks ``is_behind``, lets a
        thread ``catch_up``, and then takes ``answer_at_once``.
        """
        until = time.monotonic() + self._patience
        while time.monotonic() < until:
            if _find_link(self._pointer) != self._view.edition.link:
                self._catch_up(until)
            try:
                return self._chain.answer(request, self._view)
            except StaleEditionError:  # another thread began to read the next one just now
                continue
        return self.answer_at_once(request)

    def is_behind(self) -> bool:
        link = _find_link(self._pointer)
        return link != self._view.edition.link and self._is_news(link, self._clock())

    def catch_up(self) -> None:
        self._catch_up(time.monotonic() + self._patience)

    def answer_at_once(self, request: HttpRequest) -> HttpAnswer | None:
        try:
            return self._chain.answer(request, self._view)
        except StaleEditionError:
            return self.refuse(BEING_READ, request)

    def refuse(self, problem: Problem, request: HttpRequest) -> HttpAnswer:
        return self._view.in_shell(problem_answer(problem, request))

    def _check_current(self, link: str | None) -> None:
        if self._reading.is_alive() and _find_link(self._pointer) != link:
            raise StaleEditionError

    def _catch_up(self, until: float) -> None:
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
        if not self._looking.acquire(timeout=-1 if patience is None else patience):
            return
        try:
            # read here: where it led a moment ago may be an edition before the one followed since
            now, link = self._clock(), _find_link(self._pointer)
            if self._is_news(link, now):
                self._reading = Thread(target=self._follow, args=(link, now), daemon=True)
                check = partial(self._check_current, self._view.edition.link)
                self._view = replace(self._view, check_current=check)
                self._reading.start()
                self._reading.join(patience)
        finally:
            self._looking.release()

    def _is_news(self, link: str | None, now: float) -> bool:
        is_known = link == self._view.edition.link or self._reading.is_alive()
        return not is_known and (link != self._broken or now >= self._try_again)

    def _follow(self, link: str | None, now: float) -> None:
        try:
            self._switch(link)
        except Exception:  # whatever is wrong with the new edition, the old one goes on
            self._broken, self._try_again = link, now + _TRY_AGAIN_AFTER
            told = "Bundle %s of %s cannot be read; edition %s stays."
            _log.exception(told, link, self.group.id, self.edition)
            self._view = replace(self._view, check_current=nothing_newer)

    def _switch(self, link: str | None) -> None:
        if link is None:
            raise BrokenBundle(f"There is no {CURRENT} in {self._blobs.folder}.")
        edition = read_edition(self._blobs, link, self._view.edition, self._own_hosts)
        self._view = EditionView(edition, self._history, self._blobs, self.group)
        _log.info("Edition %s of %s is published.", self.edition, self.group.id)


def _find_link(path: str) -> str | None:
    """Where ``current`` points; asked at each request, so that every process switches at once."""
    try:
        return os.readlink(path)  # noqa: PTH115 — no Path is made for each request
    except OSError:
        return None
