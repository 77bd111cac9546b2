"""When the holders of names were heard of and asked, derived from what is kept of each name."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    ScalarSelect,
    Select,
    Subquery,
    and_,
    func,
    or_,
    select,
    tuple_,
    union_all,
)

from app.registration.declarations.registries import IdentifierSpace, space_with
from app.registration.naans.yearly_question import NaanAnswer
from app.registration.records.record_documents import registration_from
from app.registration.records.registry_records import Registration, Status
from app.store.accounts.delegate_rows import acts_now
from app.store.database import add_missing, db
from app.store.tables import (
    Account,
    Delegate,
    Edition,
    HolderAnswer,
    HolderQuestion,
    Name,
    RecordVersion,
)
from app.store.tables.registry import Cause


@dataclass(frozen=True, slots=True, kw_only=True)
class HolderContact:
    """A name in use, as its holder is known: heard of and asked at moments, by how many people.

    ``asked`` is when the first question after ``heard`` was sent, ``due`` the day of the last
    one; empty where there was none.
    """

    name_id: int
    space: IdentifierSpace
    name: str
    record: Registration
    heard: datetime
    asked: datetime | None
    due: str
    people: int


@dataclass(frozen=True, slots=True)
class HolderCursor:
    heard: datetime
    name_id: int


def find_contact(name_id: int) -> HolderContact | None:
    """What is known of the holder of one name; None where it is not in use."""
    heard = _heard()
    row = db.session.execute(_contacts(heard).where(Name.id == name_id)).one_or_none()
    return _contact(row) if row else None


def contacts_of(account: int, spaces: Iterable[IdentifierSpace], most: int) -> list[HolderContact]:
    """The names for which somebody acts, with what is known of their holders."""
    heard = _heard()
    theirs = Name.id.in_(_acted_for().where(Delegate.account == account))
    found = _contacts(heard).where(_of(spaces), theirs).order_by(Name.folded, Name.id)
    return [_contact(row) for row in db.session.execute(found.limit(most))]


def heard_before(spaces: Iterable[IdentifierSpace], until: datetime) -> list[HolderContact]:
    """The names whose holders were not heard of since, and for which somebody acts."""
    heard = _heard()
    asked = _of(spaces), heard.c.at < until, Name.id.in_(_acted_for())
    return [_contact(row) for row in db.session.execute(_contacts(heard).where(*asked))]


@dataclass(frozen=True, slots=True)
class SilentHolders:
    spaces: Collection[IdentifierSpace]
    heard: datetime
    asked: datetime


def silent(limits: SilentHolders, most: int, after: HolderCursor | None) -> list[HolderContact]:
    """The names whose holders are silent, the longest first, from a place on."""
    heard = _heard()
    found = _contacts(heard).where(_is_silent(limits, heard))
    if after:
        place = tuple_(after.heard, after.name_id, types=[heard.c.at.type, Name.id.type])
        found = found.where(tuple_(heard.c.at, Name.id) > place)
    rows = db.session.execute(found.order_by(heard.c.at, Name.id).limit(most))
    return [_contact(row) for row in rows]


def count_silent(limits: SilentHolders) -> int:
    heard = _heard()
    counted = _named(heard, select(func.count(Name.id))).where(_is_silent(limits, heard))
    return db.session.scalar(counted) or 0


def count_unclaimed(spaces: Iterable[IdentifierSpace]) -> int:
    counted = _named(_heard(), select(func.count(Name.id))).where(_of(spaces), ~_was_claimed())
    return db.session.scalar(counted) or 0


def add_question(name_id: int, due: str, at: datetime) -> bool:
    """Keep that a question is sent; False where that of this day was, by whatever worker."""
    return bool(add_missing(HolderQuestion, [{"name_id": name_id, "due": due, "at": at}]))


def add_answer(event: int, name_id: int, at: datetime, answer: NaanAnswer) -> None:
    """Keep what a holder answered, for ever."""
    db.session.add(HolderAnswer(event=event, name_id=name_id, at=at, answer=answer))
    db.session.flush()


def last_answer(name_id: int) -> tuple[datetime, NaanAnswer] | None:
    """When a holder answered last, and what; None where they never did."""
    found = select(HolderAnswer).where(HolderAnswer.name_id == name_id)
    row = db.session.scalars(found.order_by(HolderAnswer.event.desc()).limit(1)).one_or_none()
    return (row.at, NaanAnswer(row.answer)) if row else None


def _heard() -> Subquery:
    begun = or_(RecordVersion.n == 1, RecordVersion.cause == Cause.REGISTRATION)
    signs = union_all(
        select(RecordVersion.name_id, Edition.as_of.label("at"))
        .join(Edition, Edition.n == RecordVersion.edition)
        .where(begun),
        select(Delegate.name_id, Delegate.starts).where(Delegate.name_id.is_not(None)),
        select(HolderAnswer.name_id, HolderAnswer.at),
    ).subquery()
    last = select(signs.c.name_id, func.max(signs.c.at).label("at")).group_by(signs.c.name_id)
    return last.subquery()


def _contacts(heard: Subquery) -> Select[Any]:
    own = HolderQuestion.name_id == Name.id
    first = select(func.min(HolderQuestion.at)).where(own, HolderQuestion.at > heard.c.at)
    last = select(func.max(HolderQuestion.due)).where(own)
    columns = (
        *(Name.id, Name.space, Name.folded, RecordVersion.document, heard.c.at),
        first.correlate(Name, heard).scalar_subquery().label("asked"),
        last.correlate(Name).scalar_subquery().label("due"),
        _people().label("people"),
    )
    return _named(heard, select(*columns))


def _named(heard: Subquery, found: Select[Any]) -> Select[Any]:
    of_name = RecordVersion.name_id == Name.id, RecordVersion.is_in_editions()
    later = select(func.max(RecordVersion.n)).where(*of_name)
    latest = and_(
        RecordVersion.name_id == Name.id,
        RecordVersion.n == later.correlate(Name).scalar_subquery(),
    )
    return (
        found.select_from(Name)
        .join(RecordVersion, latest)
        .join(heard, heard.c.name_id == Name.id)
        .where(RecordVersion.status != Status.FORMER)
    )


def _people() -> ScalarSelect[int]:
    acting = select(func.count(Delegate.id)).join(Account, Account.id == Delegate.account)
    return acting.where(Delegate.name_id == Name.id, acts_now()).correlate(Name).scalar_subquery()


def _acted_for() -> Select[Any]:
    acting = select(Delegate.name_id).join(Account, Account.id == Delegate.account)
    return acting.where(Delegate.name_id.is_not(None), acts_now())


def _of(spaces: Iterable[IdentifierSpace]) -> ColumnElement[bool]:
    return Name.space.in_([one.id for one in spaces])


def _is_silent(limits: SilentHolders, heard: Subquery) -> ColumnElement[bool]:
    late = select(HolderQuestion.name_id).where(
        HolderQuestion.name_id == Name.id, HolderQuestion.at > heard.c.at
    )
    first = late.with_only_columns(func.min(HolderQuestion.at)).correlate(Name, heard)
    asked = first.scalar_subquery()
    is_late = or_(asked.is_(None), asked < limits.asked)
    return and_(_of(limits.spaces), _was_claimed(), heard.c.at < limits.heard, is_late)


def _was_claimed() -> ColumnElement[bool]:
    ever = select(Delegate.id).where(Delegate.name_id == Name.id)
    return ever.correlate(Name).exists()


def _contact(row: Row[Any]) -> HolderContact:
    space = space_with(row.space)
    return HolderContact(
        name_id=row.id,
        space=space,
        name=row.folded,
        record=registration_from(json.loads(row.document), space),
        heard=row.at,
        asked=row.asked,
        due=row.due or "",
        people=row.people,
    )
