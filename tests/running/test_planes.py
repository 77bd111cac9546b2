"""Who stalls, and what hangs, keeps nobody from what is published; then all goes on."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import leave_out
from tests.postgresql import PostgreSQL, find_binaries
from tests.running.sites import (
    REGISTRY,
    environment,
    free_port,
    get,
    serving,
    set_up,
    wait_for,
    wait_for_all,
)
from tests.running.stalling import (
    HALF_BODY,
    HALF_HEAD,
    Asker,
    assert_answered,
    held,
    locked,
    sign_in_asker,
    wait_until_taken,
)
from tests.torture.conftest import rounds
from tests.waiting import wait_until

PUBLISHED = ("/", f"{REGISTRY}urn-namespaces.json", "/namespaces/isbn", "/healthz")
IDLE = rounds(4_000, 2_000)  # more than 5,000 are too many for a site
MOST_OF_ONE = 32 * 1024  # octets of memory that an idle connection costs
HALVES = 200
SLOW = 12


class Running(NamedTuple):
    """A site, where it listens, its first process, and how its database is made to hang."""

    port: int
    first: int
    hang: Callable[[], "ExitStack"]


@contextmanager
def _on_sqlite(folder: Path) -> Iterator[Running]:
    port = free_port()
    env = environment(folder, port)
    set_up(env=env, all_names=True)

    def hang() -> ExitStack:
        stack = ExitStack()
        senders = [sign_in_asker(port, f"u{number}@org.example") for number in range(SLOW)]
        askers: list[Asker] = []
        stack.callback(lambda: [asker.wait() for asker in askers])
        stack.enter_context(locked(folder / "registry.sqlite3"))
        askers += [send() for send in senders]
        wait_until_taken(port, askers)
        return stack

    with serving(port, env=env) as first:
        wait_for_all(port, f"{REGISTRY}urn-namespaces.json")
        yield Running(port, first, hang)


@contextmanager
def _on_postgresql(folder: Path) -> Iterator[Running]:
    binaries = find_binaries()
    if binaries is None:
        leave_out("PostgreSQL: no server is installed")
        raise AssertionError
    port = free_port()
    with PostgreSQL(binaries) as server:
        env = environment(folder, port, DATABASE_URL=server.create())
        set_up(env=env, all_names=True)

        def hang() -> ExitStack:
            stack = ExitStack()
            askers: list[Asker] = []
            stack.callback(lambda: [asker.wait() for asker in askers])
            stack.enter_context(server.hanging())
            askers += [Asker(port, "GET", "/requests/") for _ in range(SLOW)]
            wait_until_taken(port, askers)
            return stack

        with serving(port, env=env) as first:
            wait_for_all(port, f"{REGISTRY}urn-namespaces.json")
            yield Running(port, first, hang)


@pytest.fixture(scope="module", params=[_on_sqlite, _on_postgresql], ids=["sqlite", "postgresql"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    """A running site on each kind of database."""
    with request.param(tmp_path_factory.mktemp("planes")) as running:
        yield running


def test_what_is_published_is_answered_while_everything_else_stalls(site: Running) -> None:
    with (
        held(site.port, SLOW, HALF_BODY),
        held(site.port, HALVES, HALF_HEAD),
        site.hang(),
    ):
        assert_answered(site.port, PUBLISHED, 5)
    wait_for(site.port, "/requests/")
    assert sign_in_asker(site.port, "robin@org.example")().wait() == 200


def test_who_finds_every_thread_taken_is_told_when_to_come_again(site: Running) -> None:
    with site.hang():
        more = [Asker(site.port, "GET", "/requests/") for _ in range(3)]
        assert_answered(site.port, ("/healthz",), 3)
    assert {one.wait() for one in more} <= {200, 503}
    assert get(site.port, "/requests/")[0] == 200


@pytest.mark.slow
def test_pages_that_need_a_database_which_stopped_responding_say_so(tmp_path: Path) -> None:
    binaries = find_binaries()
    if binaries is None:
        leave_out("PostgreSQL: no server is installed")
        raise AssertionError
    port = free_port()
    with PostgreSQL(binaries) as server:
        env = environment(tmp_path, port, DATABASE_URL=server.create())
        set_up(env=env)
        with serving(port, "--workers", "1", env=env):
            wait_for(port, "/requests/")
            with server.hanging():
                wait_for(port, "/requests/", b"database_away", 503)
                assert get(port, "/requests/")[1]["Retry-After"]
                wait_for(port, "/readyz", b"the database cannot be reached", 503)
                assert_answered(port, ("/", "/namespaces/isbn"), 1)
            wait_for(port, "/requests/")
            wait_for(port, "/readyz", b'"status":"ready"')


@pytest.mark.slow
def test_idle_connections_cost_memory_alone(site: Running) -> None:
    before = _used(site.first)
    with held(site.port, IDLE):
        assert_answered(site.port, PUBLISHED, 2)
        memory, cpu = _used(site.first)
        time.sleep(2)
        assert _used(site.first)[1] - cpu < 1.0
    assert memory - before[0] < 10 * IDLE * MOST_OF_ONE


def test_what_was_begun_is_answered_when_the_site_is_stopped(tmp_path: Path) -> None:
    port = free_port()
    env = environment(tmp_path, port)
    set_up(env=env)
    with serving(port, "--workers", "1", env=env) as first:
        wait_for(port, "/namespaces/isbn")
        send = sign_in_asker(port, "robin@org.example")
        with locked(tmp_path / "registry.sqlite3"):
            asker = send()
            wait_until_taken(port, [asker])
            os.kill(first, signal.SIGTERM)
            time.sleep(1)  # it has heard of it
        assert asker.wait() == 200


def test_a_process_that_dies_is_started_anew_and_none_outlives_the_first(tmp_path: Path) -> None:
    port = free_port()
    env = environment(tmp_path, port)
    set_up(env=env)
    with serving(port, "--workers", "1", env=env) as first:
        wait_for(port, "/namespaces/isbn")
        (answering,) = _answering(first)
        os.kill(answering, signal.SIGKILL)
        wait_for(port, "/namespaces/isbn")
        (answering,) = _answering(first)
        os.kill(first, signal.SIGKILL)
        _wait_for_end(answering)
    with serving(port, "--workers", "1", env=env):
        wait_for(port, "/namespaces/isbn")


def _children(process: int) -> list[int]:
    below = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(child) for child in below]


def _answering(first: int) -> list[int]:
    """The processes that answer, of those that the first one started."""
    named = ((child, Path(f"/proc/{child}/cmdline").read_bytes()) for child in _children(first))
    return [child for child, words in named if b"spawn_main" in words]


def _wait_for_end(process: int) -> None:
    wait_until(lambda: not Path(f"/proc/{process}").exists())


def _used(first: int) -> tuple[int, float]:
    """The octets of memory and the seconds of CPU of the processes that answer."""
    memory, ticks = 0, 0
    for process in _answering(first):
        memory += int(Path(f"/proc/{process}/statm").read_text().split()[1])
        spent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(spent[11]) + int(spent[12])
    return memory * os.sysconf("SC_PAGE_SIZE"), ticks / os.sysconf("SC_CLK_TCK")
