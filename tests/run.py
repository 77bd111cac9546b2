"""Runs every test, side by side where that is safe, and checks the coverage."""

import sys

import pytest

LEAST_COVERAGE = 85


def main() -> int:
    """Everything but the browser first, with coverage; then the browser alone."""
    covered = ["--cov=app", "--cov-branch", "--cov-report=term:skip-covered", "-q"]
    gate = [f"--cov-fail-under={LEAST_COVERAGE}"]
    first = pytest.main(["-m", "not browser", "-n", "auto", "--maxprocesses", "4", *covered, *gate])
    second = pytest.main(["-m", "browser", "-q", "-p", "no:cacheprovider"])
    return int(first) or int(second)


if __name__ == "__main__":
    sys.exit(main())
