"""Sign-ins: the links that were asked for, and the forms kept for them."""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import func, select, update

from app.store.database import db
from app.store.digests import sha256
from app.store.tables import SignIn


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


def forget_kept_forms(before: datetime) -> None:
    """Erase the forms kept for links that were asked for so long ago that they are of no use."""
    db.session.execute(
        update(SignIn)
        .where(SignIn.created < before, SignIn.kept != "")
        .values(kept="")
        .execution_options(synchronize_session=False)
    )


def characters_kept(at: datetime, period: timedelta) -> int:
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
