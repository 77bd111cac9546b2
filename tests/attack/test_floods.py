"""A server that is flooded with what costs most goes on for everybody else, and stays small."""

import os
import re
import threading
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

from app.front.bounded_pool import THREADS
from app.outside.work_queue import AT_ONCE, WAITING
from tests.attack.costs import sent
from tests.running.sites import environment, free_port, get, serving, set_up, wait_for_all

MOST_GROWTH = 100 * 1024  # kilobytes


def test_one_thread_of_a_server_is_left_while_work_is_done_and_waits() -> None:
    assert AT_ONCE + WAITING < THREADS


def _login(port: int) -> dict[str, str]:
    """What a form of the server's own takes: the cookie of a browser and its proof."""
    _, headers, body = get(port, "/tools/urn", Accept="text/html")
    found = re.search(rb'name="csrf_token"[^>]*value="([^"]+)"', body)
    assert found is not None
    return {"Cookie": headers["Set-Cookie"].split(";")[0], "X-CSRFToken": found[1].decode()}


def _flood(port: int, headers: dict[str, str], statuses: list[int]) -> None:
    """Send what costs most, one after another."""
    for then in ("", "jsonl"):
        tried = sent("file", b"u\n" * 2_400_000, file=True, then=then)
        connection = HTTPConnection("127.0.0.1", port, timeout=120)
        connection.request(
            "POST", "/tools/urn", tried.body, headers | {"Content-Type": tried.content_type}
        )
        answer = connection.getresponse()
        answer.read()
        statuses.append(answer.status)
        connection.close()


def _resident(first: int) -> int:
    """The kilobytes that the processes of a session have in memory."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ProcessLookupError):
            if os.getsid(int(folder.name)) == first:
                held = re.search(r"VmRSS:\s+([0-9]+)", (folder / "status").read_text())
                total += int(held[1]) if held else 0
    return total


@pytest.mark.slow
def test_a_server_stays_small_and_answers_readers_while_its_tools_are_flooded(
    tmp_path: Path,
) -> None:
    port = free_port()
    env = environment(tmp_path, port)
    set_up(env=env)
    with serving(port, "--workers", "1", env=env) as first:
        wait_for_all(port, "/namespaces/isbn")
        headers, statuses = _login(port), list[int]()
        before, most = _resident(first), 0
        threads = [
            threading.Thread(target=_flood, args=(port, headers, statuses)) for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            assert get(port, "/namespaces/isbn")[0] == 200
            most = max(most, _resident(first))
    assert len(statuses) == 12
    assert set(statuses) <= {200, 422, 503}
    assert most - before < MOST_GROWTH
