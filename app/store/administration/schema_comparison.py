"""Whether a database is made as the models say; what differs, in words for who runs it."""

from collections.abc import Iterator, Mapping

from sqlalchemy import (
    CheckConstraint,
    Connection,
    Dialect,
    ForeignKeyConstraint,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
)

from app.store import tables  # noqa: F401 — imported for the tables it declares
from app.store.administration.schema_inspection import (
    ColumnDefinition,
    IndexDefinition,
    TableDefinition,
    named_type,
    read_schema,
    texts_in,
)
from app.store.database import Base
from app.store.triggers import missing_triggers

# what only one of the databases has, so that it is no member of a model
_SEARCH = {
    "sqlite": {"search_text": TableDefinition()},
    "postgresql": {
        "search": TableDefinition(
            columns={"vector": ColumnDefinition("tsvector", is_required=False)},
            indexes={"ix_search_vector": IndexDefinition(("vector",), is_unique=False)},
        )
    },
}


def schema_differences(connection: Connection, *, is_newer: bool = False) -> Iterator[str]:
    yield from table_differences(connection, is_newer=is_newer)
    for trigger in sorted(missing_triggers(connection)):
        yield f"Trigger {trigger} is missing; `urn-registry init` creates it again."


def table_differences(connection: Connection, *, is_newer: bool = False) -> Iterator[str]:
    """Yield a sentence for each difference but missing triggers, which ``init`` makes."""
    there = read_schema(connection)
    for name, expected in _expected(connection.dialect).items():
        if name in there:
            yield from _of_table(name, expected, there[name], is_newer=is_newer)
        else:
            yield f"Table {name} is missing."
    for name, expected in _SEARCH[connection.dialect.name].items():
        if name in there:
            yield from _missing(name, expected, there[name])
        else:
            yield f"Table {name} is missing."


def tables_there(connection: Connection) -> tuple[list[str], list[str]]:
    """The names of the tables in a database: those that a registry has, and all others."""
    there = {name for name in read_schema(connection) if not name.startswith("sqlite_")}
    own = {*Base.metadata.tables, *_SEARCH[connection.dialect.name]}
    return sorted(there & own), sorted(there - own - {"alembic_version"})


def _expected(dialect: Dialect) -> dict[str, TableDefinition]:
    return {table.name: _form_of(table, dialect) for table in Base.metadata.sorted_tables}


def _form_of(table: Table, dialect: Dialect) -> TableDefinition:
    columns = {
        column.name: ColumnDefinition(
            named_type(column.type.compile(dialect)), not column.nullable or column.primary_key
        )
        for column in table.columns
    }
    form = TableDefinition(columns)
    for index in table.indexes:
        over = tuple(column.name for column in index.columns)
        form.indexes[str(index.name)] = IndexDefinition(over, bool(index.unique))
    for constraint in table.constraints:
        name = str(constraint.name)
        if isinstance(constraint, CheckConstraint):
            form.checks[name] = texts_in(str(constraint.sqltext))
        elif isinstance(constraint, (PrimaryKeyConstraint, UniqueConstraint)):
            over = tuple(column.name for column in constraint.columns)
            form.indexes[name] = IndexDefinition(over, is_unique=True)
        elif isinstance(constraint, ForeignKeyConstraint):
            target = constraint.referred_table.name
            form.references.update((key.parent.name, target) for key in constraint.elements)
    return form


def _of_table(
    name: str, expected: TableDefinition, found: TableDefinition, *, is_newer: bool
) -> Iterator[str]:
    yield from _missing(name, expected, found)
    yield from _unlike(name, expected.columns, found.columns, is_newer=is_newer)
    for check, texts in expected.checks.items():
        standing = found.checks.get(check)
        if standing is None:
            if not is_newer:
                yield f"Table {name} has no CHECK {check}."
        elif texts - standing or (standing - texts and not is_newer):
            yield f"CHECK {check} of table {name} {_other(texts, standing)}."


def _other(texts: frozenset[str], standing: frozenset[str]) -> str:
    lost, more = (sorted(one) for one in (texts - standing, standing - texts))
    told = [f"lacks {', '.join(map(repr, lost))}"] if lost else []
    return " and ".join(told + ([f"also allows {', '.join(map(repr, more))}"] if more else []))


def _missing(name: str, expected: TableDefinition, found: TableDefinition) -> Iterator[str]:
    for column in expected.columns:
        if column not in found.columns:
            yield f"Table {name} has no column {column}."
    standing = set(found.indexes.values())  # by what they are over: SQLite names keys itself
    for index, form in expected.indexes.items():
        if form not in standing:
            what = "unique key" if form.is_unique else "index"
            yield f"Table {name} has no {what} {index} over {', '.join(form.columns)}."
    for column, target in sorted(expected.references - found.references):
        yield f"Column {name}.{column} doesn't refer to table {target}."


def _unlike(
    name: str,
    expected: Mapping[str, ColumnDefinition],
    found: Mapping[str, ColumnDefinition],
    *,
    is_newer: bool,
) -> Iterator[str]:
    for column, form in expected.items():
        standing = found.get(column, form)
        if standing.type != form.type and not is_newer:
            yield f"Column {name}.{column} has type {standing.type} instead of {form.type}."
        if standing.is_required and not (form.is_required or standing.has_default):
            yield f"Column {name}.{column} is required, but this software can leave it empty."
        if form.is_required and not standing.is_required and not is_newer:
            yield f"Column {name}.{column} can be empty, but this software requires a value."
    for column, form in found.items():
        if column not in expected and form.is_required and not form.has_default:
            yield f"Column {name}.{column} is required, but unknown to this software."
