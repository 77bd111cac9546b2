"""How long something can be done: the days are the caller's, the rules are here."""

from calendar import monthrange
from datetime import date

APPEAL_MONTHS = 2


def last_day_of_appeal(decided: date, months: int = APPEAL_MONTHS) -> date:
    """The last day on which a decision can be appealed; ``months`` is a setting.

    The same day of a later month, or that month's last where it has no such day.

    Source: RFC 2026 section 6.5.4.
    """
    years, month = divmod(decided.month - 1 + months, 12)
    year, month = decided.year + years, month + 1
    return date(year, month, min(decided.day, monthrange(year, month)[1]))
