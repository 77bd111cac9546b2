"""Who acts for a registrant, and how somebody comes to: by invitation, claim or transfer."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, false, text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.database import Base, Key, Moment
from app.store.tables.columns import enum_check, presence_check

_ONE = "(name_id IS NULL) <> (request IS NULL)"


def _one_at_once(name: str, *columns: str, where: str) -> Index:
    condition = text(where)
    return Index(name, *columns, unique=True, sqlite_where=condition, postgresql_where=condition)


class DelegateOrigin(StrEnum):
    STARTED = "started"  # began the request
    REGISTERED = "registered"  # acted for the request that the name was given to
    INVITED = "invited"
    CONTACT = "contact"  # used a link that was mailed to the contact on file
    EVIDENCE = "evidence"  # showed it to the operator
    TRANSFERRED = "transferred"


class ClaimKind(StrEnum):
    INVITATION = "invitation"
    CONTACT = "contact"
    EVIDENCE = "evidence"
    TRANSFER = "transfer"


class ClaimState(StrEnum):
    OPEN = "open"
    GRANTED = "granted"
    REFUSED = "refused"
    OBJECTED = "objected"
    WITHDRAWN = "withdrawn"


class Delegate(Base):
    """Somebody who acts for the registrant of a name, or of a request for a new one.

    From one moment until another; nobody twice at once. ``demo``: somebody let them in a
    demonstration, where anybody can.
    """

    __tablename__ = "holder"
    __table_args__ = (
        enum_check("how", DelegateOrigin),
        CheckConstraint(_ONE, name="one"),
        _one_at_once("uq_holder_name_open", "name_id", "account", where="ends IS NULL"),
        _one_at_once("uq_holder_request_open", "request", "account", where="ends IS NULL"),
    )

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    name_id: Mapped[int | None] = mapped_column(ForeignKey("name.id"))
    request: Mapped[int | None] = mapped_column(ForeignKey("request.number"))
    account: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    how: Mapped[str] = mapped_column(String(16))
    starts: Mapped[datetime] = mapped_column(Moment)
    ends: Mapped[datetime | None] = mapped_column(Moment)
    demo: Mapped[bool] = mapped_column(default=False, server_default=false())


class Claim(Base):
    """What is asked so that somebody acts for a registrant. Never public: its events are.

    ``account`` asked for it. ``address`` is whose turn it is to accept, and is erased with the
    decision. ``due`` is the last moment of a link; of a transfer, the last to object to it.
    Of the token in a link only the hash is kept.
    """

    __tablename__ = "claim"
    __table_args__ = (
        enum_check("kind", ClaimKind),
        enum_check("state", ClaimState),
        CheckConstraint(_ONE, name="one"),
        CheckConstraint("request IS NULL OR kind = 'invitation'", name="request"),
        CheckConstraint("(decided IS NULL) = (state = 'open')", name="decided"),
        CheckConstraint("state NOT IN ('refused', 'objected') OR reason <> ''", name="reason"),
        presence_check(
            "token_sha256", "kind", [k for k in ClaimKind if k is not ClaimKind.EVIDENCE]
        ),
        presence_check("due", "kind", [k for k in ClaimKind if k is not ClaimKind.EVIDENCE]),
        _one_at_once(
            "uq_claim_transfer_open", "name_id", where="kind = 'transfer' AND state = 'open'"
        ),
        Index(None, "state", "kind"),
    )

    number: Mapped[int] = mapped_column(Key, primary_key=True, autoincrement=False)
    name_id: Mapped[int | None] = mapped_column(ForeignKey("name.id"), index=True)
    request: Mapped[int | None] = mapped_column(ForeignKey("request.number"), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    account: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    at: Mapped[datetime] = mapped_column(Moment)
    state: Mapped[str] = mapped_column(String(16))
    due: Mapped[datetime | None] = mapped_column(Moment)
    token_sha256: Mapped[str | None] = mapped_column(String(64), unique=True)
    address: Mapped[str] = mapped_column(String(320), default="")
    organization: Mapped[str] = mapped_column(String(200), default="")
    body: Mapped[str] = mapped_column(Text, default="")
    decided: Mapped[datetime | None] = mapped_column(Moment)
    reason: Mapped[str] = mapped_column(Text, default="")
