"""The texts that were sent in for requests, kept for ever."""

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, bindparam, select

from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import TemplateStyle
from app.store.database import built_once, db, read_for_good
from app.store.tables import Iteration, Request


@dataclass(frozen=True, slots=True)
class IterationText:
    """A text as it was sent in: what of it is public."""

    k: int
    at: datetime
    author: int
    organization: str
    fields: dict[str, str]
    message_id: str


def add_iteration(
    request: Request, fields: dict[str, str], author: int, at: datetime, message_id: str
) -> None:
    """Keep a text as it was sent in, for ever; it becomes the newest of its request."""
    request.iterations += 1
    db.session.add(
        Iteration(
            request=request.number,
            k=request.iterations,
            at=at,
            author=author,
            style=TemplateStyle.RFC8141,
            organization=request.organization,
            fields=canonical_json(fields),
            message_id=message_id,
        )
    )
    db.session.flush()


def iterations_of(number: int) -> list[IterationText]:
    """Every text that was sent in for a request, oldest first."""
    return [_sent(row) for row in db.session.scalars(_iterations(), {"number": number})]


@built_once
def _iterations() -> Select[Iteration]:
    own = Iteration.request == bindparam("number")
    return select(Iteration).where(own).order_by(Iteration.k)


@read_for_good
def find_iteration(number: int, k: int) -> IterationText | None:
    """One of the texts that were sent in for a request; None where there is no such one."""
    row = db.session.scalars(_iteration(), {"number": number, "k": k}).one_or_none()
    return None if row is None else _sent(row)


@built_once
def _iteration() -> Select[Iteration]:
    own = Iteration.request == bindparam("number"), Iteration.k == bindparam("k")
    return select(Iteration).where(*own)


def _sent(row: Iteration) -> IterationText:
    fields = json.loads(row.fields)
    return IterationText(row.k, row.at, row.author, row.organization, fields, row.message_id)
