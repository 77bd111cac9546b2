"""The adapter for servers that speak WSGI: what it answers is what the plane answers."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment
from wsgiref.util import FileWrapper, setup_testing_defaults
from wsgiref.validate import validator

import pytest
from werkzeug.test import Client

from app.front.wsgi import request_of_environ
from app.published.blobs import LARGEST_READ
from app.published.http.http_exchange import HttpRequest
from app.published.plane import PublishedPlane
from tests.published.bundles import (
    BARE,
    CODINGS,
    FROM_BEHIND,
    PAGE,
    XML,
    Answer,
    ask,
    contents,
    etag_of,
    lasting,
    pack,
)
from tests.published.wsgi_site import PublishedWsgi

LARGE, KEPT = "/large.txt", "/editions/1/large.txt"
BODY = b"".join(b"%09d\n" % number for number in range(LARGEST_READ // 10 + 9))
JSON = f"{PAGE}urn-namespaces.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    lasting(1, {"large.txt": ("text/plain", BODY)}).lay_out_for_ever(folder)
    more = {LARGE: ("text/plain", BODY), JSON: ("application/json", b"{}")}
    pack(
        {**contents(1), **more},
        codings=CODINGS,
        redirects=((BARE, PAGE),),
        negotiated=((PAGE, (PAGE, JSON)),),
    ).lay_out(folder)
    return folder


def behind(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """The application that the rest falls through to."""
    body = f"{environ['REQUEST_METHOD']} behind".encode()
    headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))]
    start_response(f"{FROM_BEHIND} Behind", headers)
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]


def environ_of(path: str, method: str = "GET", query: str = "", **headers: str) -> dict[str, Any]:
    """The environment of a request; ``if_none_match="..."`` is a header."""
    environ: dict[str, Any] = {"REQUEST_METHOD": method, "SCRIPT_NAME": ""}
    environ |= {"PATH_INFO": path, "QUERY_STRING": query}
    environ |= {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    setup_testing_defaults(environ)
    return environ


def call(application: WSGIApplication, environ: dict[str, Any]) -> Answer:
    """One answer by WSGI."""
    sent: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Callable[[bytes], object]:
        sent.append((status, headers))
        return lambda _: None

    pieces = application(environ, start_response)
    body = b"".join(pieces)
    if close := getattr(pieces, "close", None):
        close()
    ((status, headers),) = sent
    return Answer(int(status.split()[0]), dict(headers), body)


TABLE: list[tuple[str, str, str, dict[str, str]]] = [
    (PAGE, "GET", "", {}),
    (PAGE, "HEAD", "", {"accept_encoding": "br"}),
    (PAGE, "GET", "", {"accept": "application/json"}),
    (PAGE, "GET", "", {"accept": "image/png"}),
    (PAGE, "GET", "as-of=2001-01-01", {}),
    (BARE, "GET", "a=\xe9", {}),
    (XML, "GET", "", {}),
    (XML, "GET", "q=a", {"accept_encoding": "gzip", "cookie": "session=x"}),
    (XML, "GET", "", {"accept_encoding": "*;q=0"}),
    (XML, "GET", "", {"if_none_match": "*"}),
    (XML, "GET", "", {"if_match": '"other"'}),
    (XML, "POST", "", {}),
    (LARGE, "GET", "", {}),
    (LARGE, "GET", "", {"accept_encoding": "gzip"}),
    (LARGE, "GET", "", {"range": "bytes=5-900000"}),
    (LARGE, "GET", "", {"range": "bytes=99999999-"}),
    (LARGE, "HEAD", "", {}),
    (KEPT, "GET", "", {}),
    (KEPT, "GET", "", {"range": "bytes=-5"}),
    ("/.well-known/urn-registry/manifest.json", "GET", "", {}),
    ("/absent", "GET", "", {}),
    ("/absent", "HEAD", "", {"accept": "text/html"}),
    ("/healthz", "GET", "", {}),
    ("/\xff\xfe", "GET", "", {}),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: " ".join(map(str, row)))
def test_by_wsgi_the_answers_are_those_that_are_given_without(
    folder: Path, row: tuple[str, str, str, dict[str, str]]
) -> None:
    path, method, query, headers = row
    site = PublishedPlane(folder)
    directly = ask(site, path, method, query, **headers)
    assert call(validator(PublishedWsgi(site)), environ_of(path, method, query, **headers)) == (
        directly
    )


@pytest.mark.parametrize(
    ("path", "method", "headers"),
    [(PAGE, "GET", {"cookie": "session=x"}), (PAGE, "POST", {}), ("/requests/", "GET", {})],
)
def test_what_falls_through_is_answered_by_the_application_behind(
    folder: Path, path: str, method: str, headers: dict[str, str]
) -> None:
    site = PublishedPlane(folder, falls_through=True)
    environ = environ_of(path, method, **headers)
    answer = call(validator(PublishedWsgi(site, behind)), environ)
    assert (answer.status, answer.body) == (FROM_BEHIND, f"{method} behind".encode())
    with pytest.raises(LookupError, match="behind"):
        call(PublishedWsgi(site), environ)


def test_an_environment_is_read_as_the_request_that_it_was() -> None:
    environ = environ_of("/a b\xc3\xa9", "POST", "q=%20", x_forwarded_for="192.0.2.1")
    environ |= {"CONTENT_TYPE": "text/plain", "CONTENT_LENGTH": "", "REMOTE_ADDR": "192.0.2.7"}
    request = request_of_environ(environ)
    assert request == HttpRequest(
        "POST",
        "/a%20b%C3%A9?q=%20",
        "/a b\xc3\xa9",
        "q=%20",
        {"host": "127.0.0.1", "x-forwarded-for": "192.0.2.1", "content-type": "text/plain"},
        "1.0",
        "192.0.2.7",
    )
    sent = "http://127.0.0.1/a%20b%c3%a9?q=%20"
    assert request_of_environ(environ | {"RAW_URI": sent}) == request._replace(target=sent)


def test_an_environment_without_a_path_is_only_unknown(folder: Path) -> None:
    environ = environ_of("/")
    del environ["PATH_INFO"]
    assert call(PublishedWsgi(PublishedPlane(folder)), environ).status == 404


def test_the_headers_given_to_one_server_are_not_those_given_to_the_next(folder: Path) -> None:
    def spoil(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        headers.clear()

    application = PublishedWsgi(PublishedPlane(folder))
    for environ in (environ_of(XML), environ_of(XML, if_none_match="*")):
        before = call(application, environ)
        list(application(environ, spoil))
        assert call(application, environ) == before


def test_a_server_that_sends_files_itself_is_given_the_file(folder: Path) -> None:
    given: list[Any] = []

    class Wrapper(FileWrapper):
        def __init__(self, filelike: Any, blksize: int = 8192) -> None:
            given.append(filelike)
            super().__init__(filelike, blksize)

    application = PublishedWsgi(PublishedPlane(folder))
    environ = environ_of(LARGE) | {"wsgi.file_wrapper": Wrapper}
    assert call(application, environ).body == BODY
    (file,) = given
    assert file.closed
    assert Path(file.name).is_file()
    assert call(application, environ | {"HTTP_RANGE": "bytes=5-"}).body == BODY[5:]
    assert given == [file], "a part of a file is not sent by who sends the whole"


def test_a_usual_client_is_content(folder: Path) -> None:
    client = Client(PublishedWsgi(PublishedPlane(folder, falls_through=True), behind))
    got = client.get(XML)
    assert got.get_etag() == (etag_of(XML)[1:-1], False)
    assert client.get(XML, headers={"If-None-Match": got.headers["ETag"]}).status_code == 304
