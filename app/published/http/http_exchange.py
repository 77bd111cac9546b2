"""A request as it was sent, and the answer to it, whichever server carries them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote, unquote_to_bytes

from app.exports.manifests.bundle_files import CONTENT_SECURITY_POLICY
from app.problems.problem_codes import ProblemCode

Headers = list[tuple[str, str]]
EncodedHeaders = list[tuple[bytes, bytes]]

SAFE: Headers = [("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin")]
SAFE_PAGE: Headers = [
    *SAFE,
    ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
    ("Cross-Origin-Opener-Policy", "same-origin"),
]
# What a browser draws may carry scripts and links; XHTML, SVG and XML as much as HTML.
_DRAWN = ("html", "xml")


def sniffing_guards(media_type: str) -> Headers:
    return SAFE_PAGE if any(word in media_type.lower() for word in _DRAWN) else SAFE


def encode_headers(headers: Headers) -> EncodedHeaders:
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]


@dataclass(slots=True)
class PreparedHeaders:
    """Headers that go with many answers; they are put into octets once, when first they go."""

    fields: Headers
    _encoded: EncodedHeaders | None = None
    _lines: bytes | None = None

    @property
    def encoded(self) -> EncodedHeaders:
        if self._encoded is None:
            self._encoded = encode_headers(self.fields)
        return self._encoded

    @property
    def lines(self) -> bytes:
        if self._lines is None:
            self._lines = b"".join(name + b": " + value + b"\r\n" for name, value in self.encoded)
        return self._lines


def append_headers(fields: Headers, rest: PreparedHeaders) -> PreparedHeaders:
    """These headers, and then others that lie ready."""
    lines = ""
    for name, value in fields:
        lines += f"{name.lower()}: {value}\r\n"
    return PreparedHeaders(fields + rest.fields, None, lines.encode("latin-1") + rest.lines)


READS = frozenset({"GET", "HEAD"})
# The beginning of a target in absolute form: the scheme and the authority.
_ORIGIN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")


class StreamedBody(Protocol):
    """Bytes that are sent piece by piece, and let go of in the end."""

    def __iter__(self) -> Iterator[bytes]: ...

    def close(self) -> None:
        """Let go, read to the end or not."""


class HttpRequest(NamedTuple):
    """A request without its body.

    ``target`` is what was sent, in whatever form (RFC 9112 section 3.2); ``path`` is its path with
    percent-encodings taken out, a character for each octet; ``query`` stands as it was sent. Names
    of ``headers`` are in lower case, and fields of one name are one (RFC 9110 section 5.3).
    ``peer`` is the address of who connects, None where a server does not say.
    """

    method: str
    target: str
    path: str
    query: str
    headers: Mapping[str, str]
    version: str = "1.1"
    peer: str | None = None


class HttpAnswer(NamedTuple):
    """An answer: its status, its headers, and its bytes, at once or piece by piece.

    The headers may be those of many answers: whoever sends one adds to a copy. ``prepared`` are the
    same, where they lie ready as a server sends them. ``in_shell`` gives the page of a problem once
    more, in the shell of a site; None for everything else. ``refusal`` is the code of a problem,
    for the log.
    """

    status: int
    headers: Headers
    body: bytes | StreamedBody = b""
    prepared: PreparedHeaders | None = None
    in_shell: "Callable[[str], HttpAnswer] | None" = None
    refusal: ProblemCode | None = None

    @property
    def raw_headers(self) -> EncodedHeaders:
        return encode_headers(self.headers) if self.prepared is None else self.prepared.encoded


def split_target(method: str, target: str) -> tuple[str, str]:
    """The path of a target, percent-encodings taken out, and its query as it was sent.

    ``/a%20b?q`` gives ``/a b`` and ``q``, and so does ``http://host/a%20b?q``; ``*`` is a path, and
    ``host:443``, to which CONNECT asks for a tunnel, has none.

    Source: RFC 9112 section 3.2.
    """
    if method == "CONNECT" and target[:1] != "/":
        return "", ""
    origin = _ORIGIN.match(target)
    path, _, query = target[origin.end() if origin else 0 :].partition("#")[0].partition("?")
    if origin and not path:
        path = "*" if method == "OPTIONS" and not query else "/"
    return unquote_octets(path), query


def unquote_octets(path: str) -> str:
    return unquote_to_bytes(path.encode("latin-1")).decode("latin-1") if "%" in path else path


def join_fields(fields: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Fields by their names, those of one name as one; names are given in lower case.

    Source: RFC 9110 section 5.3; RFC 9113 section 8.2.3 for cookies.
    """
    joined: dict[str, str] = {}
    for name, value in fields:
        separator = "; " if name == "cookie" else ", "
        joined[name] = f"{joined[name]}{separator}{value}" if name in joined else value
    return joined


def request_of_scope(scope: Mapping[str, Any], target: str | None = None) -> HttpRequest:
    """The request of a connection scope.

    ``target`` is what was sent, where a server's own part of the work knows it: the scope has its
    path and its query, and may lack the rest of a target in absolute form.
    """
    if target is None:
        target = _target_of(scope)
    client = scope.get("client")
    peer = client[0] if client else None
    return request_of_fields(scope["method"], target, scope["headers"], scope["http_version"], peer)


def request_of_fields(
    method: str, target: str, fields: EncodedHeaders, version: str, peer: str | None
) -> HttpRequest:
    """The request of a head; names of ``fields`` are in lower case."""
    if target[:1] == "/" and "%" not in target and "#" not in target:
        path, _, query = target.partition("?")  # nearly all are so
    else:
        path, query = split_target(method, target)
    return HttpRequest(method, target, path, query, _headers_of(fields), version, peer)


def _target_of(scope: Mapping[str, Any]) -> str:
    raw = scope.get("raw_path")
    path = raw.decode("latin-1") if raw is not None else quote(scope["path"])
    query: bytes = scope["query_string"]
    return f"{path}?{query.decode('latin-1')}" if query else path


def _headers_of(fields: EncodedHeaders) -> dict[str, str]:
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in fields}
    if len(headers) == len(fields):
        return headers
    return join_fields((name.decode("latin-1"), value.decode("latin-1")) for name, value in fields)


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
