"""The reviews that experts gave, and those that they are writing."""

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import Select, bindparam, delete, func, select

from app.registration.records.record_documents import canonical_json
from app.store.database import built_once, db, insert, read_once
from app.store.tables import Event, Request, ReviewDraftRow, ReviewRow


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


def newest_review() -> int:
    """The id of the newest review; 0 if there is none."""
    return db.session.scalar(select(func.max(ReviewRow.id))) or 0


def newest_messages(newest: int, most: int) -> list[tuple[int, int, str]]:
    """Id, request and message of the reviews up to ``newest`` that have one, the newest first.

    Looks at the last ``most`` reviews.
    """
    last = select(ReviewRow.id, ReviewRow.request, ReviewRow.body).where(ReviewRow.id <= newest)
    rows = db.session.execute(last.order_by(ReviewRow.id.desc()).limit(most))
    return [(ident, request, body) for ident, request, body in rows if body]


def reviews_with(ids: Collection[int]) -> list[tuple[ReviewRow, Request]]:
    """Some reviews with their requests."""
    found = select(ReviewRow, Request).join(Request, Request.number == ReviewRow.request)
    rows = db.session.execute(found.where(ReviewRow.id.in_(list(ids))))
    return [(review, request) for review, request in rows]


def find_review_draft(number: int, author: int) -> ReviewDraftRow | None:
    """The review that an expert is writing."""
    return db.session.get(ReviewDraftRow, (number, author))


def save_review_draft(
    number: int, author: int, iteration: int, content: Mapping[str, str], at: datetime
) -> None:
    """Store what an expert has written of a review, in place of what was stored before."""
    given = {"iteration": iteration, "saved": at, "content": canonical_json(dict(content))}
    made = insert(ReviewDraftRow).values(request=number, author=author, **given)
    keys = [ReviewDraftRow.request, ReviewDraftRow.author]
    db.session.execute(made.on_conflict_do_update(index_elements=keys, set_=given))


def delete_review_draft(number: int, author: int) -> None:
    """Delete the review that an expert was writing, if there is one."""
    own = ReviewDraftRow.request == number, ReviewDraftRow.author == author
    db.session.execute(delete(ReviewDraftRow).where(*own))
