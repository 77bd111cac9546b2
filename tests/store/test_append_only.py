"""What is written once and for ever: the database itself refuses to change it."""

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.services.editions import edition_build
from app.store.database import db, transaction
from app.store.editions import edition_rows
from app.store.tables import WithheldVersion
from app.store.triggers import APPEND_ONLY, NEVER_CHANGED
from tests import factories
from tests.conftest import Clock
from tests.store.schema import dump, rows_of, triggers_of

FOR_EVER = {
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
}
# of a name that was given the rest tells which version is the newest
SET_ONCE = {"assigned_name": ("name", "prefix", "number")}


@pytest.fixture
def filled(app: Flask, clock: Clock) -> str:
    people = factories.cast(clock())
    factories.comment(factories.registered(people, clock()), people.rival, clock())
    assert edition_build.build_pending(clock(), factories.PLACE) == [1, 2]
    factories.answered_naan(people, clock())
    factories.given_names(people, clock(), "urn:quokka:x5")
    with transaction():
        edition_rows.let_stand(1, edition_rows.content(edition_rows.manifest_digest(1)))
        db.session.add(WithheldVersion(version_id=1))
    return db.engine.dialect.name


def refused(statement: str) -> None:
    with pytest.raises(DBAPIError, match="is append-only"), transaction():
        db.session.execute(text(statement))


def test_these_tables_and_no_others_are_append_only(app: Flask) -> None:
    assert set(APPEND_ONLY) == FOR_EVER
    assert NEVER_CHANGED == SET_ONCE
    with db.engine.connect() as connection:
        guarded = {table for table, name in triggers_of(connection) if "_no_" in name}
        assert guarded == FOR_EVER | SET_ONCE.keys()


def test_what_stands_there_cannot_be_changed_or_taken_away(filled: str) -> None:
    before = dump()
    for table in FOR_EVER:
        assert rows_of(table), f"without a row in {table} nothing is tried"
        column = db.metadata.tables[table].primary_key.columns.keys()[0]
        refused(f"UPDATE {table} SET {column} = {column}")
        refused(f"DELETE FROM {table}")
        if filled == "postgresql":
            refused(f"TRUNCATE {table} CASCADE")
    assert dump() == before


def test_a_name_that_was_given_stays_and_only_its_newest_version_moves(filled: str) -> None:
    before = dump()
    for table, columns in SET_ONCE.items():
        assert rows_of(table), f"without a row in {table} nothing is tried"
        for column in columns:
            refused(f"UPDATE {table} SET {column} = {column}")
        refused(f"DELETE FROM {table}")
        if filled == "postgresql":
            refused(f"TRUNCATE {table} CASCADE")
    assert dump() == before
    with transaction():
        db.session.execute(text("UPDATE assigned_name SET n = n + 1"))


def test_a_row_cannot_be_replaced_by_inserting_it_anew(filled: str) -> None:
    before = dump()
    for table in (*FOR_EVER, *SET_ONCE):
        columns = ", ".join(db.metadata.tables[table].columns.keys())
        key, *rest = db.metadata.tables[table].primary_key.columns.keys()
        keys = ", ".join([key, *rest])
        one = f"({columns}) SELECT {columns} FROM {table} WHERE true LIMIT 1"
        if filled == "sqlite":
            refused(f"INSERT OR REPLACE INTO {table} {one}")
        refused(
            f"INSERT INTO {table} {one} ON CONFLICT ({keys}) DO UPDATE SET {key} = excluded.{key}"
        )
    assert dump() == before


def test_a_table_that_may_change_does(filled: str) -> None:
    with transaction():
        db.session.execute(text("UPDATE request SET body = 'changed'"))
    assert "changed" in rows_of("request")[0]
