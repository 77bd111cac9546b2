"""Whether what bound names lead to answers: a sample, few a day to a host, asked with services."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from itertools import islice

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.bound_names import BoundOutcome
from app.registration.naans.naan_targets import host_of
from app.services.accounts.actors import Actor
from app.services.assigned_names.name_changes import record_of
from app.services.assigned_names.prefix_lists import visible_prefixes
from app.store.assigned_names import assigned_name_rows, prefix_rows
from app.store.database import read_transaction
from app.store.registry import service_answers as checks
from app.store.registry.service_answers import KnownService
from app.store.tables import ServiceCheck

__all__ = ["MOST_OF_HOST", "DeadTarget", "TargetHealth", "bound_services", "target_health"]

MOST_OF_HOST = 5  # requests to a host in a round, those for services among them
_MOST_OF_PREFIX = 50  # targets in a round
_MOST = 2_000  # of all prefixes together: a round is to end within the day
_READ = 500  # names of a prefix that are looked at for a sample


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadTarget:
    """A name whose target did not answer when it was asked last, since when, and what came."""

    name: str
    target: str
    words: str
    status: int | None
    failures: int
    since: datetime | None
    looked: datetime | None

    @property
    def host(self) -> str:
        """Where its target is."""
        return host_of(self.target)


@dataclass(frozen=True, slots=True)
class TargetHealth:
    """What is known of where the names of a prefix lead: how many were asked, and what is dead."""

    asked: int
    dead: tuple[DeadTarget, ...]


def target_health(ident: int, actor: Actor, at: datetime) -> TargetHealth:
    """What came of asking where names of a prefix lead, as far as they lead there still.

    For somebody who gives names under it. Raises NotFound.
    """
    with read_transaction():
        (seen,) = visible_prefixes(actor, at, ident)
        rows = [row for row in checks.services_of(_about(seen)) if row.answers is not None]
        rows = [row for row, _ in _standing(rows)]
        dead = sorted((_dead(row) for row in rows if not row.answers), key=lambda one: one.name)
        return TargetHealth(len(rows), tuple(dead))


def _dead(row: ServiceCheck) -> DeadTarget:
    return DeadTarget(
        name=row.urn,
        target=row.target,
        words=row.words,
        status=row.status,
        failures=row.failures,
        since=row.since,
        looked=row.looked,
    )


def bound_services(
    day: date, known: Iterable[KnownService], own_hosts: Collection[str], rested: timedelta
) -> list[KnownService]:
    """Which targets of bound names are asked in a round, beside the services that are known.

    What did not answer is asked again; after that the names of each prefix in their order, from
    where the last round ended. A host is asked ``MOST_OF_HOST`` times, services included. A round
    that was broken off, of which something was asked within ``rested``, goes on with its sample.
    """
    with read_transaction():
        rows = checks.bound_targets()
        standing = list(_standing(rows))
        waiting = checks.to_ask({row.key for row in rows}, rested)
        is_under_way = len(waiting) < len(rows) or any(row.looked is None for row in rows)
    if is_under_way:
        return [_known(row.namespace, row.place, record) for row, record in standing]
    room = _HostRoom({one.url for one in known if one.url}, own_hosts)
    found: list[KnownService] = []
    with read_transaction():
        prefixes = _turned(prefix_rows.idents(), day)
    share = max(1, min(_MOST_OF_PREFIX, _MOST // max(1, len(prefixes))))
    for prefix in prefixes[:_MOST]:
        about = _about(prefix)
        before = [row for row in rows if row.namespace == about]
        dead = [one for row, one in standing if row.namespace == about and not row.answers]
        kept = [one for one in dead[:share] if room.take(one)]
        with read_transaction():
            names = _names_from(prefix, before[-1].urn if before else "")
        sample = [*kept, *_sample(names, dead, room, share - len(kept))]
        found += (_known(about, place, one) for place, one in enumerate(sample))
    return found


class _HostRoom:
    def __init__(self, asked: Iterable[str], own_hosts: Collection[str]) -> None:
        self._asked = Counter(map(host_of, asked))
        self._own = {host_of(f"http://{host}/") for host in own_hosts}

    def take(self, record: AssignedNameRecord) -> bool:
        """Take a turn at the host of a target; False where it has none left."""
        host = host_of(BoundOutcome(record).target)
        if not host or host in self._own or self._asked[host] >= MOST_OF_HOST:
            return False
        self._asked[host] += 1
        return True


def _sample(
    names: Iterable[AssignedNameRecord],
    dead: Collection[AssignedNameRecord],
    room: _HostRoom,
    most: int,
) -> Sequence[AssignedNameRecord]:
    before: list[AssignedNameRecord] = []
    behind: list[AssignedNameRecord] = []
    again, is_passed = {one.name for one in dead}, False
    for one in names:
        if len(before) + len(behind) >= most:
            break
        if one.name in again:
            continue
        if room.take(one):
            (behind if is_passed else before).append(one)
        else:
            is_passed = True
    return [*behind, *before]


def _names_from(prefix: int, after: str) -> list[AssignedNameRecord]:
    rows = assigned_name_rows.page_of(prefix, after, _READ, AssignedNameState.PUBLIC)
    if after and len(rows) < _READ:
        first = assigned_name_rows.page_of(prefix, "", _READ, AssignedNameState.PUBLIC)
        rows += islice((row for row in first if row.name <= after), _READ - len(rows))
    return [record for record in map(record_of, rows) if record.target]


def _standing(
    rows: Sequence[ServiceCheck],
) -> Iterator[tuple[ServiceCheck, AssignedNameRecord]]:
    known = assigned_name_rows.known({row.urn for row in rows})
    for row in rows:
        record = record_of(known[row.urn]) if row.urn in known else None
        if record and record.target == row.target and record.state is AssignedNameState.PUBLIC:
            yield row, record


def _known(about: str, place: int, record: AssignedNameRecord) -> KnownService:
    told = f"{about}\n{checks.BOUND}\n{record.name}\n{record.target}"
    return KnownService(
        key=sha256(told.encode()).hexdigest(),
        namespace=about,
        place=place,
        kind=checks.BOUND,
        target=record.target,
        urn=record.name,
        url=BoundOutcome(record).target,
    )


def _turned(prefixes: Sequence[int], day: date) -> Sequence[int]:
    begin = day.toordinal() * _MOST % max(1, len(prefixes))
    return [*prefixes[begin:], *prefixes[:begin]]


def _about(prefix: int) -> str:
    return f"prefix:{prefix}"
