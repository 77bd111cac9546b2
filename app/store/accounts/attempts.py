"""How often something was asked for, counted for all processes and hosts together."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, or_, select

from app.store import counters
from app.store.database import db
from app.store.tables import Attempt


def hold(what: str) -> None:
    """Let nobody else count the same before the commit, so that no two are the last one allowed.

    What a use case keeps from others comes in one order, or two would wait for each other: rows
    of what it is about, then what is counted, by its name, then numbers and events.
    """
    counters.hold(f"limit {what}")  # 32 characters at most


def add(what: str, whose: str, at: datetime) -> None:
    """Count one."""
    db.session.add(Attempt(what=what, whose=whose, at=at))
    db.session.flush()


def nth_newest(what: str, whose: str, n: int, at: datetime, period: timedelta) -> datetime | None:
    """When the nth newest within a period was; None where there are fewer.

    What lies ahead was counted before the clock was set back: it counts for a period at most.
    """
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
