"""What was given and changed at once, held against the events and versions that tell of it."""

import json
from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import func, or_, select

from app.store.assigned_names.assigned_name_rows import digest_of
from app.store.database import db
from app.store.tables import AssignedName, AssignedNameVersion, Event, NameBatch, Prefix


def count() -> int:
    return db.session.scalars(select(func.count()).select_from(NameBatch)).one()


def all_batches() -> Iterator[tuple[NameBatch, str]]:
    """Each batch, in order, and the digest that its event tells; empty where it tells none."""
    found = select(NameBatch, Event.body).join(Event, Event.n == NameBatch.event)
    for batch, body in db.session.execute(found.order_by(NameBatch.first)):
        yield batch, _digest_in(body)


def _digest_in(body: str) -> str:
    try:
        told = json.loads(body)
        return str(told["names"])
    except (ValueError, KeyError, TypeError):
        return ""


def moment_after(change: int) -> datetime | None:
    """When the change that follows one was made, as its event tells; None where none does."""
    found = select(Event.at).join(NameBatch, NameBatch.event == Event.n)
    return db.session.scalar(
        found.where(NameBatch.last > change).order_by(NameBatch.first).limit(1)
    )


def digest_of_versions(first: int, last: int) -> str:
    """The SHA-256 of the changes from one number to another, a line each with its number."""
    found = (
        select(AssignedNameVersion.change, AssignedNameVersion.document)
        .where(AssignedNameVersion.change.between(first, last))
        .order_by(AssignedNameVersion.change)
    )
    return digest_of((change, document) for change, document in db.session.execute(found))


def names_unlike_their_versions() -> Iterator[str]:
    """A sentence for each name that is not as its newest version says."""
    version = AssignedNameVersion
    newest = select(version.name, func.max(version.n).label("n")).group_by(version.name).subquery()
    found = (
        select(AssignedName.name)
        .outerjoin(version, version.change == AssignedName.change)
        .outerjoin(newest, newest.c.name == AssignedName.name)
        .where(
            or_(
                version.change.is_(None),
                version.name != AssignedName.name,
                version.n != AssignedName.n,
                version.state != AssignedName.state,
                newest.c.n != AssignedName.n,
            )
        )
        .order_by(AssignedName.name)
    )
    for name in db.session.scalars(found):
        yield f"{name} differs from its newest version."


def following_numbers() -> dict[str, int]:
    """The number by which each prefix gives its next name, as the database has it."""
    found = select(Prefix.text, Prefix.next_number)
    return {row.text: row.next_number for row in db.session.execute(found)}
