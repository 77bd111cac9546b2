"""A run with faults: whatever happens to a process or a host, `/readyz` and the log say so."""

import json
import os
import re
import signal
import socket
import sqlite3
import sys
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from tests.running.hosts import Host, standing
from tests.running.sites import get, set_up, settings_of
from tests.running.stalling import locked, sign_in_asker
from tests.waiting import DEADLINE, wait_until

# A process that hangs is replaced after some seconds, for nobody waits half a minute in a test.
SOON = "from app.front import processes; processes.HEALTHY = 10"
COMMAND = (sys.executable, "-c", f"{SOON}; import sys; from app.cli import main; sys.exit(main())")
LOG_LINE = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (INFO|WARNING|ERROR) \[\d+\] app\.\S+: \S.*"
)


def ready(host: Host) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        found: dict[str, Any] = json.loads(get(host.port, "/readyz")[2])
        return found
    return {"status": "no answer"}


def web_process(host: Host) -> int:
    """The web process that the log names last."""
    return int(re.findall(r"web process started: .*, process (\d+)", host.said)[-1])


def wait_for_replacement(host: Host, pid: int, why: str) -> None:
    told = rf"ERROR .*: web process {pid} {why}; started process \d+ instead"
    wait_until(lambda: re.search(told, host.said))
    wait_until(lambda: web_process(host) != pid and ready(host)["status"] == "ready")


def command(host: Host, *words: str) -> tuple[int, str]:
    """Run a command as on that host, in this process: another would take long to begin."""
    said = StringIO()
    with settings_of(host.env), redirect_stdout(said), redirect_stderr(said):
        return main([*words]), said.getvalue()


@pytest.mark.slow
def test_what_happens_to_processes_and_hosts_is_in_the_log_and_in_readyz(tmp_path: Path) -> None:
    with standing(tmp_path, 2) as (one, two):
        set_up("--empty", env=one.env)
        one.command = COMMAND
        for host in (one, two):
            host.start()
        wait_until(lambda: ready(one)["status"] == ready(two)["status"] == "ready")
        what = rf"urn-registry \S+ \((commit|fingerprint) \S+\) at 127\.0\.0\.1:{one.port}"
        assert re.search(rf"serve started: {what}, process {one.pid}, 1 web process", one.said)
        assert re.search(rf"web process started: {what}, process \d+", one.said)
        assert re.search(r"INFO .*: worker \d+ started", one.said)
        assert re.search(r"worker started: urn-registry \S+ \(\S+ \S+\), process \d+", one.said)

        pid = web_process(one)
        os.kill(pid, signal.SIGKILL)
        wait_for_replacement(one, pid, r"died \(SIGKILL\)")
        pid = web_process(one)
        os.kill(pid, signal.SIGSTOP)
        wait_for_replacement(one, pid, r"hung for \d+ s and was killed")

        with locked(tmp_path / "shared.sqlite3"):
            ask = sign_in_asker(one.port, "robin@org.example")
            assert {asker.wait() for asker in [ask() for _ in range(3)]} == {503}
        refused = re.findall(r"WARNING .*refused with 503 (\S+) .*", one.said)
        assert refused, one.said
        assert len(refused) == len({*refused}), "one line for each class"

        two.kill()
        gone = (two.folder / "host-id").read_text()
        with closing(sqlite3.connect(tmp_path / "shared.sqlite3", timeout=DEADLINE)) as database:
            with database:  # a minute goes by
                database.execute(
                    "UPDATE host SET seen = strftime('%Y-%m-%d %H:%M:%f000', seen, '-65 seconds') "
                    "WHERE id = ?",
                    (gone,),
                )
            wait_until(lambda: ready(one).get("troubles of", {}).get("other hosts"))
            told = ready(one)
            assert (told["status"], told["troubles"]) == ("ready", [])
            assert told["troubles of"]["other hosts"] == ["worker"]
            assert told["hosts"] == {"seen": 1, "not seen": 1, "behind": 0}

            code, said = command(one, "hosts", "forget", socket.gethostname())
            assert (code, gone in said) == (1, True), "both have the name of this machine"
            assert command(one, "hosts", "forget", gone)[0] == 0
            wait_until(lambda: ready(one)["hosts"]["not seen"] == 0)
            assert ready(one)["troubles of"]["other hosts"] == []

            one.stop()
            assert database.execute("SELECT count(*) FROM host").fetchone() == (0,)
        assert re.search("INFO .*: serve stopped", one.said)
        assert re.search("INFO .*: worker stopped", one.said)
        logged = [line for line in one.said.splitlines() if " app." in line]
        assert [line for line in logged if not LOG_LINE.fullmatch(line)] == []
