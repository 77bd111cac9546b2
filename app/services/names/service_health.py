"""Whether the services answer that names lead to: asked once a day, or by a command."""

import hashlib
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from app.messages.notices import NoticeKind
from app.outside.service_probe import ServiceAnswer
from app.pages.text.phrases import counted, in_words
from app.problems import operation_codes, use_case_codes
from app.registration.declarations.registries import FORMAL, REGISTRIES
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import Registration, Status
from app.resolution.namespace_rules import RuleBook
from app.resolution.record_rules import rules_of
from app.resolution.service_samples import ServiceSample, service_samples
from app.services.names.rule_book import rule_book
from app.services.refusals import Refusal
from app.services.registry.snapshots import current_snapshot
from app.store.accounts import account_rows
from app.store.database import reading, transaction
from app.store.mail import correspondence, outbox_messages
from app.store.registry import record_versions as names
from app.store.registry import service_answers as checks
from app.store.registry.service_answers import KnownService, ServiceCounts
from app.store.tables import ServiceCheck
from app.store.tables.accounts import Grant

EVERY = timedelta(days=1)
PAUSE = 2.0  # seconds between two requests to one host
TELLING = 3  # failures in a row, and operators get mail
_RESTED = EVERY / 2  # what was asked since is not asked again when a broken-off round goes on
_MOST_LISTED, _MOST_TOLD = 200, 50

Probe = Callable[[str], ServiceAnswer]
Rest = Callable[[float], bool]  # waits so many seconds; gives whether to go on


class CheckRoundConflict(Refusal):
    """Somebody asks the services just now, and nobody is asked twice at a time."""


class NoSuchNamespace(Refusal):
    """Nobody has a name, so that it has no services."""


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
        before = self._asked.get(urlsplit(url).netloc)
        over = 0.0 if before is None else before + self._pause - self._clock()
        return self._rest(max(0.0, over))

    def note(self, url: str) -> None:
        """Note that a host was asked just now."""
        self._asked[urlsplit(url).netloc] = self._clock()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceList:
    """What is shown of all services: how many there are, and those that did not answer."""

    counts: ServiceCounts
    done: datetime | None
    silent: tuple[ServiceCheck, ...]


def check_daily(at: datetime, probe: Probe, manners: ProbePacing, base_url: str) -> int:
    """Ask every service, unless that was done within a day or somebody is at it; how many were.

    Only the worker that takes the round asks, host after host. One that stops in the middle
    leaves the rest to the next, and what was asked already is not asked again. Operators get mail
    of what did not answer three times, and of what answers again.
    """
    with reading():
        if not checks.is_due(EVERY):
            return 0
    token = secrets.token_hex(16)
    with transaction():
        if not checks.take_round(token, EVERY):
            return 0
    known = _kept(at, None)
    asked = sum(one.answer is not None for one in _ask(token, known, probe, manners, _RESTED))
    with transaction():
        left = checks.to_ask({one.key for one in known}, _RESTED)
        if checks.leave_round(token, is_done=not left) and not left:
            _tell(at, base_url)
    return asked


def check_now(
    at: datetime, probe: Probe, manners: ProbePacing, wanted: Collection[str] = ()
) -> Iterator[ServiceProbeResult]:
    """Ask the services of some namespaces, or of all, and give what came of each as it comes.

    Raises NoSuchNamespace for a name that is none, and CheckRoundConflict where somebody is at it.
    What came is kept; no mail is written of it.
    """
    folded = tuple(dict.fromkeys(FORMAL.fold(name) for name in wanted))
    with reading():
        unknown = [name for name in folded if names.find_record(FORMAL.space.id, name) is None]
    if unknown:
        raise NoSuchNamespace(
            use_case_codes.NAMESPACE_UNKNOWN,
            f"{unknown[0][:80]}: no namespace has this name. Give its NID.",
        )
    token = secrets.token_hex(16)
    with transaction():
        if not checks.take_round(token):
            raise CheckRoundConflict(operation_codes.CHECK_UNDER_WAY, _TAKEN)
    try:
        yield from _ask(token, _kept(at, folded or None), probe, manners)
    finally:
        with transaction():
            checks.leave_round(token, is_done=False)


_TAKEN = (
    "A worker, or this command elsewhere, asks the services just now. Try again when it is done: "
    "if it was broken off, in ten minutes."
)


def _kept(at: datetime, wanted: Collection[str] | None) -> Sequence[KnownService]:
    """The services as they stand now, each with its sample, written down."""
    with reading():
        known = list(_known(_records(wanted), rule_book(), at.date().isoformat()))
    with transaction():
        checks.know(known, wanted)
    return known


def _records(wanted: Collection[str] | None) -> Iterable[tuple[str, Registration]]:
    if wanted is None:
        tables = current_snapshot(URN_GROUP).registries
        return ((table.id, record) for table in tables for record in table.records)
    found = (names.find_record(FORMAL.space.id, name) for name in wanted)
    return [one for one in found if one is not None]


def _known(
    records: Iterable[tuple[str, Registration]], book: RuleBook, day: str
) -> Iterator[KnownService]:
    for registry, record in records:
        if record.status is Status.FORMER or not record.profile.resolution.services:
            continue
        rules = rules_of(record, REGISTRIES[registry].kind)
        samples = service_samples(rules, record.profile.examples, book, day)
        for place, sample in enumerate(samples):
            yield _service(record.folded, place, sample)


def _service(namespace: str, place: int, sample: ServiceSample) -> KnownService:
    service = sample.service
    told = f"{namespace}\n{service.kind}\n{service.target}\n{service.when}"
    return KnownService(
        key=hashlib.sha256(told.encode()).hexdigest(),
        namespace=namespace,
        place=place,
        kind=service.kind,
        target=service.target,
        urn=sample.urn,
        url=sample.url,
    )


def _ask(
    token: str,
    known: Sequence[KnownService],
    probe: Probe,
    manners: ProbePacing,
    rested: timedelta | None = None,
) -> Iterator[ServiceProbeResult]:
    """Ask one after the other, with no transaction open meanwhile, as long as the round is ours."""
    services = {one.key: one for one in known}
    yield from (ServiceProbeResult(one, None) for one in known if not one.url)
    with reading():
        waiting = checks.to_ask(services.keys(), rested)
    for service in map(services.__getitem__, waiting):
        if not manners.wait_for(service.url) or not _is_ours(token):
            return
        answer = probe(service.url)
        manners.note(service.url)
        with transaction():
            if not checks.keep_round(token):  # whoever took it over asks this one too
                return
            checks.note_answer(service.key, **answer._asdict())
        yield ServiceProbeResult(service, answer)


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
    "Names lead to services that did not answer the last three times that they were asked:",
)
_BACK = _ServiceNotice("Answers again", "These services, which did not answer, answer again:")


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
            "count": counted(len(rows), "service"),
            "what": words.what,
            "rows": "\n".join(lines),
            "link": f"{base_url}/resolvers/",
            "account": f"{base_url}/account",
        },
        message_id=f"<services.{secrets.token_hex(8)}@{host}>",
        created=at,
    )


def _line(row: ServiceCheck) -> str:
    """A line of the list, begun by white space, so that it is not folded."""
    since = f" Since {in_words(row.since.date())}." if row.since else ""
    return f"  {FORMAL.space.whole(row.namespace)}, {row.kind}: {row.words}{since}\n    {row.url}"


# ---- what is shown


def service_list() -> ServiceList:
    """All services, as they were when somebody asked them last."""
    return ServiceList(
        counts=checks.count_services(),
        done=checks.last_round(),
        silent=tuple(checks.silent_services(_MOST_LISTED)),
    )


def services_of(namespace: str) -> tuple[ServiceCheck, ...]:
    """The services of a namespace by its folded name, as they were then."""
    return tuple(checks.services_of(namespace))
