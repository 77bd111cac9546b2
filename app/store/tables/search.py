"""What names are found by: the latest state of each, made anew with each version.

The words stand in an index of the database's own kind: FTS5 on SQLite, which triggers keep,
and GIN on PostgreSQL. Both are given words that need no further cutting.
"""

from sqlalchemy import DDL, ForeignKey, Index, String, Text, event
from sqlalchemy.orm import Mapped, mapped_column

from app.exports.search.search_terms import ReferenceKind
from app.registration.records.registry_records import Status
from app.store.database import Base
from app.store.tables.columns import enum_check

# by octets everywhere, whatever language the server speaks
_Sorted = String(200).with_variant(String(200, collation="C"), "postgresql")

# only PostgreSQL has such a column, so that it is no member of the model
VECTOR = (
    "ALTER TABLE search ADD COLUMN vector tsvector "
    "GENERATED ALWAYS AS (array_to_tsvector(string_to_array(words, ' '))) STORED"
)
# with fastupdate each query reads a list of what the index does not hold yet
VECTOR_INDEX = "CREATE INDEX ix_search_vector ON search USING gin (vector) WITH (fastupdate = off)"
FULL_TEXT = (
    "CREATE VIRTUAL TABLE search_text USING fts5(words, content='search', "
    "content_rowid='name_id', detail='none', tokenize=\"ascii tokenchars ':-'\")"
)


class SearchEntry(Base):
    """One name as it is searched for, counted and sorted. Never the truth: it can be made anew."""

    __tablename__ = "search"
    __table_args__ = (
        enum_check("status", Status),
        enum_check("reference", ReferenceKind),
        Index(None, "registry_id", "status", "reference", "year"),
        Index(None, "registry_id", "place"),
        Index(None, "registry_id", "by_name", "place"),
        Index(None, "registry_id", "by_template", "place"),
        Index(None, "registry_id", "by_reference", "place"),
        Index(None, "registry_id", "by_date", "place"),
        Index(None, "by_date", "place"),
        Index(None, "changed", "place"),
    )

    name_id: Mapped[int] = mapped_column(ForeignKey("name.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("record_version.id"))
    registry_id: Mapped[str] = mapped_column(String(64))
    status: Mapped[str] = mapped_column(String(16))
    reference: Mapped[str] = mapped_column(String(16))
    year: Mapped[str] = mapped_column(String(4))
    changed: Mapped[str] = mapped_column(String(10))
    by_name: Mapped[str] = mapped_column(_Sorted)
    by_template: Mapped[str] = mapped_column(_Sorted)
    by_reference: Mapped[str] = mapped_column(_Sorted)
    by_date: Mapped[str] = mapped_column(_Sorted)
    place: Mapped[str] = mapped_column(_Sorted)
    words: Mapped[str] = mapped_column(Text)


for _dialect, _statement in (
    ("sqlite", FULL_TEXT),
    ("postgresql", VECTOR),
    ("postgresql", VECTOR_INDEX),
):
    _made = DDL(_statement)  # type: ignore[no-untyped-call]  # SQLAlchemy leaves its types out
    event.listen(SearchEntry.__table__, "after_create", _made.execute_if(dialect=_dialect))
