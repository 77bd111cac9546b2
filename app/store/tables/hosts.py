"""The hosts that this registry runs on, as their workers tell of them."""

from datetime import datetime

from sqlalchemy import BigInteger, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.database import Base, Key, Moment


class Host(Base):
    """One host: when its worker was seen last, and what it said. The moments are the database's.

    ``trouble`` is why publishing fails there, empty where it does not; ``mail_said`` what the mail
    server said when it took no message, empty where it took it.
    """

    __tablename__ = "host"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    label: Mapped[str] = mapped_column(String(255))
    seen: Mapped[datetime] = mapped_column(Moment)
    started: Mapped[datetime] = mapped_column(Moment)
    version: Mapped[str] = mapped_column(String(64))
    edition: Mapped[int | None] = mapped_column(Key)  # it may be one that the database lost
    free_bytes: Mapped[int] = mapped_column(BigInteger)
    total_bytes: Mapped[int] = mapped_column(BigInteger)
    sends: Mapped[bool]
    published: Mapped[datetime | None] = mapped_column(Moment)
    mailed: Mapped[datetime | None] = mapped_column(Moment)
    trouble: Mapped[str] = mapped_column(Text, default="")
    mail_at: Mapped[datetime | None] = mapped_column(Moment)
    mail_said: Mapped[str] = mapped_column(Text, default="")
