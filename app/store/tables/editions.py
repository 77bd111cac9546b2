"""Editions of registries and their stored bytes."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ColumnElement, ForeignKey, Index, String, Text, func
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, mapped_column

from app.registration.declarations.registry_groups import URN_GROUP
from app.store.database import Base, Key, Moment
from app.store.tables.columns import enum_check
from app.store.tables.packed_bytes import PackedColumn
from app.store.tables.registry import Cause


class EditionOrigin(StrEnum):
    LOCAL = "local"
    IMPORTED = "imported"


class PublicationResult(StrEnum):
    PENDING = "pending"
    BUILT = "built"
    FAILED = "failed"


class Edition(Base):
    """One published state of a group of registries. Append-only.

    ``n`` is its number among all editions, ``number`` the one within its group. Software that
    knows one group writes no number of its own: there both are the same, and where there is a
    second group a trigger refuses such a row.
    """

    __tablename__ = "edition"
    __table_args__ = (
        enum_check("origin", EditionOrigin),
        enum_check("cause", Cause),
        CheckConstraint("number >= 1", name="number"),
        Index("uq_edition_group_id_number", "group_id", "number", unique=True),
    )

    n: Mapped[int] = mapped_column(Key, primary_key=True, autoincrement=False)
    as_of: Mapped[datetime] = mapped_column(Moment)
    updated: Mapped[str] = mapped_column(String(10))
    origin: Mapped[str] = mapped_column(String(16))
    cause: Mapped[str] = mapped_column(String(16))
    notice: Mapped[str] = mapped_column(Text)
    group_id: Mapped[str] = mapped_column(String(64), server_default=URN_GROUP.id)
    numbered: Mapped[int | None] = mapped_column("number", Key)

    @hybrid_property
    def number(self) -> int:
        """The number of an edition within its group."""
        return self.n if self.numbered is None else self.numbered

    @number.inplace.expression
    @classmethod
    def _number(cls) -> ColumnElement[int]:
        return func.coalesce(cls.numbered, cls.n)


class Blob(Base):
    """Bytes by content, each once. Append-only."""

    __tablename__ = "blob"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    content: Mapped[bytes] = mapped_column(PackedColumn)


class EditionManifest(Base):
    """The list of an edition's files with their hashes, itself kept as bytes. Append-only."""

    __tablename__ = "edition_manifest"

    edition: Mapped[int] = mapped_column(
        ForeignKey("edition.n"), primary_key=True, autoincrement=False
    )
    sha256: Mapped[str] = mapped_column(ForeignKey("blob.sha256"))


class DivergentManifest(Base):
    """The list of files that was published under a number which the database gave to others.

    What was published first stands for ever, so that this list is the edition's in place of
    its own. Append-only.
    """

    __tablename__ = "standing_manifest"

    edition: Mapped[int] = mapped_column(
        ForeignKey("edition.n"), primary_key=True, autoincrement=False
    )
    sha256: Mapped[str] = mapped_column(ForeignKey("blob.sha256"))


class Divergence(Base):
    """A folder in which other editions are published than the database knows, as last seen."""

    __tablename__ = "divergence"

    folder: Mapped[str] = mapped_column(String(500), primary_key=True)
    edition: Mapped[int] = mapped_column(Key)
    noted: Mapped[datetime] = mapped_column(Moment)
    why: Mapped[str] = mapped_column(Text)


class Publication(Base):
    """The building of an edition's files: after the commit, retried until it succeeds."""

    __tablename__ = "publication"
    __table_args__ = (enum_check("result", PublicationResult),)

    edition: Mapped[int] = mapped_column(ForeignKey("edition.n"), primary_key=True)
    attempts: Mapped[int] = mapped_column(default=0)
    result: Mapped[str] = mapped_column(String(16))
    next_at: Mapped[datetime] = mapped_column(Moment)
    why: Mapped[str] = mapped_column(Text, default="")


class Counter(Base):
    """A number without gaps: raised in the transaction that uses it."""

    __tablename__ = "counter"
    __table_args__ = (CheckConstraint("value >= 0", name="value"),)

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    value: Mapped[int]
