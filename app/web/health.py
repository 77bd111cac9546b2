"""For operators: whether the process lives, and whether it can work."""

from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue

from app.services import database

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Say that the process answers."""
    return {"status": "ok"}


@bp.get("/readyz")
def readyz() -> ResponseReturnValue:
    """Say whether the database is there and as this software expects it."""
    if database.is_current(current_app.extensions["migrations"]):
        return {"status": "ready"}
    return {"status": "the database is away or not migrated"}, 503
