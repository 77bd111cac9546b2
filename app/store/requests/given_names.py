"""Names that were given here, by requests, and came from no file."""

from collections.abc import Collection

from sqlalchemy import select

from app.registration.records.registry_records import Purpose
from app.store.database import db
from app.store.tables import Request


def given_by_requests(registries: Collection[str]) -> frozenset[str]:
    """The folded names that were registered for requests in some registries."""
    found = db.session.scalars(
        select(Request.assigned_name).where(
            Request.registry_id.in_(registries),
            Request.purpose == Purpose.NEW,
            Request.assigned_name.is_not(None),
        )
    )
    return frozenset(name for name in found if name)
