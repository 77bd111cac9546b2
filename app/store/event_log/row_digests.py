"""The digests of rows that an entry of the record tells of: a text, a review, a comment.

An entry names them by number. Its leaf covers their digests, so that none can be changed
without a trace. Each has the salt of the entry in it, since a row names its author.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, select, tuple_

from app.registration.records.record_documents import canonical_json
from app.store.database import Base, db
from app.store.digests import sha256
from app.store.tables import Comment, Event, Iteration, ReviewRow
from app.store.tables.requests import EventSubject

# What a digest covers, so that a column added later changes no earlier one.
_COVERED: Mapping[type[Base], tuple[str, ...]] = {
    Iteration: ("request", "k", "at", "author", "style", "organization", "fields", "message_id"),
    ReviewRow: (
        *("id", "request", "iteration", "author", "leader", "at", "verdict", "body", "answers"),
    ),
    Comment: (
        *("id", "request", "at", "author", "role", "signature", "relayed", "section", "body"),
        *("folded", "replaces", "message_id", "answers", "channel", "origin"),
    ),
}
_SAID = re.compile(r'\{"comment":([0-9]{1,18})\}')  # the body of an entry that names a comment

Rows = Mapping[str, Base]  # by what it is: a text, a review, a comment


def digests_of(rows: Rows, salt: str) -> dict[str, str]:
    """The digest of each row, under the salt of the entry that tells of it."""
    return {what: _digest(row, salt) for what, row in rows.items()}


def _digest(row: Base, salt: str) -> str:
    entry = {name: _plain(getattr(row, name)) for name in _COVERED[type(row)]}
    return sha256(canonical_json({**entry, "salt": salt}))


def _plain(value: Any) -> Any:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


def rows_told(events: Sequence[Event]) -> dict[int, dict[str, Base]]:
    """The rows that entries tell of and that are there, by the number of the entry."""
    found: dict[int, dict[str, Base]] = defaultdict(dict)
    told = [event for event in events if event.subject == EventSubject.REQUEST]
    for event, row in _paired(told, Iteration, _text_of, Iteration.request, Iteration.k):
        found[event.n]["text"] = row
    for event, row in _paired(events, ReviewRow, _review_of, ReviewRow.id):
        found[event.n]["review"] = row
    for event, row in _paired(told, Comment, _comment_of, Comment.id):
        found[event.n]["comment"] = row
    return found


def _paired(
    events: Iterable[Event], model: type[Base], key_of: Any, *columns: Any
) -> Iterator[tuple[Event, Base]]:
    keys = {event.n: key for event in events if (key := key_of(event)) is not None}
    if not keys:
        return
    wanted = sorted(set(keys.values()))
    rows = db.session.scalars(_rows_by(model, columns), {"keys": wanted})
    by_key = {tuple(getattr(row, column.key) for column in columns): row for row in rows}
    for event in events:
        row = by_key.get(keys.get(event.n, ()))
        if row is not None:
            yield event, row


@cache
def _rows_by(model: type[Base], columns: tuple[Any, ...]) -> Select[Base]:
    return select(model).where(tuple_(*columns).in_(bindparam("keys", expanding=True)))


def _text_of(event: Event) -> tuple[int, int] | None:
    is_numbered = event.iteration and event.about.isdecimal()
    return (int(event.about), event.iteration or 0) if is_numbered else None


def _review_of(event: Event) -> tuple[int] | None:
    return (event.review,) if event.review else None


def _comment_of(event: Event) -> tuple[int] | None:
    ident = comment_in(event)
    return None if ident is None else (ident,)


def comment_in(event: Event) -> int | None:
    """The comment that an entry names, if it names one."""
    match = _SAID.fullmatch(event.body)
    return int(match[1]) if match else None
