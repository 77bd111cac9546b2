"""What the tables hold now of what entries of the record led to."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import func, select

from app.registration.declarations.registries import Numbering
from app.store.database import db
from app.store.tables import (
    Comment,
    Edition,
    Iteration,
    Name,
    RecordVersion,
    Request,
    ReviewRow,
    RoleGrant,
)
from app.store.tables.registry import Cause

_AT_ONCE = 1_000


class StoredRequest(NamedTuple):
    """Where a request stands; ``kept`` counts its texts that are there."""

    number: int
    state: str
    counted_from: int
    edition: int | None
    assigned_name: str | None
    iterations: int
    kept: int
    registry: str


class StoredGrant(NamedTuple):
    """A role that somebody has or had, its moments in ISO 8601."""

    account: int
    role: str
    registry: str
    starts: str
    ends: str | None


def requests_now() -> Iterator[StoredRequest]:
    """Every request, by number."""
    kept = (
        select(Iteration.request, func.count().label("kept")).group_by(Iteration.request).subquery()
    )
    rows = db.session.execute(
        select(
            Request.number,
            Request.state,
            Request.counted_from,
            Request.edition,
            Request.assigned_name,
            Request.iterations,
            func.coalesce(kept.c.kept, 0),
            Request.registry_id,
        )
        .outerjoin(kept, kept.c.request == Request.number)
        .order_by(Request.number)
        .execution_options(yield_per=_AT_ONCE)
    )
    for row in rows:
        yield StoredRequest(*row)


def reviews() -> Iterator[int]:
    """The ids of all reviews."""
    yield from db.session.scalars(select(ReviewRow.id).order_by(ReviewRow.id))


def comments() -> Iterator[int]:
    """The ids of all comments."""
    yield from db.session.scalars(select(Comment.id).order_by(Comment.id))


def grants() -> list[StoredGrant]:
    """Every role that was ever given."""
    return [
        StoredGrant(
            row.account,
            row.role,
            row.registry_id,
            row.starts.isoformat(),
            row.ends.isoformat() if row.ends else None,
        )
        for row in db.session.scalars(select(RoleGrant).order_by(RoleGrant.id))
    ]


def last_edition() -> int:
    """The number of the newest edition; 0 before the first."""
    return db.session.scalar(select(func.max(Edition.n))) or 0


def highest_number(registry: str, numbering: Numbering) -> int:
    """The highest number that a registry gave as a name."""
    names = db.session.scalars(select(Name.folded).where(Name.registry_id == registry))
    return max(map(numbering.number_of, names), default=0)


def registrations() -> set[tuple[int | None, str]]:
    rows = db.session.execute(
        select(RecordVersion.edition, Name.folded)
        .join(Name, Name.id == RecordVersion.name_id)
        .where(RecordVersion.cause == Cause.REGISTRATION)
    )
    return {(row.edition, row.folded) for row in rows}
