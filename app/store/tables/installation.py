"""What all hosts of one registry have in common and no file of one host can hold, a row each."""

from datetime import datetime

from sqlalchemy import CheckConstraint, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.database import Base, Moment


class InstallationSecret(Base):
    """The secret that signs sessions and links: one row, for all hosts.

    ``value`` is empty where the setting has it. ``fingerprint`` is a keyed hash by which hosts see
    whether theirs is the same; nobody finds a long secret by it.
    """

    __tablename__ = "installation_secret"
    __table_args__ = (CheckConstraint("id = 1", name="one"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    value: Mapped[str] = mapped_column(Text)
    fingerprint: Mapped[str] = mapped_column(String(64))
    changed: Mapped[datetime] = mapped_column(Moment)


class OldestSoftware(Base):
    """The oldest software that can run with the schema as it stands: the revision it expects."""

    __tablename__ = "oldest_software"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    revision: Mapped[str] = mapped_column(String(32))
