"""Preconditions of a request to read (RFC 9110 section 13), against one representation."""

import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache
from http import HTTPStatus

# Plain numbers, since a member of an enumeration is found slowly by its name.
OK, NOT_MODIFIED, PRECONDITION_FAILED = (
    status.value
    for status in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED, HTTPStatus.PRECONDITION_FAILED)
)

_ENTITY_TAG = re.compile(r'(?:W/)?"[^"]*"')
# The three forms of RFC 9110 section 5.6.7; the library alone takes much else for a date.
_HTTP_DATE = re.compile(
    r"[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT"
    r"|[A-Z][a-z]+day, [0-9]{2}-[A-Z][a-z]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT"
    r"|[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}"
)


def evaluate_preconditions(headers: Mapping[str, str], etag: str, modified: int) -> int:
    """How to answer GET or HEAD: 200, 304 or 412. Names of ``headers`` are in lower case; ``etag``
    is strong and quoted, ``modified`` in seconds since 1970.

    Source: RFC 9110 section 13.2.2.
    """
    if not _is_expected(headers, etag, modified):
        return PRECONDITION_FAILED
    return NOT_MODIFIED if _is_known(headers, etag, modified) else OK


def _is_expected(headers: Mapping[str, str], etag: str, modified: int) -> bool:
    if (tags := headers.get("if-match")) is not None:
        return _names(tags, etag)
    date = headers.get("if-unmodified-since")
    since = None if date is None else find_http_date(date)
    return since is None or modified <= since


def _is_known(headers: Mapping[str, str], etag: str, modified: int) -> bool:
    if (tags := headers.get("if-none-match")) is not None:
        return tags == etag or _names(tags, etag, f"W/{etag}")
    date = headers.get("if-modified-since")
    since = None if date is None else find_http_date(date)
    return since is not None and modified <= since


def _names(field: str, *etags: str) -> bool:
    # A comma may stand inside a tag, so tags are found, not split.
    return field.strip() == "*" or any(tag in etags for tag in _ENTITY_TAG.findall(field))


@lru_cache(maxsize=64)  # nearly all who ask send back the Last-Modified of one edition
def find_http_date(text: str) -> int | None:
    """The seconds since 1970 of an HTTP-date; None for anything else.

    Source: RFC 9110 section 5.6.7.
    """
    if not _HTTP_DATE.fullmatch(text):
        return None
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return int(moment.replace(tzinfo=UTC).timestamp())
