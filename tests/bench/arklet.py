"""Arklet, a peer that gives ARKs and leads on by them, in processes of its own.

``make peers`` installs it apart from all else. It runs as its authors say, under gunicorn's
threads, on a database of its own; its legacy keys are used, for which it asks the database once
less.
"""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.bench.servers import ROOT, Worker, started

PYTHON = ROOT / ".venv-peers/bin/python"
NAAN, SHOULDER = "10099", "x6"
BOUND = 1_000

_SETTINGS = """
from arklet.entrypoints.settings import *
DATABASES = {{"default": {database!r}}}
if "sqlite" in DATABASES["default"]["ENGINE"]:
    MIGRATION_MODULES = {{"ark": None}}  # its migrations know PostgreSQL alone
"""
_GUNICORN = """
import json, sys
def post_worker_init(worker):
    told = {"pid": worker.pid, "port": worker.sockets[0].getsockname()[1]}
    sys.stdout.write(json.dumps(told) + "\\n")
    sys.stdout.flush()
"""
_FILLED = f"""
import django, json
django.setup()
from arklet.ark.models import Ark, Key, Naan
naan = Naan.objects.create(naan={NAAN}, name="A library", description="", url="https://a.example")
arks = [f"{NAAN}/{SHOULDER}bound{{number}}" for number in range({BOUND})]
to = "https://repository.example/items/"
Ark.objects.bulk_create(
    Ark(ark=ark, naan=naan, shoulder="/{SHOULDER}", url=f"{{to}}{{at}}")
    for at, ark in enumerate(arks)
)
print(json.dumps({{"key": str(Key.objects.create(naan=naan, active=True).key), "arks": arks}}))
"""
_MINTED = f"""
import django, io, sys, time
django.setup()
from django.core.management import call_command
from arklet.ark.models import Ark, Naan
naan, count = Naan.objects.get(), int(sys.argv[2])
began = time.process_time()
if sys.argv[1] == "all":
    call_command("mintarks", str(count), "{NAAN}", "/{SHOULDER}", stdout=io.StringIO())
else:
    for _ in range(count):
        Ark.objects.mint(naan, "/{SHOULDER}", "", "", "")
print(time.process_time() - began)
"""


class RunningArklet(NamedTuple):
    """Arklet as it answers, with the names that are bound there and the key to mint others."""

    worker: Worker
    key: str
    arks: list[str]
    environment: Mapping[str, str]

    def minting(self) -> bytes:
        """A request for a new name."""
        asked = {"naan": int(NAAN), "shoulder": f"/{SHOULDER}"}
        body = json.dumps(asked).encode()
        fields = ("host: 127.0.0.1", "content-type: application/json")
        more = (f"authorization: Bearer {self.key}", f"content-length: {len(body)}")
        return "\r\n".join(["POST /mint HTTP/1.1", *fields, *more, "", ""]).encode() + body

    def mint_alone(self, count: int, *, at_once: bool) -> float:
        """Seconds of CPU in which it gives names without HTTP: one by one, or by its command."""
        how = "all" if at_once else "one"
        return float(_run(["-c", _MINTED, how, str(count)], self.environment))


def is_installed() -> bool:
    """Whether there is anything to compare with."""
    return PYTHON.exists()


@contextmanager
def running_arklet(folder: Path, database: Mapping[str, str]) -> Iterator[RunningArklet]:
    """Arklet with its files in a folder, on a database that is empty."""
    (folder / "arklet_of_bench.py").write_text(_SETTINGS.format(database=dict(database)))
    (folder / "gunicorn_of_bench.py").write_text(_GUNICORN)
    own = {"DJANGO_SETTINGS_MODULE": "arklet_of_bench", "PYTHONPATH": str(folder)}
    environment = os.environ | own
    _run(["-m", "django", "migrate", "--run-syncdb", "--verbosity", "0"], environment)
    made = json.loads(_run(["-c", _FILLED], environment))
    line = [
        *("env", *(f"{name}={value}" for name, value in own.items())),
        *(str(PYTHON), "-m", "gunicorn", "--config", f"{folder}/gunicorn_of_bench.py"),
        *("--bind", "127.0.0.1:0", "--worker-class", "gthread", "--threads", "4"),
        *("--keep-alive", "60", "--log-level", "critical", "--no-control-socket"),
        "arklet.entrypoints.wsgi:application",
    ]
    with started(line) as worker:
        yield RunningArklet(worker, made["key"], made["arks"], environment)


def _run(line: list[str], environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        [str(PYTHON), *line], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout
