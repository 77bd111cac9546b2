"""Puts the rooms together: the application, and published in front of it."""

import hashlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import WSGIApplication

from flask import Flask, Response, request
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import URLSafeTimedSerializer

from app.bundles.file_modes import make_database, make_file, make_folder, tighten_modes
from app.bundles.name_copies import NAMES_FILE, NAMES_FOLDER
from app.bundles.resolution_counts import ResolutionCountFolder
from app.config import BadSetting, Settings, is_loopback
from app.front.admission import Admission
from app.front.asgi import AsgiFront
from app.front.gateway import WsgiGateway
from app.front.readiness import ReadinessProbe
from app.front.wsgi import WsgiFront
from app.outside.hop_probe import HopProbe
from app.pages import assets
from app.pages.site.published_site import Site
from app.published.names.resolution_tally import ResolutionTally
from app.published.plane import PublishedPlane
from app.services.accounts.sign_in import SESSION_LASTS
from app.services.operations import database_binding
from app.services.operations.database_binding import SharedSecret
from app.services.registry.snapshots import SETTING as SITE_HOSTS
from app.services.software_fingerprint import fingerprint
from app.services.stored_editions.divergence import FOLDER
from app.web import install_pages
from app.web.middleware.site_chrome import public_shell
from app.web.public.static_files import send_static
from app.workflow.deadlines import check_due_days

asset_dir = assets.asset_dir

_SECONDS_OF_HOPS = 10.0  # that a visitor waits for all servers which an ARK leads over
_OLDER_FILE = "secret-key"  # the file in the data folder that older software kept one in


def now() -> datetime:
    """The clock that every use case is given."""
    return datetime.now(UTC)


def shared_secret(settings: Settings) -> SharedSecret:
    """The secret that signs sessions and links, as this host knows it."""
    return SharedSecret(settings.secret_key, settings.data_dir / _OLDER_FILE, now)


class SignedSessions(SecureCookieSessionInterface):
    """Sessions in signed cookies; there are none while nobody knows the secret."""

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """What signs; None while the database that keeps the secret is away."""
        try:
            return super().get_signing_serializer(app)
        except (database_binding.DatabaseAway, database_binding.DatabaseNotReady):
            return None


class WorkingPlane(Flask):
    session_interface = SignedSessions()

    @property
    def secret_key(self) -> str:  # type: ignore[override]  # Flask reads it from its configuration
        shared: SharedSecret = self.extensions["secret"]
        return shared.current()

    def send_static_file(self, filename: str) -> Response:
        """A file that pages are drawn with, at either of its paths."""
        return send_static(filename, super().send_static_file)

    def log_exception(self, exc_info: Any) -> None:
        """Log what nobody expected."""
        self.logger.error("error in %s %s", request.method, request.url_rule, exc_info=exc_info)


def create_app(settings: Settings) -> Flask:
    """The working plane: Flask with its database, blueprints and error pages."""
    app = _working_plane(settings)
    app.wsgi_app = _front(app.wsgi_app, settings)  # type: ignore[method-assign]  # as Flask says
    return app


@contextmanager
def open_application(settings: Settings) -> Iterator[None]:
    """The application's context for a command, which leaves no connection open."""
    with create_app(settings).app_context():
        try:
            yield
        finally:
            database_binding.close_connections()


def _working_plane(settings: Settings) -> Flask:
    app = WorkingPlane(
        "app", template_folder=str(asset_dir("templates")), static_folder=str(asset_dir("static"))
    )
    check_settings(settings)
    secure = settings.base_url.startswith("https:")
    app.config.update(
        SECRET_KEY=settings.secret_key or None,
        SESSION_COOKIE_NAME=session_cookie(settings),
        SESSION_COOKIE_SECURE=secure,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=SESSION_LASTS,
        # An answer that changed nothing must not bring back a session that another one ended.
        SESSION_REFRESH_EACH_REQUEST=False,
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,  # asks for a referrer, which a page of a link never sends
    )
    keep_private(settings)
    database_binding.bind(app, settings.database, demo=settings.demo)
    app.extensions["secret"] = shared_secret(settings)
    app.config[FOLDER] = settings.published_dir
    app.config[SITE_HOSTS] = settings.site_hosts
    app.extensions["hop_probe"] = hop_probe(settings)
    app.extensions["migrations"] = asset_dir("migrations")
    install_pages(app, settings, Site(asset_dir("templates")), now)
    return app


def hop_probe(settings: Settings) -> HopProbe | None:
    """What follows ARKs for visitors, and says who asks; None where this site asks nobody."""
    if settings.demo or not settings.follow_arks or settings.is_of_one_machine:
        return None
    return HopProbe(f"urn-registry (+{settings.base_url})", seconds=_SECONDS_OF_HOPS)


def _front(inside: WSGIApplication, settings: Settings) -> WsgiFront:
    return WsgiFront(inside, admission_of(settings))


def admission_of(settings: Settings) -> Admission:
    return Admission(settings.base_url, settings.demo)


def keep_private(settings: Settings) -> None:
    """See that nobody else reads the data folder, nor the database where that is a file.

    Raises BadSetting where they cannot be made.
    """
    with _made("data_dir"):
        make_folder(settings.data_dir)
        tighten_modes(settings.published_dir)
        if (settings.data_dir / _OLDER_FILE).is_file():
            make_file(settings.data_dir / _OLDER_FILE)
    file = database_binding.find_file(settings.database)
    if file is not None:
        with _made("database_url" if settings.database_url else "data_dir"):
            make_database(file)


@contextmanager
def _made(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = f"can't be used: {error.strerror or error} ({error.filename})"
        raise BadSetting(name, why) from error


def check_settings(settings: Settings) -> None:
    """Raise BadSetting for what only the rooms above the settings know to be wrong."""
    require_loopback(settings)
    with _told("database_url"):
        database_binding.check_url(settings.database)
    with _told("due_days"):
        check_due_days(dict(settings.due_days))


@contextmanager
def _told(name: str) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise BadSetting(name, str(error)) from error


def session_cookie(settings: Settings) -> str:
    """The session cookie's name; over TLS one that no other host can set."""
    return "__Host-session" if settings.base_url.startswith("https:") else "session"


def page_fingerprint(settings: Settings) -> str:
    """A fingerprint of what pages are made from: the software, and settings that they show."""
    given = repr((public_shell(settings), settings.naans, settings.naptr_suffix))
    return hashlib.sha256(f"{fingerprint()}\0{given}".encode()).hexdigest()[:16]


def create_asgi(settings: Settings) -> AsgiFront:
    """The whole site: what is published first, everything else from Flask in threads."""
    app = _working_plane(settings)
    database_binding.limit_waits(app)
    published = PublishedPlane(
        settings.published_dir,
        True,
        session_cookie(settings),
        own_hosts=settings.site_hosts,
        names=settings.names_dir,
        note=ResolutionTally(ResolutionCountFolder(settings.resolutions_dir).leave).note,
    )
    behind = WsgiGateway(app.wsgi_app)
    return AsgiFront(published, admission_of(settings), behind, ReadinessProbe(app.wsgi_app))


def create_asgi_of_copy(folder: Path, own_hosts: Collection[str] = ()) -> AsgiFront:
    """What a bundle holds, with neither a database nor anybody who signs in.

    ``own_hosts`` are names of the host of the copy, to which no ARK is led. Names that are bound
    lie below the folder, as a mirror has them, or beside it, as the registry itself does.
    """
    below, beside = folder / NAMES_FOLDER, folder.parent / NAMES_FOLDER
    names = beside if (beside / NAMES_FILE).exists() and not below.exists() else below
    plane = PublishedPlane(folder, own_hosts=own_hosts, names=names)
    return AsgiFront(plane, Admission("", demo=False))


def require_loopback(settings: Settings, bind: str | None = None) -> None:
    """Raise BadSetting for demo mode that others could reach.

    ``bind`` is the address that a server listens on, where that is known.
    """
    if not settings.demo:
        return
    if not is_loopback(urlsplit(settings.base_url).hostname):
        why = f"set URN_REGISTRY_BASE_URL to http://127.0.0.1:8000 instead of {settings.base_url}"
        raise BadSetting("demo", f"demo mode works only on this computer; {why}")
    if bind is not None and not is_loopback(bind):
        raise BadSetting(
            "demo",
            f"demo mode works only on this computer; use --host 127.0.0.1, not {bind or 'any'}",
        )
