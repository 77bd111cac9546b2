"""What an answer of the published plane costs, beside a raw callable and a Flask view.

Each figure is worker CPU per request as a ratio, the median of interleaved rounds, with
the ratio of the raw callable against itself beside it. Served, each subject runs in a worker of
its own, asked over loopback on one connection: what is published as the site serves it, a raw
callable under uvicorn as it is (the floor), a Flask view under gunicorn's threads. In process,
the servers are left out, so that only the difference between the subjects is seen.
"""

import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast
from wsgiref.types import WSGIApplication

from flask import Flask
from werkzeug.test import EnvironBuilder

from app.factory import create_asgi_of_copy
from app.front.asgi import AsgiApplication
from app.published.http.http_exchange import HttpRequest
from app.published.plane import PublishedPlane
from tests.bench import growth
from tests.bench.servers import GUNICORN, Worker, answer_by_uvicorn, fetch, started
from tests.published.bundles import PAGE, XML, Answer, call, pack, request_of

ROUNDS = 8
CALLS = 1_000  # in process, a subject and round
REQUESTS = 300  # served, a subject and round
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


def fields_of(case: str, etag: str = "") -> dict[str, str]:
    """What a browser would send with the request of a case."""
    _, takes, knows = CASES[case]
    fields = {"accept": BROWSER} | ({"accept_encoding": CODINGS} if takes else {})
    return fields | ({"if_none_match": etag} if knows else {})


def request_for(folder: Path, case: str) -> HttpRequest:
    """The request of a case."""
    path, site = CASES[case].path, PublishedPlane(folder)
    etag = call(site, request_of(path, **fields_of(case))).headers["ETag"]
    return request_of(path, **fields_of(case, etag))


def octets_of(request: HttpRequest) -> bytes:
    """A request as a connection carries it."""
    lines = [f"{name}: {value}" for name, value in request.headers.items()]
    return "\r\n".join([f"GET {request.target} HTTP/1.1", *lines, "", ""]).encode()


def answer_for(folder: Path, case: str) -> Answer:
    """What is answered in a case."""
    return call(PublishedPlane(folder), request_for(folder, case))


def published(folder: Path, _case: str) -> AsgiApplication:
    """What is published, as it is served alone."""
    return create_asgi_of_copy(folder)


def raw(folder: Path, case: str) -> AsgiApplication:
    """A callable that knows one answer: the floor."""
    answer = answer_for(folder, case)
    headers = [(name.lower().encode(), value.encode()) for name, value in answer.headers.items()]
    start = {"type": "http.response.start", "status": answer.status, "headers": headers}

    async def application(_scope: Any, _receive: Any, send: Any) -> None:
        await send(start)
        await send({"type": "http.response.body", "body": answer.body})

    return application


def flask(folder: str, case: str) -> WSGIApplication:
    """A Flask view that returns the same and does nothing else."""
    answer = answer_for(Path(folder), case)
    application = Flask(__name__)
    application.add_url_rule(
        CASES[case].path, "view", lambda: (answer.body, answer.status, answer.headers)
    )
    return application


BY_UVICORN: Mapping[str, Callable[[Path, str], AsgiApplication]] = {
    "published": published,
    "raw callable": raw,
    "raw callable again": raw,
}
PEERS = ("raw callable", "Flask view")


def command_of(subject: str, folder: Path, case: str) -> list[str]:
    """What serves a subject."""
    if subject == "Flask view":
        return [*GUNICORN, f"{__spec__.name}:flask({str(folder)!r}, {case!r})"]
    return [sys.executable, "-m", __spec__.name, subject, str(folder), case]


def served(worker: Worker, request: bytes) -> float:
    """Seconds of worker CPU per request."""
    return worker.cost(request, REQUESTS)


def in_process(run: Callable[[], object]) -> float:
    """Seconds of CPU per call."""
    before = time.process_time()
    for _ in range(CALLS):
        run()
    return (time.process_time() - before) / CALLS


def through(application: AsgiApplication, request: HttpRequest) -> Callable[[], object]:
    """Answer a request without a server; whoever waits for something is no answer from memory."""
    headers = [(name.encode(), value.encode()) for name, value in request.headers.items()]
    scope: dict[str, Any] = {"type": "http", "method": "GET", "http_version": "1.1"}
    scope |= {"raw_path": request.path.encode(), "query_string": b"", "headers": headers}
    scope["client"] = ("127.0.0.1", 1)

    async def receive() -> dict[str, Any]:
        raise AssertionError("It reads a body.")

    async def send(_message: Any) -> None:
        return None

    def run() -> None:
        try:
            cast(Coroutine[Any, Any, None], application(dict(scope), receive, send)).send(None)
        except StopIteration:
            return
        raise AssertionError("It waits.")

    return run


def through_flask(application: WSGIApplication, request: HttpRequest) -> Callable[[], object]:
    """Answer a request with a WSGI application, without a server."""
    environ = EnvironBuilder(request.path, headers=list(request.headers.items())).get_environ()
    return lambda: list(application(dict(environ), lambda *_: lambda _: None))


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
    for peer in PEERS:
        value = f"{ratio(peer, 'published'):.2f} (itself {itself:.2f}, {own:.1f} µs)"
        yield f"{where}: {case}, rate against a {peer}", value


def run() -> Iterator[tuple[str, str]]:
    """Every figure of the published plane."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        pack(BODIES, codings=["br", "zstd", "gzip"], negotiated=(RULE,)).lay_out(folder)
        for case in CASES:
            yield from rows_of("served", case, _rounds_served(folder, case))
            yield from rows_of("in process", case, _rounds_in_process(folder, case))


def _rounds_served(folder: Path, case: str) -> list[dict[str, float]]:
    request = octets_of(request_for(folder, case))
    with ExitStack() as stack:
        workers = {
            subject: stack.enter_context(started(command_of(subject, folder, case)))
            for subject in (*BY_UVICORN, "Flask view")
        }
        for subject, worker in workers.items():
            status = fetch(worker.connection, request).split()[1]
            assert status == (b"304" if CASES[case].knows else b"200"), subject
        return rounds_of({name: partial(served, it, request) for name, it in workers.items()})


def _rounds_in_process(folder: Path, case: str) -> list[dict[str, float]]:
    request = request_for(folder, case)
    calls = {name: through(make(folder, case), request) for name, make in BY_UVICORN.items()}
    calls["Flask view"] = through_flask(flask(str(folder), case), request)
    return rounds_of({name: partial(in_process, call) for name, call in calls.items()})


def main() -> None:
    """Print every figure; with a subject, a folder and a case, serve that."""
    if len(sys.argv) > 1:
        _, subject, folder, case = sys.argv
        application = BY_UVICORN[subject](Path(folder), case)
        answer_by_uvicorn(application, bounded=subject == "published")
        return
    for label, figure in chain(run(), growth.run()):
        sys.stdout.write(f"{label}: {figure}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
