"""What a database is made of, and what is in it, as values that can be compared."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, inspect, text

from app.store.database import Base, db, read_transaction
from app.store.digests import sha256

_SQLITE_TRIGGERS = "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'"
_SQLITE_WORDS = "SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'"
_POSTGRESQL_TRIGGERS = (
    "SELECT c.relname, t.tgname, concat(pg_get_triggerdef(t.oid), t.tgenabled, p.prosrc) "
    "FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid "
    "WHERE NOT t.tgisinternal"
)


def schema_of(connection: Connection) -> dict[str, Any]:
    found = inspect(connection)
    columns, primary = found.get_multi_columns(), found.get_multi_pk_constraint()
    foreign, unique = found.get_multi_foreign_keys(), found.get_multi_unique_constraints()
    checks, indexes = found.get_multi_check_constraints(), found.get_multi_indexes()
    schema = {
        name: {
            "columns": [_column(column) for column in columns[key]],
            "primary key": primary[key],
            "foreign keys": _named(foreign[key]),
            "unique": _named(unique[key]),
            "checks": _named(checks[key]),
            "indexes": _named(_index(index) for index in indexes[key]),
        }
        for key in columns
        if (name := key[1]) != "alembic_version"
    }
    return schema | {"triggers": triggers_of(connection)} | _full_text(connection)


def _full_text(connection: Connection) -> dict[str, Any]:
    if connection.dialect.name != "sqlite":
        return {}
    rows = connection.execute(text(_SQLITE_WORDS))
    return {f"words of {name}": definition for name, definition in rows}


def triggers_of(connection: Connection) -> dict[tuple[str, str], str]:
    is_sqlite = connection.dialect.name == "sqlite"
    rows = connection.execute(text(_SQLITE_TRIGGERS if is_sqlite else _POSTGRESQL_TRIGGERS))
    return {(table, name): definition for table, name, definition in rows}


def _column(column: Any) -> dict[str, Any]:
    return {
        name: str(value) for name, value in column.items() if name not in {"comment", "default"}
    } | {"default": None if column["default"] is None else str(column["default"])}


def _index(index: Any) -> dict[str, Any]:
    options = {name: str(value) for name, value in index.get("dialect_options", {}).items()}
    return {**index, "dialect_options": options}


def _named(found: Iterable[Any]) -> dict[str, Any]:
    return {entry["name"]: entry for entry in found}


def dump() -> dict[str, str]:
    with read_transaction():
        ask = db.session.connection().exec_driver_sql
        found = {table: ask(f'SELECT * FROM "{table}"') for table in Base.metadata.tables}
        return {table: _digest(sorted(map(tuple, rows), key=repr)) for table, rows in found.items()}


def rows_of(table: str) -> list[tuple[Any, ...]]:
    with read_transaction():
        found = db.session.execute(Base.metadata.tables[table].select())
        return sorted(map(tuple, found), key=repr)


def _digest(rows: list[tuple[Any, ...]]) -> str:
    return f"{len(rows)} rows {sha256(repr(rows))}"
