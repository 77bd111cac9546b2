"""What a redirect of a name costs, beside a bare Flask view that returns a constant one.

Worker CPU per request as a ratio, the median of interleaved rounds, each subject in a worker of its
own, asked over loopback on one connection: names as the site resolves them, a Flask view under
gunicorn's threads. One name is asked for again and again, whose answer is known after the first
time; and names of which none comes twice, each of which is judged and led on anew.
"""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from wsgiref.types import WSGIApplication

from flask import Flask, redirect
from werkzeug.wrappers import Response

from app.factory import create_asgi_of_copy
from app.registration.profiles.profile_records import (
    Resolution,
    ResolutionService,
    Resolvability,
    ServiceKind,
)
from app.resolution.namespace_rules import NamespaceRules
from tests.bench.published import BROWSER, rounds_of
from tests.bench.servers import GUNICORN, Worker, answer_by_uvicorn, fetch, started
from tests.published.rules import bundle_of, shipped_rules

REQUESTS = 300  # a subject and round
NAMES = {
    "of an ISBN, again": "isbn:9789510184356",
    "of an RFC, again": "ietf:rfc:2141",
    "of OIDs, each once": "oid:1.3.6.1.{}",
    "of RFCs, each once": "ietf:rfc:{}",
}
SIZES = {"105 namespaces": 0, "100,000 namespaces": 100_000}
SERVICE = ResolutionService(kind=ServiceKind.LOCATION, target="https://names.example/{+nss}")
MADE = NamespaceRules(
    name="made",
    resolution=Resolution(resolvability=Resolvability.RESOLVED, services=(SERVICE,)),
)


def rules(more: int) -> Iterator[NamespaceRules]:
    """The shipped namespaces, and so many more with a service each."""
    yield from shipped_rules()
    for number in range(more):
        yield replace(MADE, name=f"made-{number}")


def request_for(urn: str) -> bytes:
    """A request for a name as a browser sends it."""
    lines = (f"GET /urn:{urn} HTTP/1.1", "host: 127.0.0.1", f"accept: {BROWSER}")
    return "\r\n".join([*lines, "accept-language: en-GB,en;q=0.5", "", ""]).encode()


def flask() -> WSGIApplication:
    """A view that does nothing but lead to one address."""
    application = Flask(__name__)

    @application.get("/<path:_name>")
    def view(_name: str) -> Response:
        return redirect("https://names.example/isbn", 302)

    return application


def cost_of(worker: Worker, pattern: str, numbers: Iterator[int]) -> float:
    """Seconds of worker CPU for each of so many names; no two are alike in a pattern."""
    requests = [request_for(pattern.format(next(numbers))) for _ in range(REQUESTS)]
    before = worker.cpu()
    for request in requests:
        fetch(worker.connection, request)
    return (worker.cpu() - before) / REQUESTS


def run() -> Iterator[tuple[str, str]]:
    """Every figure of redirects."""
    for size, more in SIZES.items():
        with TemporaryDirectory() as name, ExitStack() as stack:
            bundle_of(rules(more)).lay_out(Path(name))
            own = [sys.executable, "-m", __spec__.name, name]
            bare = [*GUNICORN, f"{__spec__.name}:flask()"]
            commands = {"names": own, "Flask": bare, "Flask again": bare}
            workers = {key: stack.enter_context(started(line)) for key, line in commands.items()}
            for words, pattern in NAMES.items():
                yield f"redirects {words}, {size}", _figure(workers, pattern)


def _figure(workers: dict[str, Worker], pattern: str) -> str:
    numbers = count(1_000_000)
    for name, worker in workers.items():
        status = fetch(worker.connection, request_for(pattern.format(next(numbers)))).split()[1]
        assert status in (b"302", b"303"), name
    rounds = rounds_of(
        {key: partial(cost_of, one, pattern, numbers) for key, one in workers.items()}
    )

    def ratio(subject: str) -> float:
        return median(costs["Flask"] / costs[subject] for costs in rounds)

    own = median(costs["names"] for costs in rounds) * 1e6
    return f"{ratio('names'):.2f} of Flask (itself {ratio('Flask again'):.2f}, {own:.0f} µs)"


def main() -> None:
    """Print the figures; with a folder, answer from what lies there, to be measured."""
    if sys.argv[1:]:
        answer_by_uvicorn(create_asgi_of_copy(Path(sys.argv[1])), bounded=True)
        return
    for label, figure in run():
        sys.stdout.write(f"{label}: {figure}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
