"""Names that were given here, by requests, and came from no file."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import String, cast, select

from app.registration.records.registry_records import Purpose
from app.store.database import db
from app.store.tables import Account, Event, Request
from app.store.tables.requests import EventSubject
from app.workflow.states import Action, State


def names_given_by_requests(registries: Collection[str]) -> frozenset[str]:
    """The folded names that were registered for requests in some registries."""
    found = db.session.scalars(
        select(Request.assigned_name).where(
            Request.registry_id.in_(registries),
            Request.purpose == Purpose.NEW,
            Request.assigned_name.is_not(None),
        )
    )
    return frozenset(name for name in found if name)


def givers_since(moment: datetime, source: State) -> list[str]:
    given = Request.state == State.ASSIGNED, Request.since > moment
    events = (
        Event.subject == EventSubject.REQUEST,
        Event.about == cast(Request.number, String),
        Event.kind == Action.REGISTER.past,
        Event.source == source,
    )
    found = select(Account.email).join(Event, Event.actor == Account.id)
    return list(db.session.scalars(found.join(Request, events[1]).where(*given, *events)))
