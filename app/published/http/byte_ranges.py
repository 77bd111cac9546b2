"""The part of a file that is asked for (RFC 9110 section 14)."""

import re
from typing import NamedTuple

_UNIT = re.compile(r"bytes=(.*)", re.IGNORECASE | re.DOTALL)
_RANGE = re.compile(r"([0-9]*)-([0-9]*)")
_LONGEST = 18  # digits; no file has more bytes


class ByteRange(NamedTuple):
    """Bytes of a file, from ``first`` to before ``end``; none where nothing was within it."""

    first: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.first


def find_span(field: str, length: int) -> ByteRange | None:
    """The one range that a Range field asks of a file of this length.

    ``bytes=-5`` asks for the last five bytes, and what lies beyond the end is left out; a range
    with nothing in the file gives an empty span.

    Source: RFC 9110 sections 14.1.2 and 14.2.
    """
    unit = _UNIT.fullmatch(field.strip(" \t"))
    ranges = [text for part in unit[1].split(",") if (text := part.strip(" \t"))] if unit else []
    match = _RANGE.fullmatch(ranges[0]) if len(ranges) == 1 else None
    if match is None or match[0] == "-":
        return None
    if not match[1]:
        return ByteRange(max(0, length - _number(match[2])), length)
    first, last = _number(match[1]), _number(match[2]) if match[2] else length
    if last < first and match[2]:
        return None
    return ByteRange(min(first, length), min(last + 1, length))


def _number(digits: str) -> int:
    digits = digits.lstrip("0")
    return int(digits or "0") if len(digits) <= _LONGEST else 10**_LONGEST
