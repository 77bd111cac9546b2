"""Requests that no browser writes, to the server that is used: each has one answer, and no 5xx."""

import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.exceptions import BadRequest
from werkzeug.test import EnvironBuilder, run_wsgi_app

from app import worker
from app.config import Settings
from app.factory import create_app
from app.front.wsgi import WsgiInputStream
from app.server import work_of
from app.services.operations import database_binding
from tests.conftest import Template
from tests.published.wsgi_site import create_application
from tests.running.sites import free_port
from tests.torture.conftest import rounds

_SERVE = """
import sys
from pathlib import Path
from functools import partial
from app.config import Settings
from app.factory import create_asgi
from app.front.processes import answer_until_stopped, open_socket
settings = Settings(data_dir=Path(sys.argv[1]), secret_key="of a test")
answer_until_stopped(partial(create_asgi, settings), open_socket("127.0.0.1", int(sys.argv[2])), 1)
"""
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
FILES = "Content-Type: multipart/form-data; boundary=b\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"
REGISTRY = "/assignments/urn-namespaces/"
DAY = "?as-of=2030-01-01"
_STATUS = re.compile(rb"HTTP/1\.[01] ([0-9]{3}) ")


@pytest.fixture(scope="module")
def folder(
    sqlite_templates: Callable[[Template], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The data folder of a registry whose first edition is laid out."""
    made = tmp_path_factory.mktemp("by hand")
    shutil.copy(sqlite_templates(Template.FEW), made / "registry.sqlite3")
    chosen = Settings(data_dir=made, secret_key="of a test")
    with create_app(chosen).app_context():
        worker.build(work_of(chosen))
        worker.lay_out(work_of(chosen))
        database_binding.close_connections()
    return made


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    """The port of a server of it, as ``serve`` starts one."""
    port = free_port()
    command = [sys.executable, "-c", _SERVE, str(folder), str(port)]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        yield port
    finally:
        server.terminate()
        server.wait(60)


def send(port: int, request: bytes) -> bytes:
    """All that comes back for these octets, after which nothing more is sent."""
    with _connected(port) as connection:
        answer = b""
        try:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            while block := connection.recv(65536):
                answer += block
        except ConnectionError:  # it has heard enough
            pass
        return answer


def _connected(port: int) -> socket.socket:
    until = time.monotonic() + 60
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=30)
        except ConnectionRefusedError:
            assert time.monotonic() < until
            time.sleep(0.1)


def statuses(answer: bytes) -> list[int]:
    """The status of each answer; a body of ours never looks like one."""
    return [int(status) for status in _STATUS.findall(answer)]


def header(answer: bytes, name: str) -> list[str]:
    """What a header says, each time that it is there."""
    head = answer.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")[1:]
    fields = (line.partition(": ") for line in head)
    return [value for field, _, value in fields if field.lower() == name]


def get(path: str, *lines: str, method: str = "GET") -> str:
    """A request that reads."""
    return "\r\n".join((f"{method} {path} HTTP/1.1", "Host: x", *lines, "", ""))


def post(body: str, *heads: str, path: str = "/sign-in") -> str:
    """A request that sends something."""
    return f"POST {path} HTTP/1.1\r\nHost: x\r\n{''.join(heads)}\r\n{body}"


LINES = [
    get(f"{place}{octets}{query}")
    for place in (REGISTRY, "/editions/", "/editions/1/", "/namespaces/", "/namespaces/isbn", "/")
    for octets in ("%0a", "%0d%0aX:%20y", "%00", "%7f", "a%0Ab")
    for query in ("", DAY)
]
BROKEN = [
    post("zz\r\nabc\r\n0\r\n\r\n", FORM, CHUNKED),
    post("zz\r\nabc\r\n0\r\n\r\n", FILES, CHUNKED, path="/tools/urn"),
    post("-1\r\nabc\r\n0\r\n\r\n", FORM, CHUNKED),
    post("3;\x01\r\nabc\r\n0\r\n\r\n", FORM, CHUNKED),
    post("3\r\nabcd\r\n0\r\n\r\n", FORM, CHUNKED),
    post("5\r\nabc", FORM, CHUNKED),
    post("\r\n", FORM, CHUNKED),
    post("F" * 9000, FORM, CHUNKED),
    post("3\r\nabc\r\n0\r\nHost: y\r\n\r\n", FORM, CHUNKED),
    post("abc", FORM, "Content-Length: 50\r\n"),
    post("abc", FORM, "Content-Length: -5\r\n"),
    post("abc", FORM, "Content-Length: ten\r\n"),
    post("abc", FORM, "Content-Length: 3\r\n", "Content-Length: 3\r\n"),
    post("0\r\n\r\n", FORM, "Content-Length: 5\r\n", CHUNKED),
    post("a=b", "Content-Type: multipart/form-data\r\n", "Content-Length: 3\r\n"),
    post("a=b", "Content-Type: multipart/form-data; boundary=\xff\r\n", "Content-Length: 3\r\n"),
    post("a=b", "Content-Type: \xff; charset=\xff\r\n", "Content-Length: 3\r\n"),
    post("a=b", FORM, "Origin: http://[\r\n", "Content-Length: 3\r\n"),
    post("%FF=%FF", FORM, "Content-Length: 7\r\n"),
    *("nonsense\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET / HTTP/9.9\r\nHost: x\r\n\r\n"),
    *("GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n", "GET /\xe9 HTTP/1.1\r\nHost: x\r\n\r\n"),
    *("GET //[ HTTP/1.1\r\nHost: x\r\n\r\n", "GET http://[/ HTTP/1.1\r\nHost: x\r\n\r\n"),
    *(get("/", "X: a\x00b"), get("/", "X y: a"), get("/", " folded"), get("/", "Host: y")),
    *(get("/" + "x" * 17_000), get("/" + "x" * 90_000), get("/", *["X: y"] * 200)),
    *(get("/", "X: " + "x" * 33_000), get("/", "X: " + "x" * 90_000), "GET / HTTP/1.1\r\n\r\n"),
    *("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/0.9\r\nHost: x\r\n\r\n", "GET /\r\n"),
    *(get("/", "Host : x"), "GET / HTTP/1.1\r\nHost: x y\r\n\r\n", get("/", ": x"), "G", "GET / H"),
    post("0\r\n\r\n", FORM, CHUNKED).replace("HTTP/1.1", "HTTP/1.0"),
    *(get("/", method="BREW"), get("/", method="TRACE"), get("x:1", method="CONNECT")),
    *(get("*", method="OPTIONS"), get("/%ff%fe"), get("/%2e%2e/%2e%2e/etc/passwd")),
]
READ = [
    get("/requests/", CHUNKED.strip()) + "zz\r\n",
    get(REGISTRY, CHUNKED.strip()) + "zz\r\n",
    get("/", CHUNKED.strip()) + "3\r\nabcd\r\n",
    get("/?q=%ff%00%0a"),
    get("/requests/?q=%ff%00%0a", "Accept: \xff", "Accept-Language: \xff"),
    get("/", "Cookie: session=\xff\xfe; =; ;;", "Range: bytes=\xff", "If-None-Match: \xff"),
    get("/sign-in", "Cookie: session=\xff\xfe; =; ;;", "If-Modified-Since: \xff"),
    get(f"{REGISTRY}%e9{DAY}"),
    get(f"{REGISTRY}%c3%a9{DAY}"),
    get(REGISTRY, method="HEAD"),
]


def test_an_address_with_a_control_character_is_refused(port: int) -> None:
    for request in LINES:
        answer = send(port, request.encode())
        assert statuses(answer) == [400], request
        assert not header(answer, "x")
        assert not header(answer, "location")


def test_what_is_broken_is_the_senders_fault(port: int) -> None:
    for request in BROKEN:
        (status,) = statuses(send(port, request.encode("latin-1")))
        assert 400 <= status < 500, request


@pytest.mark.parametrize(
    ("target", "host", "is_refused"),
    [
        ("http://a.example/", "a.example", False),
        ("HTTP://A.example:80/healthz", "a.Example", False),
        ("https://a.example/", "a.example:443", False),
        ("http://b.example/", "a.example", True),
        ("http://a.example:81/", "a.example", True),
        ("http://a.example@b.example/", "a.example", True),
        (f"https://b.example{REGISTRY}", "a.example", True),
        ("/http://b.example/", "a.example", False),
    ],
)
def test_a_target_in_absolute_form_names_the_host_that_the_header_names(
    port: int, target: str, host: str, *, is_refused: bool
) -> None:
    sent = f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    answer = send(port, sent.encode())
    assert (statuses(answer) == [400]) is is_refused
    assert (b"Send the same host in both" in answer) is is_refused


def test_what_is_odd_has_one_answer(port: int) -> None:
    for request in READ:
        (status,) = statuses(send(port, request.encode("latin-1")))
        assert status < 500, request


def test_the_address_of_a_day_leads_to_it_whatever_is_written_behind(port: int) -> None:
    answer = send(port, get(f"{REGISTRY}%c3%a9{DAY}").encode())
    assert header(answer, "location") == ["/editions/1/%C3%A9"]


ONE_ANSWER = {
    "a second length": (post("abc", FORM, "Content-Length: 3\r\n", "Content-Length: 4\r\n"), 400),
    "a length and chunks": (post("0\r\n\r\n", FORM, "Content-Length: 5\r\n", CHUNKED), 400),
    "chunks and a length": (post("0\r\n\r\n", FORM, CHUNKED, "Content-Length: 5\r\n"), 400),
    "a length with a sign": (post("abc", FORM, "Content-Length: +3\r\n"), 400),
    "lengths in a list": (post("abc", FORM, "Content-Length: 3, 3\r\n"), 400),
    "a coding before chunks": (post("", FORM, "Transfer-Encoding: gzip, chunked\r\n"), 501),
    "chunks twice": (post("", FORM, "Transfer-Encoding: chunked, chunked\r\n"), 400),
    "chunks in two lines": (post("", FORM, CHUNKED, CHUNKED), 400),
    "an unknown coding": (post("", FORM, "Transfer-Encoding: xchunked\r\n"), 501),
    "a hidden coding": (post("", FORM, "Transfer-Encoding: \x0bchunked\r\n"), 400),
    "a space before the colon": (post("", FORM, "Transfer-Encoding : chunked\r\n"), 400),
    "a folded header": (post("", FORM, "Transfer-Encoding:\r\n chunked\r\n"), 400),
    "a line feed alone": (post("", FORM, "X: y\nTransfer-Encoding: chunked\r\n"), 400),
    "a carriage return alone": (post("", FORM, "X: y\rTransfer-Encoding: chunked\r\n"), 400),
    "a NUL in a header": (get("/", "X: a\x00b"), 400),
    "a bad name of a header": (get("/", "X(y): a"), 400),
    "no host": ("GET / HTTP/1.1\r\n\r\n", 400),
    "two hosts": (get("/", "Host: x"), 400),
    "a chunk of no size": (post("zz\r\nabc\r\n0\r\n\r\n", FORM, CHUNKED), 400),
    "a chunk of a size beyond all": (post("f" * 17 + "\r\nabc\r\n", FORM, CHUNKED), 400),
    "a chunk longer than it says": (post("3\r\nabcd\r\n0\r\n\r\n", FORM, CHUNKED), 400),
    "another language": (get("/", "Connection: Upgrade", "Upgrade: h2c"), 200),
    "a tunnel": (get("x:1", method="CONNECT"), 400),
}


@pytest.mark.parametrize("what", ONE_ANSWER)
def test_no_second_request_hides_behind_one_that_two_servers_read_differently(
    port: int, what: str
) -> None:
    request, status = ONE_ANSWER[what]
    hidden = get("/healthz")
    answer = send(port, (request + hidden).encode("latin-1"))
    assert statuses(answer) == [status], answer[:200]


def test_what_is_broken_behind_an_answer_has_no_answer_of_its_own(port: int) -> None:
    with _connected(port) as connection:
        connection.sendall(get("/healthz", CHUNKED.strip()).encode())
        first = connection.recv(65536)
        connection.sendall(b"zz\r\n" + get("/healthz").encode())
        assert statuses(first + _rest(connection)) == [200]


def test_answers_come_in_the_order_of_their_requests(port: int) -> None:
    slow = post("", FORM, "Content-Length: 0\r\n")
    answer = send(port, (slow + get("/healthz") + get("/nowhere") + get("/healthz")).encode())
    assert statuses(answer) == [400, 200, 404, 200]


def test_what_follows_a_body_is_no_header(port: int) -> None:
    trailer = post("0\r\nHost: y\r\nCookie: a=b\r\n\r\n", FORM, CHUNKED)
    plain = post("0\r\n\r\n", FORM, CHUNKED)
    answers = [send(port, (request + get("/healthz")).encode()) for request in (trailer, plain)]
    assert [statuses(answer) for answer in answers] == [[400, 200]] * 2


@pytest.mark.parametrize(
    ("request_", "status", "word"),
    [
        (get("/tools/nid?nids=" + "a%0A" * 3_000), 200, b"</html>"),
        (get("/" + "x" * 17_000), 414, b"16 kB"),
        (get("/", "Cookie: " + "x" * 33_000), 431, b"cookies"),
        (get("/", *["X: y"] * 200), 431, b"100"),
        (post("", FORM, f"Content-Length: {7 * 2**20}\r\n"), 413, b"6 MB"),
        (post("", FORM, "Transfer-Encoding: gzip, chunked\r\n"), 501, b"chunked"),
        ("nonsense\r\n\r\n", 400, b"Send it again"),
    ],
)
def test_a_limit_says_what_it_is(port: int, request_: str, status: int, word: bytes) -> None:
    request = request_.replace("\r\n\r\n", "\r\nAccept: text/html\r\n\r\n", 1)
    answer = send(port, request.encode())
    assert (statuses(answer), word in answer) == ([status], True), answer[:300]
    assert not header(answer, "server")
    assert len(header(answer, "date")) == 1


def test_who_asks_for_a_head_gets_no_body_however_early_it_is_refused(port: int) -> None:
    for asked, status in (
        (get("/" + "x" * 17_000), 414),
        (get("/", "Cookie: " + "x" * 33_000), 431),
        (get("/", "Transfer-Encoding: gzip, chunked"), 501),
    ):
        answer = send(port, asked.replace("GET", "HEAD", 1).encode())
        assert statuses(answer) == [status]
        assert answer.partition(b"\r\n\r\n")[2] == b""
        assert int(header(answer, "content-length")[0]) > 0


def _rest(connection: socket.socket) -> bytes:
    answer = b""
    try:
        while block := connection.recv(65536):
            answer += block
    except ConnectionError:
        pass
    return answer


SET_BY_SERVERS = (
    *(
        "SCRIPT_NAME: /requests",
        "SCRIPT_NAME: /evil",
        "SCRIPT-NAME: /requests",
        "PATH_INFO: /desk/",
    ),
    *("X-Forwarded-Proto: https", "X-Forwarded-Ssl: on", "X-Forwarded-Protocol: ssl"),
    *("X-Forwarded-Host: evil.example", "X-Forwarded-Prefix: /evil", "X-Original-URL: /desk/"),
    *("X-Forwarded-Proto: http\r\nX-Forwarded-Ssl: on", "REMOTE_USER: odell@registry.example"),
)


@pytest.mark.parametrize("line", SET_BY_SERVERS)
def test_no_header_of_a_client_moves_the_site(port: int, line: str) -> None:
    for path in ("/requests/", "/account", "/editions/1", "/sign-in"):
        plain, moved = (send(port, get(path, *lines).encode()) for lines in ((), (line,)))
        assert statuses(moved) == statuses(plain)
        assert header(moved, "location") == header(plain, "location")
        assert b"evil" not in moved


@settings(max_examples=rounds(40, 15))
@given(
    request=st.sampled_from([*LINES, *BROKEN, *READ]),
    place=st.integers(0, 400),
    octets=st.binary(max_size=8),
)
def test_no_octets_put_into_a_request_surprise(
    port: int, request: str, place: int, octets: bytes
) -> None:
    whole = request.encode("latin-1")
    place = min(place, len(whole))
    answer = send(port, whole[:place] + octets + whole[place:])
    assert all(status < 500 or status == 501 for status in statuses(answer))  # 501: RFC 9112 6.1
    assert len(statuses(answer)) < 3  # what was put in may end a request and begin another


Ask = Callable[..., tuple[int, list[tuple[str, str]]]]
PATHS = st.builds(
    lambda base, rest, end: base + rest + end,
    st.sampled_from(["/", REGISTRY, "/editions/", "/editions/1/", "/namespaces/", "/requests/"]),
    st.text(st.characters(max_codepoint=255), max_size=12),
    st.sampled_from(["", ".json", "/", "isbn"]),
)


@pytest.fixture(scope="module")
def whole(folder: Path) -> Ask:
    """Asks the whole site without a server between."""
    application = create_application(Settings(data_dir=folder, secret_key="of a test"))

    def ask(path: str, **given: str) -> tuple[int, list[tuple[str, str]]]:
        environ = EnvironBuilder().get_environ() | {"PATH_INFO": path} | given
        body, status, headers = run_wsgi_app(application, environ)
        b"".join(body)
        return int(status.split()[0]), list(headers)

    return ask


@settings(max_examples=rounds(80, 25))
@given(
    path=PATHS,
    method=st.sampled_from(["GET", "HEAD", "POST", "PUT", "OPTIONS", "BREW"]),
    query=st.one_of(st.just(DAY[1:]), st.text(st.characters(max_codepoint=255), max_size=12)),
    said=st.text(st.characters(max_codepoint=255), max_size=12),
)
def test_no_environ_of_a_server_surprises(
    whole: Ask,
    path: str,
    method: str,
    query: str,
    said: str,
) -> None:
    given = {"REQUEST_METHOD": method, "QUERY_STRING": query, "HTTP_COOKIE": f"session={said}"}
    given |= {"HTTP_ACCEPT": said, "HTTP_HOST": said, "SCRIPT_NAME": said, "CONTENT_TYPE": said}
    status, headers = whole(path, **given)
    assert status < 500
    for name, value in headers:
        assert not re.search(r"[\x00-\x1f\x7f]", name + value)
        assert name != "Location" or re.match(r"/(?!/)", value)


def test_a_body_is_read_as_the_server_has_it() -> None:
    stream = BytesIO(b"a\nb\nc")
    assert (WsgiInputStream(stream).read(1), WsgiInputStream(stream).readlines()) == (
        b"a",
        [b"\n", b"b\n", b"c"],
    )
    stream.close()
    with pytest.raises(BadRequest):
        WsgiInputStream(stream).read(1)
