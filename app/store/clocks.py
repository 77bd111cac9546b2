"""What a column's moment means for the work that waits for it."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, or_


def has_come(moment: Any, at: datetime, longest: timedelta) -> ColumnElement[bool]:
    """Whether a moment that work waits for has come.

    Nothing waits longer than ``longest``: a moment beyond that was set before the clock was
    set back, and nobody need wait for it.
    """
    return or_(moment <= at, moment > at + longest)
