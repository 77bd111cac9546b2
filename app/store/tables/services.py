"""Whether the services answer that names lead to, as somebody saw it last."""

from datetime import datetime

from sqlalchemy import CheckConstraint, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.database import Base, Moment


class ServiceCheck(Base):
    """A service that is on file, and what came of it. The moments are the database's.

    ``key`` is a digest of namespace, kind, target and pattern. ``urn`` and ``url`` are the sample
    that it is asked for, empty where it applies to no example. ``looked`` and ``answers`` are
    empty until it was asked; ``since`` is when it first did as it does now; ``failures`` counts
    those in a row; ``told``: operators had mail of them.
    """

    __tablename__ = "service_check"
    __table_args__ = (CheckConstraint("failures >= 0", name="count"),)

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    namespace: Mapped[str] = mapped_column(String(64), index=True)
    place: Mapped[int]
    kind: Mapped[str] = mapped_column(String(8))
    target: Mapped[str] = mapped_column(Text)
    urn: Mapped[str] = mapped_column(Text)
    url: Mapped[str] = mapped_column(Text)
    looked: Mapped[datetime | None] = mapped_column(Moment)
    answers: Mapped[bool | None]
    status: Mapped[int | None]
    words: Mapped[str] = mapped_column(Text)
    failures: Mapped[int]
    since: Mapped[datetime | None] = mapped_column(Moment)
    told: Mapped[bool]


class CheckRound(Base):
    """Who asks the services now, and when all of them were asked last: one row, for all hosts.

    ``token`` is of whoever has the lease; ``done`` is when a round had its end.
    """

    __tablename__ = "check_round"
    __table_args__ = (CheckConstraint("id = 1", name="one"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    token: Mapped[str] = mapped_column(String(32))
    leased_until: Mapped[datetime | None] = mapped_column(Moment)
    done: Mapped[datetime | None] = mapped_column(Moment)
