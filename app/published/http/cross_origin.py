"""What lets scripts of any site read what is published: the Fetch standard, its CORS protocol."""

from http import HTTPStatus

from app.published.http.headers import SAFE, Headers
from app.published.http.http_exchange import HttpAnswer, HttpRequest

METHODS = "GET, HEAD, OPTIONS"
READABLE = ("Access-Control-Allow-Origin", "*")
# With every header, such as ETag, Link, Content-Range and Retry-After.
SHARED: Headers = [READABLE, ("Access-Control-Expose-Headers", "*")]
_OPTIONS: Headers = [
    ("Allow", METHODS),
    ("Access-Control-Allow-Methods", METHODS),
    ("Access-Control-Allow-Headers", "*"),
    ("Access-Control-Max-Age", "86400"),
    ("Cache-Control", "no-cache"),
    *SHARED,
    *SAFE,
]


def answer_options() -> HttpAnswer:
    return HttpAnswer(HTTPStatus.NO_CONTENT.value, _OPTIONS)


def is_preflight(request: HttpRequest) -> bool:
    return request.method == "OPTIONS" and "access-control-request-method" in request.headers
