"""Triggers that keep append-only tables so, declared once for both databases.

On SQLite three more keep the full-text index in step with the table that it is of; an index
of PostgreSQL keeps itself. One refuses editions of software that numbers those of all groups
alike, where there is more than one group.

A batch migration on SQLite drops triggers without a word, so every upgrade ends by
making all of them anew. Where there is nothing to upgrade they are left alone, since to
replace one keeps everybody else from its table.
"""

from collections.abc import Iterator

from sqlalchemy import Connection, inspect, text

APPEND_ONLY = (
    "name",
    "record_version",
    "withheld_version",
    "registry_head",
    "person",
    "iteration",
    "comment",
    "event",
    "review",
    "edition",
    "edition_manifest",
    "standing_manifest",
    "blob",
    "name_batch",
    "assigned_name_version",
    "holder_question",
    "holder_answer",
)
# Of these the other columns say which version is the newest.
NEVER_CHANGED = {"assigned_name": ("name", "prefix", "number")}

_NUMBERED = "edition_numbered"
_NO_NUMBER = "this edition lacks its number in its group: newer software is needed"
_LACKS_NUMBER = (
    "new.number IS NULL AND (new.group_id <> 'urn-namespaces' "
    "OR EXISTS (SELECT 1 FROM edition WHERE group_id <> 'urn-namespaces'))"
)
_INDEXED = "search"
_ADD = "INSERT INTO search_text(rowid, words) VALUES (new.name_id, new.words);"
_TAKE_OUT = (
    "INSERT INTO search_text(search_text, rowid, words) VALUES ('delete', old.name_id, old.words);"
)
_IN_STEP = {"insert": _ADD, "delete": _TAKE_OUT, "update": f"{_TAKE_OUT} {_ADD}"}
_REFUSAL = "{table} is append-only"
_MOMENTS = {"sqlite": ("update", "delete"), "postgresql": ("update", "delete", "truncate")}
_STANDING = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
    "JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = current_schema() "
    "WHERE NOT t.tgisinternal AND t.tgenabled <> 'D'",
}


def make_triggers(connection: Connection) -> None:
    """Make every trigger, replacing what stands there."""
    make = {"sqlite": _sqlite, "postgresql": _postgresql}[connection.dialect.name]
    for table in _present(connection):
        for statement in make(table):
            connection.execute(text(statement))
    for statement in (*_in_step(connection), *_numbered(connection)):
        connection.execute(text(statement))


def are_complete(connection: Connection) -> bool:
    return not missing_triggers(connection)


def missing_triggers(connection: Connection) -> set[str]:
    dialect = connection.dialect.name
    there = set(connection.execute(text(_STANDING[dialect])).scalars())
    wanted = {f"{table}_no_{when}" for table in _present(connection) for when in _MOMENTS[dialect]}
    if _is_indexed(connection):
        wanted |= {f"{_INDEXED}_after_{when}" for when in _IN_STEP}
    if _is_grouped(connection):
        wanted.add(_NUMBERED)
    return wanted - there


def drop_triggers(connection: Connection) -> None:
    """Drop every trigger, as a downgrade must before it drops the tables."""
    for table in _present(connection):
        for moment in ("update", "delete", "truncate"):
            on = f" ON {table}" if connection.dialect.name == "postgresql" else ""
            connection.execute(text(f"DROP TRIGGER IF EXISTS {table}_no_{moment}{on}"))
    for moment in _IN_STEP if _is_indexed(connection) else ():
        connection.execute(text(f"DROP TRIGGER IF EXISTS {_INDEXED}_after_{moment}"))
    if connection.dialect.name == "postgresql":
        connection.execute(text("DROP FUNCTION IF EXISTS refuse_change()"))
        connection.execute(text("DROP FUNCTION IF EXISTS refuse_unnumbered() CASCADE"))
    else:
        connection.execute(text(f"DROP TRIGGER IF EXISTS {_NUMBERED}"))


def _present(connection: Connection) -> Iterator[str]:
    there = inspect(connection).get_table_names()
    return (table for table in (*APPEND_ONLY, *NEVER_CHANGED) if table in there)


def _moment(table: str, moment: str) -> str:
    columns = NEVER_CHANGED.get(table, ())
    is_some = bool(columns) and moment == "update"
    return f"UPDATE OF {', '.join(columns)}" if is_some else moment.upper()


def _is_indexed(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite" and inspect(connection).has_table(_INDEXED)


def _is_grouped(connection: Connection) -> bool:
    found = inspect(connection)
    if not found.has_table("edition"):
        return False
    return "group_id" in {column["name"] for column in found.get_columns("edition")}


def _numbered(connection: Connection) -> Iterator[str]:
    if not _is_grouped(connection):
        return
    made = f"CREATE TRIGGER {_NUMBERED} BEFORE INSERT ON edition"
    if connection.dialect.name == "sqlite":
        yield f"DROP TRIGGER IF EXISTS {_NUMBERED}"
        yield f"{made} WHEN {_LACKS_NUMBER} BEGIN SELECT RAISE(ABORT, '{_NO_NUMBER}'); END"
        return
    yield (
        "CREATE OR REPLACE FUNCTION refuse_unnumbered() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN IF {_LACKS_NUMBER} THEN RAISE EXCEPTION '{_NO_NUMBER}'; END IF; "
        "RETURN new; END $$"
    )
    yield f"DROP TRIGGER IF EXISTS {_NUMBERED} ON edition"
    yield f"{made} FOR EACH ROW EXECUTE FUNCTION refuse_unnumbered()"


def _in_step(connection: Connection) -> Iterator[str]:
    for moment, does in _IN_STEP.items() if _is_indexed(connection) else ():
        yield f"DROP TRIGGER IF EXISTS {_INDEXED}_after_{moment}"
        yield (
            f"CREATE TRIGGER {_INDEXED}_after_{moment} AFTER {moment.upper()} ON {_INDEXED} "
            f"BEGIN {does} END"
        )


def _sqlite(table: str) -> list[str]:
    refusal = _REFUSAL.format(table=table)
    return [
        statement
        for moment in ("update", "delete")
        for statement in (
            f"DROP TRIGGER IF EXISTS {table}_no_{moment}",
            (
                f"CREATE TRIGGER {table}_no_{moment} BEFORE {_moment(table, moment)} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{refusal}'); END"
            ),
        )
    ]


def _postgresql(table: str) -> list[str]:
    function = (
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    # TRUNCATE passes a row trigger, so it has its own for the statement
    each = (("update", "ROW"), ("delete", "ROW"), ("truncate", "STATEMENT"))
    return [function] + [
        statement
        for moment, per in each
        for statement in (
            f"DROP TRIGGER IF EXISTS {table}_no_{moment} ON {table}",
            (
                f"CREATE TRIGGER {table}_no_{moment} BEFORE {_moment(table, moment)} ON {table} "
                f"FOR EACH {per} EXECUTE FUNCTION refuse_change()"
            ),
        )
    ]
