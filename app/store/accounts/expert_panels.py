"""Panels of experts: who sits on them, who is away or too near, and whose turn a request is."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    bindparam,
    func,
    null,
    select,
    union_all,
    update,
)
from sqlalchemy.orm import aliased
from sqlalchemy.sql.dml import ReturningUpdate

from app.store.accounts.account_rows import is_grant_current
from app.store.database import add_missing, built_once, db, read_once
from app.store.demonstration import is_counted
from app.store.tables import (
    Absence,
    Account,
    Assignment,
    Interest,
    Recusal,
    RoleGrant,
    TemporaryExpert,
)
from app.store.tables.accounts import Grant

_EXPERTS = (Grant.EXPERT, Grant.LEADER)


class AppointmentEntry(NamedTuple):
    """The addresses of who entered an appointment, and who confirmed it since; None for nobody."""

    account: int
    entered_by: str | None
    confirmed_by: str | None


@read_once
def members_of(registry: str, at: datetime) -> list[Account]:
    """The experts who were appointed for a registry and are at a moment, in a lasting order."""
    return list(
        db.session.scalars(
            select(Account)
            .join(RoleGrant, RoleGrant.account == Account.id)
            .where(
                RoleGrant.role.in_(_EXPERTS),
                RoleGrant.registry_id.in_(["", registry]),
                is_grant_current(at),
            )
            .order_by(Account.id)
            .distinct()
        )
    )


@read_once
def leaders_of(registry: str, at: datetime) -> frozenset[int]:
    return frozenset(
        db.session.scalars(
            select(RoleGrant.account)
            .join(Account, Account.id == RoleGrant.account)
            .where(
                RoleGrant.role == Grant.LEADER,
                RoleGrant.registry_id.in_(["", registry]),
                is_grant_current(at),
            )
        )
    )


def is_appointed(account: int, role: Grant, registry: str) -> bool:
    whose = RoleGrant.account == account, RoleGrant.ends.is_(None), is_counted(RoleGrant)
    which = RoleGrant.role == role, RoleGrant.registry_id == registry
    return db.session.scalar(select(RoleGrant.id).where(*whose, *which).limit(1)) is not None


def appointments() -> list[tuple[RoleGrant, Account]]:
    """Every appointment of an expert or a leader that ever was, newest first."""
    rows = db.session.execute(
        select(RoleGrant, Account)
        .join(Account, Account.id == RoleGrant.account)
        .where(RoleGrant.role.in_(_EXPERTS), is_counted(RoleGrant, Account))
        .order_by(RoleGrant.starts.desc(), RoleGrant.id.desc())
    )
    return [(grant, account) for grant, account in rows]


def all_grants() -> list[tuple[RoleGrant, Account]]:
    """Every role that was ever granted, those of operators too, newest first."""
    rows = db.session.execute(
        select(RoleGrant, Account)
        .join(Account, Account.id == RoleGrant.account)
        .where(is_counted(RoleGrant, Account))
        .order_by(RoleGrant.starts.desc(), RoleGrant.id.desc())
    )
    return [(grant, account) for grant, account in rows]


def all_temporary() -> list[tuple[TemporaryExpert, Account]]:
    rows = db.session.execute(
        select(TemporaryExpert, Account)
        .join(Account, Account.id == TemporaryExpert.account)
        .where(is_counted(TemporaryExpert, Account))
        .order_by(TemporaryExpert.starts.desc(), TemporaryExpert.id.desc())
    )
    return [(expert, account) for expert, account in rows]


def entries_of(accounts: Collection[int], registry: str, request: int) -> list[AppointmentEntry]:
    asked = {"accounts": list(accounts), "registry": registry, "request": request}
    return (
        [AppointmentEntry(*row) for row in db.session.execute(_entries(), asked)]
        if accounts
        else []
    )


@built_once
def _entries() -> CompoundSelect[int, str | None, str | None]:
    by, confirming = aliased(Account), aliased(Account)
    lasting = (
        select(RoleGrant.account, by.email, confirming.email)
        .outerjoin(by, by.id == RoleGrant.entered_by)
        .outerjoin(confirming, confirming.id == RoleGrant.confirmed_by)
        .where(
            RoleGrant.account.in_(bindparam("accounts", expanding=True)),
            RoleGrant.role.in_(_EXPERTS),
            RoleGrant.registry_id.in_(["", bindparam("registry")]),
            is_counted(RoleGrant),
        )
    )
    temporary = (
        select(TemporaryExpert.account, by.email, null())
        .outerjoin(by, by.id == TemporaryExpert.entered_by)
        .where(
            TemporaryExpert.account.in_(bindparam("accounts", expanding=True)),
            TemporaryExpert.request == bindparam("request"),
            is_counted(TemporaryExpert),
        )
    )
    return union_all(lasting, temporary)


def find_appointment(ident: int) -> RoleGrant | None:
    """An appointment of an expert or a leader, kept from others until the commit."""
    found = select(RoleGrant).where(RoleGrant.id == ident, RoleGrant.role.in_(_EXPERTS))
    return db.session.scalars(found.with_for_update()).one_or_none()


def end_appointment(ident: int, at: datetime) -> RoleGrant | None:
    """End an appointment of an expert; None where there is none that runs."""
    row = find_appointment(ident)
    if row is None or row.ends is not None:
        return None
    row.ends = at
    db.session.flush()
    return row


@read_once
def temporary_experts(request: int) -> list[Account]:
    return temporary_experts_of([request]).get(request, [])


def temporary_experts_of(requests: Collection[int]) -> dict[int, list[Account]]:
    """``temporary_experts`` of several requests, in one query."""
    found: dict[int, list[Account]] = {}
    for request, account in db.session.execute(
        select(TemporaryExpert.request, Account)
        .join(Account, TemporaryExpert.account == Account.id)
        .where(TemporaryExpert.request.in_(requests), is_counted(TemporaryExpert, Account))
        .order_by(Account.id)
    ):
        found.setdefault(request, []).append(account)
    return found


def appointed_for(request: int, at: datetime) -> list[Account]:
    return list(
        db.session.scalars(
            select(Account)
            .join(TemporaryExpert, TemporaryExpert.account == Account.id)
            .where(TemporaryExpert.request == request, TemporaryExpert.starts == at)
            .order_by(Account.id)
        )
    )


def add_temporary_expert(
    request: int, account: int, at: datetime, decision: str, entered_by: int | None = None
) -> None:
    """Let somebody judge one request."""
    row = {"request": request, "account": account, "starts": at, "decision": decision}
    row["entered_by"] = entered_by
    add_missing(TemporaryExpert, [row])


# ---- who is away, or stands too near


def add_absence(account: int, starts: datetime, ends: datetime) -> None:
    """Note that an expert is away for a time."""
    db.session.add(Absence(account=account, starts=starts, ends=ends))
    db.session.flush()


@read_once
def absences(at: datetime) -> list[Absence]:
    """Every absence of an expert that is not over, in order of its start."""
    return list(
        db.session.scalars(
            select(Absence).where(Absence.ends > at).order_by(Absence.starts, Absence.id)
        )
    )


def end_absence(account: int, ident: int, at: datetime) -> bool:
    """End an absence now, or take back one that has not begun; False where there is none."""
    own = Absence.id == ident, Absence.account == account, Absence.ends > at
    row = db.session.scalars(select(Absence).where(*own)).one_or_none()
    if row is None:
        return False
    if row.starts >= at:
        db.session.delete(row)
    else:
        row.ends = at
    db.session.flush()
    return True


def absent_experts(at: datetime) -> dict[int, datetime]:
    returns: dict[int, datetime] = {}
    for row in absences(at):
        if row.starts <= returns.get(row.account, at):
            returns[row.account] = max(row.ends, returns.get(row.account, at))
    return returns


def add_interest(account: int, organization: str, at: datetime) -> None:
    """Note that an expert does not judge what an organization asks for."""
    db.session.add(Interest(account=account, organization=organization, starts=at))
    db.session.flush()


def interests_of(account: int) -> list[Interest]:
    """The interests that an expert declares now."""
    declared = select(Interest).where(Interest.account == account, Interest.ends.is_(None))
    return list(db.session.scalars(declared.order_by(Interest.id)))


def end_interest(account: int, ident: int, at: datetime) -> bool:
    """Note that an interest is over; False where there is none."""
    return _ended(
        update(Interest)
        .where(Interest.id == ident, Interest.account == account, Interest.ends.is_(None))
        .values(ends=at)
        .returning(Interest.id)
    )


def add_recusal(request: int, account: int, at: datetime) -> None:
    """Note that an expert will not judge a request."""
    add_missing(Recusal, [{"request": request, "account": account, "at": at}])


# ---- whose turn a request is


@read_once
def assigned_to(request: int, since: datetime | None = None) -> list[Account]:
    """The experts who have a request, or were given it since a moment; first given first."""
    given = [Assignment.at >= since] if since else []
    return list(
        db.session.scalars(
            select(Account)
            .join(Assignment, Assignment.account == Account.id)
            .where(Assignment.request == request, Assignment.ended.is_(None), *given)
            .where(is_counted(Account))
            .order_by(Assignment.id)
        )
    )


def requests_of(account: int) -> list[int]:
    """The requests that an expert has."""
    own = select(Assignment.request).where(
        Assignment.account == account, Assignment.ended.is_(None)
    )
    return sorted(db.session.scalars(own))


def assignments_of(requests: Collection[int]) -> dict[int, frozenset[int]]:
    rows = db.session.execute(
        select(Assignment.request, Assignment.account)
        .join(Account, Account.id == Assignment.account)
        .where(Assignment.request.in_(requests), Assignment.ended.is_(None), is_counted(Account))
    )
    found: dict[int, set[int]] = {}
    for request, account in rows:
        found.setdefault(request, set()).add(account)
    return {request: frozenset(who) for request, who in found.items()}


def assign(request: int, account: int, at: datetime) -> None:
    """Give a request to an expert."""
    db.session.add(Assignment(request=request, account=account, at=at))
    db.session.flush()


def end_assignments(request: int, at: datetime, account: int | None = None) -> bool:
    """Take a request from one expert, or from all; False where nobody had it."""
    whose: list[ColumnElement[bool]] = [] if account is None else [Assignment.account == account]
    return _ended(
        update(Assignment)
        .where(Assignment.request == request, Assignment.ended.is_(None), *whose)
        .values(ended=at)
        .returning(Assignment.id)
    )


def least_recently_assigned(accounts: Iterable[int]) -> list[int]:
    """These experts in the order of rotation: who was given a request longest ago comes first."""
    wanted = sorted(accounts)
    rows = db.session.execute(
        select(Assignment.account, func.max(Assignment.id).label("last"))
        .where(Assignment.account.in_(wanted))
        .group_by(Assignment.account)
    )
    last = {row.account: row.last for row in rows}
    return sorted(wanted, key=lambda account: (last.get(account, 0), account))


def ever_assigned_to(request: int) -> frozenset[int]:
    found = select(Assignment.account).where(Assignment.request == request)
    return frozenset(db.session.scalars(found))


def _ended(statement: ReturningUpdate[tuple[int]]) -> bool:
    done = db.session.execute(statement.execution_options(synchronize_session=False))
    return bool(done.all())
