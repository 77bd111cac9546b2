"""The answer that one file is: the form that is welcome, whole or in part, or that it is known."""

import logging
import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import quote

from app.published.blobs import LARGEST_READ, BlobFolder, DamagedBlob, FileBody
from app.published.http.accept_headers import IDENTITY, accepted_codings
from app.published.http.http_exchange import (
    SAFE,
    SHARED,
    Headers,
    HttpAnswer,
    HttpRequest,
    PreparedHeaders,
    StreamedBody,
)
from app.published.http.problems import (
    CHANGED,
    DAMAGED,
    NO_CODING,
    Representation,
    RepresentationForm,
    problem_answer,
    range_problem,
    with_content_location,
)

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


_log = logging.getLogger(__name__)

_LARGEST_HELD = 64 * 1024
_VISIBLE = "".join(map(chr, range(0x21, 0x7F)))


def send_file(
    file: Representation, blobs: BlobFolder, request: HttpRequest, location: str | None = None
) -> HttpAnswer:
    """A file, or the answer to its conditions. ``location`` is the file's own path where it is sent
    at another."""
    span = _find_span(file, request) if "range" in request.headers else None
    form = _find_form(file, request, is_part=span is not None)
    if form is None:
        return problem_answer(NO_CODING, request)
    status = evaluate_preconditions(request.headers, form.etag, file.modified)
    if status == NOT_MODIFIED:
        return _answer(status, form.unchanged_headers, b"", location)
    if status == PRECONDITION_FAILED:
        return problem_answer(CHANGED, request)
    try:
        if span is not None and form is file.plain:
            return _part(form, span, blobs, request, location)
        return _answer(OK, form.headers, _body(form, blobs, request), location)
    except DamagedBlob as error:
        return refuse_damaged(error, request)


def redirect_for_good(target: str, request: HttpRequest) -> HttpAnswer:
    """Say where a page is now; the query goes with it."""
    # 301, not 308: only reads come here, and old clients do not know 308.
    query = quote(request.query, safe=_VISIBLE, encoding="latin-1")
    return HttpAnswer(
        HTTPStatus.MOVED_PERMANENTLY.value, _leading_to(f"{target}?{query}" if query else target)
    )


def redirect_for_now(target: str) -> HttpAnswer:
    return HttpAnswer(HTTPStatus.FOUND.value, _leading_to(target))


def _leading_to(location: str) -> Headers:
    return [
        ("Location", location),
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", "0"),
        ("Cache-Control", "no-cache"),
        *SHARED,
        *SAFE,
    ]


def _find_span(file: Representation, request: HttpRequest) -> ByteRange | None:
    field = request.headers.get("range")
    if field is None or not file.is_ranged or request.method != "GET":
        return None
    if request.headers.get("if-range", file.plain.etag).strip(" \t") != file.plain.etag:
        return None
    return find_span(field, file.plain.blob.length)


def _find_form(
    file: Representation, request: HttpRequest, *, is_part: bool
) -> RepresentationForm | None:
    field = request.headers.get("accept-encoding")
    if field is None:
        return file.plain
    welcome = accepted_codings(field)
    if is_part and IDENTITY in welcome:
        return file.plain
    for coding in welcome:
        if coding in file.forms:
            return file.forms[coding]
    return None


def _answer(
    status: int, headers: PreparedHeaders, body: bytes | StreamedBody, location: str | None
) -> HttpAnswer:
    if location is not None:
        return HttpAnswer(status, with_content_location(headers.fields, location), body)
    return HttpAnswer(status, headers.fields, body, headers)


def _body(
    form: RepresentationForm, blobs: BlobFolder, request: HttpRequest
) -> bytes | StreamedBody:
    is_asked = request.method == "GET"
    if form.body is not None:
        return form.body if is_asked else b""
    if form.blob.length <= LARGEST_READ:
        content = blobs.read(form.blob)
        if form.is_held and form.blob.length <= _LARGEST_HELD:
            form.body = content
        return content if is_asked else b""
    file = blobs.open(form.blob)
    if is_asked:
        return FileBody(file, form.blob.length, is_whole=True)
    file.close()
    return b""


def _part(
    form: RepresentationForm,
    span: ByteRange,
    blobs: BlobFolder,
    request: HttpRequest,
    location: str | None,
) -> HttpAnswer:
    length = form.blob.length
    if span.length <= 0:
        return problem_answer(range_problem(length), request)
    body = _bytes_of(form, span, blobs)
    fields = form.headers.fields
    headers = dict(fields if location is None else with_content_location(fields, location)) | {
        "Content-Length": str(span.length),
        "Content-Range": f"bytes {span.first}-{span.end - 1}/{length}",
    }
    return HttpAnswer(HTTPStatus.PARTIAL_CONTENT.value, list(headers.items()), body)


def _bytes_of(form: RepresentationForm, span: ByteRange, blobs: BlobFolder) -> bytes | StreamedBody:
    if form.body is not None:
        return form.body[span.first : span.end]
    if form.blob.length <= LARGEST_READ:
        return blobs.read(form.blob)[span.first : span.end]
    file = blobs.open(form.blob)
    file.seek(span.first)
    return FileBody(file, span.length)


def refuse_damaged(error: DamagedBlob, request: HttpRequest) -> HttpAnswer:
    _log.error("%s cannot be sent: %s", request.path, error)
    return problem_answer(DAMAGED, request)
