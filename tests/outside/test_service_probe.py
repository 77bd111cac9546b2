"""Asking services that behave, that do not, and that want to lead inside, over loopback."""

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.outside.public_connections import AddressNotPublic, PublicDialer
from app.outside.service_probe import ServiceAnswer, ServiceProbe, answer_of
from tests.outside.test_fetching import replying, serving, whole
from tests.torture.conftest import rounds

OUTSIDE, INSIDE = "127.0.0.1", "127.0.0.2"  # as what they are taken for here
KILL = 20.0  # seconds, a limit that is never reached
LookUp = Callable[[str, int], Sequence[str]]


def outside(_host: str, _port: int) -> Sequence[str]:
    return [OUTSIDE]


def probe(look_up: LookUp = outside, **given: Any) -> ServiceProbe:
    dialer = PublicDialer(look_up, lambda address: address == OUTSIDE)
    return ServiceProbe("urn-registry (+https://registry.example)", dialer=dialer, **given)


def at(url: str, host: str = "service.example", path: str = "/a") -> str:
    return f"http://{host}:{urlsplit(url).port}{path}"


@pytest.mark.parametrize(
    ("reply", "answers", "said"),
    [
        (whole(b"x"), True, "The server answered."),
        (whole(b"", "204 Nothing"), True, "The server answered."),
        (whole(b"", "300 Choose"), True, "The server answered."),
        (whole(b"", "401 Who?"), True, "restricts access"),
        (whole(b"", "403 No"), True, "restricts access"),
        (whole(b"", "429 Slowly"), True, "temporarily unavailable"),
        (whole(b"", "404 Nothing"), False, "not found"),
        (whole(b"", "410 Gone"), False, "not found"),
        (whole(b"", "400 Bad"), False, "rejected the request"),
        (whole(b"", "503 Away"), False, "with an error"),
        (whole(b"", "302 There", "Location: ftp://service.example/"), False, "isn’t a web URL"),
        (whole(b"", "302 There", "Location: http://[1/"), False, "isn’t a web URL"),
        (whole(b"", "302 There", "Location: /a"), False, "too many times"),
        (b"nonsense\r\n\r\n", False, "isn’t HTTP"),
        (b"", False, "without an answer"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000 + b"\r\n\r\n", False, "isn’t HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500 + b"\r\n", False, "isn’t HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nx", True, "The server answered."),
    ],
)
def test_what_comes_is_told_in_words(reply: bytes, answers: bool, said: str) -> None:
    with serving(replying(reply)) as url:
        answer = probe()(at(url))
    assert answer.answers is answers
    assert said in answer.words


def test_the_request_names_the_registry_and_is_no_head() -> None:
    heads: list[bytes] = []

    def answer(connection: socket.socket, head: bytes) -> None:
        heads.append(head)
        connection.sendall(whole(b""))

    with serving(answer) as url:
        assert probe()(at(url, path="/a?b=%2F")).answers
    assert heads[0].startswith(b"GET /a?b=%2F HTTP/1.1\r\nHost: service.example:")
    assert b"User-Agent: urn-registry (+https://registry.example)" in heads[0]


def test_a_redirect_to_another_public_host_is_followed_and_asks_it_by_its_name() -> None:
    asked: list[str] = []

    def look_up(host: str, _port: int) -> Sequence[str]:
        asked.append(host)
        return [OUTSIDE]

    def answer(connection: socket.socket, head: bytes) -> None:
        port = connection.getsockname()[1]
        there = f"Location: http://other.example:{port}/\xc3\xa9 b"
        is_first = b"Host: service.example" in head
        connection.sendall(whole(b"", "302 There", there) if is_first else whole(b"x"))

    with serving(answer) as url:
        assert probe(look_up)(at(url)) == ServiceAnswer(True, "The server answered.", 200)
    assert asked == ["service.example", "other.example"]


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.2:{}/",
        "http://inside.example:{}/",
        "//inside.example:{}/",
        "http://a.example:25",
    ],
)
def test_a_redirect_inside_or_to_another_kind_of_server_is_not_followed(target: str) -> None:
    def look_up(host: str, _port: int) -> Sequence[str]:
        return [OUTSIDE] if host in ("service.example", "a.example") else [INSIDE]

    with serving(replying(whole(b"secret"))) as inside:
        there = f"Location: {target.format(urlsplit(inside).port)}"
        with serving(replying(whole(b"", "307 There", there))) as url:
            answer = probe(look_up)(at(url))
    assert answer.words == ("After a redirect: The address or port isn’t public.")
    assert not answer.answers


@pytest.mark.parametrize("first", [[INSIDE], [OUTSIDE, INSIDE], [INSIDE, OUTSIDE], ["::1"], ["x"]])
def test_a_host_with_one_address_inside_is_not_asked(first: list[str]) -> None:
    with serving(replying(whole(b"secret"))) as url:
        assert "isn’t public" in probe(lambda _host, _port: first)(at(url)).words


def test_a_name_server_that_changes_its_mind_leads_nowhere_else() -> None:
    answers = count()
    with serving(replying(whole(b"x"))) as url:
        asking = probe(lambda _host, _port: [OUTSIDE] if next(answers) == 0 else [INSIDE])
        assert asking(at(url)).answers
        assert next(answers) == 1  # looked up once, for what was looked at is what was asked
        assert "isn’t public" in asking(at(url)).words


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "127.1", "0x7f000001", "0"])
def test_by_its_own_rules_this_machine_is_not_asked(host: str) -> None:
    with serving(replying(whole(b"secret"))) as url:
        answer = ServiceProbe("test")(at(url, host))
    assert not answer.answers
    assert answer.status is None


def test_a_name_server_that_is_silent_is_not_waited_for() -> None:
    over = threading.Event()

    def look_up(_host: str, _port: int) -> Sequence[str]:
        over.wait(KILL)
        return [OUTSIDE]

    assert probe(look_up, timeout=0.05)("http://service.example/") == ServiceAnswer(
        False, "The server didn’t answer in time."
    )
    over.set()


@pytest.mark.parametrize("error", [socket.gaierror(), UnicodeError("label too long")])
def test_a_host_that_nobody_knows_is_told(error: Exception) -> None:
    def look_up(_host: str, _port: int) -> Sequence[str]:
        raise error

    assert probe(look_up)("http://service.example/").words == "The host name has no address."


@contextmanager
def dripping(begin: bytes, drop: bytes) -> Iterator[str]:
    over = threading.Event()
    listener = socket.create_server((OUTSIDE, 0))

    def listen() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection, suppress(OSError):
                    connection.sendall(begin)
                    while not over.wait(0.02):
                        connection.sendall(drop)

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        yield f"://service.example:{listener.getsockname()[1]}/"
    finally:
        over.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(10)


@pytest.mark.parametrize(
    ("scheme", "begin", "drop"),
    [
        ("http", b"HTTP/1.1 200 OK\r\n", b"X"),
        ("http", b"HTTP/1.1 100 Go on\r\n", b"\r\nHTTP/1.1 100 Go on\r\n"),
        ("http", b"", b"H"),
        ("https", b"\x16\x03\x03\x40\x00", b"\x00"),
    ],
)
def test_a_server_that_drips_is_not_waited_for(scheme: str, begin: bytes, drop: bytes) -> None:
    with dripping(begin, drop) as rest:
        answer = probe(timeout=5, deadline=0.3)(scheme + rest)
    assert answer == ServiceAnswer(False, "The server didn’t answer in time.")


def test_a_body_without_an_end_is_not_read() -> None:
    sent: list[int] = []

    def answer(connection: socket.socket, _head: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        until = time.monotonic() + KILL
        with suppress(OSError):
            while time.monotonic() < until:
                sent.append(connection.send(b"x" * 65536))

    with serving(answer) as url:
        assert probe()(at(url)).answers
    assert sum(sent) < 50_000_000


def test_a_server_without_tls_has_no_secure_connection() -> None:
    with dripping(b"SSH-2.0-OpenSSH_9.2\r\n", b"x") as rest:
        assert probe()("https" + rest).words == "The TLS connection failed."


def test_a_port_where_nobody_listens_is_told() -> None:
    with socket.create_server((OUTSIDE, 0)) as listener:
        port = listener.getsockname()[1]
    assert probe()(f"http://service.example:{port}/").words == "The server refused the connection."


@given(st.integers(100, 999))
def test_each_status_is_an_answer_or_none_with_a_sentence(status: int) -> None:
    answer = answer_of(status)
    assert answer.status == status
    assert answer.words.startswith("The server answered")
    assert answer.answers or status >= 400


@settings(max_examples=rounds(60, 15))
@given(st.text(max_size=40), st.sampled_from(["", "http://", "https://a.example/", "http://a:9"]))
def test_no_address_raises_anything(text: str, start: str) -> None:
    def nobody(_host: str, _port: int) -> Sequence[str]:
        raise AddressNotPublic

    answer = probe(nobody)(start + text)
    assert not answer.answers
    assert answer.words.isprintable()
