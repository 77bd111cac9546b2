"""HTTP in, HTTP out, for people who work with the registry."""

from collections.abc import Callable
from datetime import datetime

from flask import Flask
from flask_wtf.csrf import CSRFError, CSRFProtect

from app.config import Settings
from app.pages.site import Site, configure
from app.registration.declarations import FIELDS
from app.web import (
    converters,
    desk,
    headers,
    health,
    problems,
    public,
    registrant,
    review,
    signing,
    wording,
)
from app.web import requests as requests_pages
from app.web.shell import shell


def install(app: Flask, settings: Settings, site: Site, now: Callable[[], datetime]) -> None:
    """Give an application its pages, its error pages and its headers."""
    app.extensions.update(settings=settings, site=site, now=now)
    converters.install(app)
    configure(app.jinja_env)
    app.jinja_env.globals.update(
        headline=wording.headline,
        kind_of=wording.kind_of,
        sentence_of=wording.sentence_of,
        steps=wording.steps,
        told=wording.told,
        labels={field.name: field.label for field in FIELDS.values()},
        section_of={field.name: field.section for field in FIELDS.values()},
    )
    CSRFProtect(app)
    problems.install(app)
    app.register_error_handler(problems.SignedOut, signing.signed_out)
    app.register_error_handler(CSRFError, signing.on_csrf)
    headers.install(app)
    app.context_processor(lambda: {"chrome": shell()})
    for room in (public, signing, registrant, requests_pages, review, desk, health):
        app.register_blueprint(room.bp)
    if settings.demo:
        app.register_blueprint(signing.demo)
