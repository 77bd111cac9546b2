"""People who use the site, what they may do, and how they got in."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from app.store.database import Base, Key, Moment
from app.store.demonstration import is_on
from app.store.tables.columns import enum_check


class Grant(StrEnum):
    """A role that is granted for a time. Everybody with an account may ask for a name."""

    OPERATOR = "operator"
    EXPERT = "expert"
    LEADER = "leader"


class Account(Base):
    """Somebody known by an e-mail address. ``demo``: they are of the demonstration.

    Their addresses for answers count while these are of the ``reply_generation``.
    """

    __tablename__ = "account"
    __table_args__ = (UniqueConstraint("email"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    email: Mapped[str] = mapped_column(String(320))
    name: Mapped[str] = mapped_column(String(200), default="")
    created: Mapped[datetime] = mapped_column(Moment)
    organization: Mapped[str] = mapped_column(String(200), default="", server_default="")
    reply_generation: Mapped[int] = mapped_column(default=0, server_default="0")
    demo: Mapped[bool] = mapped_column(default=False, server_default=false())


class RoleGrant(Base):
    """A role given to an account, from one moment until another.

    ``entered_by`` is the operator who entered it, none where it was entered on the machine that
    runs the registry; ``confirmed_by`` is another operator who looked at it since. ``demo``: it
    was given in a demonstration, and counts in none but one.
    """

    __tablename__ = "role_grant"
    __table_args__ = (enum_check("role", Grant),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    account: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    role: Mapped[str] = mapped_column(String(16))
    registry_id: Mapped[str] = mapped_column(String(64), default="")
    starts: Mapped[datetime] = mapped_column(Moment)
    ends: Mapped[datetime | None] = mapped_column(Moment)
    decision: Mapped[str] = mapped_column(Text, default="")
    entered_by: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    confirmed_by: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    demo: Mapped[bool] = mapped_column(default=is_on, server_default=false())


class UserSession(Base):
    """A browser that is signed in. The token itself is in its cookie alone.

    ``network`` and ``device`` say roughly from where and with what, and are erased after a while;
    ``last_used`` is right to the hour. ``demo``: a click opened it, and no link.
    """

    __tablename__ = "session"

    token_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    account: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    created: Mapped[datetime] = mapped_column(Moment)
    expires: Mapped[datetime] = mapped_column(Moment)
    ended: Mapped[datetime | None] = mapped_column(Moment)
    network: Mapped[str] = mapped_column(String(64), default="", server_default="")
    device: Mapped[str] = mapped_column(String(80), default="", server_default="")
    last_used: Mapped[datetime | None] = mapped_column(Moment)
    demo: Mapped[bool] = mapped_column(default=False, server_default=false())


class SignIn(Base):
    """A one-time link that was asked for. Its token is stored hashed and used once.

    ``kept`` is the form that somebody was filling in when their session ran out. ``expires``
    stands where older software sent the link with work to do; such a link signs nobody in.
    """

    __tablename__ = "sign_in"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    email: Mapped[str] = mapped_column(String(320), index=True)
    token_sha256: Mapped[str] = mapped_column(String(64), unique=True)
    next: Mapped[str] = mapped_column(Text)
    kept: Mapped[str] = mapped_column(Text, default="")
    created: Mapped[datetime] = mapped_column(Moment, index=True)
    used: Mapped[datetime | None] = mapped_column(Moment)
    expires: Mapped[datetime | None] = mapped_column(Moment)


class Idempotency(Base):
    """The answer to a write, kept so that sending it twice does it once."""

    __tablename__ = "idempotency"
    __table_args__ = (UniqueConstraint("account", "key_sha256"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    account: Mapped[int] = mapped_column(ForeignKey("account.id"))
    key_sha256: Mapped[str] = mapped_column(String(64))
    request_sha256: Mapped[str] = mapped_column(String(64))
    response: Mapped[str] = mapped_column(Text)
    created: Mapped[datetime] = mapped_column(Moment)


class Attempt(Base):
    """Something that was asked for and is limited: what, by whom or for whom, when.

    ``whose`` is a number or a keyed hash, so that it names no address; rows are pruned.
    """

    __tablename__ = "attempt"
    __table_args__ = (Index(None, "what", "whose", "at"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    what: Mapped[str] = mapped_column(String(32))
    whose: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(Moment, index=True)
