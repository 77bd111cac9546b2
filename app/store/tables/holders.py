"""What the holders of names were asked once a year, and what they answered. Append-only."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from app.registration.naans.yearly_question import NaanAnswer
from app.store.database import Base, Moment
from app.store.tables.columns import enum_check


class HolderQuestion(Base):
    """A yearly question that was sent: it was ``due`` on a day, and is sent once for each."""

    __tablename__ = "holder_question"

    name_id: Mapped[int] = mapped_column(ForeignKey("name.id"), primary_key=True)
    due: Mapped[str] = mapped_column(String(10), primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment)


class HolderAnswer(Base):
    __tablename__ = "holder_answer"
    __table_args__ = (enum_check("answer", NaanAnswer),)

    event: Mapped[int] = mapped_column(ForeignKey("event.n"), primary_key=True)
    name_id: Mapped[int] = mapped_column(ForeignKey("name.id"), index=True)
    at: Mapped[datetime] = mapped_column(Moment)
    answer: Mapped[str] = mapped_column(String(16))
