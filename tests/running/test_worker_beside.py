"""The worker beside a site, as real processes: begun anew, ended with it, told when it is gone."""

import json
import os
import re
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import leave_out
from tests.running.sites import environment, free_port, get, serving, set_up
from tests.torture.conftest import WHOLE
from tests.waiting import wait_until

PROC = Path("/proc")
# to be told by a signal, and not to be: what the console sends is tried by `make torture`
HOW = (signal.SIGTERM, signal.SIGKILL, *((signal.SIGINT,) if WHOLE else ()))


def _parent(pid: int) -> int | None:
    """The parent of a process; None where it is none, or a dead one that nobody looked at."""
    with suppress(OSError):
        state, parent = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[:2]
        return None if state == "Z" else int(parent)
    return None


def _is_worker(pid: int) -> bool:
    with suppress(OSError):
        return b"--supervised" in (PROC / str(pid) / "cmdline").read_bytes()
    return False


def workers_of(server: int) -> list[int]:
    """The workers that a site's first process has beside it."""
    numbers = [int(entry.name) for entry in PROC.iterdir() if entry.name.isdecimal()]
    return [pid for pid in numbers if _parent(pid) == server and _is_worker(pid)]


Site = tuple[int, int, Path]


@contextmanager
def served(folder: Path) -> Iterator[Site]:
    """A site that is served: its port, its first process, and its database."""
    if not PROC.is_dir():
        leave_out("/proc: nothing tells which process has which parent")
    port = free_port()
    env = environment(folder, port)
    set_up("--empty", env=env)
    with serving(port, "--workers", "1", env=env) as server:
        wait_until(lambda: ready(port)["status"] == "ready")
        yield port, server, folder / "registry.sqlite3"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that tests share which leave it as it was, with a worker beside it."""
    with served(tmp_path_factory.mktemp("site")) as found:
        yield found


def ready(port: int) -> dict[str, object]:
    with suppress(OSError):
        found: dict[str, object] = json.loads(get(port, "/readyz")[2])
        return found
    return {"status": "no answer"}


def test_a_worker_that_was_killed_is_there_again_within_seconds(site: Site) -> None:
    _, server, _ = site
    (first,) = workers_of(server)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: workers_of(server) not in ([], [first]))


@pytest.mark.parametrize("how", HOW)
def test_a_worker_ends_with_its_site_however_that_ends(tmp_path: Path, how: signal.Signals) -> None:
    with served(tmp_path) as (_, server, _):
        (worker,) = workers_of(server)
        os.kill(server, how)
        wait_until(lambda: _parent(worker) is None)


@pytest.mark.slow
def test_a_worker_that_stands_still_is_told_after_a_minute(site: Site) -> None:
    port, server, database = site
    wait_until(lambda: ready(port)["status"] == "ready" and workers_of(server))
    (worker,) = workers_of(server)
    os.kill(worker, signal.SIGSTOP)
    try:
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute(  # a minute goes by
                "UPDATE host SET seen = strftime('%Y-%m-%d %H:%M:%f000', seen, '-65 seconds')"
            )
        told: dict[str, Any] = {}  # each process holds what it says for a second

        def is_told() -> bool:
            told.update(ready(port))
            # a process reports no alarm about workers in its first minute
            return bool(told["status"] == "degraded")

        wait_until(is_told)
        assert told["troubles"] == ["worker"]
        # on a busy machine more than one has gone by
        assert re.fullmatch("not seen for (1 minute|[0-9]+ minutes)", told["worker"])
    finally:
        os.kill(worker, signal.SIGCONT)
    wait_until(lambda: ready(port)["status"] == "ready")
