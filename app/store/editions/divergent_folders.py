"""Folders in which other editions are published than the database knows."""

from datetime import datetime

from sqlalchemy import Select, delete, select

from app.store.database import built_once, db, insert
from app.store.tables import Divergence

_LONGEST_NAME = 500


def note(folder: str, edition: int, why: str, at: datetime) -> None:
    """Keep what is wrong with a folder."""
    told = {"edition": edition, "noted": at, "why": why}
    made = insert(Divergence).values(folder=folder[-_LONGEST_NAME:], **told)
    db.session.execute(made.on_conflict_do_update(index_elements=[Divergence.folder], set_=told))


def noted_of(folder: str) -> str:
    found = db.session.get(Divergence, folder[-_LONGEST_NAME:])
    return found.why if found else ""


def forget(folder: str) -> None:
    """Forget a folder that agrees with the database."""
    db.session.execute(delete(Divergence).where(Divergence.folder == folder[-_LONGEST_NAME:]))


def forget_all() -> None:
    """Forget every folder; those that disagree still are noted again by who looks at them."""
    db.session.execute(delete(Divergence))


def find() -> Divergence | None:
    """The folder that was noted first, None where all agree."""
    return db.session.scalars(_first()).one_or_none()


@built_once
def _first() -> Select[Divergence]:
    return select(Divergence).order_by(Divergence.noted, Divergence.folder).limit(1)
