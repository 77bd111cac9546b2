"""Migrations make what the models say, keep it, and take turns."""

from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import inspect, text

from app.factory import asset_dir
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.assigned_names import prefixes
from app.services.assigned_names.prefixes import PrefixRules
from app.services.operations import database_binding
from app.services.registry import snapshots
from app.store import triggers
from app.store.administration.migrations import migrate
from app.store.database import Base, db, write_transaction
from app.store.triggers import make_triggers
from tests import factories
from tests.conftest import START, Clock, few_names
from tests.processes import PROCESSES
from tests.store.conftest import NewDatabase, opened
from tests.store.downgrading import migrate_down
from tests.store.schema import dump, schema_of

SCRIPTS = asset_dir("migrations")


def schema() -> dict[str, Any]:
    with db.engine.connect() as connection:
        return schema_of(connection)


@pytest.fixture
def from_models(new_database: NewDatabase, tmp_path: Path) -> dict[str, Any]:
    with opened(new_database(), tmp_path):
        with write_transaction(), db.engine.begin() as connection:
            Base.metadata.create_all(connection)
            make_triggers(connection)
        return schema()


def test_the_migrated_schema_is_that_of_the_models(
    new_database: NewDatabase, from_models: dict[str, Any], tmp_path: Path
) -> None:
    with opened(new_database(), tmp_path):
        migrate(SCRIPTS)
        assert schema() == from_models
        assert database_binding.is_current(SCRIPTS)


_CHANGES = {
    "sqlite": (
        "DROP INDEX ix_event_subject_about",
        "DROP TRIGGER event_no_update",
        "ALTER TABLE event ADD COLUMN more INTEGER",
        "DROP TABLE draft",
        "DROP TABLE search_text",
        "DROP TRIGGER search_after_update",
    ),
    "postgresql": (
        "DROP INDEX ix_search_vector",
        "ALTER TABLE search DROP COLUMN vector",
        "DROP INDEX ix_event_subject_about",
        "DROP TRIGGER event_no_truncate ON event",
        "ALTER TABLE event DISABLE TRIGGER event_no_update",
        "ALTER TABLE event ADD COLUMN more INTEGER",
        "ALTER TABLE account ALTER COLUMN name DROP NOT NULL",
        "ALTER TABLE account ALTER COLUMN name TYPE TEXT",
        "ALTER TABLE request DROP CONSTRAINT ck_request_state",
        "ALTER TABLE request DROP CONSTRAINT fk_request_edition_edition",
        "ALTER TABLE name DROP CONSTRAINT uq_name_space_folded",
    ),
}


def test_a_schema_that_differs_is_seen_to_differ(app: Flask) -> None:
    made = schema()
    for change in _CHANGES[db.engine.dialect.name]:
        with write_transaction(), db.engine.connect() as connection:
            connection.execute(text(change))
            assert schema_of(connection) != made, change
    assert schema() == made


def test_upgrading_twice_is_harmless(app: Flask, clock: Clock) -> None:
    factories.registered(factories.cast(clock()), clock())
    before, made = dump(), schema()
    migrate(SCRIPTS)
    assert (dump(), schema()) == (before, made)


def test_an_upgrade_makes_lost_triggers_anew(app: Flask) -> None:
    made = schema()
    lost = "DROP TRIGGER event_no_update"
    with write_transaction(), db.engine.begin() as connection:
        connection.execute(
            text(lost if connection.dialect.name == "sqlite" else f"{lost} ON event")
        )
    assert schema() != made
    migrate(SCRIPTS)
    assert schema() == made


def test_an_upgrade_of_what_is_current_keeps_nobody_from_a_table(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    # to replace a trigger waits on PostgreSQL for all who read its table, and they for it
    made: list[object] = []
    monkeypatch.setattr(triggers, "make_triggers", made.append)
    migrate(SCRIPTS)
    assert made == []


def test_down_to_nothing_and_up_again_with_rows(app: Flask, clock: Clock) -> None:
    factories.registered(factories.cast(clock()), clock())
    made = schema()
    migrate_down(SCRIPTS)
    assert inspect(db.engine).get_table_names() == ["alembic_version"]
    assert schema() == {"triggers": {}}
    assert not database_binding.is_current(SCRIPTS)
    migrate(SCRIPTS)
    assert schema() == made
    with few_names():
        assert snapshots.initialize("", clock()) is not None


def test_of_a_prefix_that_software_before_adds_nobody_is_told_who_holds_it(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    naan = factories.registered_naan(people, clock())
    by, rules = factories.command(people.operator, clock()), PrefixRules(holder_name="A port")
    prefixes.add_prefix(by, f"ark:{naan}/x5", people.registrant.email, rules)
    migrate_down(SCRIPTS, "0024")
    migrate(SCRIPTS)
    rest = (
        "registered, label, numbering, pattern, policy, persistence, target_rule, next_number, "
        "version, starts"
    )
    with write_transaction(), db.engine.begin() as connection:
        connection.execute(
            text(f"INSERT INTO name_prefix (text, {rest}) SELECT 'ark:y', {rest} FROM name_prefix")
        )
        found = connection.execute(text("SELECT holder_name FROM name_prefix")).scalars()
        assert found.all() == ["", ""]


def test_foreign_keys_are_on_again_after_a_migration_that_failed(
    new_database: NewDatabase, tmp_path: Path
) -> None:
    with opened(new_database(), tmp_path):
        if db.engine.dialect.name != "sqlite":
            pytest.skip("PostgreSQL keeps its foreign keys on")
        with pytest.raises(Exception, match="nowhere"):
            migrate(tmp_path / "nowhere")
        with db.engine.connect() as connection:
            assert connection.execute(text("PRAGMA foreign_keys")).scalar_one() == 1


def upgrade(url: str, folder: Path, ready: Barrier) -> None:
    with opened(url, folder), few_names():
        ready.wait(60)
        migrate(SCRIPTS)
        snapshots.initialize("", START)


def test_two_processes_that_set_up_one_database_take_turns(
    new_database: NewDatabase, tmp_path: Path
) -> None:
    # without the advisory lock the second fails on PostgreSQL; with BEGIN alone, on SQLite
    url, ready = new_database(), PROCESSES.Barrier(2)
    processes = [PROCESSES.Process(target=upgrade, args=(url, tmp_path, ready)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0]
    with opened(url, tmp_path):
        assert database_binding.is_current(SCRIPTS)
        assert snapshots.current_snapshot(URN_GROUP).edition == 1


def test_who_entered_an_appointment_is_taken_from_its_event(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    ident = factories.appointed(people, clock(), "new@experts.example")
    migrate_down(SCRIPTS, "0005")
    migrate(SCRIPTS)
    with db.engine.connect() as connection:
        rows = connection.execute(text("SELECT id, entered_by FROM role_grant")).all()
    assert {entered for grant, entered in rows if grant == ident} == {people.operator.id}
    assert {entered for grant, entered in rows if grant != ident} == {None}
