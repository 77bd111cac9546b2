"""Accounts, the roles granted to them, and the ways in."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, func, or_, select, update

from app.store.database import add_missing, db
from app.store.demonstration import counts, is_of_demonstration
from app.store.digests import sha256
from app.store.tables import (
    Account,
    RecognizedOrganization,
    Representative,
    RoleGrant,
    SignIn,
    TemporaryExpert,
    UserSession,
)
from app.store.tables.accounts import Grant

_CLOCKS_DIFFER = timedelta(minutes=1)


def find_account(email: str) -> Account | None:
    """The account of an address, compared without regard to case.

    Of the demonstration's accounts there is none outside it.
    """
    found = select(Account).where(Account.email == email.lower(), counts(Account))
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


def grants_of(account: int, at: datetime) -> frozenset[Grant]:
    """The roles an account holds at a moment."""
    return frozenset(grant for grant, _ in grants_for(account, at))


def grants_for(account: int, at: datetime) -> list[tuple[Grant, str]]:
    """The roles an account holds at a moment, each with the registry it is for, "" for all."""
    rows = db.session.execute(
        select(RoleGrant.role, RoleGrant.registry_id)
        .join(Account, Account.id == RoleGrant.account)
        .where(RoleGrant.account == account, runs(at))
    )
    return [(Grant(role), registry) for role, registry in rows]


def requests_to_judge(account: int) -> list[int]:
    """The requests for which somebody was appointed a temporary expert."""
    found = select(TemporaryExpert.request).where(
        TemporaryExpert.account == account, counts(TemporaryExpert)
    )
    return list(db.session.scalars(found))


def represented_by(account: int, at: datetime) -> frozenset[str]:
    """The recognized organizations that somebody speaks for, as they are compared."""
    rows = db.session.scalars(
        select(RecognizedOrganization.folded)
        .join(Representative, Representative.organization == RecognizedOrganization.id)
        .where(
            Representative.account == account,
            or_(Representative.ends.is_(None), Representative.ends > at),
            RecognizedOrganization.ended.is_(None),
            counts(Representative),
        )
    )
    return frozenset(rows)


def set_organization(account: int, organization: str) -> None:
    """Note where somebody belongs."""
    get_account(account).organization = organization
    db.session.flush()


def holders(role: Grant, at: datetime) -> list[Account]:
    """Who holds a role at a moment."""
    return list(
        db.session.scalars(
            select(Account)
            .join(RoleGrant, RoleGrant.account == Account.id)
            .where(RoleGrant.role == role, runs(at))
            .order_by(Account.id)
            .distinct()
        )
    )


def runs(at: datetime) -> ColumnElement[bool]:
    """Of a role that is joined with its account: it is held at a moment."""
    return and_(RoleGrant.starts <= at, _runs_after(at), counts(RoleGrant, Account))


def _runs_after(at: datetime) -> ColumnElement[bool]:
    return or_(RoleGrant.ends.is_(None), RoleGrant.ends > at)


def add_grant(
    account: int,
    role: Grant,
    starts: datetime,
    ends: datetime | None = None,
    decision: str = "",
    registry: str = "",
) -> None:
    """Give a role from a moment on, for good or until another, for one registry or for all."""
    db.session.add(
        RoleGrant(
            account=account,
            role=role,
            registry_id=registry,
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


def add_sign_in(
    ident: str,
    email: str,
    token: str,
    next_: str,
    at: datetime,
    kept: str = "",
    expires: datetime | None = None,
) -> None:
    """Keep that a link was asked for; of its token only the hash."""
    db.session.add(
        SignIn(
            id=ident,
            email=email.lower(),
            token_sha256=sha256(token),
            next=next_,
            kept=kept,
            created=at,
            expires=expires,
        )
    )
    db.session.flush()


def sign_ins_since(email: str, since: datetime) -> int:
    """How many links an address asked for since a moment."""
    asked = SignIn.email == email.lower(), SignIn.created > since, SignIn.expires.is_(None)
    counted = select(func.count()).where(*asked)
    return db.session.scalars(counted).one()


def find_sign_in(token: str) -> SignIn | None:
    """The sign-in a token belongs to, used or not."""
    return db.session.scalars(
        select(SignIn).where(SignIn.token_sha256 == sha256(token))
    ).one_or_none()


def use_sign_in(ident: str, at: datetime) -> bool:
    """Use a sign-in up; False if somebody was quicker."""
    used = db.session.execute(
        update(SignIn)
        .where(SignIn.id == ident, SignIn.used.is_(None))
        .values(used=at, kept="")
        .returning(SignIn.id)
        .execution_options(synchronize_session=False)
    )
    return used.first() is not None


def forget_kept_forms(before: datetime) -> None:
    """Erase the forms kept for links that were asked for so long ago that they are of no use."""
    db.session.execute(
        update(SignIn)
        .where(SignIn.created < before, SignIn.kept != "")
        .values(kept="")
        .execution_options(synchronize_session=False)
    )


def add_session(
    token: str, account: int, at: datetime, expires: datetime, *, demo: bool = False
) -> None:
    """Let a browser that holds this token act for an account until it expires."""
    db.session.add(
        UserSession(
            token_sha256=sha256(token), account=account, created=at, expires=expires, demo=demo
        )
    )


def account_of_session(token: str, at: datetime) -> Account | None:
    """Whose session a token is, if it has not ended."""
    return db.session.scalars(
        select(Account)
        .join(UserSession, UserSession.account == Account.id)
        .where(
            UserSession.token_sha256 == sha256(token),
            UserSession.expires > at,
            # one that expired does not come back when a clock is set back
            UserSession.created <= at + _CLOCKS_DIFFER,
            UserSession.ended.is_(None),
            counts(UserSession, Account),
        )
    ).one_or_none()


def end_session(token: str, at: datetime) -> None:
    """End a session for good."""
    db.session.execute(
        update(UserSession)
        .where(UserSession.token_sha256 == sha256(token), UserSession.ended.is_(None))
        .values(ended=at)
        .execution_options(synchronize_session=False)
    )


def end_sessions_of_demonstration(at: datetime) -> None:
    """End every session that a click opened, for good."""
    db.session.execute(
        update(UserSession)
        .where(UserSession.demo, UserSession.ended.is_(None))
        .values(ended=at)
        .execution_options(synchronize_session=False)
    )
