"""The days that answers and registrations give."""

import re
from datetime import date

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


def is_date(text: str) -> bool:
    """Whether a text is a day written YYYY-MM-DD, as RFC 8141 appendix A asks."""
    if _DATE.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
