"""Accounts, the roles granted to them, and the ways in."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import or_, select, update
from sqlalchemy.exc import IntegrityError

from app.store.counters import sha256
from app.store.database import db
from app.store.tables import Account, Idempotency, RoleGrant, SignIn, UserSession
from app.store.tables.accounts import Grant


def find_account(email: str) -> Account | None:
    """The account of an address, compared without regard to case."""
    return db.session.scalars(select(Account).where(Account.email == email.lower())).one_or_none()


def get_or_add_account(email: str, at: datetime, name: str = "") -> Account:
    """The account of an address, made now if there is none."""
    account = find_account(email)
    if account is None:
        account = Account(email=email.lower(), name=name, created=at)
        db.session.add(account)
        db.session.flush()
    return account


def get_account(ident: int) -> Account:
    """An account by its id; KeyError where there is none."""
    account = db.session.get(Account, ident)
    if account is None:
        raise KeyError(ident)
    return account


def grants_of(account: int, at: datetime) -> frozenset[Grant]:
    """The roles an account holds at a moment."""
    rows = db.session.scalars(
        select(RoleGrant.role).where(
            RoleGrant.account == account,
            RoleGrant.starts <= at,
            or_(RoleGrant.ends.is_(None), RoleGrant.ends > at),
        )
    )
    return frozenset(Grant(role) for role in rows)


def holders(role: Grant, at: datetime) -> list[Account]:
    """Who holds a role at a moment."""
    return list(
        db.session.scalars(
            select(Account)
            .join(RoleGrant, RoleGrant.account == Account.id)
            .where(
                RoleGrant.role == role,
                RoleGrant.starts <= at,
                or_(RoleGrant.ends.is_(None), RoleGrant.ends > at),
            )
            .order_by(Account.id)
            .distinct()
        )
    )


def add_grant(account: int, role: Grant, starts: datetime, decision: str = "") -> None:
    """Give a role from a moment on."""
    db.session.add(
        RoleGrant(account=account, role=role, registry_id="", starts=starts, decision=decision)
    )


def end_grants(account: int, role: Grant, at: datetime) -> int:
    """End a role; gives how many grants were ended."""
    ended = db.session.execute(
        update(RoleGrant)
        .where(RoleGrant.account == account, RoleGrant.role == role, RoleGrant.ends.is_(None))
        .values(ends=at)
        .returning(RoleGrant.id)
    )
    return len(ended.all())


def add_sign_in(
    ident: str, email: str, token: str, next_: str, at: datetime, kept: str = ""
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
        )
    )
    db.session.flush()


def sign_ins_since(email: str, since: datetime) -> int:
    """How many links an address was sent since a moment."""
    rows = db.session.scalars(
        select(SignIn.id).where(SignIn.email == email.lower(), SignIn.created > since)
    )
    return len(rows.all())


def find_sign_in(token: str) -> SignIn | None:
    """The sign-in a token belongs to, used or not."""
    return db.session.scalars(
        select(SignIn).where(SignIn.token_sha256 == sha256(token))
    ).one_or_none()


def get_sign_in(ident: str) -> SignIn:
    """A sign-in by its id; KeyError where there is none."""
    sign_in = db.session.get(SignIn, ident)
    if sign_in is None:
        raise KeyError(ident)
    return sign_in


def use_sign_in(ident: str, at: datetime) -> bool:
    """Use a sign-in up; False if somebody was quicker."""
    used = db.session.execute(
        update(SignIn)
        .where(SignIn.id == ident, SignIn.used.is_(None))
        .values(used=at, kept="")
        .returning(SignIn.id)
    )
    return used.first() is not None


def add_session(token: str, account: int, at: datetime, expires: datetime) -> None:
    """Let a browser that holds this token act for an account until it expires."""
    db.session.add(
        UserSession(token_sha256=sha256(token), account=account, created=at, expires=expires)
    )


def account_of_session(token: str, at: datetime) -> Account | None:
    """Whose session a token is, if it has not ended."""
    return db.session.scalars(
        select(Account)
        .join(UserSession, UserSession.account == Account.id)
        .where(
            UserSession.token_sha256 == sha256(token),
            UserSession.expires > at,
            UserSession.ended.is_(None),
        )
    ).one_or_none()


def end_session(token: str, at: datetime) -> None:
    """End a session for good."""
    db.session.execute(
        update(UserSession)
        .where(UserSession.token_sha256 == sha256(token), UserSession.ended.is_(None))
        .values(ended=at)
    )


@dataclass(frozen=True, slots=True)
class Answered:
    """What a write answered when its key was first used."""

    request_sha256: str
    response: str


def answer_of(account: int, key: str) -> Answered | None:
    """The answer a key was given, or None for a new key."""
    row = db.session.scalars(
        select(Idempotency).where(Idempotency.account == account, Idempotency.key == key)
    ).one_or_none()
    return None if row is None else Answered(row.request_sha256, row.response)


class KeyInUse(Exception):
    """Another transaction is writing under the same key."""


def keep_answer(account: int, key: str, request: str, response: str, at: datetime) -> None:
    """Keep what a write answered; KeyInUse if the same write ran at the same time."""
    db.session.add(
        Idempotency(account=account, key=key, request_sha256=request, response=response, created=at)
    )
    try:
        db.session.flush()
    except IntegrityError as error:
        raise KeyInUse(key) from error
