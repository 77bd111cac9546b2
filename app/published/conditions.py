"""Preconditions of a request to read (RFC 9110 section 13), against one representation."""

import re
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache
from http import HTTPStatus
from wsgiref.types import WSGIEnvironment

_ENTITY_TAG = re.compile(r'(?:W/)?"[^"]*"')
# The three forms of RFC 9110 section 5.6.7; the library alone takes much else for a date.
_HTTP_DATE = re.compile(
    r"[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT"
    r"|[A-Z][a-z]+day, [0-9]{2}-[A-Z][a-z]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT"
    r"|[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}"
)


def weigh(environ: WSGIEnvironment, etag: str, modified: int) -> HTTPStatus:
    """How to answer GET or HEAD: 200, 304 or 412.

    ``etag`` is strong and quoted, ``modified`` in seconds since 1970. A date that is no
    HTTP-date counts as not sent. If-Range is asked where ranges are.

    Source: RFC 9110 section 13.2.2.
    """
    if not _is_expected(environ, etag, modified):
        return HTTPStatus.PRECONDITION_FAILED
    return HTTPStatus.NOT_MODIFIED if _is_known(environ, etag, modified) else HTTPStatus.OK


def _is_expected(environ: WSGIEnvironment, etag: str, modified: int) -> bool:
    if (tags := environ.get("HTTP_IF_MATCH")) is not None:
        return _names(tags, etag)
    date = environ.get("HTTP_IF_UNMODIFIED_SINCE")
    since = None if date is None else find_http_date(date)
    return since is None or modified <= since


def _is_known(environ: WSGIEnvironment, etag: str, modified: int) -> bool:
    if (tags := environ.get("HTTP_IF_NONE_MATCH")) is not None:
        return tags == etag or _names(tags, etag, f"W/{etag}")
    date = environ.get("HTTP_IF_MODIFIED_SINCE")
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
