"""The worker: builds editions, lays them out on this host, sends what waits in the outbox."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlsplit

from app.services import mailing, publishing, reminding, sign_in, studies, syntax
from app.services.publishing import Making

_log = logging.getLogger(__name__)
PAUSE = 0.5
_TURNS_BETWEEN_FORGETTING = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What the worker needs to know; the factory takes it from the settings."""

    folder: Path
    making: Making
    secret: str
    sender: str
    reply_to: str = ""
    now: Callable[[], datetime]
    deliver: Callable[[EmailMessage], None] | None


def build(work: Work) -> None:
    """Make the files of editions that lack them."""
    for edition in publishing.build_pending(work.now(), work.making.place):
        _log.info("built edition %s", edition)


def lay_out(work: Work) -> None:
    """Lay the newest edition out on this host."""
    edition = publishing.lay_out_newest(work.folder, work.making)
    if edition is not None:
        _log.info("published edition %s", edition)


def send(work: Work) -> None:
    """Send what waits in the outbox."""
    if work.deliver is not None:
        mailing.send_waiting(
            work.now(),
            deliver=work.deliver,
            sender=work.sender,
            secret=work.secret,
            base_url=work.making.place.base_url,
            reply_to=work.reply_to,
        )


def study(_work: Work) -> None:
    """Study the texts that were sent before there was this, or by other rules."""
    studied = studies.study_some() + syntax.study_one_sent()
    if studied:
        _log.info("studied %s texts that were sent", studied)


def remind(work: Work) -> None:
    """Tell those for whom something waits; nobody more than once a week."""
    if work.deliver is not None:
        place = work.making.place.base_url
        reminding.remind(work.now(), base_url=place, host=urlsplit(place).hostname or "localhost")


def run_once(work: Work) -> None:
    """Do everything that waits now. What fails keeps nothing else from being done.

    Raises what failed, as a group.
    """
    failures = []
    for step in (build, lay_out, send, study):
        try:
            step(work)
        except Exception as error:
            failures.append(error)
    if failures:
        raise ExceptionGroup("the worker could not do all of its work", failures)


def run(work: Work, goes_on: Callable[[], bool] = lambda: True) -> None:
    """Work until told to stop. A failure is logged and tried again; it never ends the loop."""
    turn = 0
    while goes_on():
        try:
            run_once(work)
            if turn % _TURNS_BETWEEN_FORGETTING == 0:
                sign_in.forget(work.now())
                remind(work)
        except Exception:
            _log.exception("the worker tries again")
            time.sleep(PAUSE)  # twice the pause: a database that is back is soon used again
        turn += 1
        time.sleep(PAUSE)
