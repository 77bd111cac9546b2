"""Numbers without gaps: raised in the transaction that uses them, given back if it fails.

A counter's row is locked until the commit, so that those who need the same number take
turns. The first to ask makes the row.
"""

from typing import Any

from sqlalchemy import select

from app.store.database import db, insert
from app.store.tables import Counter


def next_number(name: str) -> int:
    """The next number of a counter."""
    return _set(name, 1, Counter.value + 1)


def hold(name: str) -> None:
    """Let nobody else have a number of this counter before the commit."""
    _set(name, 0, Counter.value)


def raise_to(name: str, value: int) -> None:
    """Let a counter stand at a value at least, since numbers up to it are in use."""
    made = insert(Counter).values(name=name, value=value)
    db.session.execute(
        made.on_conflict_do_update(
            index_elements=[Counter.name], set_={"value": value}, where=Counter.value < value
        )
    )


def current(name: str) -> int:
    """The last number given; 0 before the first."""
    return db.session.scalar(select(Counter.value).where(Counter.name == name)) or 0


def _set(name: str, first: int, then: Any) -> int:
    made = insert(Counter).values(name=name, value=first)
    raised = made.on_conflict_do_update(index_elements=[Counter.name], set_={"value": then})
    return db.session.execute(raised.returning(Counter.value)).scalar_one()
