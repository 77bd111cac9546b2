"""How often something was asked for, counted for all processes and hosts together."""

from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryFile

from sqlalchemy import ColumnElement, delete, or_, select, text

from app.store import clocks, counters
from app.store.database import db, discarded_transaction, insert
from app.store.tables import Attempt


def hold(what: str) -> None:
    """Let nobody else count the same before the commit, so that no two are the last one allowed."""
    counters.hold(f"limit {what}")  # 32 characters at most


def add(what: str, whose: str, at: datetime) -> None:
    """Count one."""
    db.session.add(Attempt(what=what, whose=whose, at=at))
    db.session.flush()


def nth_newest(what: str, whose: str, n: int, at: datetime, period: timedelta) -> datetime | None:
    """When the nth newest within a period was; None where there are fewer."""
    return db.session.scalar(
        select(Attempt.at)
        .where(
            Attempt.what == what,
            Attempt.whose == whose,
            Attempt.at > at - period,
            Attempt.at < at + period,
        )
        .order_by(Attempt.at.desc())
        .offset(n - 1)
        .limit(1)
    )


def forget(at: datetime, longest: timedelta) -> None:
    """Erase what no limit counts any more, also what a clock that was set back left ahead."""
    old: ColumnElement[bool] = or_(Attempt.at < at - longest, Attempt.at > at + longest)
    db.session.execute(delete(Attempt).where(old).execution_options(synchronize_session=False))


_NEW_SPACE = 1_000_000  # bytes: less is soon used up by an edition
_SPILL = (  # the same on PostgreSQL
    "SET LOCAL temp_tablespaces = ''",  # use the tablespace of the database
    "SET LOCAL work_mem = '64kB'",
    (
        "WITH spilled AS MATERIALIZED "
        "(SELECT repeat('x', 8000) AS row FROM generate_series(1, 125)) "
        "SELECT count(row) FROM spilled"
    ),
)


def try_write() -> None:
    """Write a row and take new space on the disk of the database, then undo both.

    Raises what the database raises, or the OSError of the file.
    """
    is_sqlite = db.engine.dialect.name == "sqlite"
    file = db.engine.url.database
    if is_sqlite and not file:
        return  # in memory
    whose = "x" * (_NEW_SPACE // 4) if is_sqlite else "x"
    with discarded_transaction() as connection:
        connection.execute(
            insert(Attempt).values(what="probe", whose=whose, at=clocks.database_now())
        )
        for statement in () if is_sqlite else _SPILL:
            connection.execute(text(statement))
    if is_sqlite:
        with TemporaryFile(dir=Path(str(file)).parent) as other:
            other.write(bytes(_NEW_SPACE))
