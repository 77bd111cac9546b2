"""For operators: whether the process lives, and whether it can work."""

from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue

from app.services import database
from app.services.shared_secret import SecretDiffers
from app.web.session import signing_secret

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Say that the process answers."""
    return {"status": "ok"}


@bp.get("/readyz")
def readyz() -> ResponseReturnValue:
    """Say whether the database is there and as this software expects it."""
    if not database.is_current(current_app.extensions["migrations"]):
        return {"status": "the database is away or not migrated"}, 503
    try:
        signing_secret()
    except SecretDiffers:
        return {"status": "this host has another secret than the registry"}, 503
    return {"status": "ready"}
