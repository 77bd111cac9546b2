"""Headers of every answer that is made for one person."""

from flask import Flask, Response, request

from app.exports.bundle import CONTENT_SECURITY_POLICY

_ALWAYS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
}


def install(app: Flask) -> None:
    """Set them, unless the answer set its own."""
    app.after_request(_set)


def _set(response: Response) -> Response:
    for name, value in _ALWAYS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "private, no-store")
    return response
