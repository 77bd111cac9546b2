"""What begins as a fork is a process as any other that was begun with the same words."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.running.forked_commands import ForkedCommand
from tests.running.sites import COMMAND

Begin = Callable[..., "subprocess.Popen[Any]"]
BEGIN = pytest.mark.parametrize("begin", [subprocess.Popen, ForkedCommand], ids=["fresh", "forked"])
TELL = """
import json, os, random, signal, sys, tempfile, threading
from pathlib import Path
line = Path("/proc/self/cmdline").read_bytes().rstrip(bytes(1)).split(bytes(1))
print(json.dumps({
    "words": sys.argv, "line": [word.decode() for word in line], "name": __name__,
    "environment": dict(os.environ), "folder": os.getcwd(), "path": sys.path[0],
    "scratch": tempfile.gettempdir(), "leads": os.getsid(0) == os.getpid(),
    "files": sorted(int(one) for one in os.listdir("/proc/self/fd"))[:-1],
    "signals": [str(signal.getsignal(one)) for one in (2, 13, 15, 17)],
    "threads": threading.active_count(), "blocked": [*signal.pthread_sigmask(0, [])],
    "given": sys.stdin.read(),
}))
print(random.random())
sys.stderr.write("said apart")
sys.exit(3)
"""


def _told(begin: Begin, folder: Path) -> tuple[dict[str, Any], str]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    env = {"TMPDIR": str(folder), "LANG": "C.UTF-8", "OF_THE_TEST": "ä"}
    line = [sys.executable, "-c", TELL, "a word", "--option"]
    with begin(
        line, env=env, cwd=folder, text=True, encoding="utf-8", start_new_session=True, **pipes
    ) as process:
        out, err = process.communicate("what comes in")
    assert (process.returncode, err) == (3, "said apart")
    first, chance = out.splitlines()
    return json.loads(first), chance


def test_a_forked_process_is_what_a_fresh_one_is(tmp_path: Path) -> None:
    fresh, chance = _told(subprocess.Popen, tmp_path)
    forked, other = _told(ForkedCommand, tmp_path)
    assert forked == fresh
    assert (forked["given"], forked["files"]) == ("what comes in", [0, 1, 2])
    assert other not in {chance, _told(ForkedCommand, tmp_path)[1]}, "each has chance of its own"


@BEGIN
def test_it_is_told_how_one_ended(begin: Begin) -> None:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    codes = [
        begin([sys.executable, "-c", code], **quiet).wait(60)
        for code in ("pass", "raise SystemExit(7)", "raise ValueError")
    ]
    with begin([sys.executable, "-c", "import time; time.sleep(60)"]) as endless:
        assert endless.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            endless.wait(0.1)
        endless.kill()
    assert [*codes, endless.returncode] == [0, 7, 1, -signal.SIGKILL]


@BEGIN
def test_a_command_says_what_it_says_to_people(begin: Begin) -> None:
    line = [*COMMAND, "ark", "normalize", "ARK:/12345/x-5"]
    with begin(line, stdout=subprocess.PIPE, text=True) as process:
        out, _ = process.communicate()
    assert (process.returncode, json.loads(out)["normal_form"]) == (0, "ark:12345/x5")
