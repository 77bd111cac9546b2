"""Sessions: in which browser somebody is signed in, since when and until when."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import BindParameter, ColumnElement, Select, bindparam, exists, select, update

from app.store.database import Moment, built_once, db
from app.store.demonstration import is_counted
from app.store.digests import sha256
from app.store.tables import Account, SignIn, UserSession

_CLOCKS_DIFFER = timedelta(minutes=1)


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
    return bool(db.session.scalar(select(exists().where(UserSession.account == account))))


def open_sessions(account: int, at: datetime) -> list[UserSession]:
    """The sessions of an account that have not ended, the newest first."""
    of_account = select(UserSession).join(Account, Account.id == UserSession.account)
    found = of_account.where(Account.id == account, *_stands(at, at + _CLOCKS_DIFFER))
    return list(db.session.scalars(found.order_by(UserSession.created.desc())))


def _stands(
    at: datetime | BindParameter[datetime], soon: datetime | BindParameter[datetime]
) -> tuple[ColumnElement[bool], ...]:
    return (
        UserSession.expires > at,
        # one that expired does not come back when a clock is set back
        UserSession.created <= soon,
        UserSession.ended.is_(None),
        is_counted(UserSession, Account),
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
    account: Account
    seen: datetime


def account_of_session(token: str, at: datetime) -> ActiveSession | None:
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
    """End the sessions that whoever used one of these links may have; gives how many."""
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
