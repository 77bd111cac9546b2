"""Getting in: by a link that works once and for a while, whoever asks."""

from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import event, select

from app.services.accounts import sign_in
from app.services.accounts.sign_in import LINK_LASTS, SESSION_LASTS, LinkSpent
from app.services.operations import demo_people
from app.services.refusals import InvalidInput, RateLimitExceeded
from app.store.accounts import account_rows
from app.store.database import db, read_transaction
from app.store.tables import Idempotency, Outbox, SignIn, UserSession
from app.store.tables.accounts import Grant
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.store.schema import dump, rows_of

ADDRESS = "robin@org.example"


def ask(clock: Clock, address: str = ADDRESS, kept: str = "") -> str:
    """Ask for a link; gives its token, which only the mail holds."""
    sign_in.ask_for_link(address, "/desk/", clock(), secret="s", host="h.example", kept=kept)
    with read_transaction():
        newest = select(SignIn).order_by(SignIn.created.desc(), SignIn.id)
        asked = {row.id for row in db.session.scalars(newest)}
        told = db.session.scalars(select(Outbox.sign_in).order_by(Outbox.id.desc())).first()
    assert told in asked
    return sign_in.token_of(str(told), "s")


def grants(address: str, clock: Clock) -> frozenset[Grant]:
    with read_transaction():
        account = account_rows.find_account(address)
        assert account is not None
        return account_rows.grants_of(account.id, clock())


def test_a_link_lets_in_once_and_leads_on(app: Flask, clock: Clock) -> None:
    token = ask(clock, kept="what was typed")
    with read_transaction():
        assert sign_in.is_usable(token, clock())
        assert sign_in.is_usable(token, clock()), "looking uses nothing up"
    entered = sign_in.use_link(token, clock())
    assert (entered.next, entered.kept) == ("/desk/", "what was typed")
    with read_transaction():
        who = sign_in.who(entered.token, clock())
        assert who == entered.actor
        assert not sign_in.is_usable(token, clock())
    with pytest.raises(LinkSpent):
        sign_in.use_link(token, clock())


def test_a_known_and_an_unknown_address_are_answered_alike(app: Flask, clock: Clock) -> None:
    factories.person(ADDRESS, clock())
    statements: list[list[str]] = []
    heard: list[str] = []

    def hear(_c: object, _cursor: object, statement: str, *_: object) -> None:
        heard.append(statement)

    there = len(rows_of("account"))
    event.listen(db.engine, "before_cursor_execute", hear)
    for address in (ADDRESS, "nobody@org.example"):
        heard.clear()
        sign_in.ask_for_link(address, "/", clock(), secret="s", host="h")
        statements.append([*heard])
    event.remove(db.engine, "before_cursor_execute", hear)
    assert statements[0] == statements[1]
    assert len(rows_of("outbox")) == 2
    assert len(rows_of("account")) == there, "asking makes no account"


def test_a_link_lasts_fifteen_minutes_by_either_hand_of_the_clock(app: Flask, clock: Clock) -> None:
    token = ask(clock)
    asked = clock()
    with read_transaction():
        for at, usable in (
            (asked + LINK_LASTS, True),
            (asked + LINK_LASTS + timedelta(seconds=1), False),
            (asked - timedelta(seconds=30), True),
            (asked - timedelta(days=3650), False),
            (asked + timedelta(days=3650), False),
        ):
            assert sign_in.is_usable(token, at) is usable, at
    with pytest.raises(LinkSpent):
        sign_in.use_link(token, asked - timedelta(days=3650))


@pytest.mark.parametrize("token", ["", "x", "\0", "0" * 64, "é" * 10_000])
def test_a_made_up_token_lets_nobody_in(app: Flask, clock: Clock, token: str) -> None:
    ask(clock)
    with read_transaction():
        assert not sign_in.is_usable(token, clock())
        assert sign_in.who(token, clock()) is None
    with pytest.raises(LinkSpent):
        sign_in.use_link(token, clock())


def test_another_secret_makes_another_token() -> None:
    assert sign_in.token_of("id", "a") != sign_in.token_of("id", "b")


def test_tokens_are_nowhere_in_the_database(app: Flask, clock: Clock, tmp_path: Path) -> None:
    used, unused = ask(clock), ask(clock)
    session = sign_in.use_link(used, clock()).token
    tokens = (used, unused, session)
    rows = repr([rows_of(table) for table in dump()])
    assert not any(token in rows for token in tokens)
    if db.engine.dialect.name == "sqlite":
        held = b"".join(file.read_bytes() for file in tmp_path.glob("registry.sqlite3*"))
        assert ADDRESS.encode() in held
        assert not any(token.encode() in held for token in tokens)


def test_five_links_in_fifteen_minutes_are_enough(app: Flask, clock: Clock) -> None:
    for _ in range(5):
        ask(clock)
    with pytest.raises(RateLimitExceeded):
        ask(clock, ADDRESS.upper())
    ask(clock, "other@org.example")
    clock.on(minutes=15)
    ask(clock)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "robin",
        "robin@",
        "@org.example",
        "robin@org",
        "robin@org.example\nBcc: all@org.example",
        "robin@org.example\r\n",
        "robin@org.example, rival@org.example",
        "Robin <robin@org.example>",
        "robin\0@org.example",
        "robin@[127.0.0.1]",
        "r" * 400 + "@org.example",
    ],
)
def test_what_is_no_address_is_refused(app: Flask, clock: Clock, text: str) -> None:
    before = dump()
    if text == "robin@org.example\r\n":
        assert sign_in.checked_address(text) == ADDRESS, "outer white space does no harm"
        return
    with pytest.raises(InvalidInput, match="is not an e-mail address"):
        ask(clock, text)
    assert dump() == before


def test_an_address_has_one_form() -> None:
    assert sign_in.checked_address(" Robin@ORG.example ") == ADDRESS
    assert sign_in.checked_address("robin@bücher.example") == "robin@xn--bcher-kva.example"


def test_a_form_that_is_kept_is_given_back_once_and_then_erased(app: Flask, clock: Clock) -> None:
    token = ask(clock, kept="a telephone \0 number")
    assert sign_in.use_link(token, clock()).kept == "a telephone  number"
    assert "telephone" not in repr(rows_of("sign_in"))


def test_a_form_that_nobody_comes_back_for_is_forgotten(app: Flask, clock: Clock) -> None:
    ask(clock, kept="a telephone number")
    sign_in.forget(clock.on(minutes=15))
    assert "telephone" in repr(rows_of("sign_in"))
    sign_in.forget(clock.on(seconds=1))
    assert "telephone" not in repr(rows_of("sign_in"))


def test_answers_to_old_writes_are_forgotten(app: Flask, clock: Clock) -> None:
    factories.draft(factories.cast(clock()).registrant, clock())
    sign_in.forget(clock.on(days=7))
    with read_transaction():
        assert db.session.scalars(select(Idempotency)).all()
    sign_in.forget(clock.on(seconds=1))
    with read_transaction():
        assert not db.session.scalars(select(Idempotency)).all()


def test_leaving_ends_a_session_for_good_and_no_other(app: Flask, clock: Clock) -> None:
    first = sign_in.use_link(ask(clock), clock()).token
    second = sign_in.use_link(ask(clock), clock()).token
    assert first != second
    sign_in.leave(first, clock())
    with read_transaction():
        assert sign_in.who(first, clock()) is None
        assert sign_in.who(second, clock()) is not None
        ended = db.session.scalars(select(UserSession.ended)).all()
    assert sorted(map(str, ended)) == sorted(map(str, [None, clock()]))


def test_a_session_expires_and_does_not_come_back_with_the_clock(app: Flask, clock: Clock) -> None:
    token, began = sign_in.use_link(ask(clock), clock()).token, clock()
    with read_transaction():
        assert sign_in.who(token, began + SESSION_LASTS - timedelta(seconds=1)) is not None
        assert sign_in.who(token, began + SESSION_LASTS) is None
        assert sign_in.who(token, began - timedelta(seconds=59)) is not None
        assert sign_in.who(token, began - timedelta(days=3650)) is None


def test_a_role_holds_from_its_first_moment_until_it_is_revoked(app: Flask, clock: Clock) -> None:
    sign_in.grant(ADDRESS, Grant.EXPERT, clock())
    before = clock.now - timedelta(seconds=1)
    assert grants(ADDRESS, clock) == {Grant.EXPERT}
    clock.on(days=100)
    assert grants(ADDRESS, clock) == {Grant.EXPERT}
    assert sign_in.revoke(ADDRESS, Grant.EXPERT, clock())
    assert grants(ADDRESS, clock) == frozenset()
    clock.now = before
    assert grants(ADDRESS, clock) == frozenset()


def test_a_role_ends_on_its_day(app: Flask, clock: Clock) -> None:
    sign_in.grant(ADDRESS, Grant.LEADER, clock(), until=clock() + timedelta(days=30))
    clock.on(days=29)
    assert grants(ADDRESS, clock) == {Grant.LEADER}
    clock.on(days=1)
    assert grants(ADDRESS, clock) == frozenset()
    assert not sign_in.revoke(ADDRESS, Grant.LEADER, clock())


def test_revoking_ends_a_role_with_a_day_too_and_at_once_for_who_is_signed_in(
    app: Flask, clock: Clock
) -> None:
    sign_in.grant(ADDRESS, Grant.OPERATOR, clock(), until=clock() + timedelta(days=30))
    token = sign_in.use_link(ask(clock), clock()).token
    with read_transaction():
        who = sign_in.who(token, clock())
        assert who is not None
        assert who.is_operator
    assert sign_in.revoke(ADDRESS, Grant.OPERATOR, clock())
    with read_transaction():
        who = sign_in.who(token, clock())
        assert who is not None
        assert not who.is_operator


def test_nothing_is_revoked_of_who_has_nothing(app: Flask, clock: Clock) -> None:
    assert not sign_in.revoke("nobody@org.example", Grant.EXPERT, clock())


def test_the_demonstration_has_its_people_once(make_app: MakeApp, clock: Clock) -> None:
    with make_app(demo=True).app_context():
        demo_people.add_people(clock())
        before = dump()
        demo_people.add_people(clock())
        assert dump() == before
        for person in demo_people.PEOPLE:
            entered = sign_in.enter_as(person.email, clock())
            assert entered.actor.name == person.name
            assert entered.actor.grants == set(person.grants)
