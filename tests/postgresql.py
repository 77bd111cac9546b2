"""A PostgreSQL server for the tests: in a folder of its own, gone afterwards."""

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psycopg
from sqlalchemy import make_url

_LONGEST_ROOT = 40
_numbers = itertools.count(1)


def find_binaries() -> Path | None:
    """The folder of the newest server's programs, if one is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


class PostgreSQL:
    """A server that listens on a socket in its own folder alone."""

    def __init__(self, binaries: Path) -> None:
        self._binaries = binaries
        # the path of a socket is limited to a hundred characters or so
        root = tempfile.gettempdir() if len(tempfile.gettempdir()) < _LONGEST_ROOT else "/tmp"
        self.folder = Path(tempfile.mkdtemp(prefix="pg", dir=root))
        self._as_user: dict[str, Any] = {}
        self._own: psycopg.Connection[Any] | None = None
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as_user = {
                "user": user.pw_uid,
                "group": user.pw_gid,
                "extra_groups": [],
                "cwd": "/",
            }

    def __enter__(self) -> Self:
        options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
        subprocess.run(
            [self._binaries / "initdb", "-D", self.folder / "d", *options],
            check=True,
            stdout=subprocess.DEVNULL,
            **self._as_user,
        )
        self.start()
        return self

    def start(self) -> None:
        """Start the server and wait until it answers."""
        folder = str(self.folder)
        self._server = subprocess.Popen(
            [
                *(str(self._binaries / "postgres"), "-D", f"{folder}/d"),
                # what is committed is written, so that a server that is killed has it afterwards
                *("-k", folder, "-h", "", "-F", "-c", "max_connections=200"),
            ],
            stderr=subprocess.DEVNULL,
            **self._as_user,
        )
        for _ in range(200):
            try:
                self._connect().close()
                return
            except psycopg.OperationalError:
                time.sleep(0.05)
        self.stop()
        raise RuntimeError("PostgreSQL did not start")

    def stop(self) -> None:
        """Stop the server at once, as a crash would."""
        self._leave()
        self._server.kill()
        self._server.wait()

    @property
    def processes(self) -> list[int]:
        """Every process of the server, the one that began the others first."""
        first = self._server.pid
        below = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        return [first, *map(int, below)]

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Let every process of the server stand still: it is there, and answers nothing."""
        processes = self.processes
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._leave()
        self._server.send_signal(signal.SIGINT)  # on SIGTERM it waits for who is connected
        self._server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def create(self, name: str = "", template: str = "template1") -> str:
        """Make a database, a copy of a template, and give its address."""
        name = name or f"t{next(_numbers)}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return f"postgresql+psycopg://postgres@/{name}?host={self.folder}"

    def create_at(self, folder: Path) -> str:
        """Make an empty database whose files lie in a folder, and give its address."""
        name = f"t{next(_numbers)}"
        self._run(f"CREATE TABLESPACE {name} LOCATION '{folder}'")
        self._run(f"CREATE DATABASE {name} TABLESPACE {name}")
        return f"postgresql+psycopg://postgres@/{name}?host={self.folder}"

    def drop(self, url: str) -> None:
        """Take a database away, whoever is connected to it."""
        self._run(f"DROP DATABASE {make_url(url).database} WITH (FORCE)")

    def _run(self, statement: str) -> None:
        """Over one connection that stays: a new one costs as much as most statements."""
        self._own = self._own or self._connect()
        self._own.execute(statement)

    def _leave(self) -> None:
        if self._own is not None:
            self._own.close()
            self._own = None

    def _connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(
            f"postgresql://postgres@/postgres?host={self.folder}", autocommit=True
        )
