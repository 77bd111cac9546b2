"""Which services names lead to, as they stand on file, each with an address to ask."""

import hashlib
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from app.exports.content.file_names import registry_folder
from app.identifiers.errors import spell_text
from app.messages.notices import NoticeKind
from app.outside.service_probe import ServiceAnswer
from app.pages.text.phrases import count_phrase, day_phrase
from app.problems import operation_codes, use_case_codes
from app.registration.declarations.identifier_spaces import IdentifierSpace
from app.registration.declarations.registries import (
    REGISTRIES,
    DerivedFormat,
    Registry,
    declared_spaces,
    space_told,
)
from app.registration.declarations.registry_groups import GROUPS, group_of_space
from app.registration.records.naan_registrations import naan_row_of
from app.registration.records.registry_records import Registration, Status
from app.resolution.ark_resolver import ark_sample
from app.resolution.ark_rules import ark_rules_of
from app.resolution.namespace_rules import RuleBook
from app.resolution.record_rules import rules_of
from app.resolution.urn_resolver import service_samples
from app.services.names.bound_targets import bound_services
from app.services.names.rule_book import rule_book
from app.services.refusals import NotFound, Refusal
from app.services.registry.snapshots import current_snapshot
from app.store.accounts import account_rows
from app.store.database import read_transaction, transaction
from app.store.mail import correspondence, outbox_messages
from app.store.registry import record_versions as names
from app.store.registry import service_answers as checks
from app.store.registry.service_answers import KnownService, ServiceCounts
from app.store.tables import ServiceCheck
from app.store.tables.accounts import Grant

_TARGET = "target"  # the one service that a NAAN or a shoulder has


class NoSuchNamespace(NotFound):
    """Nobody has a name, so that it has no services."""


class RegisteredName(NamedTuple):
    """A name that somebody has: its space and its folded form."""

    space: IdentifierSpace
    folded: str

    @property
    def whole(self) -> str:
        """The name with what stands around it in use: ``urn:isbn:``."""
        return self.space.whole(self.folded)

    @property
    def page(self) -> str:
        """The path of its page."""
        return self.space.page.format(self.folded)

    @property
    def registry_page(self) -> str:
        """The path of the registry's page."""
        return registry_folder(group_of_space(self.space).id)

    @property
    def services_page(self) -> str:
        """The path of the page that tells whether its services answer."""
        return f"{self.page}/resolvers" if self.space.has_profiles else f"/resolvers/{self.whole}"


class ServiceScope(NamedTuple):
    """What samples are made for: a day, and the hosts of this site, which are not asked."""

    day: str
    own_hosts: Collection[str] = ()


def name_told(about: str) -> RegisteredName:
    """The name that a service is of, as the store tells it."""
    return RegisteredName(*space_told(about))


def get_registered(text: str) -> RegisteredName:
    """The name that a text is, as it stands alone or in use: ``isbn`` or ``ark:12345/x5``.

    Raises NoSuchNamespace where nobody has it.
    """
    code = use_case_codes.NAMESPACE_UNKNOWN
    for space in declared_spaces():
        before, _, after = space.written.partition("{}")
        is_whole = text[: len(before)].lower() == before
        folded = space.fold(text[len(before) :].removesuffix(after) if is_whole else text)
        if is_whole and space.scheme:
            code = use_case_codes.NAME_UNKNOWN
        if space.may_be_name(folded) and names.find_record(space.id, folded) is not None:
            return RegisteredName(space, folded)
    raise NoSuchNamespace(
        code,
        f"No {' or '.join(space.label for space in declared_spaces())} is called "
        f"{spell_text(text)}. Enter, for example, `isbn`, `ark:12345` or `ark:12345/x5`.",
    )


def known_services(
    scope: ServiceScope, wanted: Iterable[RegisteredName] | None = None
) -> Iterator[KnownService]:
    """The services of some names, or of all that stand, each with its sample.

    A former name has none, and neither has one of a registry whose names lead nowhere.
    """
    book = rule_book()
    for registry, record in _standing() if wanted is None else _found(wanted):
        declared = REGISTRIES[registry]
        if record.status is not Status.FORMER:
            for rules, sampled in _SAMPLED.items():
                if rules in declared.derived:
                    yield from sampled(declared, record, scope, book)


def _standing() -> Iterator[tuple[str, Registration]]:
    for group in GROUPS.values():
        for table in current_snapshot(group).registries:
            yield from ((table.id, record) for record in table.records)


def _found(wanted: Iterable[RegisteredName]) -> Iterator[tuple[str, Registration]]:
    found = (names.find_record(one.space.id, one.folded) for one in wanted)
    return (one for one in found if one is not None)


def _of_profile(
    registry: Registry, record: Registration, scope: ServiceScope, book: RuleBook
) -> Iterator[KnownService]:
    if not record.profile.resolution.services:
        return
    rules = rules_of(record, registry.kind)
    samples = service_samples(rules, record.profile.examples, book, scope.day)
    for place, (service, urn, url) in enumerate(samples):
        told = f"{record.key}\n{service.kind}\n{service.target}\n{service.when}"
        yield KnownService(
            key=_digest(told),
            namespace=record.key,
            place=place,
            kind=service.kind,
            target=service.target,
            urn=urn,
            url=url,
        )


def _of_target(
    _registry: Registry, record: Registration, scope: ServiceScope, _book: RuleBook
) -> Iterator[KnownService]:
    rules = ark_rules_of(naan_row_of(record))
    sample = ark_sample(rules, scope.own_hosts)
    if sample is not None:
        yield KnownService(
            key=_digest(f"{record.key}\n{_TARGET}\n{rules.target}\n"),
            namespace=record.key,
            place=0,
            kind=_TARGET,
            target=rules.target,
            urn=sample.ark,
            url=sample.url,
        )


def _digest(told: str) -> str:
    return hashlib.sha256(told.encode()).hexdigest()


_Sampling = Callable[[Registry, Registration, ServiceScope, RuleBook], Iterator[KnownService]]
# How the services of a name are found, by the rules that its registry publishes to lead it on.
_SAMPLED: Mapping[DerivedFormat, _Sampling] = {
    DerivedFormat.RESOLUTION: _of_profile,
    DerivedFormat.ARK_RULES: _of_target,
}


EVERY = timedelta(days=1)
PAUSE = 2.0  # seconds between two requests to one host
TELLING = 3  # failures in a row, and operators get mail
_RESTED = EVERY / 2  # what was asked since is not asked again when a broken-off round goes on
_MOST_LISTED, _MOST_TOLD = 200, 50

# Asks at an address, and calls what it is given before it asks where a redirect leads.
Probe = Callable[[str, Callable[[str], None]], ServiceAnswer]
Rest = Callable[[float], bool]  # waits so many seconds; gives whether to go on


class CheckRoundConflict(Refusal):
    """Somebody asks the services just now, and nobody is asked twice at a time."""


class ServiceProbeResult(NamedTuple):
    """A service, and what came of asking it; None where it applies to no example."""

    service: KnownService
    answer: ServiceAnswer | None


class ProbePacing:
    """Lets a host rest between two requests. ``clock`` tells seconds that only go on."""

    def __init__(self, clock: Callable[[], float], rest: Rest, pause: float = PAUSE) -> None:
        self._clock, self._rest, self._pause = clock, rest, pause
        self._asked: dict[str, float] = {}

    def wait_for(self, url: str) -> bool:
        """Wait until it is time to ask a host; False where one is to stop."""
        before = self._asked.get(_host_of(url))
        over = 0.0 if before is None else before + self._pause - self._clock()
        return self._rest(max(0.0, over))

    def note(self, url: str) -> None:
        """Note that a host was asked just now."""
        self._asked[_host_of(url)] = self._clock()

    def rest_before(self, url: str) -> None:
        """Let the host rest to which a redirect leads; what is under way is asked to its end."""
        self.wait_for(url)
        self.note(url)


def _host_of(url: str) -> str:
    return urlsplit(url).hostname or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceList:
    """What is shown of all services: how many there are, and those that did not answer."""

    counts: ServiceCounts
    done: datetime | None
    silent: tuple[ServiceCheck, ...]


def check_daily(
    at: datetime,
    probe: Probe,
    manners: ProbePacing,
    base_url: str,
    own_hosts: Collection[str] = (),
    note_lease: Callable[[str], None] = lambda _lease: None,
) -> int:
    """Ask every service, unless that was done within a day or somebody is at it; how many were.

    A sample of what bound names lead to is asked with them; no mail is written of that. Only the
    worker that takes the round asks, host after host. One that stops in the middle leaves the rest
    to the next, and what was asked already is not asked again. Operators get mail of what did not
    answer three times, and of what answers again. ``own_hosts`` are not asked. ``note_lease`` gets
    the lease of the round, and "" at its end, for ``give_back`` in case this process is killed.
    """
    with read_transaction():
        if not checks.is_due(EVERY):
            return 0
    token = secrets.token_hex(16)
    with transaction():
        if not checks.take_round(token, EVERY):
            return 0
        note_lease(token)
    known = _kept(ServiceScope(at.date().isoformat(), own_hosts), None)
    bound = bound_services(at.date(), known, own_hosts, _RESTED)
    with transaction():
        checks.know_bound(bound)
    known = [*known, *bound]
    asked = sum(one.answer is not None for one in _ask(token, known, probe, manners, _RESTED))
    with transaction():
        left = checks.to_ask({one.key for one in known}, _RESTED)
        if checks.leave_round(token, is_done=not left) and not left:
            _tell(at, base_url)
    note_lease("")
    return asked


def give_back(lease: str) -> None:
    """Let another worker go on with a round whose worker was killed."""
    with transaction():
        checks.leave_round(lease, is_done=False)


def check_now(
    at: datetime,
    probe: Probe,
    manners: ProbePacing,
    wanted: Collection[str] = (),
    own_hosts: Collection[str] = (),
) -> Iterator[ServiceProbeResult]:
    """Ask the services of some names, or of all, and give what came of each as it comes.

    Raises NoSuchNamespace for a name that is none, and CheckRoundConflict where somebody is at it.
    What came is kept; no mail is written of it.
    """
    with read_transaction():
        found = list(dict.fromkeys(map(get_registered, wanted)))
    token = secrets.token_hex(16)
    with transaction():
        if not checks.take_round(token):
            raise CheckRoundConflict(operation_codes.CHECK_UNDER_WAY, _TAKEN)
    try:
        scope = ServiceScope(at.date().isoformat(), own_hosts)
        yield from _ask(token, _kept(scope, found or None), probe, manners)
    finally:
        with transaction():
            checks.leave_round(token, is_done=False)


_TAKEN = (
    "Another worker or command is checking the services now. Try again when it has "
    "finished, or in ten minutes if it was interrupted."
)


def _kept(scope: ServiceScope, wanted: Sequence[RegisteredName] | None) -> Sequence[KnownService]:
    with read_transaction():
        known = list(known_services(scope, wanted))
    told = None if wanted is None else [one.space.about(one.folded) for one in wanted]
    with transaction():
        checks.know(known, told)
    return known


def _ask(
    token: str,
    known: Sequence[KnownService],
    probe: Probe,
    manners: ProbePacing,
    rested: timedelta | None = None,
) -> Iterator[ServiceProbeResult]:
    yield from (ServiceProbeResult(one, None) for one in known if not one.url)
    with read_transaction():
        waiting = checks.to_ask({one.key for one in known}, rested)
    for url, services in _by_address(known, waiting).items():
        if not manners.wait_for(url) or not _is_ours(token):
            return
        manners.note(url)
        answer = probe(url, manners.rest_before)
        manners.note(url)
        judged = [(one, _judged(one, answer)) for one in services]
        with transaction():
            if not checks.keep_round(token):  # whoever took it over asks this one too
                return
            for service, seen in judged:
                checks.note_answer(service.key, **seen._asdict())
        yield from map(ServiceProbeResult._make, judged)


def _by_address(
    known: Sequence[KnownService], waiting: Sequence[str]
) -> dict[str, list[KnownService]]:
    services, found = {one.key: one for one in known}, dict[str, list[KnownService]]()
    for service in map(services.__getitem__, waiting):
        found.setdefault(service.url, []).append(service)
    return found


def _judged(service: KnownService, answer: ServiceAnswer) -> ServiceAnswer:
    is_refusal = answer.status is not None and 400 <= answer.status < 500
    if service.urn or answer.answers or not is_refusal:
        return answer
    return ServiceAnswer(True, _NOTHING_THERE, answer.status)


_NOTHING_THERE = "The server answered, but has no page without an identifier."


def _is_ours(token: str) -> bool:
    with transaction():
        return checks.keep_round(token)


# ---- mail


def _tell(at: datetime, base_url: str) -> None:
    lost, back = checks.take_news(TELLING)
    operators = [one.email for one in account_rows.holders(Grant.OPERATOR, at)]
    refused = correspondence.addresses_declining(NoticeKind.SERVICES.choice, operators)
    readers = [address for address in operators if address not in refused]
    for rows, words in ((lost, _LOST), (back, _BACK)):
        for address in readers if rows else ():
            outbox_messages.add(_message(rows, words, address, at, base_url))


class _ServiceNotice(NamedTuple):
    todo: str
    what: str


_LOST = _ServiceNotice(
    "No answer",
    "These services did not answer the last three checks:",
)
_BACK = _ServiceNotice("Answers again", "These services answer again:")


def _message(
    rows: Sequence[ServiceCheck], words: _ServiceNotice, address: str, at: datetime, base_url: str
) -> outbox_messages.OutgoingMessage:
    host = urlsplit(base_url).hostname or "localhost"
    more = len(rows) - _MOST_TOLD
    lines = [*map(_line, rows[:_MOST_TOLD]), *([f"  and {more} more"] if more > 0 else [])]
    return outbox_messages.OutgoingMessage(
        recipient=address,
        template=NoticeKind.SERVICES,
        arguments={
            "todo": words.todo,
            "count": count_phrase(len(rows), "service"),
            "what": words.what,
            "rows": "\n".join(lines),
            "link": f"{base_url}/resolvers/",
            "account": f"{base_url}/account",
        },
        message_id=f"<services.{secrets.token_hex(8)}@{host}>",
        created=at,
    )


def _line(row: ServiceCheck) -> str:
    since = f" Since {day_phrase(row.since.date())}." if row.since else ""
    whole = name_told(row.namespace).whole
    return f"  {whole}, {row.kind}: {row.words}{since}\n    {row.url}"


# ---- what is shown


def service_list() -> ServiceList:
    """All services, as they were when somebody asked them last."""
    return ServiceList(
        counts=checks.count_services(),
        done=checks.last_round(),
        silent=tuple(checks.silent_services(_MOST_LISTED)),
    )


def has_services(name: RegisteredName, at: datetime, own_hosts: Collection[str]) -> bool:
    """Whether there is a service on file to which a name leads, and that is asked once a day."""
    return any(known_services(ServiceScope(at.date().isoformat(), own_hosts), [name]))


def services_of(namespace: str) -> tuple[ServiceCheck, ...]:
    """The services of a name as ``IdentifierSpace.about`` tells it, as they were then."""
    return tuple(checks.services_of(namespace))
