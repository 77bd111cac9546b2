"""A process beside another: begun anew when it dies, and never left behind."""

import logging
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app import supervision
from app.supervision import Supervisor
from tests.waiting import wait_until

WORKER = """
import sys, threading
from app.supervision import call_at_end_of_input
over = threading.Event()
call_at_end_of_input(over.set)
if sys.argv[1:]:
    print("waits", flush=True)
over.wait(600)
"""
LINE = (sys.executable, "-c", WORKER)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "FIRST_PAUSE", 0.05)


def lives(pid: int) -> bool:
    with suppress(OSError):
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_a_killed_process_is_started_again_and_the_log_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    with Supervisor("worker", LINE) as supervisor:
        first = supervisor.pid
        assert first
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: supervisor.pid not in {None, first})
        second = supervisor.pid
    assert second
    assert not lives(second)
    assert caplog.messages == [
        f"worker {first} started",
        f"worker {first} died (SIGKILL); starting another after 0.05 s",
        f"worker {second} started",
    ]


def test_the_pause_grows_for_who_dies_again_and_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(supervision, "LONGEST_PAUSE", 0.2)
    caplog.set_level(logging.ERROR, "app")
    with Supervisor("worker", (sys.executable, "-c", "raise SystemExit(3)")):
        wait_until(lambda: len(caplog.messages) >= 5)
    pauses = [float(line.split()[-2]) for line in caplog.messages[:5]]
    assert pauses == [0.05, 0.1, 0.2, 0.2, 0.2]
    assert "died (exit 3);" in caplog.messages[0]


def test_a_process_that_cannot_be_started_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    with Supervisor("worker", ("/nowhere/at/all",)):
        wait_until(lambda: len(caplog.messages) >= 3)
    assert all("worker could not be started" in said for said in caplog.messages)


def test_the_log_has_utc_times_levels_and_process_ids() -> None:
    line = "from app.supervision import start_log, _log; start_log(); _log.info('hello')"
    env = os.environ | {"TZ": "Asia/Tokyo"}
    done = subprocess.run(
        [sys.executable, "-c", line], env=env, capture_output=True, text=True, check=True
    )
    found = re.fullmatch(r"(\S+Z) INFO \[\d+\] app.supervision: hello\n", done.stderr)
    assert found, done.stderr
    written = datetime.strptime(found[1], "%Y-%m-%dT%H:%M:%S%z")
    assert abs(datetime.now(UTC) - written) < timedelta(hours=1), "not the time of Tokyo"


def test_who_does_not_end_when_told_is_ended_by_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "PATIENCE", 0.2)
    stubborn = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "sys.stdout.write('.'); sys.stdout.flush(); time.sleep(600)"
    )
    with Supervisor("worker", (sys.executable, "-c", stubborn)) as supervisor:
        pid = supervisor.pid
        time.sleep(0.5)
    assert pid
    assert not lives(pid)


def test_it_ends_with_a_supervisor_that_was_killed() -> None:
    supervise = (
        "import sys, time\n"
        "from app.supervision import Supervisor\n"
        "with Supervisor('worker', sys.argv[1:]) as one:\n"
        "    print(one.pid, flush=True); time.sleep(600)\n"
    )
    command = [sys.executable, "-c", supervise, *LINE, "aloud"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        said = {parent.stdout.readline().strip() for _ in range(2)}
        assert "waits" in said, "it ended by itself"
        (worker,) = map(int, said - {"waits"})
        assert lives(worker)
        parent.kill()
    wait_until(lambda: not lives(worker))


def test_a_fork_of_the_supervisor_ends_nobody() -> None:
    supervise = (
        "import os, sys\n"
        "from app.supervision import Supervisor\n"
        "with Supervisor('worker', sys.argv[1:]) as one:\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        sys.exit(0)\n"
        "    os.waitpid(child, 0)\n"
        "    os.kill(one.pid, 0)\n"
        "    print('lives')\n"
    )
    command = [sys.executable, "-c", supervise, *LINE]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "lives\n"
