"""Runs commands in this process."""

import io
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest

from app.cli import main

Run = Callable[..., tuple[int, str, str]]
SetUp = Callable[..., None]


@contextmanager
def unmarked_process() -> Iterator[None]:
    """What is run here leaves this process as it was: as urgent, and ended by a signal.

    The worker makes way for others, which nobody can take back, and ends in its own time.
    """
    kept = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        with patch.object(os, "nice"):
            yield
    finally:
        for one, answer in kept.items():
            signal.signal(one, answer)


@pytest.fixture
def run(
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Iterator[Run]:
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

    with unmarked_process():
        yield run_


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Data folders as ``init`` leaves them, each made when it is asked for."""

    @cache
    def made(*options: str) -> Path:
        folder = tmp_path_factory.mktemp("instance") / "instance"
        with pytest.MonkeyPatch.context() as patched, redirect_stderr(io.StringIO()):
            patched.setenv("URN_REGISTRY_DATA_DIR", str(folder))
            assert main(["init", *options]) == 0
        return folder

    return made


@pytest.fixture
def set_up(folders: Callable[..., Path], run: Run, tmp_path: Path) -> SetUp:
    """Sets the registry of the test up, for tests of what comes after ``init``."""

    def set_up_(*options: str) -> None:
        shutil.copytree(folders(*options), tmp_path / "instance", dirs_exist_ok=True)

    return set_up_
