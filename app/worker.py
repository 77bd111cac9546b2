"""The worker: builds editions, lays them out on this host, sends what waits in the outbox."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

from app.pages.chrome import Chrome
from app.pages.site import Site
from app.services import mailing, publishing

_log = logging.getLogger(__name__)
PAUSE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What the worker needs to know; the factory takes it from the settings."""

    folder: Path
    site: Site
    chrome: Chrome
    made_by: str
    secret: str
    sender: str
    base_url: str
    now: Callable[[], datetime]
    deliver: Callable[[EmailMessage], None] | None


def run_once(work: Work) -> None:
    """Do everything that waits now."""
    for edition in publishing.build_pending():
        _log.info("built edition %s", edition)
    laid_out = publishing.lay_out_newest(work.folder, work.site, work.chrome, work.made_by)
    if laid_out is not None:
        _log.info("published edition %s", laid_out)
    if work.deliver is not None:
        mailing.send_waiting(
            work.now(),
            deliver=work.deliver,
            sender=work.sender,
            secret=work.secret,
            base_url=work.base_url,
        )


def run(work: Work, goes_on: Callable[[], bool] = lambda: True) -> None:
    """Work until told to stop. A failure is logged and tried again; it never ends the loop."""
    while goes_on():
        try:
            run_once(work)
        except Exception:
            _log.exception("the worker failed and tries again")
            time.sleep(PAUSE * 4)
        time.sleep(PAUSE)
