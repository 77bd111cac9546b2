"""Which edition stood on a day, told from what is laid out here."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs

from app.published.edition_history import EditionHistory

_AS_OF = "as-of"
_ASKED = re.compile(rf"(?:^|&){_AS_OF}=")
_MOST_MEMBERS = 20


def names_a_day(query: str) -> bool:
    """Whether an earlier edition may be asked for."""
    return _ASKED.search(query) is not None


def find_edition_of_day(query: str, history: EditionHistory) -> int | None:
    """The edition that stood at the end of the day that a query names, in UTC.

    That is the newest of those that say they are of that day or before. Older software let
    an edition be of an earlier moment than the one before it, so that each is looked at, from
    the newest on. None for what is no day, and where none had been published by then. Raises
    Damaged.
    """
    after = _find_day_after(query)
    numbers = history.numbers() if after else []
    return next((n for n in reversed(numbers) if after and history.moment(n) < after), None)


def _find_day_after(query: str) -> datetime | None:
    try:
        asked = parse_qs(query, max_num_fields=_MOST_MEMBERS).get(_AS_OF, [""])[0]
        asked.encode("ascii")  # other digits than ASCII’s would be read as well
        day = datetime.strptime(asked.strip(), "%Y-%m-%d").replace(tzinfo=UTC)
        return day + timedelta(days=1)
    except (ValueError, OverflowError):
        return None
