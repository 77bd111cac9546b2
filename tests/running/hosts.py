"""Several hosts on one database, behind a proxy that knows no stickiness.

Each host has a data folder, a `serve` and a worker of its own, as on a machine of its own.
"""

import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

from tests.running.proxies import proxy_to
from tests.running.sites import COMMAND, environment, free_port, set_up, wait_for
from tests.waiting import DEADLINE


class Host:
    """A host: it can be started, stopped as an operator would, killed, and started anew."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self.folder, self.env, self.port = folder, env, free_port()
        self.command = COMMAND
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Its first process, which leads the group of them all."""
        assert self._server is not None, "it does not run"
        return self._server.pid

    @property
    def said(self) -> str:
        """What it wrote to its console."""
        return (self.folder / "console").read_text(errors="replace")

    def start(self, *words: str) -> None:
        """Start it; ``wait`` is for it to answer."""
        line = [*self.command, "serve", "--port", str(self.port), "--workers", "1", *words]
        with (self.folder / "console").open("ab") as console:
            self._server = subprocess.Popen(
                line, env=self.env, stdout=console, stderr=console, start_new_session=True
            )

    def wait(self, path: str = "/readyz") -> None:
        """Wait until it answers."""
        wait_for(self.port, path)

    def stop(self) -> int:
        """Stop it gracefully; gives what it exits with."""
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Kill all of its processes, as a power cut would."""
        self._end(signal.SIGKILL)

    def _end(self, by: signal.Signals) -> int:
        if self._server is None:
            return 0
        server, self._server = self._server, None
        with suppress(ProcessLookupError):
            os.killpg(server.pid, by)
        try:
            return server.wait(DEADLINE)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)  # nothing outlives the test


class Hosts:
    """Hosts behind the proxy at ``site``, which scatters requests over those that answer."""

    def __init__(self, hosts: Sequence[Host], site: str, seed: int) -> None:
        self._hosts, self.site = hosts, site
        self._chance, self._turn = Random(seed), threading.Lock()
        self.asked: list[int] = []  # which host each request went to

    def __getitem__(self, n: int) -> Host:
        return self._hosts[n]

    def __iter__(self) -> Iterator[Host]:
        return iter(self._hosts)

    def __len__(self) -> int:
        return len(self._hosts)

    def choose(self) -> str:
        """A host at random; where it takes no connection another one, as proxies do."""
        with self._turn:
            order = self._chance.sample(range(len(self)), len(self))
        found = next((n for n in order if _takes(self[n].port)), order[0])
        with self._turn:
            self.asked.append(found)
        return f"127.0.0.1:{self[found].port}"

    def start(self) -> None:
        """Start all, side by side, and wait until each answers."""
        for host in self:
            host.start()
        for host in self:
            host.wait()


def _takes(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@contextmanager
def hosts(
    folder: Path, count: int = 3, *, database_url: str = "", seed: int = 1, **settings: str
) -> Iterator[Hosts]:
    """So many hosts on one database, each answering, behind one proxy until the block ends.

    Settings are named without their prefix. Without ``database_url`` they share an SQLite file
    beside their folders. The first sets the database up; where it is already, it stays as it is.
    Mail: give ``SMTP_URL`` of a server such as ``tests.outside.test_smtp.Running``.
    """
    with standing(folder, count, database_url=database_url, seed=seed, **settings) as made:
        set_up(env=made[0].env)
        made.start()
        yield made


@contextmanager
def standing(
    folder: Path, count: int = 3, *, database_url: str = "", seed: int = 1, **settings: str
) -> Iterator[Hosts]:
    """The same hosts before any is started, or the database set up."""
    url = database_url or f"sqlite:///{folder / 'shared.sqlite3'}"
    given = {"DATABASE_URL": url, "TRUSTED_PROXIES": "127.0.0.1"} | settings
    port, made = free_port(), []
    for n in range(1, count + 1):
        own = folder / f"host-{n}"
        own.mkdir(parents=True)
        made.append(Host(own, environment(own, port, **given)))
    behind = Hosts(made, f"http://127.0.0.1:{port}", seed)
    try:
        with proxy_to(behind.choose, port):
            yield behind
    finally:
        for host in made:
            host.stop()
