"""Numbers without gaps: raised in the transaction that uses them, given back if it fails.

A counter's row is locked until the commit, so that those who need the same number take
turns. The first to ask makes the row.
"""

from sqlalchemy import bindparam, select
from sqlalchemy.sql.dml import ReturningInsert

from app.store.database import built_once, db, insert
from app.store.tables import Counter


def next_number(name: str) -> int:
    """The next number of a counter."""
    return db.session.execute(_raising(), {"name": name}).scalar_one()


def hold(name: str) -> None:
    """Let nobody else have a number of this counter before the commit."""
    db.session.execute(_holding(), {"name": name})


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


@built_once
def _raising() -> ReturningInsert[int]:
    return _set(1)


@built_once
def _holding() -> ReturningInsert[int]:
    return _set(0)


def _set(more: int) -> ReturningInsert[int]:
    made = insert(Counter).values(name=bindparam("name"), value=more)
    raised = {"value": Counter.value + more}
    found = made.on_conflict_do_update(index_elements=[Counter.name], set_=raised)
    return found.returning(Counter.value)
