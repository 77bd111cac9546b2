"""The status of the site: hosts, workers, mail, and their problems."""

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

UNSEEN = timedelta(minutes=1)  # without a heartbeat, a worker counts as missing
AT_WORK = timedelta(seconds=20)  # since its heartbeat, a worker surely runs
STUCK = timedelta(minutes=5)  # without a success, a task of a worker counts as stopped
GONE = timedelta(days=7)  # without a heartbeat, a host is removed
_DISMISSED = "host dismissed"
_FOR_OPERATORS = "Only operators can see the site status."
LEAST_FREE, LEAST_SHARE = 10**9, 0.05  # of a disk, in bytes and of the whole


class AlertKind(StrEnum):
    """Kinds of problems, most important first."""

    DATABASE = "database"
    DIVERGENCE = "divergence"
    NAMES = "names"
    WORKER = "worker"
    PUBLICATION = "publication"
    MAIL = "mail"
    DISK = "disk"


@dataclass(frozen=True, slots=True)
class SiteAlert:
    """A problem in a sentence for operators; ``host`` is the ID of the only host that has it.

    Without ``host`` it is a problem of the whole site, and every host reports it.
    """

    matter: AlertKind
    sentence: str
    host: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCondition:
    """One host, as its worker last reported it."""

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
        """Whether its worker runs. A future time is from before a clock was set back."""
        return abs(self.unseen) <= UNSEEN

    @property
    def free_share(self) -> float:
        """The free share of its disk, from 0 to 1."""
        return self.free_bytes / self.total_bytes if self.total_bytes else 1.0

    @property
    def disk(self) -> str:
        """The free space on its disk, in words."""
        return f"{self.free_bytes / 10**9:,.1f} GB free, {self.free_share:.0%} of the disk"

    @property
    def lacks_space(self) -> bool:
        """Whether its disk is nearly full."""
        return self.free_bytes < LEAST_FREE or self.free_share < LEAST_SHARE


@dataclass(frozen=True, slots=True, kw_only=True)
class MailCondition:
    """The outbox: the number of waiting messages, and the age of the oldest and of the oldest due.

    ``given_up`` and ``tried`` count refused messages; the latter are still waiting.
    """

    waiting: int = 0
    given_up: int = 0
    tried: int = 0
    oldest: timedelta | None = None
    overdue: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCondition:
    """The status of the site. ``here`` is this host, or None if its worker never ran."""

    hosts: tuple[HostCondition, ...]
    here: HostCondition | None
    edition: int | None
    unbuilt: tuple[tuple[int, int, str], ...]
    mail: MailCondition
    divergence: str
    names: str = ""
    database: DatabaseFault | None = None  # why nothing can be saved

    @property
    def seen(self) -> tuple[HostCondition, ...]:
        """The hosts whose workers run."""
        return tuple(host for host in self.hosts if host.is_seen)

    @property
    def last_heard(self) -> HostCondition | None:
        """The host that last used its mail server."""
        heard = [host for host in self.hosts if host.heard is not None]
        return min(heard, key=lambda host: host.heard or GONE, default=None)

    @property
    def troubles(self) -> tuple[SiteAlert, ...]:
        """All problems, most important first."""
        return tuple(_troubles(self))

    @property
    def troubles_here(self) -> tuple[SiteAlert, ...]:
        """The problems of this host and of the whole site."""
        return tuple(one for one in self.troubles if one.host in ("", self._own_id))

    @property
    def troubles_elsewhere(self) -> tuple[SiteAlert, ...]:
        """The problems of other hosts only, for example a killed worker."""
        return tuple(one for one in self.troubles if one.host not in ("", self._own_id))

    @property
    def _own_id(self) -> str:
        return self.here.id if self.here else ""

    @property
    def is_publishing(self) -> bool:
        """Whether a host with a running worker doesn't have the newest edition yet."""
        return self.edition is not None and any(
            (host.edition or 0) < self.edition for host in self.seen
        )

    @property
    def publishes_soon(self) -> bool:
        """Whether this host will probably publish the next edition within seconds."""
        here = self.here
        if here is None or here.is_behind or abs(here.unseen) > AT_WORK:
            return False
        if here.trouble or self.unbuilt or self.divergence or self.database:
            return False
        return here.published is not None and here.published <= STUCK


def site_condition(here: str | None, *, mail: bool = True) -> SiteCondition:
    """Return the status of the site now, by the database's clock; ``here`` is the ID of this host.

    ``mail=False`` leaves the outbox out.
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
    for key, attempts, why in edition_rows.standing_failures(10):
        yield edition_rows.get_edition(key).number, attempts, why


def _host(row: Host, now: datetime, newest: int | None) -> HostCondition:
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
        sentence = f"Changes can't be saved. {site.database.sentence}"
        yield SiteAlert(AlertKind.DATABASE, sentence)
    if site.divergence:
        yield SiteAlert(AlertKind.DIVERGENCE, site.divergence)
    if site.names:
        yield SiteAlert(AlertKind.NAMES, site.names)
    if not site.database:  # otherwise no worker can report
        yield from _of_workers(site)
    for edition, attempts, why in site.unbuilt:
        tried = count_phrase(attempts, "attempt")
        sentence = f"Edition {edition} can't be published ({tried}): {why}"
        yield SiteAlert(AlertKind.PUBLICATION, sentence)
    for host in site.seen:
        yield from _of_publishing(host, site.edition)
    yield from _of_mail(site)
    for host in site.seen:
        if host.lacks_space:
            sentence = f"The disk of {host.label} is nearly full: {host.disk}. Free some space."
            yield SiteAlert(AlertKind.DISK, sentence, host.id)


def _of_workers(site: SiteCondition) -> Iterator[SiteAlert]:
    if not site.seen:
        yield SiteAlert(AlertKind.WORKER, f"{missing(site.hosts)}. {_START_ONE}")
        return
    for host in site.hosts:
        if not host.is_seen:
            sentence = (
                f"The worker on {host.label} hasn't reported for {duration_phrase(host.unseen)}."
            )
            yield SiteAlert(AlertKind.WORKER, sentence, host.id)


_START_ONE = (
    "No editions are published and no mail is sent. Start `urn-registry serve` or "
    "`urn-registry worker`, and read its log."
)


def missing(known: Iterable[HostCondition]) -> str:
    """Say for how long no worker has reported."""
    last = min((abs(host.unseen) for host in known), default=None)
    if last is None:
        return "No worker has ever run"
    return f"No worker has reported for {duration_phrase(last)}"


def _of_publishing(host: HostCondition, newest: int | None) -> Iterator[SiteAlert]:
    if host.trouble:
        sentence = f"Publishing fails on {host.label}: {host.trouble}"
    elif _is_stuck(host.published, host):
        sentence = f"Publishing on {host.label} stopped {_since(host.published, host)} ago."
    elif host.is_behind:
        has = f"edition {host.edition}" if host.edition else "no edition"
        sentence = f"{host.label} has {has}; the newest is {newest}."
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
    sentence = (
        f"Mail isn't being sent: {count_phrase(mail.waiting, 'message')} waiting, the oldest for "
        f"{duration_phrase(mail.oldest)}."
    )
    if site.seen and not any(host.sends for host in site.seen):
        yield SiteAlert(AlertKind.MAIL, f"{sentence} Set URN_REGISTRY_SMTP_URL.")
    elif heard is not None and heard.said:
        yield SiteAlert(
            AlertKind.MAIL, f"{sentence} The mail server replied to {heard.label}: {heard.said}"
        )
    elif mail.overdue is not None and mail.overdue > STUCK:
        yield SiteAlert(AlertKind.MAIL, sentence)


def publication_sentence(edition: int | None, here: str | None) -> str:
    """Say when a new edition, given by its key, is published."""
    number = edition_rows.number_of(edition)
    name = "The next edition of the registry" if number is None else f"Edition {number}"
    site = site_condition(here, mail=False)
    if site.publishes_soon:
        return f"{name} will be published within seconds."
    first = next((one for one in site.troubles_here if one.matter in _KEEP_BACK), None)
    why = f": {_brief(site, first)}" if first else ""
    return f"{name} will be published when the worker on this host runs again{why}."


_KEEP_BACK = (AlertKind.DATABASE, AlertKind.DIVERGENCE, AlertKind.WORKER, AlertKind.PUBLICATION)


def _brief(site: SiteCondition, trouble: SiteAlert) -> str:
    if trouble.matter is AlertKind.WORKER and not site.seen:
        return _lowered(missing(site.hosts))
    return _lowered(trouble.sentence.rstrip("."))


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def operator_condition(actor: Actor, here: str | None) -> SiteCondition:
    """Return the status of the site for an operator."""
    require_operator(actor, _FOR_OPERATORS)
    return site_condition(here)


@use_case("dismiss host", check=operators_only(_FOR_OPERATORS))
def dismiss(command: Command, ident: str) -> None:
    """Remove a retired host. A host whose worker runs is listed again."""
    if not _forget(ident):
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN,
            "This host isn't on the list. It may have been removed already.",
        )
    command.append_event(
        _DISMISSED, about=f"host {ident}", subject=EventSubject.REGISTRY, role="operator"
    )


def _forget(ident: str) -> bool:
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
            "Enter the name or ID of the host. To list all hosts, run `urn-registry hosts list`.",
            field="host",
        )
    hosts = list_hosts()
    found = [one for one in hosts if one.id == called]
    found = found or [one for one in hosts if one.label == called]
    if not found:
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN,
            f"No host is called {called}. To list all hosts, run `urn-registry hosts list`.",
        )
    if len(found) > 1:
        ids = ", ".join(f"{one.id} (seen {duration_phrase(abs(one.unseen))} ago)" for one in found)
        raise Refusal(
            operation_codes.HOST_AMBIGUOUS,
            f"{len(found)} hosts are called {called}. Use an ID: {ids}.",
        )
    return found[0]


def forget_host(called: str, at: datetime, by: str = "") -> ListedHost:
    """Remove a retired host for an operator at the command line.

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
    """Remove hosts without a heartbeat for days."""
    with read_transaction():
        now, rows = host_rows.all_hosts()
        gone = any(now - row.seen > GONE for row in rows)
    if gone:
        with transaction():
            host_rows.forget_unseen(GONE)
