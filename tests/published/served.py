"""The published plane alone under gunicorn, as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from wsgiref.types import WSGIApplication

from app.published.plane import PublishedPlane
from tests.published.wsgi_site import PublishedWsgi

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = "FOLDER_OF_THE_TEST"


def site() -> WSGIApplication:
    """What gunicorn is told to serve."""
    return PublishedWsgi(PublishedPlane(Path(os.environ[FOLDER])))


def post_worker_init(worker: Any) -> None:
    """Gunicorn's hook: tell where to ask."""
    sys.stdout.write(f"{worker.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()


@contextmanager
def under_gunicorn(folder: Path) -> Iterator[int]:
    """The port of a server of one worker, with threads as on the real site."""
    name = "tests.published.served"
    command = [
        *(sys.executable, "-m", "gunicorn", "--config", f"python:{name}", "--no-control-socket"),
        *("--bind", "127.0.0.1:0", "--worker-class", "gthread", "--threads", "4"),
        *("--log-level", "critical", f"{name}:site()"),
    ]
    environ = {**os.environ, FOLDER: str(folder)}
    with subprocess.Popen(
        command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()
