"""Requests as servers hand them on: targets in every form, and fields that come twice."""

from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes, unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.published.http.http_exchange import (
    HttpRequest,
    PreparedHeaders,
    encode_headers,
    request_of_scope,
    split_target,
)
from app.published.plane import PublishedPlane
from tests.published.bundles import (
    CODINGS,
    FROM_BEHIND,
    PAGE,
    XML,
    call,
    contents,
    etag_of,
    make_bundle,
    pack,
)

FORMS = [
    ("GET", "/a/b", "/a/b", ""),
    ("GET", "/a%20b?c=%20&d", "/a b", "c=%20&d"),
    ("GET", "/a?", "/a", ""),
    ("GET", "/a?b?c", "/a", "b?c"),
    ("GET", "/%C3%A9%ff", "/\xc3\xa9\xff", ""),
    ("GET", "/\xe9%E9", "/\xe9\xe9", ""),
    ("GET", "/%zz%2", "/%zz%2", ""),
    ("GET", "/a%2Fb%3Fc%23", "/a/b?c#", ""),
    ("GET", "/%00%0d%0a", "/\0\r\n", ""),
    ("GET", "/a+b", "/a+b", ""),
    ("GET", "//host/a", "//host/a", ""),
    ("GET", "/a#b?c", "/a", ""),
    ("GET", "/http://host/a", "/http://host/a", ""),
    ("GET", "http://host/a%20b?q", "/a b", "q"),
    ("GET", "HTTPS://user@host:443/a", "/a", ""),
    ("GET", "http://host", "/", ""),
    ("GET", "http://host?q", "/", "q"),
    ("GET", "http://host?http://other/a", "/", "http://other/a"),
    ("OPTIONS", "http://host", "*", ""),
    ("OPTIONS", "*", "*", ""),
    ("CONNECT", "host:443", "", ""),
    ("CONNECT", "/a", "/a", ""),
    ("GET", "host:443", "host:443", ""),
    ("GET", "", "", ""),
]


def scope_of(method: str, path: bytes, query: bytes = b"", *fields: tuple[bytes, bytes]) -> Any:
    """A connection scope with what a request is made of."""
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path.decode("latin-1"),
        "raw_path": path,
        "query_string": query,
        "headers": [(b"host", b"registry.example"), *fields],
        "client": ("192.0.2.7", 50_000),
    }


@pytest.mark.parametrize(("method", "target", "path", "query"), FORMS)
def test_a_target_in_each_form_has_its_path_and_its_query(
    method: str, target: str, path: str, query: str
) -> None:
    assert split_target(method, target) == (path, query)
    known = request_of_scope(scope_of(method, b"/"), target)
    assert (known.target, known.path, known.query) == (target, path, query)
    before, _, after = target.partition("?")
    seen = request_of_scope(scope_of(method, before.encode("latin-1"), after.encode("latin-1")))
    assert (seen.path, seen.query) == (path, query)


@given(st.sampled_from(["GET", "OPTIONS", "CONNECT"]), st.text(st.characters(max_codepoint=255)))
def test_every_target_gives_a_path_of_octets(method: str, target: str) -> None:
    path, query = split_target(method, target)
    path.encode("latin-1")
    assert query == "" or query in target


@given(st.binary(max_size=20))
def test_a_path_is_the_octets_that_were_meant(octets: bytes) -> None:
    sent = f"/{quote_from_bytes(octets, safe='')}"
    request = request_of_scope(scope_of("GET", sent.encode(), b"a=%41"))
    assert request.path.encode("latin-1") == b"/" + octets == unquote_to_bytes(sent)
    assert (request.target, request.query) == (f"{sent}?a=%41", "a=%41")


def test_a_scope_is_read_as_the_request_that_it_was() -> None:
    fields = ((b"accept", b"text/html"), (b"x-name", b"\xe9"))
    request = request_of_scope(scope_of("POST", b"/a", b"b=c", *fields))
    headers = {"host": "registry.example", "accept": "text/html", "x-name": "\xe9"}
    assert request == HttpRequest("POST", "/a?b=c", "/a", "b=c", headers, "1.1", "192.0.2.7")


def test_a_scope_without_what_servers_may_leave_out_is_read_all_the_same() -> None:
    scope = scope_of("GET", b"/")
    scope |= {"client": None, "path": "/a b\xe9", "raw_path": None}
    request = request_of_scope(scope)
    assert (request.peer, request.target) == (None, "/a%20b%C3%A9")
    assert request.path == "/a b\xc3\xa9"


def test_fields_of_one_name_are_one() -> None:
    fields = (
        (b"if-none-match", b'"a"'),
        (b"cookie", b"a=b"),
        (b"if-none-match", etag_of(XML).encode()),
        (b"cookie", b"session=x"),
    )
    headers = request_of_scope(scope_of("GET", b"/", b"", *fields)).headers
    assert headers["if-none-match"] == f'"a", {etag_of(XML)}'
    assert headers["cookie"] == "a=b; session=x"


def test_fields_that_come_twice_are_heeded_as_one_and_those_that_must_not_are_not(
    tmp_path: Path,
) -> None:
    make_bundle(1).lay_out(tmp_path)
    site = PublishedPlane(tmp_path, falls_through=True)

    def status(path: str, *fields: tuple[bytes, bytes]) -> int:
        return call(site, request_of_scope(scope_of("GET", path.encode(), b"", *fields))).status

    date = b"Thu, 31 Dec 2099 23:59:59 GMT"
    assert status(XML, (b"if-none-match", b'"a"'), (b"if-none-match", etag_of(XML).encode())) == 304
    assert status(XML, (b"if-modified-since", date)) == 304
    assert status(XML, (b"if-modified-since", date), (b"if-modified-since", date)) == 200
    assert status(PAGE, (b"cookie", b"a=b"), (b"cookie", b"session=x")) == FROM_BEHIND
    assert status(PAGE, (b"cookie", b"a=b"), (b"cookie", b"c=session")) == 200


def test_headers_lie_ready_as_they_are_sent(tmp_path: Path) -> None:
    pack(contents(1), codings=CODINGS).lay_out(tmp_path)
    site = PublishedPlane(tmp_path)
    for field in (b"gzip", b"br", b"identity"):
        for more in ((), ((b"if-none-match", b"*"),)):
            scope = scope_of("GET", XML.encode(), b"", (b"accept-encoding", field), *more)
            first, second = (site.answer(request_of_scope(scope)) for _ in range(2))
            assert first
            assert second
            assert first.prepared
            assert first.raw_headers == encode_headers(first.headers) == second.raw_headers
            assert first.raw_headers is second.raw_headers, "they are put into octets once"


def test_field_lines_are_the_headers_each_with_its_end() -> None:
    prepared = PreparedHeaders([("Content-Type", "text/plain"), ("ETag", '"a"')])
    assert prepared.lines == b'content-type: text/plain\r\netag: "a"\r\n'
    assert prepared.lines is prepared.lines
