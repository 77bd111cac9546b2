"""Folders in which other editions are published than the database knows."""

from datetime import datetime

from sqlalchemy import delete, select

from app.store.database import db, insert
from app.store.tables import Divergence

_LONGEST_NAME = 500


def note(folder: str, edition: int, why: str, at: datetime) -> bool:
    """Keep what is wrong with a folder; whether that is news."""
    known = db.session.get(Divergence, folder[-_LONGEST_NAME:])
    if known is not None and (known.edition, known.why) == (edition, why):
        return False
    told = {"edition": edition, "noted": at, "why": why}
    made = insert(Divergence).values(folder=folder[-_LONGEST_NAME:], **told)
    db.session.execute(made.on_conflict_do_update(index_elements=[Divergence.folder], set_=told))
    return True


def forget(folder: str) -> bool:
    """Forget a folder that agrees with the database; whether one was noted."""
    gone = delete(Divergence).where(Divergence.folder == folder[-_LONGEST_NAME:])
    return bool(db.session.scalars(gone.returning(Divergence.folder)).all())


def forget_all() -> None:
    """Forget every folder; those that disagree still are noted again by who looks at them."""
    db.session.execute(delete(Divergence))


def find() -> Divergence | None:
    """The folder that was noted first, None where all agree."""
    rows = select(Divergence).order_by(Divergence.noted, Divergence.folder).limit(1)
    return db.session.scalars(rows).one_or_none()
