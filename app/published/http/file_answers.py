"""The answer that one file is: the form that is welcome, whole or in part, or that it is known."""

import logging
from http import HTTPStatus
from urllib.parse import quote

from app.published.blobs import LARGEST_READ, BlobFolder, DamagedBlob, FileBody
from app.published.http.accept_headers import IDENTITY, accepted_codings
from app.published.http.byte_ranges import ByteRange, find_span
from app.published.http.conditions import (
    NOT_MODIFIED,
    OK,
    PRECONDITION_FAILED,
    evaluate_preconditions,
)
from app.published.http.cross_origin import SHARED
from app.published.http.headers import SAFE, Headers, PreparedHeaders
from app.published.http.http_exchange import HttpAnswer, HttpRequest, StreamedBody
from app.published.http.problems import CHANGED, DAMAGED, NO_CODING, problem_answer, range_problem
from app.published.http.representation import (
    Representation,
    RepresentationForm,
    with_content_location,
)

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
