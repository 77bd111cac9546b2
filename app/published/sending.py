"""Sends one file: the form that is welcome, whole or in part, or word that it is known."""

import logging
from collections.abc import Iterable
from http import HTTPStatus
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIEnvironment

from app.published.accepting import IDENTITY, codings
from app.published.blobs import LARGEST_READ, Blobs, Damaged, Pieces
from app.published.conditions import weigh
from app.published.headers import SAFE, Headers
from app.published.problems import CHANGED, DAMAGED, NO_CODING, beyond_end, refuse
from app.published.ranges import Span, find_span
from app.published.representation import Form, Representation, elsewhere

_log = logging.getLogger(__name__)

_LARGEST_HELD = 64 * 1024
_VISIBLE = "".join(map(chr, range(0x21, 0x7F)))
_OK, _PARTIAL, _NOT_MODIFIED, _MOVED, _FOUND = (
    f"{status.value} {status.phrase}"
    for status in (
        HTTPStatus.OK,
        HTTPStatus.PARTIAL_CONTENT,
        HTTPStatus.NOT_MODIFIED,
        HTTPStatus.MOVED_PERMANENTLY,
        HTTPStatus.FOUND,
    )
)


def send(
    file: Representation,
    blobs: Blobs,
    environ: WSGIEnvironment,
    start_response: StartResponse,
    location: str | None = None,
) -> Iterable[bytes]:
    """Send a file, or the answer to its conditions.

    ``location`` is the file's own path where it is sent at another. A range is one of the
    bytes without a content coding, since that is what those who ask for one can put together.
    """
    span = _find_span(file, environ)
    form = _find_form(file, environ, is_part=span is not None)
    if form is None:
        return refuse(NO_CODING, environ, start_response)
    status = weigh(environ, form.etag, file.modified)
    if status is HTTPStatus.NOT_MODIFIED:
        start_response(_NOT_MODIFIED, _headers(form.unchanged_headers, location))
        return ()
    if status is HTTPStatus.PRECONDITION_FAILED:
        return refuse(CHANGED, environ, start_response)
    if span is not None and form is file.plain:
        return _send_part(form, span, blobs, environ, start_response, location)
    return _send_whole(form, blobs, environ, start_response, location)


def redirect(
    target: str, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes]:
    """Say where a page is now; the query goes with it."""
    # 301, not 308: only reads come here, and old clients do not know 308.
    query = quote(environ.get("QUERY_STRING", ""), safe=_VISIBLE, encoding="latin-1")
    start_response(_MOVED, _leading_to(f"{target}?{query}" if query else target))
    return ()


def lead(target: str, start_response: StartResponse) -> Iterable[bytes]:
    """Say where to find what is asked for today; the query is answered by that."""
    start_response(_FOUND, _leading_to(target))
    return ()


def _leading_to(location: str) -> Headers:
    return [
        ("Location", location),
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", "0"),
        ("Cache-Control", "no-cache"),
        *SAFE,
    ]


def _find_span(file: Representation, environ: WSGIEnvironment) -> Span | None:
    """The range to send. Source: RFC 9110 sections 13.1.5 and 14.2.

    If-Range with a date never holds: two editions may be of one second, so Last-Modified is
    no strong validator, and whoever has a date of ours has an ETag.
    """
    field = environ.get("HTTP_RANGE")
    if field is None or not file.is_ranged or environ["REQUEST_METHOD"] != "GET":
        return None
    if environ.get("HTTP_IF_RANGE", file.plain.etag).strip(" \t") != file.plain.etag:
        return None
    return find_span(field, file.plain.blob.length)


def _find_form(file: Representation, environ: WSGIEnvironment, *, is_part: bool) -> Form | None:
    field = environ.get("HTTP_ACCEPT_ENCODING")
    if field is None:
        return file.plain
    welcome = codings(field)
    if is_part and IDENTITY in welcome:
        return file.plain
    for coding in welcome:
        if coding in file.forms:
            return file.forms[coding]
    return None


def _headers(headers: Headers, location: str | None) -> Headers:
    # A server may change the list that it is given, hence a copy.
    return headers.copy() if location is None else elsewhere(headers, location)


def _send_whole(
    form: Form,
    blobs: Blobs,
    environ: WSGIEnvironment,
    start_response: StartResponse,
    location: str | None,
) -> Iterable[bytes]:
    try:
        body = _body(form, blobs, environ)
    except Damaged as error:
        return refuse_damaged(error, environ, start_response)
    start_response(_OK, _headers(form.headers, location))
    return body


def _body(form: Form, blobs: Blobs, environ: WSGIEnvironment) -> Iterable[bytes]:
    is_asked = environ["REQUEST_METHOD"] == "GET"
    if form.body is not None:
        return (form.body,) if is_asked else ()
    if form.blob.length <= LARGEST_READ:
        content = blobs.read(form.blob)
        if form.is_held and form.blob.length <= _LARGEST_HELD:
            form.body = content
        return (content,) if is_asked else ()
    file = blobs.open(form.blob)
    if not is_asked:
        file.close()
        return ()
    wrapper = environ.get("wsgi.file_wrapper")
    return wrapper(file) if wrapper else Pieces(file, form.blob.length)


def _send_part(
    form: Form,
    span: Span,
    blobs: Blobs,
    environ: WSGIEnvironment,
    start_response: StartResponse,
    location: str | None,
) -> Iterable[bytes]:
    length = form.blob.length
    if span.length <= 0:
        return refuse(beyond_end(length), environ, start_response)
    try:
        body = _part(form, span, blobs)
    except Damaged as error:
        return refuse_damaged(error, environ, start_response)
    headers = dict(_headers(form.headers, location)) | {
        "Content-Length": str(span.length),
        "Content-Range": f"bytes {span.first}-{span.end - 1}/{length}",
    }
    start_response(_PARTIAL, list(headers.items()))
    return body


def _part(form: Form, span: Span, blobs: Blobs) -> Iterable[bytes]:
    if form.body is not None:
        return (form.body[span.first : span.end],)
    if form.blob.length <= LARGEST_READ:
        return (blobs.read(form.blob)[span.first : span.end],)
    file = blobs.open(form.blob)
    file.seek(span.first)
    return Pieces(file, span.length)


def refuse_damaged(
    error: Damaged, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes]:
    """Send no bytes rather than wrong ones, and tell the operator."""
    _log.error("%s cannot be sent: %s", environ.get("PATH_INFO", ""), error)
    return refuse(DAMAGED, environ, start_response)
