"""Which edition stood on a day, told from what is laid out here."""

import re
from datetime import datetime
from urllib.parse import parse_qs

from app.exports.editions.edition_list import end_of_day
from app.published.edition_history import EditionHistory
from app.published.http_exchange import HttpRequest
from app.published.problems import NO_DAY, NO_EDITION_OF_DAY, Problem

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
    end = _find_end(query)
    numbers = history.numbers() if end else []
    return next((n for n in reversed(numbers) if end and history.moment(n) <= end), None)


def no_edition_of_day(request: HttpRequest) -> Problem:
    """Why a request leads to no edition: it names no day, or one before the first edition."""
    return NO_EDITION_OF_DAY if _find_end(request.query) else NO_DAY


def _find_end(query: str) -> datetime | None:
    try:
        asked = parse_qs(query, max_num_fields=_MOST_MEMBERS).get(_AS_OF, [""])[0]
        return end_of_day(asked.strip())
    except ValueError:
        return None
