"""Which software can run with the schema as it stands."""

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from app.store.database import Base


class OldestSoftware(Base):
    """The oldest software that can: one row, with the revision that it expects.

    Older software reads it on a database whose revision it does not know, so that neither this
    table nor what the row means ever changes.
    """

    __tablename__ = "oldest_software"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    revision: Mapped[str] = mapped_column(String(32))
