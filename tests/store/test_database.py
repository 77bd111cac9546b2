"""Transactions: who writes, what is kept together, what a reader sees, what is counted."""

from contextlib import nullcontext
from datetime import UTC, datetime, timedelta, timezone

import pytest
from flask import Flask
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, StatementError

from app.services.operations import database_binding
from app.store import counters
from app.store.accounts import account_rows
from app.store.database import (
    add_missing,
    db,
    joint_transaction,
    read_for_good,
    read_once,
    read_transaction,
    transaction,
)
from app.store.tables import Account
from tests.conftest import START, MakeApp
from tests.store.at_once import at_once
from tests.store.schema import dump


def names() -> list[str]:
    added = Account.email.endswith("@new.example")
    return list(db.session.scalars(select(Account.name).where(added).order_by(Account.id)))


def add(name: str) -> None:
    account_rows.add_account(f"{name}@new.example", START, name)


def test_nothing_is_written_outside_a_use_case(app: Flask) -> None:
    with pytest.raises(DBAPIError, match=r"readonly|read-only"):
        add("robin")
    db.session.rollback()
    with read_transaction(), pytest.raises(DBAPIError, match=r"readonly|read-only"):
        add("robin")
    with read_transaction():
        assert names() == []


def test_a_use_case_is_kept_whole_or_not_at_all(app: Flask) -> None:
    before = dump()
    with pytest.raises(ZeroDivisionError), transaction():
        add("robin")
        counters.next_number("request")
        raise ZeroDivisionError
    assert dump() == before
    with transaction():
        add("robin")
    assert dump() != before


def test_a_use_case_inside_another_is_refused_and_neither_is_kept(app: Flask) -> None:
    with pytest.raises(RuntimeError, match="inside another"), transaction():
        add("robin")
        with transaction():
            add("rival")
    with read_transaction():
        assert names() == []


def test_among_several_that_are_kept_together_one_that_fails_leaves_nothing(app: Flask) -> None:
    with joint_transaction():
        kept("robin")
        with pytest.raises(ZeroDivisionError), transaction():
            add("rival")
            assert _first_of_all("rival")
            raise ZeroDivisionError
        with pytest.raises(IntegrityError), transaction():  # which the database has given up
            db.session.add_all(Account(email="rival@new.example", created=START) for _ in "ab")
            db.session.flush()
        with transaction():
            assert not _first_of_all("rival"), "what was read before is not so any more"
            assert names() == ["robin"]
            add("sparrow")
    with read_transaction():
        assert names() == ["robin", "sparrow"]


@read_for_good
def _first_of_all(name: str) -> int | None:
    return db.session.scalar(select(Account.id).where(Account.name == name))


def test_a_read_among_several_that_are_kept_together_writes_nothing(app: Flask) -> None:
    refused = pytest.raises(DBAPIError, match=r"readonly|read-only")
    with joint_transaction():
        kept("robin")
        with read_transaction():
            assert names() == ["robin"]
        with refused, read_transaction():
            add("rival")
        with refused, read_transaction():
            db.session.add(Account(email="rival@new.example", created=START))
        with pytest.raises(RuntimeError, match="inside another"), read_transaction():
            kept("rival")
        kept("sparrow")
    with read_transaction():
        assert names() == ["robin", "sparrow"]


@pytest.mark.parametrize("inside", [True, False], ids=["in one", "between two"])
def test_several_that_are_kept_together_are_not_ended_half_way(app: Flask, inside: bool) -> None:
    with pytest.raises(RuntimeError, match="ended early"), joint_transaction():
        kept("robin")
        with transaction() if inside else nullcontext():
            db.session.rollback()
        kept("sparrow")
    with read_transaction():
        assert names() == []


def test_a_use_case_sees_what_others_wrote_after_its_page_was_read(app: Flask) -> None:
    assert names() == []  # a page is being made, and its read goes on
    (result,) = at_once(app, lambda: kept("robin"))
    assert result is None
    with transaction():
        assert names() == ["robin"]


def kept(name: str) -> None:
    with transaction():
        add(name)


def test_a_reader_sees_one_moment(app: Flask) -> None:
    with read_transaction():
        assert names() == []
        at_once(app, lambda: kept("robin"))
        assert names() == []
    with read_transaction():
        assert names() == ["robin"]


def test_what_is_there_is_not_added_again(app: Flask) -> None:
    rows = [{"email": f"{name}@new.example", "name": name, "created": START} for name in "aba"]
    with transaction():
        assert add_missing(Account, rows) == 2
        assert add_missing(Account, rows) == 0
        assert add_missing(Account, []) == 0
    with read_transaction():
        assert names() == ["a", "b"]


def test_a_moment_keeps_its_time_and_needs_its_zone(app: Flask) -> None:
    east = datetime(2026, 9, 1, 1, 30, 0, 123456, tzinfo=timezone(timedelta(hours=5)))
    with transaction():
        account_rows.add_account("robin@new.example", east)
        with pytest.raises(StatementError, match="time zone"):
            account_rows.add_account("rival@new.example", datetime(2026, 9, 1))  # noqa: DTZ001 that is it
    with read_transaction():
        account = account_rows.find_account("ROBIN@new.example")
        assert account is not None
        assert account.created == east
        assert account.created.tzinfo is UTC


def test_a_number_is_given_back_with_the_use_case_that_took_it(app: Flask) -> None:
    with transaction():
        assert [counters.next_number("x") for _ in range(3)] == [1, 2, 3]
    with pytest.raises(ZeroDivisionError), transaction():
        assert counters.next_number("x") == 4
        raise ZeroDivisionError
    with transaction():
        assert counters.next_number("x") == 4
        assert counters.current("x") == 4
        assert counters.current("y") == 0


def test_a_counter_is_raised_and_never_lowered(app: Flask) -> None:
    with transaction():
        counters.raise_to("x", 8)
        counters.raise_to("x", 3)
        assert counters.next_number("x") == 9
        counters.hold("x")
        counters.hold("y")
        assert (counters.current("x"), counters.current("y")) == (9, 0)


def test_the_first_numbers_of_a_counter_are_taken_by_many_at_once(app: Flask) -> None:
    # tried against a counter that reads, then inserts its first row: PostgreSQL refuses it
    def take() -> int:
        with transaction():
            return counters.next_number("x")

    assert sorted(at_once(app, *[take] * 8)) == list(range(1, 9))


def test_the_settings_that_keep_a_commit_are_on(app: Flask) -> None:
    if db.engine.dialect.name == "postgresql":
        return
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "recursive_triggers": 1}
    with read_transaction():
        for name, value in wanted.items():
            assert db.session.execute(text(f"PRAGMA {name}")).scalar_one() == value


def test_what_a_page_read_once_it_does_not_ask_for_again_and_a_use_case_does(app: Flask) -> None:
    asked: list[str] = []

    @read_once
    def count(prefix: str) -> int:
        asked.append(prefix)
        return len([name for name in names() if name.startswith(prefix)])

    with read_transaction():
        assert [count("r"), count("r"), count("q")] == [0, 0, 0]
    assert asked == ["r", "q"]
    with transaction():
        assert count("r") == 0
        add("robin")
        assert count("r") == 1
    with read_transaction():
        assert count("r") == 1


def _waits() -> list[str]:
    if db.engine.dialect.name == "sqlite":
        asked = ["PRAGMA busy_timeout"]
    else:
        asked = ["SHOW statement_timeout", "SHOW lock_timeout"]
    with read_transaction():
        return [str(db.session.scalar(text(one))) for one in asked]


def test_who_answers_people_waits_for_the_database_for_a_while_only(make_app: MakeApp) -> None:
    patient, hasty = make_app(), make_app()
    database_binding.limit_waits(hasty)
    with patient.app_context():
        assert _waits() in (["30000"], ["0", "0"])
    with hasty.app_context():
        assert _waits() in (["10000"], ["20s", "10s"])


@pytest.mark.postgresql
def test_a_long_statement_goes_on_while_the_server_accepts_connections(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    if db.engine.dialect.name == "sqlite":
        pytest.skip("a file does not stop responding")
    monkeypatch.setattr("app.store.postgresql_connection.ASKS_AFTER", 0.1)
    with read_transaction():
        assert db.session.scalar(text("SELECT 7 FROM pg_sleep(1)")) == 7
        driver = db.session.connection().connection.driver_connection
        assert driver is not None
        driver.longest_silence = 0.3
        with pytest.raises(DBAPIError, match="does not respond"):
            db.session.scalar(text("SELECT 7 FROM pg_sleep(1000)"))
    with read_transaction():
        assert db.session.scalar(text("SELECT 7")) == 7, "on a new connection"
