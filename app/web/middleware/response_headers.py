"""What every answer that is made for one person has, and what none has."""

import re
from datetime import UTC, datetime, time, timedelta
from typing import cast
from urllib.parse import urlsplit, urlunsplit

from flask import Flask, Response, current_app, request

from app.exports.manifests.bundle_files import CONTENT_SECURITY_POLICY
from app.messages.mailed_tokens import MAILED_WORDS, tokens_in, without_tokens
from app.registration.declarations.name_addresses import published_stems
from app.web.middleware.form_blueprints import READS
from app.web.middleware.request_guard import StrictRequest
from app.web.middleware.site_paths import path_here

_ALWAYS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
}
_READABLE = frozenset((None, "public", "editions"))  # blueprints; none has what is not there
_READ_WHOLE = 262_144  # octets of an answer
LONGEST_KEPT = 60  # seconds; whose turn it is should be true when it is read
# addresses below are secrets: no link there tells where it came from
_SECRETS = ("/sign-in/", "/links/")
_WORDS = re.compile(r"text/|[a-z]+/[a-z0-9.+-]*(?:json|xml)")


def install(app: Flask) -> None:
    """Set them, unless the answer set its own."""
    app.after_request(_set)
    app.after_request(_keep_here)
    app.after_request(_mask)


def keep_today(response: Response, moment: datetime) -> Response:
    """Let a page that tells ages be kept for a while, but not past midnight in UTC.

    For visitors without a session alone: everybody else has a page of their own.
    """
    if current_app.config["SESSION_COOKIE_NAME"] not in request.cookies:
        seconds = min(LONGEST_KEPT, seconds_left(moment))
        response.headers["Cache-Control"] = f"public, max-age={seconds}"
    return response


def seconds_left(moment: datetime) -> int:
    """The whole seconds that are left of a moment's day in UTC."""
    day = moment.astimezone(UTC)
    midnight = datetime.combine(day.date() + timedelta(days=1), time(), UTC)
    return int((midnight - day).total_seconds())


def _set(response: Response) -> Response:
    if request.path.startswith(_SECRETS):
        response.headers["Referrer-Policy"] = "no-referrer"
    for name, value in _ALWAYS.items():
        response.headers.setdefault(name, value)
    if _is_for_every_site():
        response.headers.setdefault("Access-Control-Allow-Origin", "*")
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "private, no-store")
    return response


def _is_for_every_site() -> bool:
    """Whether this would be published, so that scripts of any site may read that it is not there.

    Browsers let nobody read what is for ``*`` who sent a cookie along.
    """
    is_below = request.path.startswith(published_stems())
    return is_below and request.method in READS and request.blueprint in _READABLE


def _mask(response: Response) -> Response:
    """Leave out the tokens of ours that older software kept in somebody's words.

    What the asker's own address has in it they know: the page of a link leads to that link.
    """
    if not (response.is_sequence and _WORDS.match(response.mimetype or "")):
        return response
    if not _may_hold_tokens(response.get_data()):
        return response
    text = response.get_data(as_text=True)
    tokens = tokens_in(text)
    if tokens:
        own = tokens_in(request.full_path) | cast(StrictRequest, request).left
        response.set_data(without_tokens(text, own))
        for name in ("ETag", "Last-Modified") if tokens - own else ():  # they were of the other
            response.headers.pop(name, None)
    return response


def _may_hold_tokens(answer: bytes) -> bool:
    if len(answer) <= _READ_WHOLE:
        return True
    folded = answer.lower()
    return any(word.encode() in folded for word in MAILED_WORDS)


def _keep_here(response: Response) -> Response:
    if "Location" in response.headers:
        parts = urlsplit(response.headers["Location"])
        path = urlunsplit(("", "", parts.path, parts.query, parts.fragment))
        response.headers["Location"] = path_here(path)
        response.set_data(b"")  # it names the address too
    return response
