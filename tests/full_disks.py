"""Disks without free space: of a database as a test has it, or a real one that is mounted."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from flask import has_app_context
from sqlalchemy import Engine, event

from app.store.database import db

_FILL = "fill"


@contextmanager
def no_new_pages() -> Iterator[None]:
    """No database of SQLite gets a new page in this block, as on a full disk."""

    def limit(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # SQLite takes those that are there

    _reconnect()
    event.listen(Engine, "connect", limit)
    try:
        yield
    finally:
        event.remove(Engine, "connect", limit)
        _reconnect()


def _reconnect() -> None:
    if has_app_context():  # else each command connects anew
        db.session.remove()
        db.engine.dispose()


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """A disk of this size, in a folder of its own; the test skips where none can be mounted."""
    with TemporaryDirectory(dir="/dev/shm", prefix="disk") as name:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", name]
        if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
            pytest.skip("no disk can be mounted here")
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", "--lazy", name], check=True)


def fill(disk: Path) -> None:
    """Take all the space that is left."""
    size = 1 << 20
    with (disk / _FILL).open("ab", buffering=0) as file:
        while size:
            try:
                file.write(bytes(size))
            except OSError:
                size //= 2


def free(disk: Path) -> None:
    """Give back what ``fill`` took."""
    (disk / _FILL).unlink()
