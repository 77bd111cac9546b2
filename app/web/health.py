"""For operators: whether the process lives, and whether it can work."""

from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue

from app.services import database
from app.services.divergence import noted_divergence

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Say that the process answers."""
    return {"status": "ok"}


@bp.get("/readyz")
def readyz() -> ResponseReturnValue:
    """Say whether the database is there and as this software expects it.

    Where editions were published that it does not know, what is published is answered all the
    same, so that this host stays in service, and says so.
    """
    if database.is_current(current_app.extensions["migrations"]):
        why = noted_divergence()
        return {"status": "ready"} | ({"divergence": why} if why else {})
    return {"status": "the database is away or not migrated"}, 503
