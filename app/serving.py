"""Running the software: setting up, serving with gunicorn, working beside it."""

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import WSGIApplication

from gunicorn.app.base import BaseApplication
from gunicorn.http.body import ChunkedReader

from app import worker
from app.config import Settings, is_loopback
from app.exports.place import Place
from app.factory import (
    asset_dir,
    create_app,
    create_application,
    made_by,
    now,
    require_loopback,
    secret_key,
)
from app.front import Front
from app.outside import smtp
from app.outside.fetching import Fetcher
from app.pages.site import Site
from app.published.plane import Published
from app.services import database, demo, publishing, registry
from app.services.mirroring import mirror
from app.services.publishing import Making
from app.services.registry import Plan
from app.web.shell import public_shell

# Where the processor is short, people are answered first: to build an edition takes seconds of
# it on each host, and nobody waits for it at a page.
WORKER_YIELDS = 10
THREADS = 4  # of a process; more than work and wait in its queue, so that one is left for readers


def initialize(settings: Settings, *, empty: bool = False) -> Plan | None:
    """Make or migrate the database, load the registry where there is none, make its files.

    They are laid out by the worker, which knows how the site is served.
    """
    app = create_app(settings)
    with app.app_context():
        database.migrate(asset_dir("migrations"))
        plan = registry.initialize(settings.notice, now(), empty=empty)
        publishing.build_pending(None, place_of(settings))
        database.let_go()
    return plan


def work_of(settings: Settings) -> worker.Work:
    """What the worker needs, from the settings."""
    return worker.Work(
        folder=settings.published_dir,
        making=Making(
            site=Site(asset_dir("templates")),
            chrome=public_shell(settings),
            static=asset_dir("static"),
            place=place_of(settings),
            made_by=made_by(settings),
        ),
        secret=secret_key(settings),
        sender=settings.mail_from,
        reply_to=settings.reply_address,
        now=now,
        deliver=delivery(settings),
    )


def place_of(settings: Settings) -> Place:
    """Where the registry is published."""
    return Place(settings.base_url)


def delivery(settings: Settings) -> Callable[[EmailMessage], None] | None:
    """How mail leaves: by the server that is set, or on loopback onto the console."""
    if settings.smtp_url:
        return partial(smtp.send, smtp_url=settings.smtp_url)
    if is_loopback(urlsplit(settings.base_url).hostname):
        return _print
    return None


def _print(message: EmailMessage) -> None:
    body = message.get_content()
    sys.stdout.write(f"\n--- mail to {message['To']}: {message['Subject']}\n{body}---\n")
    sys.stdout.flush()


def work(settings: Settings) -> None:
    """Work until stopped by a signal."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    going = True

    def stop(_signal: int, _frame: object) -> None:
        nonlocal going
        going = False

    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, stop)
    os.nice(WORKER_YIELDS)
    with create_app(settings).app_context():
        worker.run(work_of(settings), lambda: going)


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn comes without types
    """gunicorn with an application of ours, configured from here and not from its command line."""

    def __init__(self, make: Callable[[], WSGIApplication], options: dict[str, Any]) -> None:
        self._make, self._options = make, options
        super().__init__()

    def load_config(self) -> None:
        """Take the options."""
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The application, made in each process that answers, so that none shares a connection."""
        return self._make()


def serve(settings: Settings, host: str, port: int, workers: int) -> int:
    """Serve the site, with one worker beside it, until stopped."""
    require_loopback(settings, host)
    with create_app(settings).app_context():
        try:
            database.require_current(asset_dir("migrations"))
        except database.NotSetUp as error:
            sys.stderr.write(f"{error}\n")
            return 2
        demo.end_sessions(now())
        if settings.demo:
            demo.add_people(now())
        database.let_go()
    command = [sys.executable, "-m", "app.cli", "worker"]
    beside = subprocess.Popen(command, env=_environment(settings))  # noqa: S603 — our own command
    options = server_options(host, port, workers) | {"on_exit": lambda _server: beside.terminate()}
    sys.stderr.write(way_to(settings.base_url, host, port))
    try:
        Server(lambda: create_application(settings), options).run()
    finally:
        beside.terminate()
    return 0


def way_to(base_url: str, host: str, port: int) -> str:
    """Where the registry is; of a site on loopback also where its links do not lead."""
    said = f"The registry is at {base_url}\n"
    meant = urlsplit(base_url)
    if not is_loopback(meant.hostname) or meant.port == port:
        return said
    here = f"http://{host}:{port}"
    return (
        f"{said}It listens at {here}. Set URN_REGISTRY_BASE_URL={here} to lead its links there.\n"
    )


def serve_published(folder: Path, host: str, port: int, workers: int) -> int:
    """Serve a bundle alone, with neither a database nor anybody who signs in, until stopped."""
    if not folder.is_dir():
        sys.stderr.write(f"{folder}: there is no such folder. Give one that a registry laid out.\n")
        return 2
    address = host if ":" not in host else f"[{host}]"
    sys.stderr.write(f"What {folder} holds is at http://{address}:{port}\n")
    Server(
        lambda: Front(Published(folder), "", demo=False), server_options(host, port, workers)
    ).run()
    return 0


def server_options(host: str, port: int, workers: int) -> dict[str, Any]:
    """How gunicorn is to answer at an address."""
    return {
        "bind": f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
        "workers": workers,
        "threads": THREADS,
        "worker_class": "gthread",
        "accesslog": None,
        "control_socket_disable": True,
        # No header of a client's moves the site to another path, nor says that it came by TLS.
        "forwarder_headers": "",
        "forwarded_allow_ips": "",
        "secure_scheme_headers": {},
        "header_map": "drop",
        "post_request": _close_what_is_unread,
    }


def _close_what_is_unread(_worker: object, request: Any, *_: object) -> None:
    """Answer nothing more by a connection where the next request may not begin where it seems.

    gunicorn reads what the application left of a body once the answer is sent, and where a chunk
    is broken it sends a second one.
    """
    if isinstance(request.body.reader, ChunkedReader) and request.body.reader.parser is not None:
        request.body.failed = True


def follow(source_url: str, folder: Path, *, mend: bool) -> int:
    """Copy what another registry publishes into a folder; gives its edition.

    Raises what ``mirror`` raises.
    """
    with Fetcher() as fetch:
        return mirror(source_url, folder, fetch, mend=mend)


def _environment(settings: Settings) -> dict[str, str]:
    demo_mode = {"URN_REGISTRY_DEMO": "yes"} if settings.demo else {}
    return dict(os.environ) | demo_mode
