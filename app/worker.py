"""The worker: publishes editions, sends mail and looks after the rest, each at its own pace."""

import logging
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from app.bundles.given_numbers import GivenNumberFolder
from app.bundles.lease_notes import LeaseNotes
from app.bundles.name_copies import NameCopyWriter
from app.bundles.resolution_counts import ResolutionCountFolder
from app.registration.declarations.registry_groups import GROUPS
from app.services.accounts import sign_in
from app.services.assigned_names import name_feed, name_lines, prefix_lists
from app.services.assigned_names.prefix_rights import keep_ended_delegations
from app.services.delegates import yearly_questions
from app.services.editions import edition_build, publication
from app.services.editions.publication import PublicationEnvironment
from app.services.mail import outbox_delivery, reminders
from app.services.names import known_services
from app.services.names.known_services import ProbePacing
from app.services.operations import heartbeats, site_condition
from app.services.operations.database_binding import outage_of
from app.services.operations.heartbeats import ChangeWatch, WorkLog
from app.services.policy import USUAL_RULES, ProcedureSettings
from app.services.requests import syntax_studies, text_studies
from app.services.stored_editions import divergence
from app.workflow.body_names import IANA_BODIES, BodyNames

_log = logging.getLogger(__name__)
PAUSE = 0.5
HEARTBEAT = 5.0  # seconds between two signs of life
PATIENCE = 8.0  # seconds that what is under way is given to end, once the worker is stopped
_BETWEEN_UPKEEP = 300.0  # seconds
_LONGEST_REST = 5.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerContext:
    folder: Path
    making: PublicationEnvironment
    secret: Callable[[], str]
    sender: str
    reply_to: str = ""
    now: Callable[[], datetime]
    deliver: Callable[[EmailMessage], None] | None
    probe: known_services.Probe | None = None  # without one no service is asked
    own_hosts: Collection[str] = ()  # which are not asked
    rules: ProcedureSettings = USUAL_RULES
    bodies: BodyNames = IANA_BODIES
    names: NameCopyWriter | None = None  # the copy of names on this host
    given: GivenNumberFolder | None = None
    resolutions: ResolutionCountFolder | None = None  # how often names led somewhere, on this host
    mail_leases: LeaseNotes | None = None
    check_leases: LeaseNotes | None = None
    # what each thread does its work in, as it needs a session of its own
    context: Callable[[], AbstractContextManager[object]] = nullcontext
    stopped: threading.Event = field(default_factory=threading.Event)
    log: WorkLog = field(default_factory=WorkLog)


def build(work: WorkerContext) -> None:
    """Make the files of editions that lack them."""
    answer = partial(_answer_at_all, work)
    answer()
    for edition in edition_build.build_pending(work.now(), work.making.place, answer):
        _log.info("built edition %s", edition)


def _answer_at_all(work: WorkerContext) -> None:
    if any(publication.lacks_layout(work.folder, group) for group in GROUPS.values()):
        with suppress(Exception):  # which keeps no edition from being built; it is told next
            lay_out(work)


def lay_out(work: WorkerContext) -> None:
    """Lay the newest editions out on this host, unless another line of editions lies there."""
    if divergence.watch(work.folder, work.now()) is not None:
        return
    for group in GROUPS.values():
        edition = publication.lay_out_newest(work.folder, work.making, group)
        if edition is not None:
            _log.info("published edition %s of %s", edition, group.title)


def mend(work: WorkerContext) -> None:
    """Put right what was damaged of what lies on this host."""
    mended = sum(
        publication.mend(work.folder, work.making, work.now(), group) for group in GROUPS.values()
    )
    if mended:
        _log.info("repaired %s files in %s", mended, work.folder)


def send(work: WorkerContext) -> None:
    """Send what waits in the outbox; a database that lacks what was published waits itself.

    It may be an older copy, which knows nothing of the mail that went out since.
    """
    if work.deliver is not None and not divergence.is_noted():
        if work.mail_leases is not None:
            work.mail_leases.release_left(outbox_delivery.give_back)
        outbox_delivery.send_waiting(
            work.now(),
            deliver=work.log.hearing(work.deliver),
            sender=work.sender,
            secret=work.secret(),
            base_url=work.making.place.base_url,
            reply_to=work.reply_to,
            goes_on=lambda: not work.stopped.is_set(),
            note_lease=_noted_in(work.mail_leases),
        )


def follow_names(work: WorkerContext) -> None:
    """Bring this host's copy of the names up to date, so that it answers without the database."""
    if work.names is None or work.given is None:
        return
    host = heartbeats.host_identity(work.folder.parent)
    line = name_lines.tell_numbers(work.given, host, socket.gethostname())
    if line is None:
        return
    with suppress(BlockingIOError):  # another worker of this host is at it
        changes = name_feed.follow(work.names, work.given, line)
        if changes:
            _log.info("copied %s changes of identifiers", changes)


def count_resolutions(work: WorkerContext) -> None:
    """Add how often names led somewhere on this host."""
    if work.resolutions is not None:
        host = heartbeats.host_identity(work.folder.parent)
        prefix_lists.gather(work.resolutions, host)


def study(_work: WorkerContext) -> None:
    """Study the texts that were sent before there was this, or by other rules."""
    studied = text_studies.study_some() + syntax_studies.study_one_sent()
    if studied:
        _log.info("checked the grammar of %s submitted texts", studied)


def forget(work: WorkerContext) -> None:
    """Erase what is kept for a while, and hosts that are gone; keep whose last day is over."""
    sign_in.forget(work.now())
    site_condition.forget_gone()
    keep_ended_delegations(work.now())


def remind(work: WorkerContext) -> None:
    """Report requests that no expert can decide, and remind each person once a week."""
    if work.deliver is None:
        return
    place = work.making.place.base_url
    settings = reminders.ReminderSettings(
        base_url=place,
        host=urlsplit(place).hostname or "localhost",
        rules=work.rules,
        bodies=work.bodies,
    )
    reported = reminders.notify_of_impasses(work.now(), settings)
    if reported:
        _log.info("reported %s requests without an expert who can decide", reported)
    reminders.remind(work.now(), settings)


def ask_holders(work: WorkerContext) -> None:
    """Ask holders once a year whether all is right; a database that is older asks nobody."""
    if work.deliver is not None and not divergence.is_noted():
        place = work.making.place.base_url
        host = urlsplit(place).hostname or "localhost"
        asked = yearly_questions.ask_due(work.now(), base_url=place, host=host)
        if asked:
            _log.info("sent the yearly question about %s names", asked)


def check_services(work: WorkerContext) -> None:
    """Ask the services that names lead to whether they answer, once a day."""
    if work.probe is None:
        return
    if work.check_leases is not None:
        work.check_leases.release_left(known_services.give_back)
    manners = ProbePacing(time.monotonic, lambda seconds: not work.stopped.wait(seconds))
    asked = known_services.check_daily(
        work.now(),
        work.probe,
        manners,
        work.making.place.base_url,
        work.own_hosts,
        _noted_in(work.check_leases),
    )
    if asked:
        _log.info("checked %s resolvers", asked)


def _noted_in(notes: LeaseNotes | None) -> Callable[[str], None]:
    return (lambda _lease: None) if notes is None else notes.note


Step = Callable[[WorkerContext], None]


@dataclass(frozen=True, slots=True)
class WorkerLane:
    """Steps that are done one after the other, beside the other lanes and waiting for none."""

    name: str
    steps: tuple[Step, ...]
    pause: Callable[[float], float] = lambda _took: PAUSE  # by how long the round took


def _rest(took: float) -> float:
    return min(max(PAUSE, took), _LONGEST_REST)


# A mail server that hangs delays no edition, a large edition no mail, and a study neither.
PUBLISHING = WorkerLane(heartbeats.PUBLISHING, (build, lay_out, mend), _rest)
MAILING = WorkerLane(heartbeats.MAILING, (send,))
STUDYING = WorkerLane("studying", (study,))
NAMING = WorkerLane("naming", (follow_names, count_resolutions))
UPKEEP = WorkerLane("upkeep", (forget, remind, ask_holders), lambda _took: _BETWEEN_UPKEEP)
# A round takes as long as servers elsewhere make it.
CHECKING = WorkerLane("checking", (check_services,), lambda _took: _BETWEEN_UPKEEP)
LANES = (PUBLISHING, NAMING, MAILING, STUDYING, UPKEEP, CHECKING)


def do_round(lane: WorkerLane, work: WorkerContext) -> list[Exception]:
    """One round of a lane; gives what failed in it."""
    failures: list[Exception] = []
    for step in lane.steps:
        try:
            step(work)
        except Exception as error:
            failures.append(error)
    work.log.note(lane.name, failures)
    return failures


def run(work: WorkerContext, lanes: Iterable[WorkerLane] = LANES) -> bool:
    """Work until stopped, a thread for each lane, and give signs of life; whether it was stopped.

    What is under way then is given some seconds to end; the rest is let go with the process. A
    clean stop takes the host off the list of hosts. A lane that ends by itself ends the worker, so
    that another is started in its place.
    """
    threads = [_started(lane, work) for lane in lanes]
    log = FailureLog("heartbeat")
    while not work.stopped.is_set() and all(thread.is_alive() for thread in threads):
        log.note(_give_sign(work))
        work.stopped.wait(HEARTBEAT)
    was_stopped = work.stopped.is_set()
    work.stopped.set()
    _await(threads)
    if was_stopped:
        log.note(_tried(work, partial(heartbeats.sign_off, work.folder)))
    return was_stopped


def _started(lane: WorkerLane, work: WorkerContext) -> threading.Thread:
    # a daemon: a mail server that hangs keeps no process from its end
    thread = threading.Thread(target=_go, args=(lane, work), name=lane.name, daemon=True)
    thread.start()
    return thread


def _go(lane: WorkerLane, work: WorkerContext) -> None:
    log = FailureLog(lane.name)
    with work.context(), closing(ChangeWatch()) as watch:
        while not work.stopped.is_set():
            seen = watch.version()
            began = time.monotonic()
            failures = do_round(lane, work)
            rest = lane.pause(time.monotonic() - began)
            log.note(failures)
            # twice the pause and no more: a database that is back is soon used again
            work.stopped.wait(2 * PAUSE if failures else rest)
            if not failures:
                _await_change(work, watch, seen)


def _await_change(work: WorkerContext, watch: ChangeWatch, seen: int | None) -> None:
    until = time.monotonic() + _LONGEST_REST
    while seen is not None and watch.version() == seen and time.monotonic() < until:
        if work.stopped.wait(PAUSE):
            return


def _give_sign(work: WorkerContext) -> list[Exception]:
    give = partial(heartbeats.give_sign, work.folder, work.log, sends=work.deliver is not None)
    return _tried(work, give)


def _tried(work: WorkerContext, do: Callable[[], None]) -> list[Exception]:
    try:
        with work.context():
            do()
    except Exception as error:
        return [error]
    return []


class FailureLog:
    """Logs what failed, round by round."""

    def __init__(self, name: str) -> None:
        self._name, self._outage = name, ""

    def note(self, failures: Sequence[Exception]) -> None:
        """Log what failed in a round; an empty list is a round that succeeded."""
        outage, why = next(filter(None, map(outage_of, failures)), ("", ""))
        if outage and outage != self._outage:
            _log.error("%s %s; trying again: %s", self._name, outage, why)
        elif self._outage and not failures:
            _log.info("%s works again", self._name)
        for error in failures:
            if outage_of(error) is None:
                _log.error("%s failed; trying again", self._name, exc_info=error)
        self._outage = outage


def _await(threads: Iterable[threading.Thread]) -> None:
    pause = threading.Event()
    for _ in range(int(PATIENCE / 0.05)):
        if not any(thread.is_alive() for thread in threads):
            return
        pause.wait(0.05)
