"""The answers that writes were given under a key, so that sending one twice does it once."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Update, bindparam, delete, select, update

from app.store.database import add_missing, built_once, db, table_of
from app.store.digests import sha256
from app.store.tables import Idempotency


@dataclass(frozen=True, slots=True)
class IdempotentAnswer:
    request_sha256: str
    response: str


def claim(account: int, key: str, request: str, at: datetime) -> bool:
    """Take a key for the write that begins; False if it was used."""
    row = {"account": account, "key_sha256": sha256(key), "created": at}
    return bool(add_missing(Idempotency, [row | {"request_sha256": request, "response": ""}]))


def keep_answer(account: int, key: str, response: str) -> None:
    """Keep what the write that claimed the key answers."""
    own = {"whose": account, "digest": sha256(key)}
    db.session.execute(_keeping(), own | {"answer": response})


@built_once
def _keeping() -> Update:
    known = table_of(Idempotency)
    of_key = known.c.account == bindparam("whose"), known.c.key_sha256 == bindparam("digest")
    return update(known).where(*of_key).values(response=bindparam("answer"))


def answer_of(account: int, key: str) -> IdempotentAnswer:
    """The answer that a claimed key was given."""
    row = db.session.scalars(
        select(Idempotency).where(
            Idempotency.account == account, Idempotency.key_sha256 == sha256(key)
        )
    ).one()
    return IdempotentAnswer(row.request_sha256, row.response)


def forget_answers(before: datetime) -> None:
    """Drop the answers that nobody will ask for again."""
    db.session.execute(
        delete(Idempotency)
        .where(Idempotency.created < before)
        .execution_options(synchronize_session=False)
    )
