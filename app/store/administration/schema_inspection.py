"""What a database is made of, read from it by a few questions, for SQLite and PostgreSQL alike.

Types, CHECKs and indexes are read in forms that the models can be put into as well. Of a CHECK
that is the set of texts that stand in it: PostgreSQL writes its words anew, each version in its
own way, and what matters is which values are allowed.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, text

_LITERAL = re.compile(r"'((?:[^']|'')*)'")
_PART = re.compile(r"'(?:[^']|'')*'|[()]")
_CHECK = re.compile(r"CONSTRAINT\s+\"?(\w+)\"?\s+CHECK\s*(?=\()")


@dataclass(frozen=True, slots=True)
class ColumnDefinition:
    """A column: its type, whether it has to be filled, whether it fills itself."""

    type: str
    is_required: bool
    has_default: bool = False


@dataclass(frozen=True, slots=True)
class IndexDefinition:
    """An index, or a key: over which columns, and whether no two rows may be equal there."""

    columns: tuple[str, ...]
    is_unique: bool


@dataclass(frozen=True, slots=True)
class TableDefinition:
    columns: dict[str, ColumnDefinition] = field(default_factory=dict)
    indexes: dict[str, IndexDefinition] = field(default_factory=dict)
    checks: dict[str, frozenset[str]] = field(default_factory=dict)
    references: set[tuple[str, str]] = field(default_factory=set)  # a column and a table


def texts_in(condition: str) -> frozenset[str]:
    """The texts that stand in a condition."""
    return frozenset(_LITERAL.findall(condition))


def named_type(declared: str) -> str:
    """A type as both databases and the models call it."""
    return declared.lower().partition(" collate ")[0].replace("varchar", "character varying")


def read_schema(connection: Connection) -> dict[str, TableDefinition]:
    """Every table by its name."""
    return {"sqlite": _sqlite, "postgresql": _postgresql}[connection.dialect.name](connection)


_SQLITE = {
    "columns": 'SELECT m.name, c.name, c.type, c."notnull" OR c.pk, c.dflt_value IS NOT NULL '
    "FROM sqlite_master m, pragma_table_xinfo(m.name) c WHERE m.type = 'table'",
    "indexes": 'SELECT m.name, l.name, l."unique", i.name '
    "FROM sqlite_master m, pragma_index_list(m.name) l, pragma_index_info(l.name) i "
    "WHERE m.type = 'table' ORDER BY l.name, i.seqno",
    "keys": "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c "
    "WHERE m.type = 'table' AND c.pk ORDER BY m.name, c.pk",
    "references": 'SELECT m.name, f."from", f."table" '
    "FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'",
    "tables": "SELECT name, sql FROM sqlite_master WHERE type = 'table'",
}


def _sqlite(connection: Connection) -> dict[str, TableDefinition]:
    asked = {name: connection.execute(text(words)).all() for name, words in _SQLITE.items()}
    tables = _with_columns(asked["columns"])
    _add_indexes(tables, asked["indexes"])
    _add_indexes(tables, [(table, f"pk_{table}", True, name) for table, name in asked["keys"]])
    for table, column, target in asked["references"]:
        tables[table].references.add((column, target))
    for table, statement in asked["tables"]:
        for found in _CHECK.finditer(statement):
            condition = _in_brackets(statement, found.end())
            tables[table].checks[found[1]] = texts_in(condition)
    return tables


def _in_brackets(statement: str, start: int) -> str:
    depth = 0
    for part in _PART.finditer(statement, start):
        depth += {"(": 1, ")": -1}.get(part[0], 0)
        if depth == 0:
            return statement[start : part.end()]
    return statement[start:]


_POSTGRESQL = {
    "columns": "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, "
    "a.atthasdef OR a.attidentity <> '' "
    "FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid "
    "JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') "
    "AND a.attnum > 0 AND NOT a.attisdropped",
    "indexes": "SELECT c.relname, x.relname, i.indisunique, a.attname FROM pg_index i "
    "JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid "
    "JOIN pg_namespace n ON n.oid = c.relnamespace "
    "JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(number, place) ON true "
    "JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number "
    "WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') "
    "AND i.indisvalid ORDER BY x.relname, k.place",
    "references": "SELECT c.relname, a.attname, t.relname FROM pg_constraint f "
    "JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class t ON t.oid = f.confrelid "
    "JOIN pg_namespace n ON n.oid = c.relnamespace "
    "JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = ANY (f.conkey) "
    "WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') "
    "AND f.contype = 'f'",
    "checks": "SELECT c.relname, k.conname, pg_get_constraintdef(k.oid) FROM pg_constraint k "
    "JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') "
    "AND k.contype = 'c'",
}


def _postgresql(connection: Connection) -> dict[str, TableDefinition]:
    asked = {name: connection.execute(text(words)).all() for name, words in _POSTGRESQL.items()}
    tables = _with_columns(asked["columns"])
    _add_indexes(tables, asked["indexes"])
    for table, column, target in asked["references"]:
        tables[table].references.add((column, target))
    for table, name, condition in asked["checks"]:
        tables[table].checks[name] = texts_in(condition)
    return tables


def _with_columns(rows: Iterable[Sequence[Any]]) -> dict[str, TableDefinition]:
    tables: dict[str, TableDefinition] = {}
    for table, column, declared, required, default in rows:
        form = ColumnDefinition(named_type(declared), bool(required), bool(default))
        tables.setdefault(table, TableDefinition()).columns[column] = form
    return tables


def _add_indexes(tables: dict[str, TableDefinition], rows: Iterable[Sequence[Any]]) -> None:
    for table, name, unique, column in rows:
        found = tables[table].indexes
        before = found[name].columns if name in found else ()
        found[name] = IndexDefinition((*before, column), bool(unique))
