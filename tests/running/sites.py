"""Starts the software's own commands as processes, and reads what they serve."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from http.client import HTTPConnection, HTTPException, HTTPMessage
from pathlib import Path
from typing import Self

import pytest

from app.cli import main
from tests.conftest import few_names
from tests.waiting import DEADLINE, wait_until

PAUSE = 0.02  # seconds between two rounds of a reader, who leaves the processor to what is tried
COMMAND = (sys.executable, "-m", "app.cli")
REGISTRY = "/assignments/urn-namespaces/"


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def environment(folder: Path, port: int, **more: str) -> dict[str, str]:
    """The environment of a registry of the test's own."""
    own = {"DATA_DIR": str(folder), "BASE_URL": f"http://127.0.0.1:{port}", **more}
    return dict(os.environ) | {f"URN_REGISTRY_{name}": value for name, value in own.items()}


def command(*words: str, **settings: dict[str, str]) -> None:
    """Run a command to its end."""
    subprocess.run([*COMMAND, *words], env=settings["env"], check=True)


def set_up(*words: str, env: dict[str, str], all_names: bool = False) -> None:
    """What ``init`` does, in this process: another one would take most of its time to begin.

    The registry has ten of the bundled names, which a site lays out in a tenth of the time, or
    all: then its files are large enough to be asked for in parts.
    """
    with nullcontext() if all_names else few_names(), settings_of(env):
        assert main(["init", *words]) == 0


@contextmanager
def settings_of(env: dict[str, str]) -> Iterator[None]:
    """This process has the settings of another, for what is a command there."""
    with pytest.MonkeyPatch.context() as patched:
        for name, value in env.items():
            if name.startswith("URN_REGISTRY_"):
                patched.setenv(name, value)
        yield


@contextmanager
def serving(port: int, *words: str, env: dict[str, str], ready: str = "/readyz") -> Iterator[int]:
    """A site, from when it answers until the end of the block; gives its first process."""
    line = [*COMMAND, "serve", "--port", str(port), *words]
    server = subprocess.Popen(
        line, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        wait_for(port, ready)
        yield server.pid
    finally:
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)
        server.wait(DEADLINE)


def get(port: int, path: str, **headers: str) -> tuple[int, HTTPMessage, bytes]:
    """What a path is answered with; header names are written with underscores."""
    connection = HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
    try:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", path, headers=sent)
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    finally:
        connection.close()


def get_when_ready(port: int, path: str, **headers: str) -> tuple[int, HTTPMessage, bytes]:
    """Get a path, again as long as the host says that it isn't ready (503)."""
    answers: list[tuple[int, HTTPMessage, bytes]] = []

    def is_ready() -> bool:
        answers.append(get(port, path, **headers))
        return answers[-1][0] != 503

    wait_until(is_ready)
    return answers[-1]


def wait_for(port: int, path: str, holding: bytes = b"", status: int = 200) -> None:
    """Wait until a path is answered with this status and a body that contains these bytes."""

    def is_answered() -> bool:
        with suppress(OSError, HTTPException):
            answered, _, body = get(port, path)
            return answered == status and holding in body
        return False

    wait_until(is_answered)


def wait_for_all(port: int, path: str) -> None:
    """Wait until every process of a site has its first edition, each of which looks by itself."""
    in_a_row = 0
    while in_a_row < 40:
        wait_for(port, path)
        in_a_row = in_a_row + 1 if get(port, path)[0] == 200 else 0


class Readers:
    """People who read these paths again and again, each with what they were answered."""

    def __init__(self, port: int, paths: Sequence[str], count: int = 4) -> None:
        self._port, self._paths = port, paths
        self._over = threading.Event()
        self.answers = 0
        self.wrong: list[object] = []
        self._threads = [threading.Thread(target=self._read) for _ in range(count)]

    def __enter__(self) -> Self:
        """Begin."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self._over.set()
        for thread in self._threads:
            thread.join(DEADLINE)

    def _read(self) -> None:
        while not self._over.wait(PAUSE):
            for path in self._paths:
                try:
                    status, _, body = get(self._port, path)
                    if status != 200 or not body:
                        self.wrong.append((path, status))
                except (OSError, HTTPException) as error:
                    self.wrong.append((path, error))
                self.answers += 1


def names_in(document: bytes) -> list[str]:
    """The names of a registry in JSON."""
    tables = json.loads(document)["tables"]
    return [record["name"] for table in tables for record in table["records"]]
