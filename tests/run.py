"""Run every test or a part, in parallel where that is safe."""

import os
import resource
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")
TESTS = Path(__file__).parent
ROOM = 8 * 2**30


def write_to_memory() -> None:
    """Let tests write to memory where there is room.

    Nothing that they promise is about the disk, which takes most of the time of those that
    make thousands of small files or a database of their own.
    """
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ["TMPDIR"] = str(MEMORY)


def compile_once() -> None:
    """Let Python keep what it compiled: tests start many processes, each of which needs it."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def _files_with(mark: str) -> list[str]:
    """The files in which a mark stands: each process would look through all tests for it."""
    files = sorted(TESTS.rglob("test_*.py"))
    return [str(file) for file in files if f"pytest.mark.{mark}" in file.read_text()]


class ProcessorTime:
    """What each stage takes of the processors, by user and by system, to be told at the end.

    Counted is what this process spends and every process below it that was waited for: those
    that run tests, the servers and commands that these start, PostgreSQL and Chromium among
    them. What a test kills without waiting for it, such as the children of a server that dies,
    is missing.
    """

    def __init__(self) -> None:
        self._stages: dict[str, float] = {}

    @contextmanager
    def counted(self, stage: str) -> Iterator[None]:
        """What is done in the block is of this stage."""
        before = _spent()
        yield
        self._stages[stage] = _spent() - before

    def __str__(self) -> str:
        rows = [*self._stages.items(), ("together", sum(self._stages.values()))]
        return "\n".join(f"{seconds:7.0f} s of CPU {stage}" for stage, seconds in rows)


def _spent() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(kind)[:2]) for kind in kinds)


def main() -> int:
    """Run most tests, then those that measure costs, then two browsers, each with its site.

    Arguments name a part, as pytest takes them.
    """
    write_to_memory()
    compile_once()
    time = ProcessorTime()
    code = _run_part(sys.argv[1:], time) if sys.argv[1:] else _run_all(time)
    sys.stdout.write(f"{time}\n")
    return code


_SIDE_BY_SIDE = ("-n", "auto", "--maxprocesses", "4", "--dist", "worksteal", "-q")


def _run_part(part: list[str], time: ProcessorTime) -> int:
    with time.counted("some tests"):
        return int(pytest.main([*part, *_SIDE_BY_SIDE]))


def _run_all(time: ProcessorTime) -> int:
    with time.counted("most tests"):
        first = pytest.main(["-m", "not browser and not cost", *_SIDE_BY_SIDE])
    with time.counted("what measures costs"):
        second = pytest.main(["-m", "cost", *_SIDE_BY_SIDE, *_files_with("cost")])
    browsers = ["-n", "2", "--dist", "loadfile", "-q", "-p", "no:cacheprovider"]
    with time.counted("browsers"):
        third = pytest.main(["-m", "browser", *browsers, *_files_with("browser")])
    return int(first) or int(second) or int(third)


if __name__ == "__main__":
    sys.exit(main())
