"""Organizations that the fast track recognizes, and who speaks for them."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from app.store.database import Base, Key, Moment
from app.store.demonstration import is_on


class RecognizedOrganization(Base):
    """A standards organization, scientific society or the like that was recognized.

    ``folded`` is the name as it is compared: without regard to case and outer spaces.
    """

    __tablename__ = "recognized_organization"
    __table_args__ = (UniqueConstraint("folded"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    folded: Mapped[str] = mapped_column(String(200))
    since: Mapped[str] = mapped_column(String(10))
    decision: Mapped[str] = mapped_column(Text)
    reference: Mapped[str] = mapped_column(Text)
    ended: Mapped[datetime | None] = mapped_column(Moment)


class Representative(Base):
    """Somebody who speaks for a recognized organization, from one moment until another.

    ``demo``: it was a demonstration that let them.
    """

    __tablename__ = "representative"

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    organization: Mapped[int] = mapped_column(ForeignKey("recognized_organization.id"), index=True)
    account: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    starts: Mapped[datetime] = mapped_column(Moment)
    ends: Mapped[datetime | None] = mapped_column(Moment)
    demo: Mapped[bool] = mapped_column(default=is_on, server_default=false())
