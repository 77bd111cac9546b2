"""People who use the site, what they may do, and how they got in."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from app.store.database import Base, Key, Moment
from app.store.demonstration import is_on
from app.store.tables.columns import one_of


class Grant(StrEnum):
    """A role that is granted for a time. Everybody with an account may ask for a name."""

    OPERATOR = "operator"
    EXPERT = "expert"
    LEADER = "leader"


class Account(Base):
    """Somebody known by an e-mail address. ``demo``: they are of the demonstration."""

    __tablename__ = "account"
    __table_args__ = (UniqueConstraint("email"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    email: Mapped[str] = mapped_column(String(320))
    name: Mapped[str] = mapped_column(String(200), default="")
    created: Mapped[datetime] = mapped_column(Moment)
    organization: Mapped[str] = mapped_column(String(200), default="", server_default="")
    demo: Mapped[bool] = mapped_column(default=False, server_default=false())


class RoleGrant(Base):
    """A role given to an account, from one moment until another.

    ``demo``: it was given in a demonstration, and counts in none but one.
    """

    __tablename__ = "role_grant"
    __table_args__ = (one_of("role", Grant),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    account: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    role: Mapped[str] = mapped_column(String(16))
    registry_id: Mapped[str] = mapped_column(String(64), default="")
    starts: Mapped[datetime] = mapped_column(Moment)
    ends: Mapped[datetime | None] = mapped_column(Moment)
    decision: Mapped[str] = mapped_column(Text, default="")
    demo: Mapped[bool] = mapped_column(default=is_on, server_default=false())


class UserSession(Base):
    """A browser that is signed in. The token itself is in its cookie alone.

    ``demo``: a click opened it, and no link.
    """

    __tablename__ = "session"

    token_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    account: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    created: Mapped[datetime] = mapped_column(Moment)
    expires: Mapped[datetime] = mapped_column(Moment)
    ended: Mapped[datetime | None] = mapped_column(Moment)
    demo: Mapped[bool] = mapped_column(default=False, server_default=false())


class SignIn(Base):
    """A one-time link that was asked for. Its token is stored hashed and used once.

    ``kept`` is the form that somebody was filling in when their session ran out. ``expires`` is
    for a link that came with work to do; one that was asked for lasts some minutes.
    """

    __tablename__ = "sign_in"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    email: Mapped[str] = mapped_column(String(320), index=True)
    token_sha256: Mapped[str] = mapped_column(String(64), unique=True)
    next: Mapped[str] = mapped_column(Text)
    kept: Mapped[str] = mapped_column(Text, default="")
    created: Mapped[datetime] = mapped_column(Moment)
    used: Mapped[datetime | None] = mapped_column(Moment)
    expires: Mapped[datetime | None] = mapped_column(Moment)


class Idempotency(Base):
    """The answer to a write, kept so that sending it twice does it once.

    The key is kept as its hash, whatever somebody sent as one.
    """

    __tablename__ = "idempotency"
    __table_args__ = (UniqueConstraint("account", "key_sha256"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    account: Mapped[int] = mapped_column(ForeignKey("account.id"))
    key_sha256: Mapped[str] = mapped_column(String(64))
    request_sha256: Mapped[str] = mapped_column(String(64))
    response: Mapped[str] = mapped_column(Text)
    created: Mapped[datetime] = mapped_column(Moment)
