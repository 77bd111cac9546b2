"""What came of asking the services, and who asks them: at any time one of all workers.

Who asks, and when it is time to ask again, is told by the database's clock alone: workers run on
several hosts, whose clocks differ.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Select, case, delete, func, or_, select, update

from app.store import clocks
from app.store.database import db, insert
from app.store.tables import CheckRound, ServiceCheck

LEASE = timedelta(minutes=10)  # longer than a server can keep the one who asks
_ONLY = 1  # the one row
_BATCH = 50  # rows in a statement
BOUND = "name"  # the kind of what a bound name leads to, which its holder alone is told of

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownService:
    """A service as it stands in a profile, and the sample that it is asked for."""

    key: str
    namespace: str
    place: int
    kind: str
    target: str
    urn: str
    url: str


class ServiceCounts(NamedTuple):
    all: int
    answering: int
    silent: int


def is_due(every: timedelta) -> bool:
    row = select(CheckRound.id).where(CheckRound.id == _ONLY)
    waits = row.where(or_(~_is_free(), ~_is_time(every)))
    return db.session.scalar(waits) is None


def take_round(token: str, every: timedelta | None = None) -> bool:
    """Become the one who asks; False where somebody is, or ``every`` is not over yet."""
    made = insert(CheckRound).values(id=_ONLY, token="")
    db.session.execute(made.on_conflict_do_nothing())
    free = _is_free() if every is None else _is_free() & _is_time(every)
    taken = (
        update(CheckRound)
        .where(CheckRound.id == _ONLY, free)
        .values(token=token, leased_until=clocks.database_now(LEASE))
        .returning(CheckRound.id)
        .execution_options(synchronize_session=False)
    )
    return db.session.execute(taken).first() is not None


def keep_round(token: str) -> bool:
    """Stay the one who asks, for as long again; False where somebody else became it."""
    return _changed(token, {"leased_until": clocks.database_now(LEASE)})


def leave_round(token: str, *, is_done: bool) -> bool:
    """Ask no more; a round that was done is not due again for a while."""
    done = {"done": clocks.database_now()} if is_done else {}
    return _changed(token, {"leased_until": None, "token": "", **done})


def last_round() -> datetime | None:
    return db.session.scalar(select(CheckRound.done).where(CheckRound.id == _ONLY))


def _changed(token: str, values: dict[str, Any]) -> bool:
    changed = (
        update(CheckRound)
        .where(CheckRound.id == _ONLY, CheckRound.token == token)
        .values(values)
        .returning(CheckRound.id)
        .execution_options(synchronize_session=False)
    )
    return db.session.execute(changed).first() is not None


def _is_free() -> ColumnElement[bool]:
    until = CheckRound.leased_until
    return or_(until.is_(None), clocks.has_come_here(until, 2 * LEASE))


def _is_time(every: timedelta) -> ColumnElement[bool]:
    done = CheckRound.done
    early = done <= clocks.database_now(-every)
    return or_(done.is_(None), early, done > clocks.database_now())


def know(services: Sequence[KnownService], namespaces: Collection[str] | None = None) -> None:
    """Keep which services there are; those of these namespaces that are no more are forgotten.

    Without ``namespaces`` it is those of all. What came of the others stays, and so does what
    bound names lead to.
    """
    _keep(services)
    asked = select(ServiceCheck.key).where(ServiceCheck.kind != BOUND)
    if namespaces is not None:
        asked = asked.where(ServiceCheck.namespace.in_(namespaces))
    _forget(asked, services)


def know_bound(targets: Sequence[KnownService]) -> None:
    """Keep which targets of bound names are asked; the others are forgotten."""
    _keep(targets)
    _forget(select(ServiceCheck.key).where(ServiceCheck.kind == BOUND), targets)


def _keep(services: Sequence[KnownService]) -> None:
    for batch in _batches(services):
        made = insert(ServiceCheck).values([_new(one) for one in batch])
        new = {name: made.excluded[name] for name in ("place", "urn", "url")}
        db.session.execute(made.on_conflict_do_update(index_elements=["key"], set_=new))


def _forget(asked: Select[str], services: Sequence[KnownService]) -> None:
    gone = set(db.session.scalars(asked)) - {one.key for one in services}
    for keys in _batches(sorted(gone)):
        db.session.execute(
            delete(ServiceCheck)
            .where(ServiceCheck.key.in_(keys))
            .execution_options(synchronize_session=False)
        )


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[n : n + _BATCH] for n in range(0, len(items), _BATCH))


def _new(service: KnownService) -> dict[str, object]:
    return {
        "key": service.key,
        "namespace": service.namespace,
        "place": service.place,
        "kind": service.kind,
        "target": service.target,
        "urn": service.urn,
        "url": service.url,
        "words": "",
        "failures": 0,
        "told": False,
    }


def to_ask(keys: Collection[str], rested: timedelta | None = None) -> list[str]:
    """Which of these services can be asked, those that wait longest first.

    ``rested`` leaves out those that were asked so lately.
    """
    asked = select(ServiceCheck.key).where(ServiceCheck.url != "")
    if rested is not None:
        looked = ServiceCheck.looked
        old = or_(looked <= clocks.database_now(-rested), looked > clocks.database_now())
        asked = asked.where(or_(looked.is_(None), old))
    by_age = (ServiceCheck.looked.is_not(None), ServiceCheck.looked, ServiceCheck.key)
    return [key for key in db.session.scalars(asked.order_by(*by_age)) if key in keys]


def note_answer(key: str, *, answers: bool, status: int | None, words: str) -> None:
    """Keep what came of asking a service just now."""
    now, same = clocks.database_now(), ServiceCheck.answers.is_(answers)
    db.session.execute(
        update(ServiceCheck)
        .where(ServiceCheck.key == key)
        .values(
            looked=now,
            answers=answers,
            status=status,
            words=words,
            failures=0 if answers else ServiceCheck.failures + 1,
            since=case((same, ServiceCheck.since), else_=now),
        )
        .execution_options(synchronize_session=False)
    )


def take_news(failures: int) -> tuple[list[ServiceCheck], list[ServiceCheck]]:
    """The services that failed so often and those that answer again, and note that it is told."""
    silent, again = ServiceCheck.failures >= failures, ServiceCheck.answers.is_(True)
    order = (ServiceCheck.namespace, ServiceCheck.place)
    lost = list(
        db.session.scalars(_registered().where(silent, ~ServiceCheck.told).order_by(*order))
    )
    back = list(db.session.scalars(_registered().where(again, ServiceCheck.told).order_by(*order)))
    for row in lost:
        row.told = True
    for row in back:
        row.told = False
    return lost, back


def services_of(namespace: str) -> list[ServiceCheck]:
    """The services of a namespace, in the order of its profile."""
    found = select(ServiceCheck).where(ServiceCheck.namespace == namespace)
    return list(db.session.scalars(found.order_by(ServiceCheck.place, ServiceCheck.key)))


def silent_services(most: int) -> list[ServiceCheck]:
    """Services that did not answer when they were asked last, by namespace."""
    found = _registered().where(ServiceCheck.answers.is_(False))
    order = (ServiceCheck.namespace, ServiceCheck.place, ServiceCheck.key)
    return list(db.session.scalars(found.order_by(*order).limit(most)))


def count_services() -> ServiceCounts:
    counted = (
        select(ServiceCheck.answers, func.count(ServiceCheck.key).label("many"))
        .where(ServiceCheck.kind != BOUND)
        .group_by(ServiceCheck.answers)
    )
    found = {row.answers: row.many for row in db.session.execute(counted)}
    return ServiceCounts(sum(found.values()), found.get(True, 0), found.get(False, 0))


def bound_targets() -> list[ServiceCheck]:
    found = select(ServiceCheck).where(ServiceCheck.kind == BOUND)
    order = (ServiceCheck.namespace, ServiceCheck.place, ServiceCheck.key)
    return list(db.session.scalars(found.order_by(*order)))


def _registered() -> Select[ServiceCheck]:
    return select(ServiceCheck).where(ServiceCheck.kind != BOUND)
