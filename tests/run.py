"""Runs every test or a part, side by side where that is safe, and checks the coverage."""

import os
import shutil
import sys
from pathlib import Path

import pytest

LEAST_COVERAGE = 85
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


def main() -> int:
    """Most tests first, with coverage; what measures costs; two browsers, each with its site.

    Arguments name a part, as pytest takes them; it has no least coverage.
    """
    write_to_memory()
    compile_once()
    side_by_side = ["-n", "auto", "--maxprocesses", "4", "--dist", "worksteal", "-q"]
    if part := sys.argv[1:]:
        return int(pytest.main([*part, *side_by_side]))
    covered = ["--cov=app", "--cov-branch", "--cov-report=term:skip-covered"]
    gate = [f"--cov-fail-under={LEAST_COVERAGE}"]
    first = pytest.main(["-m", "not browser and not cost", *side_by_side, *covered, *gate])
    # to count what is covered would cost as well
    second = pytest.main(["-m", "cost", *side_by_side, *_files_with("cost")])
    browsers = ["-n", "2", "--dist", "loadfile", "-q", "-p", "no:cacheprovider"]
    third = pytest.main(["-m", "browser", *browsers, *_files_with("browser")])
    return int(first) or int(second) or int(third)


if __name__ == "__main__":
    sys.exit(main())
