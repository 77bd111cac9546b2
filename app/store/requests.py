"""Requests, their drafts, iterations and reviews."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select, update

from app.registration.documents import canonical
from app.registration.records import Style
from app.store.counters import next_number, sha256
from app.store.database import db
from app.store.tables import Draft, Iteration, PrivateValue, Rendering, Request, ReviewRow
from app.workflow.states import State


@dataclass(frozen=True, slots=True)
class Sent:
    """A text as it was sent in: what of it is public."""

    k: int
    at: datetime
    author: int
    organization: str
    fields: dict[str, str]


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
        asked_name="",
        organization="",
        standard_anticipated=None,
        state=State.DRAFT,
        started=at,
        since=at,
        lock_version=1,
    )
    db.session.add(request)
    db.session.flush()
    db.session.add(Draft(request=request.number, fields=canonical({}), saved=at, lock_version=1))
    db.session.flush()
    return request


def find_request(number: int, *, locked: bool = False) -> Request | None:
    """A request by its number; ``locked`` keeps other writers off until the commit."""
    query = select(Request).where(Request.number == number)
    return db.session.scalars(query.with_for_update() if locked else query).one_or_none()


def remove_draft(number: int) -> None:
    """Take a draft and what belongs to it away, for it was never sent."""
    db.session.execute(delete(PrivateValue).where(PrivateValue.request == number))
    db.session.execute(delete(Draft).where(Draft.request == number))
    db.session.execute(delete(Request).where(Request.number == number))


def get_draft(number: int) -> Draft:
    """The text being written for a request; KeyError where there is none."""
    draft = db.session.get(Draft, number)
    if draft is None:
        raise KeyError(number)
    return draft


def save_draft(number: int, content: dict[str, Any], lock_version: int, at: datetime) -> bool:
    """Keep a draft's text; False if it was saved by somebody since ``lock_version``."""
    saved = db.session.execute(
        update(Draft)
        .where(Draft.request == number, Draft.lock_version == lock_version)
        .values(fields=canonical(content), saved=at, lock_version=lock_version + 1)
        .returning(Draft.request)
        .execution_options(synchronize_session=False)
    )
    return saved.first() is not None


def private_values(number: int) -> dict[str, str]:
    """A contact's private values; only for those who must reach them."""
    rows = db.session.scalars(select(PrivateValue).where(PrivateValue.request == number))
    return {row.field: row.value for row in rows}


def set_private_values(number: int, values: dict[str, str]) -> None:
    """Replace private values by name; an empty one is erased."""
    db.session.execute(
        delete(PrivateValue).where(
            PrivateValue.request == number, PrivateValue.field.in_(list(values))
        )
    )
    for name, value in values.items():
        if value:
            db.session.add(PrivateValue(request=number, field=name, value=value))


def add_iteration(
    request: Request, fields: dict[str, str], author: int, at: datetime, message_id: str
) -> int:
    """Keep a text as it was sent in, for ever; gives its number within the request."""
    k = len(iterations_of(request.number)) + 1
    db.session.add(
        Iteration(
            request=request.number,
            k=k,
            at=at,
            author=author,
            style=Style.RFC8141,
            organization=request.organization,
            fields=canonical(fields),
            message_id=message_id,
        )
    )
    db.session.flush()
    return k


def iterations_of(number: int) -> list[Sent]:
    """Every text that was sent in for a request, oldest first."""
    rows = db.session.scalars(
        select(Iteration).where(Iteration.request == number).order_by(Iteration.k)
    )
    return [
        Sent(row.k, row.at, row.author, row.organization, json.loads(row.fields)) for row in rows
    ]


def add_review(
    *,
    number: int,
    iteration: int,
    author: int,
    leader: bool,
    at: datetime,
    verdict: str,
    body: str,
    answers: dict[str, str],
) -> int:
    """Keep an expert's review of an iteration and give its id."""
    row = ReviewRow(
        request=number,
        iteration=iteration,
        author=author,
        leader=leader,
        at=at,
        verdict=verdict,
        body=body,
        answers=canonical(answers),
    )
    db.session.add(row)
    db.session.flush()
    return row.id


def reviews_of(number: int) -> list[ReviewRow]:
    """The reviews of a request, oldest first."""
    return list(
        db.session.scalars(
            select(ReviewRow).where(ReviewRow.request == number).order_by(ReviewRow.id)
        )
    )


def in_states(states: list[State]) -> list[Request]:
    """Requests in any of these states, waiting longest first."""
    return list(
        db.session.scalars(
            select(Request).where(Request.state.in_(states)).order_by(Request.since, Request.number)
        )
    )


def of_registrant(account: int) -> list[Request]:
    """Somebody's own requests, drafts included, newest first."""
    return list(
        db.session.scalars(
            select(Request).where(Request.registrant == account).order_by(Request.number.desc())
        )
    )


def asking_for(folded: str, states: list[State]) -> list[int]:
    """The numbers of requests that ask for a name."""
    return list(
        db.session.scalars(
            select(Request.number)
            .where(Request.asked_name == folded, Request.state.in_(states))
            .order_by(Request.number)
        )
    )


def rendering(source: str) -> str | None:
    """A text's HTML, if it was made before."""
    row = db.session.get(Rendering, sha256(source))
    return None if row is None else row.html


def keep_rendering(source: str, html: str) -> None:
    """Keep a text's HTML under its hash."""
    if rendering(source) is None:
        db.session.add(Rendering(sha256=sha256(source), html=html))
        db.session.flush()
