"""Bodies of a hundred megabytes against a real server: refused at once, and never kept."""

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.waiting import DEADLINE, wait_until
from tests.web.conftest import MakeWorld

pytestmark = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)

MEGABYTE = b"x" * 2**20
_GO_ON = b"HTTP/1.1 100 Continue\r\n\r\n"
_SERVE = """
import sys
from pathlib import Path
from functools import partial
from app.config import Settings
from app.factory import create_asgi
from app.front.processes import answer_until_stopped, open_socket
settings = Settings(data_dir=Path(sys.argv[1]), secret_key="of a test")
host, port = sys.argv[2].split(":")
answer_until_stopped(partial(create_asgi, settings), open_socket(host, int(port)), 1)
"""


@dataclass(frozen=True)
class Server:
    """A server with one process that answers."""

    address: tuple[str, int]
    pid: int

    def send(self, head: str, body: Iterable[bytes] = ()) -> str:
        """Send a request as far as the server takes it; return the first line of the answer."""
        with _connected(self.address) as connection:
            lines = head.replace("\n", "\r\n")
            connection.sendall(f"{lines}\r\nHost: x\r\nAccept: text/html\r\n\r\n".encode())
            try:
                for part in body:
                    connection.sendall(part)
            except OSError:
                pass  # it has heard enough
            return _first_line(connection)

    @property
    def memory(self) -> int:
        """The most that the process ever held, in megabytes."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) // 1024


def _connected(address: tuple[str, int]) -> socket.socket:
    def connection() -> socket.socket | None:
        try:
            return socket.create_connection(address, timeout=DEADLINE)
        except OSError:
            return None

    return wait_until(connection)


def _first_line(connection: socket.socket) -> str:
    answer = b""
    try:
        while not answer.removeprefix(_GO_ON):
            answer += connection.recv(4096)
    except OSError:
        return "reset"
    return answer.removeprefix(_GO_ON).partition(b"\r\n")[0].decode()


def _free_address() -> tuple[str, int]:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        host, port = one.getsockname()
        return host, port


@pytest.fixture(scope="module")
def server(make_world: MakeWorld, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running site."""
    folder, address = tmp_path_factory.mktemp("served"), _free_address()
    make_world(folder)
    command = [sys.executable, "-c", _SERVE, str(folder), "{}:{}".format(*address)]
    arbiter = subprocess.Popen(command)
    try:
        server = Server(address, _process_that_answers(arbiter.pid))
        for path in ("/", "/requests/", "/sign-in", "/nowhere"):
            server.send(f"GET {path} HTTP/1.1")
        yield server
    finally:
        arbiter.send_signal(signal.SIGTERM)
        arbiter.wait(DEADLINE)


def _process_that_answers(arbiter: int) -> int:
    def pid() -> int:
        children = Path(f"/proc/{arbiter}/task/{arbiter}/children").read_text().split()
        for child in children:
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
        return 0

    return wait_until(pid)


FORM = "Content-Type: application/x-www-form-urlencoded"
HUNDRED = f"Content-Length: {100 * 2**20}"
CHUNKED = "Transfer-Encoding: chunked"


@pytest.mark.parametrize("length", [HUNDRED, CHUNKED])
@pytest.mark.parametrize(
    "kind", [FORM, "Content-Type: multipart/form-data; boundary=b", "Content-Type: a/b"]
)
@pytest.mark.parametrize("path", ["/sign-in", "/requests/new", "/nowhere", "/"])
def test_a_hundred_megabytes_are_refused_at_once_and_not_kept(
    server: Server, path: str, kind: str, length: str
) -> None:
    before = server.memory
    part = MEGABYTE if length == HUNDRED else b"100000\r\n" + MEGABYTE + b"\r\n"
    line = server.send(f"POST {path} HTTP/1.1\n{kind}\n{length}", (part for _ in range(100)))
    assert line == "reset" or int(line.split()[1]) in {404, 405, 413, 415}
    assert server.memory - before < 20


@pytest.mark.parametrize("length", [HUNDRED, "Expect: 100-continue\n" + HUNDRED])
def test_a_length_alone_is_enough_to_be_refused(server: Server, length: str) -> None:
    line = server.send(f"POST /sign-in HTTP/1.1\n{FORM}\n{length}")
    assert "413" in line


def test_a_body_that_comes_with_a_read_is_not_kept_either(server: Server) -> None:
    before = server.memory
    for length in (HUNDRED, CHUNKED):
        server.send(f"GET /requests/ HTTP/1.1\n{length}", (MEGABYTE for _ in range(100)))
    assert server.memory - before < 20


def test_the_server_goes_on_afterwards(server: Server) -> None:
    for head in (
        "GET /?q=" + "x" * 10_000 + " HTTP/1.1",
        f"POST /sign-in HTTP/1.1\n{FORM}\nContent-Length: -1",
        f"POST /sign-in HTTP/1.1\n{FORM}\nContent-Length: 5\n{CHUNKED}",
        "GET / HTTP/1.1\nX: " + "x" * 100_000,
        "nonsense",
    ):
        server.send(head)
    assert server.send("GET /requests/ HTTP/1.1") == "HTTP/1.1 200 OK"
