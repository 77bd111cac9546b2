"""Accounts, the roles granted to them, and the ways in."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Select,
    and_,
    bindparam,
    exists,
    func,
    or_,
    select,
    update,
)

from app.store.database import Moment, add_missing, built_once, db
from app.store.demonstration import counts, is_of_demonstration
from app.store.digests import sha256
from app.store.tables import (
    Account,
    RoleGrant,
    SignIn,
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
    """Who holds a role at a moment."""
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
    """Whether an address has an account that holds a role at a moment."""
    return bool(db.session.scalar(select(has_role(email.lower(), at))))


def has_role(address: Any, at: datetime) -> ColumnElement[bool]:
    """Of a column of addresses: whether an account of that address holds a role at a moment."""
    held = (
        select(RoleGrant.id)
        .join(Account, Account.id == RoleGrant.account)
        .where(Account.email == address, is_grant_current(at))
    )
    return held.exists()


def is_grant_current(at: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    """Of a role that is joined with its account: it is held at a moment."""
    return and_(RoleGrant.starts <= at, _runs_after(at), counts(RoleGrant, Account))


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


def add_sign_in(
    ident: str,
    email: str,
    token: str,
    next_: str,
    at: datetime,
    kept: str = "",
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


def void_sign_ins(tokens: Collection[str], at: datetime) -> int:
    """Use the sign-ins of tokens up, whoever has them; gives how many were open."""
    voided = db.session.execute(
        update(SignIn)
        .where(SignIn.token_sha256.in_(map(sha256, tokens)), SignIn.used.is_(None))
        .values(used=at, kept="")
        .returning(SignIn.id)
        .execution_options(synchronize_session=False)
    )
    return len(voided.all())


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


def forget_kept_forms(before: datetime) -> None:
    """Erase the forms kept for links that were asked for so long ago that they are of no use."""
    db.session.execute(
        update(SignIn)
        .where(SignIn.created < before, SignIn.kept != "")
        .values(kept="")
        .execution_options(synchronize_session=False)
    )


def characters_kept(at: datetime, period: timedelta) -> int:
    """How much the forms hold that are kept for links asked for within a period."""
    size = func.coalesce(func.sum(func.length(SignIn.kept)), 0)
    recent = SignIn.created > at - period, SignIn.created < at + period
    return int(db.session.scalar(select(size).where(*recent, SignIn.kept != "")) or 0)


def void_sign_ins_to(email: str, at: datetime) -> None:
    """Let no link that was asked for with an address sign anybody in any more."""
    db.session.execute(
        update(SignIn)
        .where(SignIn.email == email.lower(), SignIn.used.is_(None))
        .values(used=at, kept="")
        .execution_options(synchronize_session=False)
    )


def add_session(
    token: str,
    account: int,
    at: datetime,
    expires: datetime,
    *,
    network: str = "",
    device: str = "",
    demo: bool = False,
) -> None:
    """Let a browser that holds this token act for an account until it expires."""
    db.session.add(
        UserSession(
            token_sha256=sha256(token),
            account=account,
            created=at,
            expires=expires,
            network=network,
            device=device,
            demo=demo,
        )
    )


def sessions_since(account: int, since: datetime) -> list[UserSession]:
    """The sessions of an account that began after a moment, ended or not."""
    found = select(UserSession).where(UserSession.account == account, UserSession.created > since)
    return list(db.session.scalars(found))


def had_session(account: int) -> bool:
    """Whether an account was ever signed in to."""
    return bool(db.session.scalar(select(exists().where(UserSession.account == account))))


def open_sessions(account: int, at: datetime) -> list[UserSession]:
    """The sessions of an account that have not ended, the newest first."""
    of_account = select(UserSession).join(Account, Account.id == UserSession.account)
    found = of_account.where(Account.id == account, *_stands(at, at + _CLOCKS_DIFFER))
    return list(db.session.scalars(found.order_by(UserSession.created.desc())))


def _stands(
    at: datetime | BindParameter[datetime], soon: datetime | BindParameter[datetime]
) -> tuple[ColumnElement[bool], ...]:
    """Of a session that is joined with its account: it has not ended."""
    return (
        UserSession.expires > at,
        # one that expired does not come back when a clock is set back
        UserSession.created <= soon,
        UserSession.ended.is_(None),
        counts(UserSession, Account),
    )


def note_use(token: str, at: datetime) -> None:
    """Note that a session is used now."""
    db.session.execute(
        update(UserSession)
        .where(UserSession.token_sha256 == sha256(token))
        .values(last_used=at)
        .execution_options(synchronize_session=False)
    )


def forget_places(before: datetime) -> None:
    """Erase from where and with what sessions were begun that are so old."""
    known = (UserSession.network != "") | (UserSession.device != "")
    db.session.execute(
        update(UserSession)
        .where(UserSession.created < before, known)
        .values(network="", device="")
        .execution_options(synchronize_session=False)
    )


class ActiveSession(NamedTuple):
    """Whose session it is, and when it was noted last that it is used; at first when it began."""

    account: Account
    seen: datetime


def account_of_session(token: str, at: datetime) -> ActiveSession | None:
    """Whose session a token is, if it has not ended."""
    given = {"token": sha256(token), "at": at, "soon": at + _CLOCKS_DIFFER}
    row = db.session.execute(_of_session(), given).one_or_none()
    return None if row is None else ActiveSession(row[0], row[2] or row[1])


@built_once
def _of_session() -> Select[Account, datetime, datetime | None]:
    stands = _stands(bindparam("at", type_=Moment()), bindparam("soon", type_=Moment()))
    return (
        select(Account, UserSession.created, UserSession.last_used)
        .join(UserSession, UserSession.account == Account.id)
        .where(UserSession.token_sha256 == bindparam("token"), *stands)
    )


def end_session(token: str, at: datetime) -> None:
    """End a session for good."""
    _end(UserSession.token_sha256 == sha256(token), at)


def end_listed(session: UserSession, at: datetime) -> None:
    """End one of the sessions that were listed."""
    _end(UserSession.token_sha256 == session.token_sha256, at)


def end_sessions(account: int, at: datetime) -> None:
    """End every session of an account."""
    _end(UserSession.account == account, at)


def end_sessions_since_links(tokens: Collection[str], at: datetime) -> int:
    """End the sessions that whoever used one of these links may have; gives how many.

    Those of its account that began after it was made: which of them it opened is not kept.
    """
    used = select(UserSession.token_sha256).join(Account, Account.id == UserSession.account)
    used = used.join(SignIn, SignIn.email == Account.email).where(
        SignIn.token_sha256.in_(list(map(sha256, tokens))),
        SignIn.used.is_not(None),
        UserSession.created >= SignIn.created,
        UserSession.ended.is_(None),
    )
    found = list(db.session.scalars(used.distinct()))
    _end(UserSession.token_sha256.in_(found), at)
    return len(found)


def _end(which: ColumnElement[bool], at: datetime) -> None:
    db.session.execute(
        update(UserSession)
        .where(which, UserSession.ended.is_(None))
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
