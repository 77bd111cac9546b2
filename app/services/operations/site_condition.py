"""How the site is run: its hosts, their workers, the mail; judged here and shown everywhere."""

import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.pages.text.phrases import count_phrase, duration_phrase
from app.problems import operation_codes, use_case_codes
from app.registration.declarations.registry_groups import GROUPS, URN_GROUP
from app.services.accounts.actors import Actor, require_operator
from app.services.assigned_names.name_lines import names_trouble
from app.services.operations.database_binding import DatabaseFault, write_fault
from app.services.operations.edition_order import operator_called
from app.services.refusals import InvalidInput, NotFound, Refusal
from app.services.stored_editions.divergence import noted_divergence
from app.services.use_cases import Command, operators_only, use_case
from app.store.administration import host_rows
from app.store.assigned_names import name_line_rows
from app.store.database import read_transaction, transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.mail import outbox_messages
from app.store.tables import Host
from app.store.tables.requests import EventSubject

UNSEEN = timedelta(minutes=1)  # without a sign of life, and a worker is missing
AT_WORK = timedelta(seconds=20)  # since its last sign, and a worker is sure to be at work
STUCK = timedelta(minutes=5)  # without a success, and what a worker does has stopped
GONE = timedelta(days=7)  # unseen, and a host is forgotten
_DISMISSED = "host dismissed"
_FOR_OPERATORS = "How the site is run is for the registry’s operators."
LEAST_FREE, LEAST_SHARE = 10**9, 0.05  # of a disk, in bytes and of the whole


class AlertKind(StrEnum):
    """What can be wrong, most important first."""

    DATABASE = "database"
    DIVERGENCE = "divergence"
    NAMES = "names"
    WORKER = "worker"
    PUBLICATION = "publication"
    MAIL = "mail"
    DISK = "disk"


@dataclass(frozen=True, slots=True)
class SiteAlert:
    """A trouble in a sentence for operators; ``host`` is the id of the only host that has it.

    Without ``host`` the trouble is the whole site's, and every host reports it.
    """

    matter: AlertKind
    sentence: str
    host: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCondition:
    """One host: what its worker told last, and how long ago."""

    id: str
    label: str
    version: str
    unseen: timedelta
    running: timedelta
    edition: int | None
    is_behind: bool
    free_bytes: int
    total_bytes: int
    sends: bool
    published: timedelta | None
    mailed: timedelta | None
    trouble: str
    heard: timedelta | None
    said: str

    @property
    def is_seen(self) -> bool:
        """Whether its worker is there; a moment to come is one before the clock was set back."""
        return abs(self.unseen) <= UNSEEN

    @property
    def free_share(self) -> float:
        """How much of its disk is free, from 0 to 1."""
        return self.free_bytes / self.total_bytes if self.total_bytes else 1.0

    @property
    def disk(self) -> str:
        """How much room its disk has, in words."""
        return f"{self.free_bytes / 10**9:,.1f} GB free, {self.free_share:.0%} of the disk"

    @property
    def lacks_space(self) -> bool:
        """Whether its disk is as good as full."""
        return self.free_bytes < LEAST_FREE or self.free_share < LEAST_SHARE


@dataclass(frozen=True, slots=True, kw_only=True)
class MailCondition:
    """The outbox: how many messages wait, for how long, and for how long one could have gone.

    ``given_up`` and ``tried`` count those that the server did not take; the latter wait still.
    """

    waiting: int = 0
    given_up: int = 0
    tried: int = 0
    oldest: timedelta | None = None
    overdue: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCondition:
    """How the whole site is run. ``here`` is the host that answers, where its worker ever ran."""

    hosts: tuple[HostCondition, ...]
    here: HostCondition | None
    edition: int | None
    unbuilt: tuple[tuple[int, int, str], ...]
    mail: MailCondition
    divergence: str
    names: str = ""
    database: DatabaseFault | None = None  # why nothing new is saved

    @property
    def seen(self) -> tuple[HostCondition, ...]:
        """The hosts whose workers are there."""
        return tuple(host for host in self.hosts if host.is_seen)

    @property
    def last_heard(self) -> HostCondition | None:
        """The host to which a mail server spoke last."""
        heard = [host for host in self.hosts if host.heard is not None]
        return min(heard, key=lambda host: host.heard or GONE, default=None)

    @property
    def troubles(self) -> tuple[SiteAlert, ...]:
        """Everything that is wrong, most important first."""
        return tuple(_troubles(self))

    @property
    def troubles_here(self) -> tuple[SiteAlert, ...]:
        """The troubles that make this host degraded: its own and the site's."""
        return tuple(one for one in self.troubles if one.host in ("", self._own_id))

    @property
    def troubles_elsewhere(self) -> tuple[SiteAlert, ...]:
        """The troubles of other hosts only, for example a killed worker."""
        return tuple(one for one in self.troubles if one.host not in ("", self._own_id))

    @property
    def _own_id(self) -> str:
        return self.here.id if self.here else ""

    @property
    def is_publishing(self) -> bool:
        """Whether a host whose worker is there has yet to tell that it has the newest edition."""
        return self.edition is not None and any(
            (host.edition or 0) < self.edition for host in self.seen
        )

    @property
    def publishes_soon(self) -> bool:
        """Whether the next edition stands on this host within seconds, as far as one can know."""
        here = self.here
        if here is None or here.is_behind or abs(here.unseen) > AT_WORK:
            return False
        if here.trouble or self.unbuilt or self.divergence or self.database:
            return False
        return here.published is not None and here.published <= STUCK


def site_condition(here: str | None, *, mail: bool = True) -> SiteCondition:
    """How the site is run now, by the database's clock; ``here`` is the host that asks.

    Without ``mail`` nothing is said of the outbox.
    """
    now, rows = host_rows.all_hosts()
    latest = edition_rows.latest_edition(URN_GROUP)
    newest = latest.number if latest else None
    is_new = latest is not None and abs(now - latest.as_of) <= UNSEEN
    shown = tuple(_host(row, now, None if is_new else newest) for row in rows)
    return SiteCondition(
        hosts=shown,
        here=next((host for host in shown if host.id == here), None),
        edition=newest,
        unbuilt=tuple(_unbuilt()),
        mail=_mail(now) if mail else MailCondition(),
        divergence=noted_divergence(),
        names=names_trouble(),
        database=write_fault(),
    )


def newest_editions() -> dict[str, int | None]:
    """The newest edition of each group besides that of the site itself, by the group's id."""
    others = (group for group in GROUPS.values() if not group.is_root)
    latest = ((group.id, edition_rows.latest_edition(group)) for group in others)
    return {ident: edition.number if edition else None for ident, edition in latest}


def _unbuilt() -> Iterator[tuple[int, int, str]]:
    """The newest editions that could not be built and that none followed: number, attempts, why."""
    for key, attempts, why in edition_rows.standing_failures(10):
        yield edition_rows.get_edition(key).number, attempts, why


def _host(row: Host, now: datetime, newest: int | None) -> HostCondition:
    """What is known of a host.

    No edition is awaited yet if it is seconds old, or if the worker of the host just started.
    """
    running = row.seen - row.started
    return HostCondition(
        id=row.id,
        label=row.label,
        version=row.version,
        unseen=now - row.seen,
        running=running,
        edition=row.edition,
        is_behind=newest is not None and running > UNSEEN and (row.edition or 0) < newest,
        free_bytes=row.free_bytes,
        total_bytes=row.total_bytes,
        sends=row.sends,
        published=_age(row.published, now),
        mailed=_age(row.mailed, now),
        trouble=row.trouble,
        heard=_age(row.mail_at, now),
        said=row.mail_said,
    )


def _age(moment: datetime | None, now: datetime) -> timedelta | None:
    return None if moment is None else now - moment


def _mail(now: datetime) -> MailCondition:
    oldest, (given_up, tried) = outbox_messages.oldest_waiting(), outbox_messages.count_untaken()
    return MailCondition(
        waiting=outbox_messages.count_waiting(),
        given_up=given_up,
        tried=tried,
        oldest=now - oldest[0] if oldest else None,
        overdue=now - oldest[1] if oldest else None,
    )


def _troubles(site: SiteCondition) -> Iterator[SiteAlert]:
    if site.database:
        sentence = f"Nothing can be saved. {site.database.sentence}"
        yield SiteAlert(AlertKind.DATABASE, sentence)
    if site.divergence:
        yield SiteAlert(AlertKind.DIVERGENCE, site.divergence)
    if site.names:
        yield SiteAlert(AlertKind.NAMES, site.names)
    if not site.database:  # else no worker can give a sign of life
        yield from _of_workers(site)
    for edition, attempts, why in site.unbuilt:
        tried = count_phrase(attempts, "time")
        sentence = f"Edition {edition} cannot be published, tried {tried}: {why}"
        yield SiteAlert(AlertKind.PUBLICATION, sentence)
    for host in site.seen:
        yield from _of_publishing(host, site.edition)
    yield from _of_mail(site)
    for host in site.seen:
        if host.lacks_space:
            sentence = f"The disk of {host.label} is nearly full: {host.disk}. Make room."
            yield SiteAlert(AlertKind.DISK, sentence, host.id)


def _of_workers(site: SiteCondition) -> Iterator[SiteAlert]:
    if not site.seen:
        yield SiteAlert(AlertKind.WORKER, f"{missing(site.hosts)}. {_START_ONE}")
        return
    for host in site.hosts:
        if not host.is_seen:
            sentence = (
                f"The worker of {host.label} has not been seen for {duration_phrase(host.unseen)}."
            )
            yield SiteAlert(AlertKind.WORKER, sentence, host.id)


_START_ONE = (
    "No edition is published and no mail is sent. Start `urn-registry serve`, or "
    "`urn-registry worker`, and look at what it says."
)


def missing(known: Iterable[HostCondition]) -> str:
    """Since when no worker has been seen, for where none is."""
    last = min((abs(host.unseen) for host in known), default=None)
    if last is None:
        return "No worker has been seen yet"
    return f"No worker has been seen for {duration_phrase(last)}"


def _of_publishing(host: HostCondition, newest: int | None) -> Iterator[SiteAlert]:
    if host.trouble:
        sentence = f"Publishing fails on {host.label}: {host.trouble}"
    elif _is_stuck(host.published, host):
        sentence = f"Publishing on {host.label} has not gone on for {_since(host.published, host)}."
    elif host.is_behind:
        has = f"edition {host.edition}" if host.edition else "no edition"
        sentence = f"{host.label} has {has}, and the newest is {newest}."
    else:
        return
    yield SiteAlert(AlertKind.PUBLICATION, sentence, host.id)


def _is_stuck(done: timedelta | None, host: HostCondition) -> bool:
    return (host.running if done is None else done) > STUCK


def _since(done: timedelta | None, host: HostCondition) -> str:
    return duration_phrase(host.running if done is None else done)


def _of_mail(site: SiteCondition) -> Iterator[SiteAlert]:
    mail, heard = site.mail, site.last_heard
    if not mail.waiting or mail.oldest is None or mail.oldest <= STUCK:
        return
    waits = f"{count_phrase(mail.waiting, 'message')} {'waits' if mail.waiting == 1 else 'wait'}"
    sentence = f"Mail waits: {waits} to be sent, the oldest for {duration_phrase(mail.oldest)}."
    if site.seen and not any(host.sends for host in site.seen):
        yield SiteAlert(AlertKind.MAIL, f"{sentence} No mail server is set: URN_REGISTRY_SMTP_URL.")
    elif heard is not None and heard.said:
        yield SiteAlert(AlertKind.MAIL, f"{sentence} {heard.label} was told: {heard.said}")
    elif mail.overdue is not None and mail.overdue > STUCK:
        yield SiteAlert(AlertKind.MAIL, sentence)


def publication_sentence(edition: int | None, here: str | None) -> str:
    """A sentence on when an edition, by its key, that was just made is published."""
    number = edition_rows.number_of(edition)
    name = "The next edition of the registry" if number is None else f"Edition {number}"
    site = site_condition(here, mail=False)
    if site.publishes_soon:
        return f"{name} is published within seconds."
    first = next((one for one in site.troubles_here if one.matter in _KEEP_BACK), None)
    why = f": {_brief(site, first)}" if first else ""
    return f"{name} is made, and published once the worker of this host goes on{why}."


_KEEP_BACK = (AlertKind.DATABASE, AlertKind.DIVERGENCE, AlertKind.WORKER, AlertKind.PUBLICATION)


def _brief(site: SiteCondition, trouble: SiteAlert) -> str:
    """The matter without its remedy, as it goes into a sentence."""
    if trouble.matter is AlertKind.WORKER and not site.seen:
        return _lowered(missing(site.hosts))
    return _lowered(trouble.sentence.rstrip("."))


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def operator_condition(actor: Actor, here: str | None) -> SiteCondition:
    """How the site is run, for those who run it."""
    require_operator(actor, _FOR_OPERATORS)
    return site_condition(here)


@use_case("dismiss host", check=operators_only(_FOR_OPERATORS))
def dismiss(command: Command, ident: str) -> None:
    """Take a retired host off the list; a host whose worker runs comes back by itself."""
    if not _forget(ident):
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN,
            "There is no such host on the list. It may have been dismissed already.",
        )
    command.append_event(
        _DISMISSED, about=f"host {ident}", subject=EventSubject.REGISTRY, role="operator"
    )


def _forget(ident: str) -> bool:
    """Take a host off the list, and don't wait for its numbers after a restore."""
    was_listed = host_rows.forget_host(ident) is not None
    return name_line_rows.forget_host(ident) or was_listed


@dataclass(frozen=True, slots=True)
class ListedHost:
    """A host as `hosts list` shows it; ``unseen`` is how long ago it was seen last.

    ``is_stopped``: its worker was stopped cleanly, and the database only keeps that it gave names.
    ``is_awaited``: after a restore, names wait until this host has reported its numbers.
    """

    id: str
    label: str
    version: str
    unseen: timedelta
    is_stopped: bool
    is_awaited: bool


def list_hosts() -> tuple[ListedHost, ...]:
    """List the hosts that signed, and the stopped ones that gave names, by label and id."""
    now, rows = host_rows.all_hosts()
    line, named = name_line_rows.find(), {one.id: one for one in name_line_rows.all_hosts()}
    awaited = {key for key, one in named.items() if line and one.telling != line.telling}
    listed = [
        ListedHost(row.id, row.label, row.version, now - row.seen, False, row.id in awaited)
        for row in rows
    ]
    signed = {row.id for row in rows}
    listed += [
        ListedHost(key, one.label, "", now - one.seen, True, key in awaited)
        for key, one in named.items()
        if key not in signed
    ]
    return tuple(sorted(listed, key=lambda host: (host.label, host.id)))


def find_host(called: str) -> ListedHost:
    """Find a host by its id or its name.

    Raises InvalidInput without a name, NotFound for an unknown host, and Refusal if several hosts
    have this name.
    """
    if not called.strip():
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            "Give the name or the id of the host. `urn-registry hosts list` shows them.",
            field="host",
        )
    hosts = list_hosts()
    found = [one for one in hosts if one.id == called]
    found = found or [one for one in hosts if one.label == called]
    if not found:
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN,
            f"No host is called {called}. Run `urn-registry hosts list`, or see /desk/status/.",
        )
    if len(found) > 1:
        ids = ", ".join(f"{one.id} (seen {duration_phrase(abs(one.unseen))} ago)" for one in found)
        raise Refusal(
            operation_codes.HOST_AMBIGUOUS,
            f"{len(found)} hosts are called {called}. Give the id of the one you mean: {ids}.",
        )
    return found[0]


def forget_host(called: str, at: datetime, by: str = "") -> ListedHost:
    """Take a retired host off the list for an operator at the command line.

    ``by`` is the address of the operator for the record, "" if not given. Raises NotAllowed if
    that is no operator, and what ``find_host`` raises.
    """
    with transaction():
        actor = operator_called(by, at) if by else None
        host = find_host(called)
        _forget(host.id)
        event = event_rows.NewEvent(
            at=edition_rows.clock_time(at),
            kind=_DISMISSED,
            subject=EventSubject.REGISTRY,
            about=f"host {host.id}",
            actor=actor,
            role="operator",
        )
        event_rows.append(event, secrets.token_hex(16))
        return host


def forget_gone() -> None:
    """Take hosts off the list that nobody has seen for days."""
    with read_transaction():
        now, rows = host_rows.all_hosts()
        gone = any(now - row.seen > GONE for row in rows)
    if gone:
        with transaction():
            host_rows.forget_unseen(GONE)
