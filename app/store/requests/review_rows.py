"""The reviews that experts gave."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Select, bindparam, select

from app.registration.records.record_documents import canonical_json
from app.store.database import built_once, db, read_once
from app.store.tables import Event, Request, ReviewRow


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
        answers=canonical_json(answers),
    )
    db.session.add(row)
    db.session.flush()
    return row.id


@read_once
def reviews_of(number: int) -> list[ReviewRow]:
    """The reviews of a request, oldest first."""
    return list(db.session.scalars(_reviews(), {"number": number}))


@built_once
def _reviews() -> Select[ReviewRow]:
    own = ReviewRow.request == bindparam("number")
    return select(ReviewRow).where(own).order_by(ReviewRow.id)


def counted_reviews(request: Request) -> list[ReviewRow]:
    """The reviews of a request that no reopening has made void, oldest first."""
    return counted_reviews_of([request.number]).get(request.number, [])


def counted_reviews_of(numbers: Collection[int]) -> dict[int, list[ReviewRow]]:
    """``counted_reviews`` of several requests, in one query."""
    found: dict[int, list[ReviewRow]] = {}
    for row in db.session.scalars(
        select(ReviewRow)
        .join(Event, Event.review == ReviewRow.id)
        .join(Request, Request.number == ReviewRow.request)
        .where(ReviewRow.request.in_(numbers), Event.n > Request.counted_from)
        .order_by(Event.n)
    ):
        found.setdefault(row.request, []).append(row)
    return found
