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
    def set_up_(*options: str) -> None:
        shutil.copytree(folders(*options), tmp_path / "instance", dirs_exist_ok=True)

    return set_up_
