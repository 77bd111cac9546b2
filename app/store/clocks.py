"""What a column's moment means for the work that waits for it, and by whose clock."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Interval, func, literal, or_, type_coerce

from app.store.database import Moment, db

_SQLITE_FORM = "%Y-%m-%d %H:%M:%f000"  # as moments are kept there, to six digits of a second
_AT_ONCE = timedelta()


def database_now(after: timedelta = _AT_ONCE) -> ColumnElement[datetime]:
    """The moment by the database's clock, as it carries out the statement, and so much later."""
    if db.engine.dialect.name == "sqlite":
        by = f"{after.total_seconds():+f} seconds"
        return type_coerce(func.strftime(_SQLITE_FORM, "now", by), Moment())
    here = func.timezone("UTC", func.clock_timestamp())
    return type_coerce(here + literal(after, Interval()), Moment())


def has_come(moment: Any, at: datetime, longest: timedelta) -> ColumnElement[bool]:
    """Whether a moment that work waits for has come.

    Nothing waits longer than ``longest``: a moment beyond that was set before the clock was
    set back, and nobody need wait for it.
    """
    return or_(moment <= at, moment > at + longest)


def has_come_here(moment: Any, longest: timedelta) -> ColumnElement[bool]:
    return or_(moment <= database_now(), moment > database_now(longest))
