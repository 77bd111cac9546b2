"""Requests: each by its number, and those that somebody has to do with."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Select, bindparam, or_, select

from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import Purpose
from app.store.accounts import delegate_rows
from app.store.counters import next_number
from app.store.database import built_once, db, read_once
from app.store.tables import Draft, Iteration, Request
from app.store.tables.delegates import DelegateOrigin
from app.workflow.states import State


def add_request(
    *, registry: str, procedure: str, purpose: str, registrant: int, at: datetime
) -> Request:
    """Open a request with an empty draft; it gets the next number."""
    request = Request(
        number=next_number("request"),
        registry_id=registry,
        procedure=procedure,
        purpose=purpose,
        registrant=registrant,
        state=State.DRAFT,
        started=at,
        since=at,
    )
    db.session.add(request)
    db.session.flush()
    db.session.add(Draft(request=request.number, fields=canonical_json({}), saved=at))
    db.session.flush()
    if purpose == Purpose.NEW:
        delegate_rows.add(
            delegate_rows.DelegateScope(request=request.number),
            registrant,
            DelegateOrigin.STARTED,
            at,
        )
    return request


@read_once
def find_request(number: int, *, locked: bool = False) -> Request | None:
    """A request by its number; ``locked`` keeps other writers off until the commit."""
    query = _locked_request() if locked else _request()
    return db.session.scalars(query, {"number": number}).one_or_none()


@built_once
def _request() -> Select[Request]:
    return select(Request).where(Request.number == bindparam("number"))


@built_once
def _locked_request() -> Select[Request]:
    return _request().with_for_update()


def requests_concerning(account: int, numbers: Collection[int]) -> frozenset[int]:
    wrote = select(Iteration.request).where(Iteration.author == account)
    near = or_(
        delegate_rows.acts_for_registrant(account),
        Request.registrant == account,
        Request.number.in_(wrote),
    )
    found = select(Request.number).where(Request.number.in_(numbers), near)
    return frozenset(db.session.scalars(found))


def requests_by_number(numbers: Collection[int]) -> list[Request]:
    """Requests by their numbers, in their order."""
    found = select(Request).where(Request.number.in_(numbers))
    return list(db.session.scalars(found.order_by(Request.number)))
