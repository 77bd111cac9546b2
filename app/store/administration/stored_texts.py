"""Every text that the store holds, whatever table it is in."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlalchemy import Column, String, Table, select

from app.store.database import db
from app.store.tables import SignIn

_SOME = 500  # rows in memory at once
# Where somebody goes on after signing in: the link of an invitation belongs there.
_NOT_PUBLISHED = {SignIn.__table__.c.next}


@dataclass(frozen=True, slots=True)
class StoredText:
    """A text, and where it stands: table, row, column, and the request that it belongs to."""

    table: str
    row: str
    column: str
    request: int | None
    text: str = field(repr=False)


def every_text() -> Iterator[StoredText]:
    """The texts of every table, row by row; hashes and keys are none."""
    for table in db.metadata.sorted_tables:
        columns = [column for column in table.columns if _is_text(column)]
        if columns:
            yield from _of_table(table, columns)


def _is_text(column: Column[str]) -> bool:
    is_hash = column.name.endswith("sha256") or column.name in {"leaf", "salt", "fingerprint"}
    is_kept = column not in _NOT_PUBLISHED and not column.primary_key
    return isinstance(column.type, String) and is_kept and not is_hash


def _of_table(table: Table, columns: list[Column[str]]) -> Iterator[StoredText]:
    keys = list(table.primary_key)
    request = [column for column in table.columns if column.name == "request"]
    query = select(*keys, *request, *columns).execution_options(yield_per=_SOME)
    for row in db.session.execute(query):
        values = row._mapping
        named = " ".join(str(values[key]) for key in keys)
        number = values[request[0]] if request else None
        for column in columns:
            if values[column]:
                yield StoredText(table.name, named, column.name, number, values[column])
