"""Accounts, and the roles granted to them."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Select, and_, bindparam, or_, select, update

from app.store.database import Moment, add_missing, built_once, db
from app.store.demonstration import is_counted, is_of_demonstration
from app.store.tables import Account, RoleGrant
from app.store.tables.accounts import Grant


def find_account(email: str) -> Account | None:
    """The account of an address, compared without regard to case."""
    found = select(Account).where(Account.email == email.lower(), is_counted(Account))
    return db.session.scalars(found).one_or_none()


def add_account(email: str, at: datetime, name: str = "") -> bool:
    """Make an account for an address; False if there is one."""
    row = {"email": email.lower(), "name": name, "created": at, "demo": is_of_demonstration(email)}
    return bool(add_missing(Account, [row]))


def get_or_add_account(email: str, at: datetime, name: str = "") -> Account:
    """The account of an address, made now if there is none."""
    add_account(email, at, name)
    return db.session.scalars(select(Account).where(Account.email == email.lower())).one()


def get_account(ident: int) -> Account:
    """An account by its id; KeyError where there is none."""
    account = db.session.get(Account, ident)
    if account is None:
        raise KeyError(ident)
    return account


def set_name(ident: int, name: str) -> None:
    """Let an account have another name."""
    get_account(ident).name = name


def numbered(idents: Collection[int]) -> list[Account]:
    """Accounts by their ids, in their order."""
    return list(db.session.scalars(_numbered(), {"idents": list(idents)})) if idents else []


@built_once
def _numbered() -> Select[Account]:
    wanted = Account.id.in_(bindparam("idents", expanding=True))
    return select(Account).where(wanted).order_by(Account.id)


def grants_of(account: int, at: datetime) -> frozenset[Grant]:
    """The roles an account holds at a moment."""
    return frozenset(grant for grant, _ in grants_for(account, at))


def grants_for(account: int, at: datetime) -> list[tuple[Grant, str]]:
    """The roles an account holds at a moment, each with the registry it is for, "" for all."""
    rows = db.session.execute(
        select(RoleGrant.role, RoleGrant.registry_id)
        .join(Account, Account.id == RoleGrant.account)
        .where(RoleGrant.account == account, is_grant_current(at))
    )
    return [(Grant(role), registry) for role, registry in rows]


def addresses_of(idents: Collection[int]) -> dict[int, str]:
    """The addresses of these accounts."""
    if not idents:
        return {}
    rows = db.session.execute(_addresses(), {"idents": list(idents)})
    return {row.id: row.email for row in rows}


@built_once
def _addresses() -> Select[int, str]:
    wanted = Account.id.in_(bindparam("idents", expanding=True))
    return select(Account.id, Account.email).where(wanted)


def set_organization(account: int, organization: str) -> None:
    """Note where somebody belongs."""
    get_account(account).organization = organization
    db.session.flush()


def holders(role: Grant, at: datetime) -> list[Account]:
    return list(db.session.scalars(_holders(), {"role": role, "at": at}))


@built_once
def _holders() -> Select[Account]:
    return (
        select(Account)
        .join(RoleGrant, RoleGrant.account == Account.id)
        .where(
            RoleGrant.role == bindparam("role"), is_grant_current(bindparam("at", type_=Moment()))
        )
        .order_by(Account.id)
        .distinct()
    )


def is_official(email: str, at: datetime) -> bool:
    return bool(db.session.scalar(select(has_role(email.lower(), at))))


def has_role(address: Any, at: datetime) -> ColumnElement[bool]:
    held = (
        select(RoleGrant.id)
        .join(Account, Account.id == RoleGrant.account)
        .where(Account.email == address, is_grant_current(at))
    )
    return held.exists()


def is_grant_current(at: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    return and_(RoleGrant.starts <= at, _runs_after(at), is_counted(RoleGrant, Account))


def _runs_after(at: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    return or_(RoleGrant.ends.is_(None), RoleGrant.ends > at)


def add_grant(
    account: int,
    role: Grant,
    starts: datetime,
    ends: datetime | None = None,
    decision: str = "",
    registry: str = "",
    entered_by: int | None = None,
) -> None:
    """Give a role from a moment on, for good or until another, for one registry or for all."""
    db.session.add(
        RoleGrant(
            account=account,
            role=role,
            registry_id=registry,
            entered_by=entered_by,
            starts=starts,
            ends=ends,
            decision=decision,
        )
    )


def end_grants(account: int, role: Grant, at: datetime) -> int:
    """End a role, also one that was to begin later; gives how many grants were ended."""
    ended = db.session.execute(
        update(RoleGrant)
        .where(RoleGrant.account == account, RoleGrant.role == role, _runs_after(at))
        .values(ends=at)
        .returning(RoleGrant.id)
        .execution_options(synchronize_session=False)
    )
    return len(ended.all())


def reply_generation(account: int) -> int | None:
    """Which of somebody's addresses for answers count; None where there is no such account."""
    found = select(Account.reply_generation).where(Account.id == account)
    return db.session.scalar(found)


def end_reply_generation(account: int, generation: int) -> bool:
    """Let the addresses of a generation count no more; False where they do not already."""
    ended = db.session.execute(
        update(Account)
        .where(Account.id == account, Account.reply_generation == generation)
        .values(reply_generation=generation + 1)
        .returning(Account.id)
        .execution_options(synchronize_session=False)
    )
    return ended.first() is not None
