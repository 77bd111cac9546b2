"""The hosts of this registry: their signs of life, and how long ago by the database's clock."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, delete, select

from app.store import clocks
from app.store.database import built_once, db, insert
from app.store.tables import Host


@dataclass(frozen=True, slots=True, kw_only=True)
class HostHeartbeat:
    """What a worker tells of its host; the ages say how long ago, None where it never was."""

    id: str
    label: str
    version: str
    edition: int | None
    free_bytes: int
    total_bytes: int
    sends: bool
    age: timedelta  # of the worker
    published: timedelta | None
    mailed: timedelta | None
    trouble: str
    heard: timedelta | None
    said: str


def keep_sign(sign: HostHeartbeat) -> None:
    """Write down what a worker told; what it does not know stays as it was."""
    values: dict[str, Any] = {
        "label": sign.label,
        "version": sign.version,
        "edition": sign.edition,
        "free_bytes": sign.free_bytes,
        "total_bytes": sign.total_bytes,
        "sends": sign.sends,
        "trouble": sign.trouble,
        "seen": clocks.database_now(),
        "started": clocks.database_now(-sign.age),
    }
    for name, age in (("published", sign.published), ("mailed", sign.mailed)):
        values |= {} if age is None else {name: clocks.database_now(-age)}
    if sign.heard is not None:
        values |= {"mail_at": clocks.database_now(-sign.heard), "mail_said": sign.said}
    new = {"id": sign.id, "mail_said": ""} | values
    made = insert(Host).values(**new)
    db.session.execute(made.on_conflict_do_update(index_elements=["id"], set_=values))


def all_hosts() -> tuple[datetime, list[Host]]:
    """The moment by the database's clock, and every host, by its label."""
    now: datetime = db.session.execute(_now()).scalar_one()
    return now, list(db.session.scalars(_hosts()))


def _now() -> Select[datetime]:
    return select(clocks.database_now())


@built_once
def _hosts() -> Select[Host]:
    return select(Host).order_by(Host.label, Host.id)


def forget_host(ident: str) -> str | None:
    """Take a host off the list, and give its label; None where there is none."""
    gone = delete(Host).where(Host.id == ident).returning(Host.label)
    return db.session.scalar(gone.execution_options(synchronize_session=False))


def forget_unseen(for_: timedelta) -> None:
    """Take off the list which host was not seen for so long."""
    db.session.execute(
        delete(Host)
        .where(Host.seen < clocks.database_now(-for_))
        .execution_options(synchronize_session=False)
    )
