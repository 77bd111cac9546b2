"""Triggers that keep append-only tables so, declared once for both databases.

A batch migration on SQLite drops triggers without a word, so every upgrade ends by
making all of them anew.
"""

from sqlalchemy import Connection, text

APPEND_ONLY = (
    "name",
    "record_version",
    "registry_head",
    "person",
    "iteration",
    "rendering",
    "event",
    "review",
    "edition",
    "edition_file",
    "blob",
)

_REFUSAL = "{table} is append-only"


def make_triggers(connection: Connection) -> None:
    """Make every trigger, replacing what stands there."""
    make = {"sqlite": _sqlite, "postgresql": _postgresql}[connection.dialect.name]
    for table in APPEND_ONLY:
        for statement in make(table):
            connection.execute(text(statement))


def drop_triggers(connection: Connection) -> None:
    """Drop every trigger, as a downgrade must before it drops the tables."""
    for table in APPEND_ONLY:
        for moment in ("update", "delete", "truncate"):
            on = f" ON {table}" if connection.dialect.name == "postgresql" else ""
            connection.execute(text(f"DROP TRIGGER IF EXISTS {table}_no_{moment}{on}"))
    if connection.dialect.name == "postgresql":
        connection.execute(text("DROP FUNCTION IF EXISTS refuse_change()"))


def _sqlite(table: str) -> list[str]:
    refusal = _REFUSAL.format(table=table)
    return [
        statement
        for moment in ("update", "delete")
        for statement in (
            f"DROP TRIGGER IF EXISTS {table}_no_{moment}",
            (
                f"CREATE TRIGGER {table}_no_{moment} BEFORE {moment.upper()} ON {table} "
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
                f"CREATE TRIGGER {table}_no_{moment} BEFORE {moment.upper()} ON {table} "
                f"FOR EACH {per} EXECUTE FUNCTION refuse_change()"
            ),
        )
    ]
