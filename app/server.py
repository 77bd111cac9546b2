"""Running the software: setting up, serving with uvicorn, working beside it."""

import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlsplit

from app import worker
from app.bundles.given_numbers import GivenNumberFolder
from app.bundles.lease_notes import LeaseNotes
from app.bundles.mirror import mirror_registry
from app.bundles.name_copies import NameCopyWriter
from app.bundles.name_mirror import mirror_names
from app.bundles.resolution_counts import ResolutionCountFolder
from app.config import Settings, is_loopback
from app.exports.content.publication_site import PublicationSite
from app.factory import (
    asset_dir,
    create_app,
    create_asgi,
    create_asgi_of_copy,
    now,
    open_application,
    page_fingerprint,
    require_loopback,
    shared_secret,
)
from app.front.processes import answer_until_stopped, open_socket
from app.outside import smtp
from app.outside.http_fetcher import Fetcher
from app.outside.service_probe import ServiceProbe
from app.pages.site.published_site import Site
from app.services.editions import edition_build
from app.services.editions.publication import PublicationEnvironment
from app.services.names import name_search
from app.services.operations import database_binding, demo_people, demo_requests
from app.services.operations.heartbeats import edition_in
from app.services.policy import bodies_of, policy_of, procedures_of
from app.services.registry import history_import, naan_import, snapshots
from app.services.registry.import_plans import ImportPlan
from app.services.software_fingerprint import version_words
from app.services.stored_editions import divergence
from app.store.database import joint_transaction, read_transaction
from app.store.editions.edition_rows import clock_of
from app.supervision import Supervisor, call_at_end_of_input, start_log
from app.web.middleware.site_chrome import public_shell

_log = logging.getLogger(__name__)

WORKER = (sys.executable, "-m", "app.cli", "worker", "--supervised")
_UNFINISHED = (
    "The database has no registry yet, because its setup wasn't finished. Run `urn-registry init` "
    "again (with --demo for a demo)."
)
_SERVED_MEANWHILE = (
    "Only published pages, files and redirects are available until the database is back.\n"
)
_LONGEST_COPYING = 24 * 3600  # seconds; the next run goes on where one ended
_PAUSE_AWAY = 2.0  # seconds until a worker asks again for a database that is away
# Requests have priority over the worker: building an edition takes seconds of CPU time, and no
# page waits for it.
WORKER_YIELDS = 10


def initialize(
    settings: Settings, tell: Callable[[str], None], *, empty: bool = False
) -> ImportPlan | None:
    """Create or upgrade the database, load the registry if it has none, and build its editions.

    The worker publishes them. A new demo gets sample data unless the settings exclude it. ``tell``
    gets a sentence for each step. Raises Refusal if an edition can't be built.
    """
    at = now()
    is_at_work = settings.demo and settings.demo_requests and not empty
    with open_application(settings):
        before = database_binding.migrate(asset_dir("migrations"))
        if before.revision and not before.is_current:
            tell(f"The database was upgraded from {before.revision} to {before.expected}.")
        agree_on_secret(settings)
        plan = (
            _begin_at_work(settings, at, tell)
            if is_at_work
            else _begin(settings, at, tell, empty=empty)
        )
        if plan is None:
            _refresh_index(tell)
        if plan is None and not empty:
            _tell_of_naans(settings, tell)
        edition_build.build_pending(None, place_of(settings))
        edition_build.require_built()
    return plan


def _refresh_index(tell: Callable[[str], None]) -> None:
    renewed = name_search.refresh_index()
    if renewed:
        tell(f"The search index of {renewed} names was rebuilt.")


def _tell_of_naans(settings: Settings, tell: Callable[[str], None]) -> None:
    with read_transaction():
        lacks = settings.naans and not naan_import.has_naans()
    if lacks:
        tell(
            "This registry has no NAANs yet. To import the bundled ones, run `urn-registry "
            "registry import-naans --bundled`."
        )


def _begin(
    settings: Settings, at: datetime, tell: Callable[[str], None], *, empty: bool = False
) -> ImportPlan | None:
    with joint_transaction():
        plan = snapshots.initialize(settings.notice, at, empty=empty)
        if plan and not empty:
            _load_naans(settings, at, tell)
    return plan


def _load_naans(settings: Settings, at: datetime, tell: Callable[[str], None]) -> None:
    if settings.naans:
        made = naan_import.import_bundled_naans(settings.notice, at)
        tell(f"Added {len(made.plan.added)} NAANs and shoulders.")


def _begin_at_work(
    settings: Settings, at: datetime, tell: Callable[[str], None]
) -> ImportPlan | None:
    began = at - demo_requests.BEGUN
    policy = policy_of(settings, shared_secret(settings).current())
    with joint_transaction():
        with clock_of(lambda: began):
            plan = history_import.initialize_with_history(settings.notice, began)
            if plan:
                _load_naans(settings, began, tell)
        if plan:
            demo_requests.add_requests(policy, at)
    return plan


def agree_on_secret(settings: Settings) -> None:
    """See that this host has the secret of all; DatabaseNotReady says why it has not."""
    secret = shared_secret(settings)
    secret.agree()
    leftover = secret.find_leftover()
    if leftover:
        sys.stderr.write(f"{leftover}\n")


def work_of(settings: Settings) -> worker.WorkerContext:
    return worker.WorkerContext(
        folder=settings.published_dir,
        making=PublicationEnvironment(
            site=Site(asset_dir("templates")),
            chrome=public_shell(settings),
            static=asset_dir("static"),
            place=place_of(settings),
            made_by=page_fingerprint(settings),
            naptr_suffix=settings.naptr_suffix,
        ),
        secret=shared_secret(settings).current,
        sender=settings.mail_from,
        reply_to=settings.reply_address,
        now=now,
        deliver=delivery(settings),
        probe=service_probe(settings) if settings.asks_services else None,
        own_hosts=settings.site_hosts,
        rules=procedures_of(settings),
        bodies=bodies_of(settings),
        names=NameCopyWriter(settings.names_dir),
        given=GivenNumberFolder(settings.given_numbers_dir),
        resolutions=ResolutionCountFolder(settings.resolutions_dir),
        mail_leases=LeaseNotes(settings.leases_dir, "mail"),
        check_leases=LeaseNotes(settings.leases_dir, "check"),
    )


def service_probe(settings: Settings) -> ServiceProbe:
    return ServiceProbe(f"urn-registry (+{settings.base_url})")


def place_of(settings: Settings) -> PublicationSite:
    """Return the public address of the registry."""
    return PublicationSite(settings.base_url)


def delivery(settings: Settings) -> Callable[[EmailMessage], None] | None:
    """Return the function that sends mail: by the mail server, or in local use to the console."""
    if settings.smtp_url:
        return partial(smtp.send, smtp_url=settings.smtp_url)
    if is_loopback(urlsplit(settings.base_url).hostname):
        return _print
    return None


def _print(message: EmailMessage) -> None:
    body = message.get_content()
    sys.stdout.write(f"\n--- mail to {message['To']}: {message['Subject']}\n{body}---\n")
    sys.stdout.flush()


def run_worker(settings: Settings, *, supervised: bool = False) -> int:
    """Run the worker until a signal, or until its supervisor ends.

    Waits for an unreachable database. Raises DatabaseNotReady if this host can't use it.
    """
    start_log()
    _log.info("worker started: %s, process %d", version_words(), os.getpid())
    app = create_app(settings)
    of_worker = replace(work_of(settings), context=app.app_context)

    def stop(*_: object) -> None:
        of_worker.stopped.set()

    signal.signal(signal.SIGTERM, stop)
    # Ctrl-C reaches the supervisor too, which stops the worker
    signal.signal(signal.SIGINT, signal.SIG_IGN if supervised else stop)
    if supervised:
        call_at_end_of_input(stop)
    os.nice(WORKER_YIELDS)
    with app.app_context():
        _await_database(settings, of_worker.stopped)
        database_binding.close_connections()
    was_stopped = worker.run(of_worker)
    if not was_stopped:
        _log.error("worker stops because one of its tasks ended")
        return 1
    _log.info("worker stopped")
    return 0


def _await_database(settings: Settings, stopped: Event) -> None:
    logged = ""
    while not stopped.is_set():
        try:
            database_binding.require_current(asset_dir("migrations"))
            shared_secret(settings).agree()
            divergence.watch(settings.published_dir, now())
        except database_binding.DatabaseUnreachable as error:
            if str(error) != logged:
                logged = str(error)
                _log.warning("%s The worker tries again every %g s.", error, _PAUSE_AWAY)
            stopped.wait(_PAUSE_AWAY)
        else:
            if logged:
                _log.info("the worker can use the database now")
            return


def serve_site(settings: Settings, host: str, port: int, workers: int) -> int:
    """Serve the site and run one worker until stopped. Raises ListenError."""
    require_loopback(settings, host)
    start_log()
    is_away = False
    try:
        _require_database(settings)
    except database_binding.DatabaseNotReady as error:
        sys.stderr.write(f"{error}\n")
        is_away = isinstance(error, database_binding.DatabaseUnreachable)
        if not is_away or edition_in(settings.published_dir) is None:
            return 2
        sys.stderr.write(_SERVED_MEANWHILE)
    NameCopyWriter(settings.names_dir).make_folder()  # exists even without a copy
    with open_socket(host, port) as listener:
        if is_away:
            Thread(target=_begin_when_back, args=(settings,), daemon=True).start()
        else:
            _begin_sessions(settings)
        sys.stderr.write(way_to(settings, host, port))
        with Supervisor("worker", WORKER, _environment(settings)):
            answer_until_stopped(partial(create_asgi, settings), listener, workers)
    return 0


def _require_database(settings: Settings) -> None:
    with open_application(settings):
        _require_schema(settings)
        with read_transaction():
            if not snapshots.has_begun():
                raise database_binding.DatabaseNotReady(_UNFINISHED)
        agree_on_secret(settings)
        other = divergence.watch(settings.published_dir, now())
        if other is not None:
            sys.stderr.write(f"{other.why}\n")


def _require_schema(settings: Settings) -> None:
    try:
        database_binding.require_current(asset_dir("migrations"))
    except database_binding.DatabaseEmpty as error:
        file = database_binding.find_file(settings.database)
        if file is None or edition_in(settings.published_dir) is None:
            raise
        raise database_binding.DatabaseUnreachable(
            f"The database file {file} is missing or empty. Restore it."
        ) from error


def _begin_sessions(settings: Settings) -> None:
    with open_application(settings):
        demo_people.end_sessions(now())
        if settings.demo:
            demo_people.add_people(now())


def _begin_when_back(settings: Settings) -> None:
    while True:
        time.sleep(_PAUSE_AWAY)
        try:
            _require_database(settings)
        except database_binding.DatabaseUnreachable:
            continue
        except database_binding.DatabaseNotReady as error:
            _log.error("%s", error)
            return
        _log.info("the database is back")
        _begin_sessions(settings)
        return


def way_to(settings: Settings, host: str, port: int) -> str:
    """Return the address of the registry, and a note if its links use another port."""
    said = f"The registry is at {settings.base_url}\n"
    meant = urlsplit(settings.base_url)
    is_in_front = bool(settings.trusted_proxies)  # then links lead to the server there
    if not is_loopback(meant.hostname) or meant.port == port or is_in_front:
        return said
    here = f"http://{host}:{port}"
    return (
        f"{said}It listens at {here}. Set URN_REGISTRY_BASE_URL={here} to use this address in "
        "links.\n"
    )


def serve_published(
    folder: Path, host: str, port: int, workers: int, own_hosts: Collection[str]
) -> int:
    """Serve only published files, without a database and sign-in, until stopped."""
    if not folder.is_dir():
        sys.stderr.write(f"{folder} isn't a folder. Enter a folder of published files.\n")
        return 2
    address = host if ":" not in host else f"[{host}]"
    with open_socket(host, port) as listener:
        sys.stderr.write(f"The files in {folder} are at http://{address}:{port}\n")
        made = partial(create_asgi_of_copy, folder, own_hosts)
        answer_until_stopped(made, listener, workers)
    return 0


def follow_registry(source_url: str, folder: Path, *, mend: bool) -> int | None:
    """Copy the published files and bound identifiers of another registry into a folder.

    Returns the number of the last change in the folder, None if the source has no feed. Raises the
    errors of ``mirror_registry`` and ``mirror_names``.
    """
    with Fetcher(lifetime=_LONGEST_COPYING) as fetch:
        mirror_registry(source_url, folder, fetch, mend=mend)
        return mirror_names(source_url, folder, fetch)


def follow_editions(source_url: str, folder: Path) -> None:
    """Copy the published files of another registry into a folder, without bound identifiers.

    Raises the errors of ``mirror_registry``.
    """
    with Fetcher(lifetime=_LONGEST_COPYING) as fetch:
        mirror_registry(source_url, folder, fetch)


def _environment(settings: Settings) -> dict[str, str]:
    demo_mode = {"URN_REGISTRY_DEMO": "yes"} if settings.demo else {}
    return dict(os.environ) | demo_mode
