"""Names under a prefix: who may give them, which were given, and what is known of each.

Neither ARK nor URN is told apart here: a name is its normal form, with its scheme.
"""

from datetime import date, datetime
from enum import StrEnum

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Date,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.assigned_names.assigned_name_records import AssignedNameState
from app.assigned_names.name_prefixes import PrefixRole
from app.assigned_names.name_schemes import LONGEST_NAME
from app.store.database import Base, Key, Moment
from app.store.tables.columns import enum_check

# Names are compared octet by octet on both databases, so that lists of them have one order.
NAME = Text().with_variant(Text(collation="C"), "postgresql")
_OPEN = text("ends IS NULL")


class BatchKind(StrEnum):
    MINTED = "minted"
    CHANGED = "changed"
    IMPORTED = "imported"


class ImportState(StrEnum):
    STOPPED = "stopped"  # or under way: whoever goes on does so from its last row
    DONE = "done"


class Prefix(Base):
    """The beginning that names share, and the rules by which they are given.

    ``text`` is in normal form. It lies within ``parent``, and within ``registered``, the name in a
    registry that it belongs to. ``next_number`` is that of the name that is minted next by the
    template ``numbering``, which never goes back. ``order_seed`` is the secret that sets the order
    of a mask's names, as hexadecimal digits; "" for a prefix of older software, whose order is
    public. It is never published. ``target_rule`` gives a target to
    names that are given or changed without one of their own. ``holder_name`` is who holds it, as
    everybody is told. One that ends has no new names; those that it has stay.
    """

    __tablename__ = "name_prefix"
    __table_args__ = (
        UniqueConstraint("text"),
        CheckConstraint("next_number >= 0", name="next_number"),
        CheckConstraint(f"length(text) <= {LONGEST_NAME}", name="length"),
    )

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    text: Mapped[str] = mapped_column(NAME)
    parent: Mapped[int | None] = mapped_column(ForeignKey("name_prefix.id"), index=True)
    registered: Mapped[int] = mapped_column(ForeignKey("name.id"), index=True)
    label: Mapped[str] = mapped_column(String(200))
    numbering: Mapped[str] = mapped_column(String(64))
    pattern: Mapped[str] = mapped_column(Text)
    policy: Mapped[str] = mapped_column(Text)
    persistence: Mapped[str] = mapped_column(Text)
    target_rule: Mapped[str] = mapped_column(Text)
    next_number: Mapped[int] = mapped_column(BigInteger)
    version: Mapped[int]
    starts: Mapped[datetime] = mapped_column(Moment)
    ends: Mapped[datetime | None] = mapped_column(Moment)
    holder_name: Mapped[str] = mapped_column(String(200), server_default="")
    order_seed: Mapped[str] = mapped_column(String(128), server_default="")


class PrefixDelegate(Base):
    __tablename__ = "prefix_delegate"
    __table_args__ = (
        enum_check("role", PrefixRole),
        Index(
            "uq_prefix_delegate_open",
            "prefix",
            "account",
            unique=True,
            sqlite_where=_OPEN,
            postgresql_where=_OPEN,
        ),
    )

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    prefix: Mapped[int] = mapped_column(ForeignKey("name_prefix.id"))
    account: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    role: Mapped[str] = mapped_column(String(16))
    starts: Mapped[datetime] = mapped_column(Moment)
    ends: Mapped[datetime | None] = mapped_column(Moment)


class NameBatch(Base):
    """Names that were given or changed at once, by one event. Append-only.

    Their versions have the changes from ``first`` to ``last``. ``digest`` is the SHA-256 of these,
    a line each, which the event holds too.
    """

    __tablename__ = "name_batch"
    __table_args__ = (
        enum_check("kind", BatchKind),
        CheckConstraint("first > 0 AND first <= last", name="changes"),
        UniqueConstraint("first"),
    )

    event: Mapped[int] = mapped_column(ForeignKey("event.n"), primary_key=True, autoincrement=False)
    prefix: Mapped[int] = mapped_column(ForeignKey("name_prefix.id"), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    first: Mapped[int] = mapped_column(BigInteger)
    last: Mapped[int] = mapped_column(BigInteger)
    digest: Mapped[str] = mapped_column(String(64))


class AssignedName(Base):
    """A name that was given under a prefix, for ever, and which of its versions is the newest.

    ``number`` is the one that it was minted by, None where it was brought in. ``state`` and
    ``change`` are those of its newest version ``n``. ``skeleton`` is the number by which names that
    look like it are found, None where software that knew of none gave it.
    """

    __tablename__ = "assigned_name"
    __table_args__ = (
        enum_check("state", AssignedNameState),
        CheckConstraint(f"length(name) <= {LONGEST_NAME}", name="length"),
        UniqueConstraint("prefix", "number"),
        UniqueConstraint("change"),
        Index(None, "prefix", "name"),
        Index(None, "skeleton"),
    )

    name: Mapped[str] = mapped_column(NAME, primary_key=True)
    prefix: Mapped[int] = mapped_column(ForeignKey("name_prefix.id"))
    number: Mapped[int | None] = mapped_column(BigInteger)
    n: Mapped[int]
    state: Mapped[str] = mapped_column(String(16))
    change: Mapped[int] = mapped_column(BigInteger)
    skeleton: Mapped[int | None] = mapped_column(BigInteger)


class AssignedNameVersion(Base):
    """What is known of a name from one change on. Append-only.

    ``change`` counts the changes of all names without a gap, in the order of their commits.
    """

    __tablename__ = "assigned_name_version"
    __table_args__ = (
        UniqueConstraint("name", "n"),
        enum_check("state", AssignedNameState),
    )

    change: Mapped[int] = mapped_column(Key, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(NAME, ForeignKey("assigned_name.name"))
    n: Mapped[int]
    event: Mapped[int] = mapped_column(ForeignKey("event.n"), index=True)
    state: Mapped[str] = mapped_column(String(16))
    document: Mapped[str] = mapped_column(Text)


class NameImport(Base):
    """A file of names that is taken over, and how far: whoever goes on begins after ``row``."""

    __tablename__ = "name_import"
    __table_args__ = (
        enum_check("state", ImportState),
        UniqueConstraint("account", "digest"),
    )

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    account: Mapped[int] = mapped_column(ForeignKey("account.id"))
    digest: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(Moment)
    state: Mapped[str] = mapped_column(String(16))
    row: Mapped[int] = mapped_column(BigInteger)
    taken: Mapped[int] = mapped_column(BigInteger)
    same: Mapped[int] = mapped_column(BigInteger)
    refused: Mapped[int] = mapped_column(BigInteger)
    found: Mapped[int] = mapped_column(BigInteger, server_default="0")


class NameImportFinding(Base):
    """A reason why a row of a file was refused, or a note on it; the first 1,000 of a file."""

    __tablename__ = "name_import_finding"
    __table_args__ = (UniqueConstraint("import_id", "row", "place"),)

    id: Mapped[int] = mapped_column(Key, primary_key=True)
    import_id: Mapped[int] = mapped_column(ForeignKey("name_import.id"))
    row: Mapped[int] = mapped_column(BigInteger)
    place: Mapped[int]
    code: Mapped[str] = mapped_column(String(64))
    message: Mapped[str] = mapped_column(Text)


class ResolutionCount(Base):
    __tablename__ = "resolution_count"

    prefix: Mapped[str] = mapped_column(Text, primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    host: Mapped[str] = mapped_column(String(64), primary_key=True)
    count: Mapped[int] = mapped_column(BigInteger)


class NameLine(Base):
    """The line of changes of names that this database has: one row, for all hosts.

    ``line`` names it, and ``former`` those before it, a comma after each, which ended where an
    older backup was put back. ``place`` is where the database stood when it was looked at last.
    Names are given once all hosts have told their numbers in this ``telling``, and no changes are
    ``lost``: what that says in words is empty then.
    """

    __tablename__ = "name_line"
    __table_args__ = (CheckConstraint("id = 1", name="one"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    line: Mapped[str] = mapped_column(String(32))
    former: Mapped[str] = mapped_column(Text)
    telling: Mapped[str] = mapped_column(String(32))
    place: Mapped[str] = mapped_column(Text)
    lost: Mapped[str] = mapped_column(Text)


class NameHost(Base):
    """A host that keeps beside the database which numbers were given, and when it told them last.

    ``telling`` is the one in which it did so.
    """

    __tablename__ = "name_host"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    label: Mapped[str] = mapped_column(String(255))
    seen: Mapped[datetime] = mapped_column(Moment)
    telling: Mapped[str] = mapped_column(String(32))


class GivenNumber(Base):
    """A number below which all are given, as hosts told it: under a prefix, or of changes.

    The prefix may be one that this database lost. ``order_seed`` is the one by which its numbers
    were given.
    """

    __tablename__ = "given_number"
    __table_args__ = (CheckConstraint("following >= 0", name="following"),)

    prefix: Mapped[str] = mapped_column(NAME, primary_key=True)
    following: Mapped[int] = mapped_column(BigInteger)
    order_seed: Mapped[str] = mapped_column(String(128), server_default="")
