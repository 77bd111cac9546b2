"""What a page of Flask's own costs through the front, beside the same under gunicorn's threads.

Worker CPU per request as a ratio, the median of interleaved rounds, with gunicorn against itself
beside it. The published plane before Flask is empty in both, so that every request falls through.
"""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from wsgiref.types import WSGIApplication

from flask import Flask

from app.front.admission import Admission
from app.front.asgi import AsgiFront
from app.front.gateway import WsgiGateway
from app.front.wsgi import WsgiFront
from app.published.plane import PublishedPlane
from tests.bench.published import rounds_of
from tests.bench.servers import GUNICORN, answer_by_uvicorn, started
from tests.published.wsgi_site import PublishedWsgi

REQUESTS = 300  # a subject and round
BODY = b"<!doctype html><title>A page</title>" + b"<p>Words of the page.</p>\n" * 56
REQUEST = b"GET /page HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nCookie: a=b\r\n\r\n"
ADMISSION = Admission("http://127.0.0.1", demo=False)


def flask() -> WSGIApplication:
    """A view that does nothing else."""
    application = Flask(__name__)
    application.add_url_rule("/page", "page", lambda: BODY)
    return application


def wsgi(folder: str) -> WSGIApplication:
    """What gunicorn is told to serve."""
    published = PublishedPlane(Path(folder), True)
    return WsgiFront(PublishedWsgi(published, flask()), ADMISSION)


def asgi(folder: str) -> AsgiFront:
    """What uvicorn is told to serve."""
    return AsgiFront(PublishedPlane(Path(folder), True), ADMISSION, WsgiGateway(flask()))


def run() -> Iterator[tuple[str, str]]:
    """The figure of the front."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        gunicorn = [*GUNICORN, f"{__spec__.name}:wsgi({folder!r})"]
        commands = {
            "front": [sys.executable, "-m", __spec__.name, folder],
            "gunicorn": gunicorn,
            "gunicorn again": gunicorn,
        }
        workers = {name: stack.enter_context(started(line)) for name, line in commands.items()}
        rounds = rounds_of(
            {name: partial(one.cost, REQUEST, REQUESTS) for name, one in workers.items()}
        )

    def ratio(subject: str) -> float:
        return median(costs["gunicorn"] / costs[subject] for costs in rounds)

    own = median(costs["front"] for costs in rounds) * 1e6
    value = f"{ratio('front'):.2f} (itself {ratio('gunicorn again'):.2f}, {own:.0f} µs)"
    yield "Flask's own page of 1.5 kB, rate through the front against gunicorn's threads", value


if __name__ == "__main__":
    answer_by_uvicorn(asgi(sys.argv[1]), bounded=True)
