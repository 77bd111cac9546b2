"""Runs commands in this process."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Run:
    """Runs a command in this process; gives its code, output and words."""
    monkeypatch.setenv("URN_REGISTRY_DATA_DIR", str(tmp_path / "instance"))

    def run_(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), newline="\n"))
        try:
            code = main(list(arguments))
        except SystemExit as stop:
            code = int(stop.code or 0)
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return code, out.decode(), err.decode()

    return run_
