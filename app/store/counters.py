"""Numbers without gaps, and hashes of what is kept."""

import hashlib

from sqlalchemy import select, update

from app.store.database import db
from app.store.tables import Counter


def next_number(name: str) -> int:
    """The next number of a counter. It is given back if the transaction fails."""
    value = db.session.execute(
        update(Counter)
        .where(Counter.name == name)
        .values(value=Counter.value + 1)
        .returning(Counter.value)
        .execution_options(synchronize_session=False)
    ).scalar_one_or_none()
    if value is None:
        db.session.add(Counter(name=name, value=1))
        db.session.flush()
        return 1
    return value


def raise_to(name: str, value: int) -> None:
    """Let a counter stand at a value at least, since numbers below it are in use."""
    row = db.session.get(Counter, name)
    if row is None or row.value < value:
        db.session.merge(Counter(name=name, value=value))
        db.session.flush()


def current(name: str) -> int:
    """The last number given; 0 before the first."""
    return db.session.scalar(select(Counter.value).where(Counter.name == name)) or 0


def sha256(text: str) -> str:
    """The hash of a text's UTF-8 octets, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
