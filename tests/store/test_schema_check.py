"""A schema that is not as the models say keeps the software from starting, in words that help."""

import pytest
from flask import Flask
from sqlalchemy import text

from app.factory import asset_dir
from app.services.operations.database_binding import DatabaseNotReady, require_current
from app.store.administration.schema_comparison import schema_differences
from app.store.database import db, write_transaction

SCRIPTS = asset_dir("migrations")
_ANEW = "is missing; `urn-registry init` creates it again."


def _rewritten(table: str, before: str, after: str) -> str:
    return (
        "PRAGMA writable_schema = ON; "
        f"UPDATE sqlite_master SET sql = replace(sql, '{before}', '{after}') "
        f"WHERE name = '{table}'; PRAGMA writable_schema = RESET"
    )


_BOTH = {
    "DROP TABLE mail_choice": "Table mail_choice is missing.",
    "ALTER TABLE comment DROP COLUMN origin": "Table comment has no column origin.",
    "DROP INDEX ix_event_subject_about": "Table event has no index ix_event_subject_about over "
    "subject, about.",
    "DROP INDEX uq_claim_transfer_open": "Table claim has no unique key uq_claim_transfer_open "
    "over name_id.",
}
_SQLITE = {
    "DROP TRIGGER event_no_update": f"Trigger event_no_update {_ANEW}",
    "DROP TRIGGER search_after_update": f"Trigger search_after_update {_ANEW}",
    "DROP TABLE search_text": "Table search_text is missing.",
    _rewritten("account", "name VARCHAR(200) NOT NULL", "name VARCHAR(200)"): "Column "
    "account.name can be empty, but this software requires a value.",
    _rewritten("account", "name VARCHAR(200)", "name TEXT"): "Column account.name has type "
    "text instead of character varying(200).",
    _rewritten("role_grant", "''leader''", "''guest''"): "CHECK ck_role_grant_role of table "
    "role_grant lacks 'leader' and also allows 'guest'.",
    _rewritten("role_grant", "ck_role_grant_role", "my_own"): "Table role_grant has no CHECK "
    "ck_role_grant_role.",
    _rewritten("name", "UNIQUE (space, folded)", "UNIQUE (folded)"): "Table name has no unique "
    "key uq_name_space_folded over space, folded.",
}
_POSTGRESQL = {
    "ALTER TABLE account ALTER COLUMN name DROP NOT NULL": "Column account.name can be empty, "
    "but this software requires a value.",
    "ALTER TABLE account ALTER COLUMN name TYPE text": "Column account.name has type text "
    "instead of character varying(200).",
    "ALTER TABLE request ALTER COLUMN due SET NOT NULL": "Column request.due is required, "
    "but this software can leave it empty.",
    "ALTER TABLE draft ADD COLUMN own integer NOT NULL": "Column draft.own is required, but "
    "unknown to this software.",
    "ALTER TABLE name DROP CONSTRAINT uq_name_space_folded": "Table name has no unique key "
    "uq_name_space_folded over space, folded.",
    "ALTER TABLE request DROP CONSTRAINT ck_request_state": "Table request has no CHECK "
    "ck_request_state.",
    "ALTER TABLE request DROP CONSTRAINT fk_request_edition_edition": "Column request.edition "
    "doesn't refer to table edition.",
    "ALTER TABLE role_grant DROP CONSTRAINT ck_role_grant_role, ADD CONSTRAINT ck_role_grant_role "
    "CHECK (role IN ('operator', 'expert', 'guest')) NOT VALID": "CHECK ck_role_grant_role of "
    "table role_grant lacks 'leader' and also allows 'guest'.",
    "ALTER TABLE event DISABLE TRIGGER event_no_update": f"Trigger event_no_update {_ANEW}",
    "DROP INDEX ix_search_vector": "Table search has no index ix_search_vector over vector.",
    "ALTER TABLE search DROP COLUMN vector": "Table search has no column vector.",
}
_OF_ITS_OWN = (
    "CREATE TABLE own (id INTEGER PRIMARY KEY, what TEXT NOT NULL)",
    "ALTER TABLE event ADD COLUMN own INTEGER",
    "ALTER TABLE request ADD COLUMN own INTEGER DEFAULT 7 NOT NULL",
    "CREATE INDEX own_index ON event (at)",
)


def differing(*statements: str, is_newer: bool = False) -> list[str]:
    with write_transaction(), db.engine.connect() as connection:
        for statement in statements:
            for part in statement.split("; "):
                connection.execute(text(part))
        told = list(schema_differences(connection, is_newer=is_newer))
    db.engine.dispose()  # SQLite remembers a schema that was rewritten
    return told


def test_what_migrations_made_differs_in_nothing_from_the_models(app: Flask) -> None:
    assert differing() == []
    require_current(SCRIPTS)


def test_what_is_missing_or_different_is_told_with_its_table_and_column(app: Flask) -> None:
    of_kind = {"sqlite": _SQLITE, "postgresql": _POSTGRESQL}[db.engine.dialect.name]
    for statement, sentence in (_BOTH | of_kind).items():
        assert sentence in differing(statement), statement
    assert differing() == []


def test_what_an_operator_added_is_let_be(app: Flask) -> None:
    assert differing(*_OF_ITS_OWN) == []


def test_newer_software_may_have_asked_for_less_and_allowed_more(app: Flask) -> None:
    if db.engine.dialect.name == "sqlite":
        allowed = _rewritten("role_grant", "''leader''", "''leader'', ''guest''")
        less = _rewritten("account", "name VARCHAR(200) NOT NULL", "name VARCHAR(200)")
        other = _rewritten("role_grant", "''leader''", "''guest''")
    else:
        roles = "ALTER TABLE role_grant DROP CONSTRAINT ck_role_grant_role, "
        named = "ADD CONSTRAINT ck_role_grant_role CHECK (role IN ('operator', 'expert', "
        allowed, other = f"{roles}{named}'leader', 'guest'))", f"{roles}{named}'guest')) NOT VALID"
        less = "ALTER TABLE account ALTER COLUMN name DROP NOT NULL"
    assert len(differing(allowed)) == len(differing(less)) == 1
    assert differing(allowed, less, is_newer=True) == []
    assert len(differing(other, is_newer=True)) == 1


def test_the_software_does_not_start_on_a_changed_schema(app: Flask) -> None:
    with write_transaction(), db.engine.begin() as connection:
        connection.execute(text("ALTER TABLE comment DROP COLUMN origin"))
    with pytest.raises(
        DatabaseNotReady, match=r"(?s)Nothing was started.*- Table comment has no column"
    ):
        require_current(SCRIPTS)
