"""The processes of a host: what memory they have, what of the processor they took."""

import math
import os
import time
from collections.abc import Iterator
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_WORKER = b"worker"
_LOOK, _IDLE, _PATIENCE = 4, 0.15, 120  # seconds


def group_of(leader: int) -> Iterator[int]:
    """The processes that a host consists of."""
    for one in Path("/proc").iterdir():
        if one.name.isdigit():
            try:
                if os.getpgid(int(one.name)) == leader:
                    yield int(one.name)
            except ProcessLookupError:
                continue


def is_worker(pid: int) -> bool:
    """Whether a process sends and builds, and answers nobody."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return _WORKER in words


def megabytes(pid: int) -> float:
    """What a process has in memory for itself, and its share of what it has with others."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


def processor_seconds(pid: int) -> float:
    """What a process took, with those that it started and waited for."""
    after = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, after[11:15])) / _TICKS


def memory(leaders: list[int]) -> dict[str, float]:
    """Megabytes of all hosts together, by what the processes do."""
    found = {"servers": 0.0, "workers": 0.0}
    for leader in leaders:
        for pid in group_of(leader):
            found["workers" if is_worker(pid) else "servers"] += megabytes(pid)
    return found


def wait_for_workers(leaders: list[int]) -> None:
    """Until the workers are through with what stood before the day."""
    until, before = time.monotonic() + _PATIENCE, math.inf
    while time.monotonic() < until:
        now = sum(processor_seconds(pid) for one in leaders for pid in group_of(one))
        if now - before < _IDLE * len(leaders):
            return
        before = now
        time.sleep(_LOOK)


def spent(leaders: list[int]) -> float:
    """Processor seconds of what answers, without the workers beside it."""
    return sum(
        processor_seconds(pid)
        for leader in leaders
        for pid in group_of(leader)
        if not is_worker(pid)
    )
