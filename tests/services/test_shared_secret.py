"""One secret for all hosts: kept once, the same everywhere, changed on purpose."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from app.config import Settings
from app.factory import shared_secret
from app.services.accounts import sign_in
from app.services.delegates import delegate_mail
from app.services.operations import database_binding as service
from app.services.operations.database_binding import (
    DatabaseNotReady,
    DatabaseUnreachable,
    SecretMismatch,
    SharedSecret,
)
from app.store.accounts import delegate_rows
from app.store.administration import installation_secret
from app.store.database import db, read_transaction, write_transaction
from app.store.tables import Claim, SignIn
from tests import factories
from tests.conftest import Clock
from tests.store.at_once import at_once

SETTING, OTHER = "s" * 40, "o" * 40
Host = Callable[..., SharedSecret]


@pytest.fixture
def host(app: Flask, tmp_path: Path) -> Host:
    """Makes a host of the registry, with a data folder of its own."""

    def make(name: str = "one", setting: str = "", older: str = "") -> SharedSecret:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        if older:
            (folder / "secret-key").write_text(older)
        return shared_secret(Settings(data_dir=folder, secret_key=setting))

    return make


def test_the_first_host_makes_one_and_all_others_have_it(host: Host) -> None:
    first = host("one").agree()
    assert len(first) == 64
    for name in ("one", "two", "three"):
        assert host(name).agree() == host(name).current() == first


def test_hosts_that_start_at_one_moment_have_one(app: Flask, host: Host) -> None:
    hosts = [host(str(n), older=str(n) * 64 if n < 4 else "") for n in range(8)]
    found = at_once(app, *(one.agree for one in hosts))
    assert len(set(found)) == 1, found


def test_the_key_of_older_software_is_taken_over_and_counts_no_more(host: Host) -> None:
    old = "0123456789abcdef" * 4
    one = host("one", older=old)
    assert one.agree() == old
    assert "no longer used" in one.find_leftover()
    assert "ended" not in one.find_leftover()
    two = host("two", older="f" * 64)
    assert two.agree() == old
    assert "no longer valid" in two.find_leftover()
    assert host("three").find_leftover() == ""
    (Path(one._older)).write_text("changed")
    assert one.agree() == old


def test_a_key_that_cannot_be_read_is_named(host: Host) -> None:
    one = host()
    one._older.write_bytes(b"\xff")
    with pytest.raises(DatabaseNotReady, match=r"secret-key.* can't be read.* remove it"):
        one.agree()
    one._older.unlink()
    one._older.mkdir()
    with pytest.raises(DatabaseNotReady, match=r"secret-key.* can't be read"):
        one.agree()


def test_of_a_secret_that_is_a_setting_the_database_keeps_a_fingerprint(host: Host) -> None:
    assert host(setting=SETTING).agree() == SETTING
    kept = installation_secret.kept_secret()
    assert kept is not None
    assert kept.value == ""
    assert SETTING not in kept.fingerprint
    assert host("two", setting=SETTING).agree() == SETTING


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (SETTING, OTHER, "Set the same value on all"),
        (SETTING, "", "not on this one"),
        ("", OTHER, "or on none"),
    ],
)
def test_a_host_with_another_secret_is_refused_with_the_way_out(
    host: Host, first: str, second: str, said: str
) -> None:
    host("one", first).agree()
    other = host("two", second)
    for asked in (other.agree, other.current):
        with pytest.raises(SecretMismatch, match=said) as refused:
            asked()
        assert first == "" or first not in str(refused.value)
        assert second == "" or second not in str(refused.value)


def test_where_the_setting_is_what_the_database_keeps_nothing_ends(host: Host) -> None:
    kept = host().agree()
    assert host("two", setting=kept).agree() == kept


def test_a_host_that_runs_follows_a_change(
    host: Host, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, fixed = host("one"), host("two", setting=SETTING)
    old = runs.agree()
    assert runs.current() == old
    service.change_secret("", clock())
    assert runs.current() == old, "it asks once in a while"
    monkeypatch.setattr(time, "monotonic", lambda: 1e12)
    assert runs.current() not in {old, ""}
    service.change_secret(SETTING, clock())
    monkeypatch.setattr(time, "monotonic", lambda: 2e12)
    assert fixed.current() == SETTING
    with pytest.raises(SecretMismatch):
        runs.current()


def test_a_change_ends_sessions_and_links_and_what_is_still_to_be_sent_goes_with_the_new_one(
    host: Host, clock: Clock
) -> None:
    people, old = factories.cast(clock()), host().agree()
    for address in (people.registrant.email, "new@org.example"):
        sign_in.ask_for_link(address, "/", clock(), secret=old, host="h")
    with read_transaction():
        ident = db.session.scalar(select(SignIn.id).where(SignIn.email == people.registrant.email))
    token = sign_in.use_link(sign_in.token_of(str(ident), old), clock()).token
    factories.registered(people, clock())
    factories.invite(people.registrant, people.rival.email, clock(), old)
    assert sign_in.who(token, clock()) is not None
    assert service.change_secret("", clock()) == 1
    new = host().agree()
    assert new != old
    assert sign_in.who(token, clock()) is None
    assert sign_in.sessions_of(people.registrant, token, clock()) == ()
    with read_transaction():
        assert not db.session.execute(text("SELECT 1 FROM sign_in WHERE used IS NULL")).all()
        number = db.session.query(Claim.number).scalar()
        assert delegate_rows.find_claim_of(delegate_mail.token_sent(number, new)) is not None
        assert delegate_rows.find_claim_of(delegate_mail.token_sent(number, old)) is None


def test_a_database_that_is_away_changes_nothing_for_who_knows_the_secret(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, new = host("one"), host("two")
    known = one.current()
    with write_transaction(), db.engine.begin() as connection:
        connection.execute(text("DROP TABLE installation_secret"))
    monkeypatch.setattr(time, "monotonic", lambda: 1e12)
    if db.engine.dialect.name == "sqlite":  # as one that is away, it raises OperationalError
        assert one.current() == known
        with pytest.raises(DatabaseUnreachable):
            new.agree()
    assert host("three", setting=SETTING).current() == SETTING


def test_the_secret_stands_in_one_row_that_nothing_publishes(app: Flask, host: Host) -> None:
    secret = host().agree()
    with read_transaction():
        rows = db.session.execute(text("SELECT value FROM installation_secret")).all()
    assert rows == [(secret,)]
    second = "INSERT INTO installation_secret VALUES (2, 'x', 'x', '2026-01-01')"
    with pytest.raises(IntegrityError), write_transaction(), db.engine.begin() as connection:
        connection.execute(text(second))
