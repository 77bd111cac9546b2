"""Runs every test, side by side where that is safe, and checks the coverage."""

import os
import shutil
import sys
from pathlib import Path

import pytest

LEAST_COVERAGE = 85
MEMORY = Path("/dev/shm")
ROOM = 8 * 2**30


def write_to_memory() -> None:
    """Let tests write to memory where there is room.

    Nothing that they promise is about the disk, which takes most of the time of those that
    make thousands of small files or a database of their own.
    """
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ["TMPDIR"] = str(MEMORY)


def compile_once() -> None:
    """Let Python keep what it compiled: tests start dozens of processes, each of which would anew."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def main() -> int:
    """Everything but the browser first, with coverage; then two browsers, each with its site."""
    write_to_memory()
    compile_once()
    covered = ["--cov=app", "--cov-branch", "--cov-report=term:skip-covered", "-q"]
    gate = [f"--cov-fail-under={LEAST_COVERAGE}"]
    first = pytest.main(["-m", "not browser", "-n", "auto", "--maxprocesses", "4", *covered, *gate])
    second = pytest.main(["-m", "browser", "-n", "2", "-q", "-p", "no:cacheprovider"])
    return int(first) or int(second)


if __name__ == "__main__":
    sys.exit(main())
