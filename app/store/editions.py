"""Editions, their stored bytes, and the work of publishing them."""

import hashlib
from datetime import datetime

from sqlalchemy import func, select

from app.store.counters import next_number
from app.store.database import db
from app.store.tables import Blob, Edition, EditionFile, Publication
from app.store.tables.editions import Origin, Result
from app.store.tables.registry import Cause


def add_edition(*, as_of: datetime, updated: str, origin: Origin, cause: Cause, notice: str) -> int:
    """Open the next edition; the transaction that does so fills it."""
    n = next_number("edition")
    db.session.add(
        Edition(n=n, as_of=as_of, updated=updated, origin=origin, cause=cause, notice=notice)
    )
    db.session.flush()
    db.session.add(Publication(edition=n, result=Result.PENDING))
    db.session.flush()
    return n


def latest_edition() -> Edition | None:
    """The newest edition, built or not."""
    return db.session.scalars(select(Edition).order_by(Edition.n.desc()).limit(1)).one_or_none()


def get_edition(n: int) -> Edition:
    """An edition by its number; KeyError where there is none."""
    edition = db.session.get(Edition, n)
    if edition is None:
        raise KeyError(n)
    return edition


def unbuilt() -> list[int]:
    """Editions whose files are still to be made, oldest first."""
    return list(
        db.session.scalars(
            select(Publication.edition)
            .where(Publication.result != Result.BUILT)
            .order_by(Publication.edition)
        )
    )


def newest_built() -> int | None:
    """The newest edition whose files are there."""
    return db.session.scalar(
        select(func.max(Publication.edition)).where(Publication.result == Result.BUILT)
    )


def failures() -> list[tuple[int, int, str]]:
    """Editions that could not be built: number, attempts, why."""
    rows = db.session.scalars(select(Publication).where(Publication.result == Result.FAILED))
    return [(row.edition, row.attempts, row.why) for row in rows]


def has_files(edition: int) -> bool:
    """Whether an edition's files were stored already."""
    return bool(db.session.scalar(select(func.count()).where(EditionFile.edition == edition)))


def add_file(edition: int, path: str, media_type: str, content: bytes) -> None:
    """Store one file of an edition; equal content is kept once."""
    digest = hashlib.sha256(content).hexdigest()
    if db.session.get(Blob, digest) is None:
        db.session.add(Blob(sha256=digest, content=content))
        db.session.flush()
    db.session.add(
        EditionFile(
            edition=edition, path=path, media_type=media_type, length=len(content), sha256=digest
        )
    )


def files_of(edition: int) -> list[EditionFile]:
    """The files of an edition, by path."""
    return list(
        db.session.scalars(
            select(EditionFile).where(EditionFile.edition == edition).order_by(EditionFile.path)
        )
    )


def content(digest: str) -> bytes:
    """Stored bytes by their hash; KeyError where they are not."""
    blob = db.session.get(Blob, digest)
    if blob is None:
        raise KeyError(digest)
    return blob.content


def set_result(edition: int, result: Result, why: str = "") -> None:
    """Note how the building of an edition went."""
    row = db.session.get(Publication, edition)
    if row is None:
        raise KeyError(edition)
    row.result, row.why, row.attempts = result, why, row.attempts + 1
