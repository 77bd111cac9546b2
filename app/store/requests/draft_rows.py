"""The texts being written for requests, and the private values of their contacts."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, bindparam, delete, func, select, update

from app.registration.records.record_documents import canonical_json
from app.store.accounts import delegate_rows
from app.store.database import built_once, db, read_once
from app.store.tables import Draft, IncomingMail, PrivateValue, Request
from app.workflow.states import State


def count_drafts(account: int) -> int:
    counted = select(func.count()).where(
        Request.registrant == account, Request.state == State.DRAFT
    )
    return db.session.scalars(counted).one()


def remove_draft(number: int) -> None:
    """Take a draft and what belongs to it away, for it was never sent."""
    delegate_rows.forget_request(number)
    db.session.execute(delete(PrivateValue).where(PrivateValue.request == number))
    db.session.execute(delete(Draft).where(Draft.request == number))
    mailed = update(IncomingMail).where(IncomingMail.request == number)
    db.session.execute(mailed.values(request=None))  # it stays on record without its draft
    db.session.execute(delete(Request).where(Request.number == number))


def get_draft(number: int) -> Draft:
    """The text being written for a request; KeyError where there is none."""
    draft = db.session.get(Draft, number)
    if draft is None:
        raise KeyError(number)
    return draft


def drafts_of(numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
    """The texts being written for some requests, by number."""
    if not numbers:
        return {}
    rows = db.session.scalars(select(Draft).where(Draft.request.in_(numbers)))
    return {row.request: json.loads(row.fields) for row in rows}


def save_draft(number: int, content: dict[str, Any], lock_version: int, at: datetime) -> bool:
    """Keep a draft's text; False if it was saved by somebody since ``lock_version``."""
    saved = db.session.execute(
        update(Draft)
        .where(Draft.request == number, Draft.lock_version == lock_version)
        .values(fields=canonical_json(content), saved=at, lock_version=lock_version + 1)
        .returning(Draft.request)
        .execution_options(synchronize_session=False)
    )
    return saved.first() is not None


@read_once
def private_values(number: int) -> dict[str, str]:
    """A contact's private values; only for those who must reach them."""
    return dict(db.session.execute(_private(), {"number": number}).all())


@built_once
def _private() -> Select[str, str]:
    own = PrivateValue.request == bindparam("number")
    return select(PrivateValue.field, PrivateValue.value).where(own)


def set_private_values(number: int, values: Mapping[str, str]) -> None:
    """Replace private values by name; an empty one is erased."""
    db.session.execute(
        delete(PrivateValue).where(
            PrivateValue.request == number, PrivateValue.field.in_(list(values))
        )
    )
    for name, value in values.items():
        if value:
            db.session.add(PrivateValue(request=number, field=name, value=value))
    db.session.flush()
