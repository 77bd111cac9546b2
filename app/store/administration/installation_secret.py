"""The row that all hosts of a registry share. It is read beside any transaction."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select, update
from sqlalchemy.exc import ProgrammingError

from app.store.database import add_missing, db, insert
from app.store.tables import InstallationSecret, SignIn, UserSession

_ROW = 1


class StoredSecret(NamedTuple):
    value: str
    fingerprint: str


def kept_secret() -> StoredSecret | None:
    """What is kept; None where no host has kept any yet, or the table is not there yet."""
    wanted = select(InstallationSecret.value, InstallationSecret.fingerprint)
    try:
        with db.engine.connect() as connection:
            row = connection.execute(wanted).one_or_none()
    except ProgrammingError:  # so PostgreSQL says that there is no such table
        return None
    return None if row is None else StoredSecret(*row)


def keep_first(secret: StoredSecret, at: datetime) -> None:
    """Keep a secret, unless another host was first."""
    add_missing(InstallationSecret, [{"id": _ROW, "changed": at, **secret._asdict()}])


def replace_secret(secret: StoredSecret, at: datetime) -> None:
    """Keep another secret from now on."""
    values = {"changed": at, **secret._asdict()}
    made = insert(InstallationSecret).values(id=_ROW, **values)
    db.session.execute(made.on_conflict_do_update(index_elements=["id"], set_=values))


def end_what_was_signed(at: datetime) -> None:
    """End every session, and let no link that was asked for sign anybody in any more."""
    ended = update(UserSession).where(UserSession.ended.is_(None)).values(ended=at)
    voided = update(SignIn).where(SignIn.used.is_(None)).values(used=at, kept="")
    for change in (ended, voided):
        db.session.execute(change.execution_options(synchronize_session=False))
