"""Fetching from servers that behave, and from others, over loopback."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.outside.http_fetcher import Fetcher, FetchFailed, HttpOrigin, origin_of

LARGEST = 1_000_000
Answering = Callable[[socket.socket, bytes], None]


@contextmanager
def serving(answer: Answering) -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def speak(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            received = b""
            while not over.is_set():
                piece = connection.recv(65536)
                if not piece:
                    return
                received += piece
                while b"\r\n\r\n" in received:
                    head, _, received = received.partition(b"\r\n\r\n")
                    answer(connection, head)

    def listen() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=speak, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        over.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(10)


def replying(*replies: bytes) -> Answering:
    def answer(connection: socket.socket, _head: bytes) -> None:
        for reply in replies:
            connection.sendall(reply)
        if b"content-length" not in b"".join(replies).lower():
            connection.shutdown(socket.SHUT_RDWR)

    return answer


def whole(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def fetch(
    url: str, largest: int = LARGEST, timeout: float = 20.0, deadline: float = 20.0
) -> tuple[int, bytes]:
    pieces: list[bytes] = []
    with Fetcher(timeout=timeout, deadline=deadline) as fetcher:
        status = fetcher(url, pieces.append, largest)
    return status, b"".join(pieces)


@pytest.mark.parametrize(
    "reply",
    [
        whole(b"bytes"),
        whole(b"bytes", "200 OK", "Content-Encoding: identity"),
        b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nbytes",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbyt\r\n2\r\nes\r\n0\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" + whole(b"bytes"),
    ],
)
def test_the_bytes_of_an_answer_are_handed_on(reply: bytes) -> None:
    with serving(replying(reply)) as url:
        assert fetch(url) == (200, b"bytes")


def test_an_empty_answer_is_an_answer() -> None:
    with serving(replying(whole(b""))) as url:
        assert fetch(url) == (200, b"")


def test_large_bytes_come_in_pieces() -> None:
    body = b"0123456789" * 100_000
    pieces: list[bytes] = []
    with serving(replying(whole(body))) as url, Fetcher() as fetcher:
        assert fetcher(url, pieces.append, len(body)) == 200
    assert len(pieces) > 10
    assert b"".join(pieces) == body


@pytest.mark.parametrize("status", ["404 Not Found", "503 Away", "204 Nothing", "206 Part"])
def test_of_another_status_nothing_is_handed_on(status: str) -> None:
    with serving(replying(whole(b"", status))) as url:
        assert fetch(url) == (int(status[:3]), b"")


def test_the_request_says_what_is_asked_and_nothing_of_who_asks() -> None:
    heads: list[bytes] = []

    def answer(connection: socket.socket, head: bytes) -> None:
        heads.append(head)
        connection.sendall(whole(b""))

    with serving(answer) as url:
        fetch(f"{url}/a/b?c=%2F#d")
        fetch(f"{url}?e")
    asked, *headers = heads[0].decode().split("\r\n")
    assert asked == "GET /a/b?c=%2F HTTP/1.1"
    assert sorted(headers) == [
        "Accept-Encoding: identity",
        f"Host: {url.removeprefix('http://')}",
        "User-Agent: urn-registry",
    ]
    assert heads[1].startswith(b"GET /?e HTTP/1.1\r\n")


def test_the_connection_stays_open_between_fetches() -> None:
    connections: set[int] = set()

    def answer(connection: socket.socket, _head: bytes) -> None:
        connections.add(connection.fileno())
        connection.sendall(whole(b"x"))

    with serving(answer) as url, Fetcher() as fetcher:
        for _ in range(9):
            assert fetcher(url, bytes, LARGEST) == 200
    assert len(connections) == 1


def test_a_connection_that_was_closed_meanwhile_is_opened_anew() -> None:
    def answer(connection: socket.socket, _head: bytes) -> None:
        connection.sendall(whole(b"x"))
        connection.shutdown(socket.SHUT_RDWR)

    with serving(answer) as url, Fetcher() as fetcher:
        for _ in range(3):
            assert fetcher(url, bytes, LARGEST) == 200
            time.sleep(0.05)


def test_redirects_are_followed_on_the_same_server() -> None:
    def answer(connection: socket.socket, head: bytes) -> None:
        path = head.split()[1]
        steps = {b"/a": "/b", b"/b": f"http://{host}/c/", b"/c/": "d"}
        if path in steps:
            connection.sendall(whole(b"moved", "302 Found", f"Location: {steps[path]}"))
        else:
            connection.sendall(whole(path))

    with serving(answer) as url:
        host = url.removeprefix("http://")
        assert fetch(f"{url}/a") == (200, b"/c/d")


@pytest.mark.parametrize(
    ("location", "why"),
    [
        ("http://127.0.0.1:1/", "another server"),
        ("http://localhost/", "another server"),
        ("//example.org/", "another server"),
        ("https://127.0.0.1/", "another server"),
        ("file:///etc/passwd", "http or https"),
        ("http://user@127.0.0.1/", "without a user"),
        ("http://[::1/", "IPv6"),
        ("http://127.0.0.1:x/", "Port"),
        ("javascript:0", "http or https"),
        ("/\xff", "printable ASCII"),
    ],
)
def test_a_redirect_to_elsewhere_is_refused(location: str, why: str) -> None:
    asked = count()

    def answer(connection: socket.socket, _head: bytes) -> None:
        next(asked)
        connection.sendall(whole(b"", "301 Moved", f"Location: {location}"))

    with serving(answer) as url, pytest.raises(FetchFailed, match=why):
        fetch(url)
    assert next(asked) == 1


def test_redirects_without_end_are_refused() -> None:
    asked = count()

    def answer(connection: socket.socket, _head: bytes) -> None:
        connection.sendall(whole(b"", "307 On", f"Location: /{next(asked)}"))

    with serving(answer) as url, pytest.raises(FetchFailed, match="too many times"):
        fetch(url)
    assert next(asked) == 6


def test_a_redirect_without_a_target_is_an_answer_like_others() -> None:
    with serving(replying(whole(b"x", "302 Found"))) as url:
        assert fetch(url) == (302, b"")


def test_more_bytes_than_bargained_for_are_not_asked_for() -> None:
    with (
        serving(replying(whole(b"x" * 11))) as url,
        pytest.raises(FetchFailed, match="11 bytes"),
    ):
        fetch(url, largest=10)


def test_more_bytes_than_bargained_for_are_not_taken() -> None:
    taken: list[bytes] = []

    def answer(connection: socket.socket, _head: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")

    with (
        serving(answer) as url,
        Fetcher() as fetcher,
        pytest.raises(FetchFailed, match="more than 200000"),
    ):
        fetcher(url, taken.append, 200_000)
    assert sum(map(len, taken)) <= 200_000


@pytest.mark.parametrize(
    "reply",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbytes",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbytes\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxx\r\nbytes\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nbytes\r\n0\r\n\r\n",
        b"HTTP/1.0 200 OK\r\n\r\nbytes",
        b"HTTP/1.1 200 OK\r\nContent-",
        b"HTTP/1.1 2000 OK\r\n\r\n",
        b"bytes",
        b"SSH-2.0-x\r\n\r\n",
        b"",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nA: " + b"b" * 70_000 + b"\r\n\r\n",
        whole(b"bytes", "200 OK", "Content-Encoding: gzip"),
    ],
)
def test_what_is_no_whole_answer_is_refused(reply: bytes) -> None:
    def answer(connection: socket.socket, _head: bytes) -> None:
        connection.sendall(reply)
        connection.shutdown(socket.SHUT_RDWR)

    with serving(answer) as url, pytest.raises(FetchFailed) as refusal:
        fetch(url)
    assert refusal.value.url == url


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (b"", b"HTTP/1.1 100 C\r\n\r\n"),
        (b"", b"HTTP/1.1 103 Early\r\nA: " + b"b" * 60_000 + b"\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", b"A: " + b"b" * 60_000 + b"\r\n"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"A: b\r\n"),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"1;a=" + b"b" * 60_000 + b"\r\nx\r\n",
        ),
    ],
    ids=["interim", "early hints", "fields", "trailer", "pieces"],
)
def test_what_stands_around_a_body_is_bounded_as_the_body_is(begin: bytes, more: bytes) -> None:
    taken: list[bytes] = []
    reply = begin + more * (2_000_000 // len(more))
    with (
        serving(replying(reply, b"\r\n" + whole(b""))) as url,
        Fetcher() as fetcher,
        pytest.raises(FetchFailed, match="around its body"),
    ):
        fetcher(url, taken.append, LARGEST)
    assert len(b"".join(taken)) < 9


@pytest.mark.parametrize("status", ["100 Continue", "103 Early Hints", "102 Processing"])
def test_an_interim_answer_is_not_taken_for_the_answer(status: str) -> None:
    early = f"HTTP/1.1 {status}\r\nLocation: /elsewhere\r\n\r\n".encode()
    with serving(replying(early * 2 + whole(b"bytes"))) as url, Fetcher() as fetcher:
        assert fetch(url) == (200, b"bytes")
        assert fetcher.head(url) == (200, None)


def test_the_lengths_of_many_small_pieces_are_no_reason_to_give_up() -> None:
    begin = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    with serving(replying(begin + b"1\r\nx\r\n" * 90_000 + b"0\r\n\r\n")) as url:
        assert fetch(url) == (200, b"x" * 90_000)


def dripping(begin: bytes, drop: bytes) -> Answering:
    def answer(connection: socket.socket, _head: bytes) -> None:
        connection.sendall(begin)
        for _ in range(1_000):
            connection.sendall(drop)
            time.sleep(0.02)

    return answer


@pytest.mark.parametrize(
    "answer",
    [
        dripping(b"HTTP/1.1 ", b"2"),
        dripping(b"HTTP/1.1 200 OK\r\nA: ", b"b"),
        dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n", b"x"),
        dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\nConnection: close\r\n\r\n", b"x"),
        dripping(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    ],
)
def test_a_server_that_drips_is_given_up(answer: Answering) -> None:
    with serving(answer) as url, pytest.raises(FetchFailed, match=r"longer than 0\.3 seconds"):
        fetch(url, deadline=0.3)


def test_a_server_that_drips_one_answer_after_another_is_given_up() -> None:
    def drop(connection: socket.socket, _head: bytes) -> None:
        time.sleep(0.02)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")

    asked = 0
    with serving(drop) as url, Fetcher(deadline=60, lifetime=0.5) as fetch:
        with pytest.raises(FetchFailed, match=r"longer than 0\.5 seconds"):
            for _ in range(10_000):
                fetch(url, lambda _: None, 10)
                asked += 1
        with pytest.raises(FetchFailed, match="longer"):
            fetch(url, lambda _: None, 10)
    assert 0 < asked < 10_000


def test_a_server_that_is_silent_is_given_up() -> None:
    with serving(lambda *_: None) as url:
        with pytest.raises(FetchFailed):
            fetch(url, timeout=0.2)
        with pytest.raises(FetchFailed, match="longer"):
            fetch(url, deadline=0.2)


def test_after_a_failure_the_next_fetch_goes_well() -> None:
    asked = count()

    def answer(connection: socket.socket, _head: bytes) -> None:
        reply = whole(b"x" * 20) if next(asked) % 2 == 0 else whole(b"right")
        connection.sendall(reply)

    pieces: list[bytes] = []
    with serving(answer) as url, Fetcher() as fetcher:
        for _ in range(3):
            with pytest.raises(FetchFailed):
                fetcher(url, pieces.append, 10)
            assert fetcher(url, pieces.append, 10) == 200
    assert pieces == [b"right"] * 3


def test_what_is_left_of_one_answer_is_not_taken_for_the_next() -> None:
    smuggled = whole(b"smuggled")

    def answer(connection: socket.socket, head: bytes) -> None:
        if b"/a" in head:
            connection.sendall(whole(smuggled, "404 Not Found").removesuffix(smuggled))
            time.sleep(0.1)  # so that the head comes alone
            connection.sendall(smuggled)
        else:
            connection.sendall(whole(b"right"))

    pieces: list[bytes] = []
    with serving(answer) as url, Fetcher() as fetcher:
        assert fetcher(f"{url}/a", pieces.append, LARGEST) == 404
        assert fetcher(f"{url}/b", pieces.append, LARGEST) == 200
    assert pieces == [b"right"]


def test_what_goes_wrong_with_the_bytes_here_is_told_as_it_is() -> None:
    def full(_piece: bytes) -> None:
        raise OSError(28, "No space left on device")

    pieces: list[bytes] = []
    with serving(replying(whole(b"bytes"))) as url, Fetcher() as fetcher:
        with pytest.raises(OSError, match="No space") as failure:
            fetcher(url, full, LARGEST)
        assert not isinstance(failure.value, FetchFailed)
        assert fetcher(url, pieces.append, LARGEST) == 200
    assert pieces == [b"bytes"]


def test_nobody_there_is_told_with_the_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(FetchFailed, match=f"127.0.0.1:{port}/x: ConnectionRefused"):
        fetch(f"http://127.0.0.1:{port}/x")


def test_a_server_without_tls_is_not_spoken_to_by_https() -> None:
    with serving(replying(whole(b"bytes"))) as url, pytest.raises(FetchFailed):
        fetch(url.replace("http:", "https:"), timeout=1)


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1/")
    monkeypatch.delenv("no_proxy", raising=False)
    with serving(replying(whole(b"bytes"))) as url:
        assert fetch(url) == (200, b"bytes")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/a",
        "example.org",
        "file:///etc/passwd",
        "ftp://example.org/",
        "data:,x",
        "http:",
        "http:///a",
        "http://:80/",
        "http://user@example.org/",
        "http://user:word@example.org/",
        "http://example.org:x/",
        "http://example.org:99999/",
        "http://[::1/",
        "http://example.org/a b",
        "http://example.org/\r\nA: b",
        "http://example.org/\t",
        "http://example.org\\@127.0.0.1/",
        "http://exämple.org/",
        "http://example.org/ä",
    ],
)
def test_what_is_no_address_of_a_web_server_is_refused(url: str) -> None:
    with pytest.raises(FetchFailed):
        fetch(url)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://example.org", HttpOrigin("http", "example.org", 80)),
        ("HTTPS://Example.ORG/a", HttpOrigin("https", "example.org", 443)),
        ("https://[::1]:8443/?a", HttpOrigin("https", "::1", 8443)),
        ("http://example.org:/", HttpOrigin("http", "example.org", 80)),
    ],
)
def test_an_origin_is_scheme_host_and_port(url: str, origin: HttpOrigin) -> None:
    assert origin_of(url) == origin


@given(st.text(max_size=30))
def test_every_text_has_an_origin_or_is_refused(text: str) -> None:
    with suppress(FetchFailed):
        assert origin_of(f"http://{text}").scheme == "http"
