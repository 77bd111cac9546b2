"""Dates, numbers and sentences as the pages say them."""

import re
from datetime import date, timedelta

from markupsafe import Markup, escape

from app.pages.text.unseen_characters import reveal_unseen

_ID = re.compile(r"`([^`\n]+)`")

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def day_phrase(day: str | date) -> str:
    """A day as ``10 February 2025``, a month as ``February 2025``; any other text as it is."""
    parts = str(day)[:10].split("-")
    if not all(part.isdecimal() for part in parts) or not 2 <= len(parts) <= 3:
        return str(day)
    year, month, *of_month = (int(part) for part in parts)
    if not 1 <= month <= len(_MONTHS):
        return str(day)
    return " ".join(map(str, (*of_month, _MONTHS[month - 1], year)))


def count_phrase(number: int, one: str, many: str = "") -> str:
    """A number and its noun: ``1 name``, ``2 names``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


_UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))


def duration_phrase(time: timedelta) -> str:
    """How long something lasts, in its largest unit: ``3 minutes``, ``1 second``."""
    seconds = max(0, int(time.total_seconds()))
    for unit, size in _UNITS:
        if seconds >= size:
            return count_phrase(seconds // size, unit)
    return count_phrase(seconds, "second")


def sentence_html(sentence: str) -> Markup:
    """A sentence as HTML: what stands in backticks is an identifier, the rest is escaped.

    Markup is given back as it is.
    """
    if isinstance(sentence, Markup):
        return sentence
    pieces = _ID.split(reveal_unseen(sentence))
    tagged = Markup('<bdi class="id" translate="no">{}</bdi>')
    return Markup("").join(
        tagged.format(piece) if place % 2 else escape(piece) for place, piece in enumerate(pieces)
    )
