"""Puts the rooms together: the application, and published in front of it."""

import hashlib
import os
import secrets
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import WSGIApplication

from flask import Flask, request

from app.config import BadSetting, Settings, is_loopback
from app.front import Front
from app.pages.site import Site
from app.published.plane import Published
from app.services import database
from app.services.divergence import FOLDER
from app.services.file_modes import make_database, make_file, make_folder, tighten
from app.services.sign_in import SESSION_LASTS
from app.web import install
from app.workflow.periods import check_due_days

_PACKAGE = Path(__file__).resolve().parent
_MAKERS = ("jinja2", "markdown", "markupsafe", "nh3", "segno")  # what pages are made with


def asset_dir(name: str) -> Path:
    """A folder of the project's assets: in the installed package, or beside it in a checkout."""
    for base in (_PACKAGE, _PACKAGE.parent):
        if (base / name).is_dir():
            return base / name
    raise RuntimeError(f"The folder {name} was not installed with this software.")


def now() -> datetime:
    """The clock that every use case is given."""
    return datetime.now(UTC)


def secret_key(settings: Settings) -> str:
    """The key that signs sessions and links: the setting, or one made here and kept."""
    if settings.secret_key:
        return settings.secret_key
    kept = settings.data_dir / "secret-key"
    if not kept.exists():
        make_folder(settings.data_dir)
        made = kept.with_suffix(f".{os.getpid()}")
        make_file(made)
        made.write_text(secrets.token_hex(32))
        try:
            os.link(made, kept)  # whoever is first wins, and nobody reads half a key
        except FileExistsError:
            pass
        finally:
            made.unlink()
    make_file(kept)  # older software left that to the umask
    return kept.read_text()


class WorkingPlane(Flask):
    """Flask, whose log names the rule of an address, for an address can be a secret."""

    def log_exception(self, exc_info: Any) -> None:
        """Log what nobody expected."""
        self.logger.error("error in %s %s", request.method, request.url_rule, exc_info=exc_info)


def create_app(settings: Settings) -> Flask:
    """The working plane: Flask with its database, blueprints and error pages."""
    app = _working_plane(settings)
    app.wsgi_app = _front(app.wsgi_app, settings)  # type: ignore[method-assign]  # as Flask says
    return app


def _working_plane(settings: Settings) -> Flask:
    app = WorkingPlane(
        "app", template_folder=str(asset_dir("templates")), static_folder=str(asset_dir("static"))
    )
    check_settings(settings)
    secure = settings.base_url.startswith("https:")
    app.config.update(
        SECRET_KEY=secret_key(settings),
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
    database.bind(app, settings.database, demo=settings.demo)
    app.config[FOLDER] = settings.published_dir
    app.extensions["migrations"] = asset_dir("migrations")
    install(app, settings, Site(asset_dir("templates")), now)
    return app


def _front(inside: WSGIApplication, settings: Settings) -> Front:
    return Front(inside, settings.base_url, demo=settings.demo)


def keep_private(settings: Settings) -> None:
    """See that nobody else reads the data folder, nor the database where that is a file."""
    make_folder(settings.data_dir)
    tighten(settings.published_dir)
    file = database.find_file(settings.database)
    if file is not None:
        make_database(file)


def check_settings(settings: Settings) -> None:
    """Raise BadSetting for what only the rooms above the settings know to be wrong."""
    require_loopback(settings)
    try:
        check_due_days(dict(settings.due_days))
    except ValueError as error:
        raise BadSetting("due_days", str(error)) from error


def session_cookie(settings: Settings) -> str:
    """The session cookie's name; over TLS one that no other host can set."""
    return "__Host-session" if settings.base_url.startswith("https:") else "session"


def made_by(settings: Settings) -> str:
    """A fingerprint of what pages are made from: templates, stylesheet, software and settings."""
    digest = hashlib.sha256()
    for folder in (asset_dir("templates"), asset_dir("static"), _PACKAGE):
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            if "__pycache__" not in file.parts:
                digest.update(file.read_bytes())
    others = (f"{name} {version(name)}" for name in _MAKERS)
    for part in (settings.base_url, settings.notice, str(settings.demo), *others):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:16]


def create_application(settings: Settings) -> WSGIApplication:
    """The whole site: what is published first, everything else from Flask."""
    app = _working_plane(settings)
    whole = Published(settings.published_dir, app.wsgi_app, session_cookie(settings))
    return _front(whole, settings)


def require_loopback(settings: Settings, bind: str | None = None) -> None:
    """Raise BadSetting for demo mode that others could reach.

    ``bind`` is the address that a server listens on, where that is known.
    """
    if not settings.demo:
        return
    if not is_loopback(urlsplit(settings.base_url).hostname):
        why = f"where URN_REGISTRY_BASE_URL is of this machine, not for {settings.base_url}"
        raise BadSetting("demo", f"demo mode starts on loopback alone, {why}")
    if bind is not None and not is_loopback(bind):
        raise BadSetting("demo", f"demo mode starts on loopback alone, not on {bind or 'any'}")
