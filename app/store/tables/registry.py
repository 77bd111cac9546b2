"""Names and what is known of them, version by version. Append-only."""

from enum import StrEnum

from sqlalchemy import ColumnElement, ForeignKey, String, Text, UniqueConstraint, select
from sqlalchemy.orm import Mapped, mapped_column

from app.registration.records.registry_records import Status, TemplateStyle
from app.store.database import Base, Key
from app.store.tables.columns import enum_check, folded_ascii_check


class NameKind(StrEnum):
    """Why a name is taken."""

    REGISTERED = "registered"
    RESERVED = "reserved"


class Cause(StrEnum):
    IMPORT = "import"
    REGISTRATION = "registration"
    CORRECTION = "correction"
    TEMPLATES = "templates"


class Name(Base):
    """A name that is taken for ever. The unique folded form is what makes it so."""

    __tablename__ = "name"
    __table_args__ = (
        UniqueConstraint("space", "folded"),
        enum_check("kind", NameKind),
        *folded_ascii_check("folded"),
    )

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    space: Mapped[str] = mapped_column(String(16))
    registry_id: Mapped[str] = mapped_column(String(64))
    folded: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(16))


class RecordVersion(Base):
    """A name's record as it stands from one edition on. A change is a new row."""

    __tablename__ = "record_version"
    __table_args__ = (
        UniqueConstraint("name_id", "n"),
        enum_check("cause", Cause),
        enum_check("status", Status),
        enum_check("style", TemplateStyle),
    )

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    name_id: Mapped[int] = mapped_column(ForeignKey("name.id"))
    n: Mapped[int]
    edition: Mapped[int] = mapped_column(ForeignKey("edition.n"))
    cause: Mapped[str] = mapped_column(String(16))
    template_version: Mapped[int | None]
    document: Mapped[str] = mapped_column(Text)
    style: Mapped[str] = mapped_column(String(16))
    status: Mapped[str] = mapped_column(String(16))
    successor: Mapped[str | None] = mapped_column(String(64))
    sort_key: Mapped[str] = mapped_column(String(80))
    sha256: Mapped[str] = mapped_column(String(64))

    @classmethod
    def is_in_editions(cls) -> ColumnElement[bool]:
        """Select the versions in editions: every version that the operator did not withhold."""
        return cls.id.not_in(select(WithheldVersion.version_id))


class WithheldVersion(Base):
    """A version of a record that is left out of editions: it can't be published. Append-only."""

    __tablename__ = "withheld_version"

    version_id: Mapped[int] = mapped_column(
        ForeignKey("record_version.id"), primary_key=True, autoincrement=False
    )


class RegistryHead(Base):
    __tablename__ = "registry_head"
    __table_args__ = (UniqueConstraint("registry_id", "edition"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    registry_id: Mapped[str] = mapped_column(String(64))
    edition: Mapped[int] = mapped_column(ForeignKey("edition.n"))
    document: Mapped[str] = mapped_column(Text)


class PersonVersion(Base):
    """A person whom references name, as they stand from one edition on."""

    __tablename__ = "person"
    __table_args__ = (UniqueConstraint("ident", "edition"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    ident: Mapped[str] = mapped_column(String(200))
    edition: Mapped[int] = mapped_column(ForeignKey("edition.n"))
    document: Mapped[str] = mapped_column(Text)
