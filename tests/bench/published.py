"""What an answer of the published plane costs, beside a raw callable and a Flask view.

Each figure is worker CPU per request as a ratio, the median of interleaved rounds, with
the ratio of the raw callable against itself beside it. Under gunicorn, each subject runs
in a worker of its own, asked over loopback on one connection. In process, the server is
left out, so that only the difference between the subjects is seen.
"""

import ctypes
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask

from app.published.plane import Published
from tests.bench import growth
from tests.published.bundles import PAGE, SESSION, XML, call, environ_of, pack

ROOT = Path(__file__).resolve().parent.parent.parent
ROUNDS = 8
CALLS = 1_000  # in process, a subject and round
REQUESTS = 300  # under gunicorn, a subject and round
SMALL = "/namespaces/isbn"
JSON = "/assignments/urn-namespaces/urn-namespaces.json"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
CODINGS = "gzip, deflate, br, zstd"


class Case(NamedTuple):
    """One request: of which path, taking encoded forms or not, with the ETag or without."""

    path: str
    takes: bool = False
    knows: bool = False


CASES: Mapping[str, Case] = {
    "registry page, 200": Case(PAGE),
    "registry page in Brotli, 200": Case(PAGE, takes=True),
    "registry page in Brotli, 304": Case(PAGE, takes=True, knows=True),
    "JSON, 200": Case(JSON),
    "JSON in Brotli, 200": Case(JSON, takes=True),
    "JSON, 304": Case(JSON, knows=True),
    "XML, 200": Case(XML),
    "XML in Brotli, 200": Case(XML, takes=True),
    "XML in Brotli, 304": Case(XML, takes=True, knows=True),
    "namespace page of 2 kB in Brotli, 200": Case(SMALL, takes=True),
}


def text(row: str, length: int) -> bytes:
    """Rows that differ as those of a registry do, and are as long together."""
    words = (sha256(str(number).encode()).hexdigest()[:16] for number in count())
    rows = (row.format(word).encode() for word in words)
    made = b""
    while len(made) < length:
        made += next(rows)
    return made


ROW = "<tr><td>{0}</td><td>{0}-template</td><td>[RFC8141]</td></tr>\n"
RECORD = "<record><name>{0}</name><xref type='rfc' data='rfc8141'/></record>\n"
MEMBER = '{{"name": "{0}", "references": [{{"type": "rfc", "data": "rfc8141"}}]}},\n'
BODIES = {
    PAGE: ("text/html; charset=utf-8", text(ROW, 60_000)),
    SMALL: ("text/html; charset=utf-8", text(ROW, 2_000)),
    XML: ("application/xml; charset=utf-8", text(RECORD, 40_000)),
    JSON: ("application/json", text(MEMBER, 60_000)),
}
RULE = (PAGE, (PAGE, JSON, XML))
GUNICORN = (
    *(sys.executable, "-m", "gunicorn", "--config", f"python:{__spec__.name}"),
    *("--bind", "127.0.0.1:0", "--worker-class", "gthread", "--threads", "4"),
    *("--keep-alive", "60", "--log-level", "critical", "--no-control-socket"),
)


def published(folder: Path, _case: str) -> WSGIApplication:
    """The published plane, from a bundle."""
    return Published(folder, None, SESSION)


def raw(folder: Path, case: str) -> WSGIApplication:
    """A callable that knows one answer: the floor."""
    answer = call(published(folder, case), environ_for(folder, case))
    status, headers, body = f"{answer.status} Known", list(answer.headers.items()), answer.body

    def application(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response(status, headers)
        return (body,)

    return application


def flask(folder: Path, case: str) -> WSGIApplication:
    """A Flask view that returns the same and does nothing else."""
    answer = call(published(folder, case), environ_for(folder, case))
    application = Flask(__name__)
    application.add_url_rule(
        CASES[case].path, "view", lambda: (answer.body, answer.status, answer.headers)
    )
    return application


SUBJECTS: Mapping[str, Callable[[Path, str], WSGIApplication]] = {
    "published": published,
    "raw callable": raw,
    "raw callable again": raw,
    "Flask view": flask,
}


class Worker(NamedTuple):
    """A gunicorn worker with one connection to it."""

    cpu_clock: int
    connection: socket.socket

    def cpu(self) -> float:
        """The seconds of CPU it has used."""
        return time.clock_gettime(self.cpu_clock)


def site(subject: str, folder: str, case: str) -> WSGIApplication:
    """What gunicorn is told to serve."""
    return SUBJECTS[subject](Path(folder), case)


def post_worker_init(worker: Any) -> None:
    """Gunicorn's hook: tell who can be measured, and where to ask."""
    port = worker.sockets[0].getsockname()[1]
    sys.stdout.write(json.dumps({"pid": worker.pid, "port": port}) + "\n")
    sys.stdout.flush()


@contextmanager
def serving(subject: str, folder: Path, case: str) -> Iterator[Worker]:
    """One subject in a process of its own."""
    command = f"{__spec__.name}:site({subject!r}, {str(folder)!r}, {case!r})"
    with subprocess.Popen(
        [*GUNICORN, command], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            told = json.loads(process.stdout.readline())
            with socket.create_connection(("127.0.0.1", told["port"]), 60) as connection:
                yield Worker(cpu_clock_of(told["pid"]), connection)
        finally:
            process.terminate()


def cpu_clock_of(pid: int) -> int:
    """The clock of another process's CPU, for ``time.clock_gettime``."""
    clock = ctypes.c_int()
    if ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock)):
        raise ProcessLookupError(pid)
    return clock.value


def headers_for(folder: Path, case: str) -> dict[str, str]:
    """What a browser would send with the request of a case."""
    path, takes, knows = CASES[case]
    headers = {"accept": BROWSER} | ({"accept_encoding": CODINGS} if takes else {})
    if knows:
        answer = call(published(folder, case), environ_of(path, **headers))
        headers["if_none_match"] = answer.headers["ETag"]
    return headers


def environ_for(folder: Path, case: str) -> WSGIEnvironment:
    """The request of a case as a server hands it on."""
    return environ_of(CASES[case].path, **headers_for(folder, case))


def request_for(folder: Path, case: str) -> bytes:
    """The request of a case as a browser's connection would carry it."""
    headers = {"host": "127.0.0.1", **headers_for(folder, case)}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([f"GET {CASES[case].path} HTTP/1.1", *lines, "", ""]).encode()


def fetch(connection: socket.socket, request: bytes) -> None:
    """Send one request and read its answer to the end."""
    connection.sendall(request)
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(1 << 20)
    head, _, body = received.partition(b"\r\n\r\n")
    left = _content_length(head) - len(body)
    while left > 0:
        left -= len(connection.recv(1 << 20))


def _content_length(head: bytes) -> int:
    for line in head.lower().splitlines():
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0


def under_gunicorn(worker: Worker, request: bytes) -> float:
    """Seconds of worker CPU per request."""
    before = worker.cpu()
    for _ in range(REQUESTS):
        fetch(worker.connection, request)
    return (worker.cpu() - before) / REQUESTS


def in_process(application: WSGIApplication, environ: WSGIEnvironment) -> float:
    """Seconds of CPU per call."""

    def start_response(*_: Any) -> Any:
        return None

    before = time.process_time()
    for _ in range(CALLS):
        for _piece in application(environ, start_response):
            pass
    return (time.process_time() - before) / CALLS


def rounds_of(measures: Mapping[str, Callable[[], float]]) -> list[dict[str, float]]:
    """Each subject's cost, round by round, each in turn the first; one round warms up."""
    names = list(measures)
    rounds = []
    for _ in range(ROUNDS + 1):
        rounds.append({name: measures[name]() for name in names})
        names.append(names.pop(0))
    return rounds[1:]


def rows_of(where: str, case: str, rounds: list[dict[str, float]]) -> Iterator[tuple[str, str]]:
    """The ratios of one case, in words and figures."""

    def ratio(peer: str, subject: str) -> float:
        return median(costs[peer] / costs[subject] for costs in rounds)

    own = median(costs["published"] for costs in rounds) * 1e6
    itself = ratio("raw callable", "raw callable again")
    for peer in ("raw callable", "Flask view"):
        value = f"{ratio(peer, 'published'):.2f} (itself {itself:.2f}, {own:.1f} µs)"
        yield f"{where}: {case}, rate against a {peer}", value


def run() -> Iterator[tuple[str, str]]:
    """Every figure of the published plane."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        pack(BODIES, codings=["br", "zstd", "gzip"], negotiated=(RULE,)).lay_out(folder)
        for case in CASES:
            yield from rows_of("gunicorn", case, _rounds_under_gunicorn(folder, case))
            yield from rows_of("in process", case, _rounds_in_process(folder, case))


def _rounds_under_gunicorn(folder: Path, case: str) -> list[dict[str, float]]:
    request = request_for(folder, case)
    with ExitStack() as stack:
        workers = {
            subject: stack.enter_context(serving(subject, folder, case)) for subject in SUBJECTS
        }
        measures = {name: partial(under_gunicorn, it, request) for name, it in workers.items()}
        return rounds_of(measures)


def _rounds_in_process(folder: Path, case: str) -> list[dict[str, float]]:
    environ = environ_for(folder, case)
    made = {subject: make(folder, case) for subject, make in SUBJECTS.items()}
    return rounds_of({name: partial(in_process, it, environ) for name, it in made.items()})


def main() -> None:
    """Print every figure."""
    for label, figure in chain(run(), growth.run()):
        sys.stdout.write(f"{label}: {figure}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
