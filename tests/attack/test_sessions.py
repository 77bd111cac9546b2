"""Signing in never happens unseen: whom a link signs in, where one is signed in, and ending it."""

import json
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.pages.mail.letters import compose_letter
from app.services.accounts import sign_in
from app.services.accounts.sign_in import SEEN_FOR, Client
from app.services.refusals import NotFound
from app.store.database import db, read_transaction
from app.store.tables import Outbox, UserSession
from tests import factories
from tests.conftest import START, Clock
from tests.services.test_sign_in import ask
from tests.store.schema import dump, rows_of
from tests.web.conftest import EMAILS, World, newest_link, without_demo
from tests.web.visitor import Page, Visitor
from tests.web.wellmade import faults

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0"
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
HOME, OFFICE = (
    Client("192.0.2.7/32", "192.0.2.0/24", "Firefox on Linux"),
    Client("198.51.100.4/32", "198.51.100.0/24", "Firefox on Linux"),
)


def linked(visitor: Visitor, email: str) -> str:
    """Ask for a link; gives its path."""
    visitor.app.extensions["now"].on(seconds=1)
    assert visitor.send("/sign-in", {"email": email}).status == 200
    return "/sign-in/" + newest_link(visitor.app, email)


def enter(visitor: Visitor, email: str, peer: str, agent: str) -> Page:
    """Sign in by a link from somewhere, with some browser."""
    given: dict[str, Any] = {"environ_base": {"REMOTE_ADDR": peer, "HTTP_USER_AGENT": agent}}
    link = linked(visitor, email)
    form = visitor.get(link, **given).form(link)
    return visitor.post(link, form, **given)


# ---- the page of a link


def test_the_page_of_a_link_names_whom_it_signs_in_and_uses_nothing_up(fresh: World) -> None:
    visitor = fresh.visitor()
    link = linked(visitor, EMAILS["rival"])
    for _ in range(3):
        page = fresh.visitor().get(link)
        assert (page.status, faults(page)) == (200, [])
        assert f"This link is for {EMAILS['rival']}." in page.words
    assert page.text("//form[starts-with(@action, '/sign-in/')]//button") == (
        f"Sign in as {EMAILS['rival']}"
    )
    assert visitor.send(link).status == 303


@ONE_DATABASE
def test_a_link_never_switches_silently(fresh: World) -> None:
    operator = fresh.visitor("operator")
    link = linked(fresh.visitor(), EMAILS["rival"])
    page = operator.get(link)
    assert faults(page) == []
    assert "This browser is signed in to another account." in page.words
    assert "within 15 minutes" in page.words
    button = f"Sign in as {EMAILS['rival']} instead of {EMAILS['operator']}"
    assert page.text("//form[starts-with(@action, '/sign-in/')]//button") == button
    unasked = operator.post(link)
    assert (unasked.status, faults(unasked)) == (409, [])
    assert button in unasked.words
    assert operator.get("/desk/").status == 200, "nobody was signed out"
    assert operator.send(link).location == "/"
    assert operator.get("/desk/").status == 403


@ONE_DATABASE
def test_who_signed_in_meanwhile_is_asked_too(fresh: World) -> None:
    browser = fresh.visitor()
    link = linked(browser, EMAILS["rival"])
    form = browser.get(link).form(link)
    browser.post("/demo/sign-in/0", {"next": "/"})
    assert browser.post(link, form).status == 400, "its page was opened before"
    proof = {"csrf_token": browser.get("/account").form("/sign-out")["csrf_token"]}
    assert browser.post(link, form | proof).status == 409
    assert browser.get(link).status == 200, "the link is good still"


@ONE_DATABASE
def test_who_is_signed_in_already_is_told_so(fresh: World) -> None:
    rival = fresh.visitor("rival")
    link = linked(rival, EMAILS["rival"])
    page = rival.get(link)
    assert "You’re already signed in" in page.words
    assert rival.send(link).status == 303


# ---- one's sessions


@pytest.fixture
def site(fresh: World) -> Iterator[World]:
    """A world that answers other machines, in which a demonstration's sessions are void."""
    with without_demo(fresh) as world:
        yield world


def test_the_account_shows_from_where_with_what_and_since_when(site: World) -> None:
    laptop, phone = site.visitor(), site.visitor()
    clock = site.app.extensions["now"]
    clock.on(minutes=40)
    enter(laptop, EMAILS["rival"], "192.0.2.7", FIREFOX)
    clock.on(days=1)
    enter(phone, EMAILS["rival"], "2001:db8:5:6::9", PHONE)
    page = laptop.get("/account")
    assert faults(page) == []
    rows = [
        " ".join(row.text_content().split())
        for row in page.each("//section[@aria-labelledby='sessions']//li")
    ]
    assert len(rows) == 2
    assert rows[0].startswith("Safari on an iPhone Signed in on 2 September 2026")
    assert "2001:db8:5::/56" in rows[0]
    assert rows[1].startswith("Firefox on Linux (this session) Signed in on 1 September 2026")
    assert "192.0.2.0/24" in rows[1]
    since = "Signed in on 1 September 2026 at 12:40 UTC from network 192.0.2.0/24."
    assert since in rows[1]
    assert rows[1].endswith("Last used on 1 September 2026 at about 12:40 UTC.")
    assert "Last used on 2 September 2026 at about 12:40 UTC." in rows[0], "not before it began"
    assert "192.0.2.7" not in page.html
    assert "End it" not in rows[1]


def test_each_session_can_be_ended_and_nobody_elses(site: World) -> None:
    owner, second, other = (site.visitor() for _ in range(3))
    for visitor, who in ((owner, "rival"), (second, "rival"), (other, "expert")):
        enter(visitor, EMAILS[who], "192.0.2.7", FIREFOX)
    page = owner.get("/account")
    (action,) = {
        form.get("action")
        for form in page.each("//form")
        if form.get("action", "").startswith("/account/sessions/")
        and form.get("action") != "/account/sessions/end"
    }
    foreign = other.get("/account").form("/account/sessions/end")
    assert other.post(action, foreign).status == 404
    assert second.get("/account").status == 200
    proof = page.form(action)
    assert owner.post(action, proof).location == "/account#sessions"
    assert second.get("/account").status == 303
    assert owner.get("/account").status == 200
    assert owner.post(action, proof).status == 404


def test_signing_out_everywhere_ends_all_and_voids_links(site: World) -> None:
    browsers = [site.visitor() for _ in range(3)]
    for browser in browsers:
        enter(browser, EMAILS["operator"], "192.0.2.7", FIREFOX)
    link = linked(site.visitor(), EMAILS["operator"])
    foreign = linked(site.visitor(), EMAILS["rival"])
    page = browsers[0].send("/account", action="/account/sessions/end")
    assert (page.status, page.location) == (303, "/")
    assert "You’re signed out everywhere." in browsers[0].get("/").words
    assert [browser.get("/desk/").status for browser in browsers] == [303] * 3
    assert site.visitor().post(link).status == 410
    assert site.visitor().get(foreign).status == 200
    other = site.visitor()
    enter(other, EMAILS["rival"], "192.0.2.7", FIREFOX)
    assert other.get("/account").status == 200


@ONE_DATABASE
def test_signing_out_takes_a_form_of_this_site(fresh: World) -> None:
    operator = fresh.visitor("operator")
    for path in ("/account/sessions/end", "/account/sessions/x/end"):
        headers = {"Sec-Fetch-Site": "cross-site"}
        assert operator.post(path, headers=headers).status == 403
        assert operator.open("POST", path, data={}).status == 400
        assert operator.get(path).status == 405
    assert operator.get("/desk/").status == 200


def last_used(app: Flask, token: str) -> Any:
    with app.app_context(), read_transaction():
        return db.session.scalar(
            select(UserSession.last_used).where(
                UserSession.token_sha256 == sha256(token.encode()).hexdigest()
            )
        )


def test_that_a_session_is_used_is_noted_once_an_hour(fresh: World) -> None:
    expert, token = fresh.visitor("expert"), fresh.tokens["expert"]
    clock = fresh.app.extensions["now"]
    assert expert.get("/review/").status == 200
    assert last_used(fresh.app, token) is None, "it began within the hour"
    first = clock.on(minutes=61)
    assert expert.get("/review/").status == 200
    assert last_used(fresh.app, token) == first
    clock.on(minutes=59)
    expert.get("/review/")
    assert last_used(fresh.app, token) == first


# ---- a new place


def warnings(email: str) -> list[str]:
    """The arguments of each warning that somebody got."""
    with read_transaction():
        rows = select(Outbox.arguments).where(
            Outbox.template == "new-place", Outbox.recipient == email
        )
        return list(db.session.scalars(rows.order_by(Outbox.id)))


def sign_in_from(email: str, client: Client, clock: Clock) -> None:
    token = ask(clock, email)
    sign_in.use_link(token, clock(), client=client, base_url="https://registry.example")


@pytest.mark.parametrize("who", ["operator", "expert", "leader"])
def test_people_with_a_role_hear_of_a_sign_in_from_a_new_place(
    app: Flask, clock: Clock, who: str
) -> None:
    email = getattr(factories.cast(clock()), who).email
    counts = []
    phone = Client(HOME.address, HOME.network, "Safari on an iPhone")
    for client in (HOME, HOME, OFFICE, HOME, phone, phone, OFFICE):
        sign_in_from(email, client, clock)
        clock.on(hours=1)
        counts.append(len(warnings(email)))
    assert counts == [0, 0, 1, 1, 2, 2, 2], "the very first place is no new one"
    clock.on(days=SEEN_FOR.days + 1)
    sign_in_from(email, HOME, clock)
    assert len(warnings(email)) == 3


@pytest.mark.postgresql
def test_others_hear_nothing_of_theirs(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    for client in (HOME, OFFICE):
        sign_in_from(people.registrant.email, client, clock)
    assert warnings(people.registrant.email) == []


def test_the_warning_says_what_to_do_and_carries_no_token(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    for client in (OFFICE, HOME):
        sign_in_from(people.operator.email, client, clock)
    with read_transaction():
        row = db.session.scalars(select(Outbox).where(Outbox.template == "new-place")).one()
        arguments = json.loads(row.arguments)
        assert row.sign_in is None
    message = compose_letter(
        row.template,
        arguments,
        sender="registry@registry.example",
        recipient=row.recipient,
        message_id=row.message_id,
        date=START,
    )
    text = message.get_content()
    assert "1 September 2026 at 12:00 UTC" in text
    assert "192.0.2.0/24" in text
    assert "Firefox on Linux" in text
    assert "“Sign out everywhere”" in " ".join(text.split())
    assert "https://registry.example/account" in text
    assert "/sign-in/" not in text


def test_where_sessions_were_is_forgotten(app: Flask, clock: Clock) -> None:
    email = factories.cast(clock()).operator.email
    for client in (OFFICE, HOME):
        sign_in_from(email, client, clock)
    sign_in.forget(clock.on(days=SEEN_FOR.days))
    assert "192.0.2.0" in repr(rows_of("session"))
    assert "192.0.2.0" in repr(rows_of("outbox"))
    sign_in.forget(clock.on(seconds=1))
    kept = repr([rows_of(table) for table in dump()])
    assert "192.0.2." not in kept
    assert "Firefox on" not in kept


def test_a_session_that_ended_is_listed_no_more(app: Flask, clock: Clock) -> None:
    entered = sign_in.use_link(ask(clock), clock())
    with read_transaction():
        (session,) = sign_in.sessions_of(entered.actor, entered.token, clock())
    assert session.is_present
    sign_in.leave(entered.token, clock())
    with read_transaction():
        assert sign_in.sessions_of(entered.actor, entered.token, clock()) == ()
    with pytest.raises(NotFound):
        sign_in.end(entered.actor, session.mark, clock())
    later = clock() + timedelta(days=15)
    other = sign_in.use_link(ask(clock), clock())
    with read_transaction():
        assert sign_in.sessions_of(other.actor, other.token, later) == ()


def test_a_link_is_known_by_its_address_and_a_guessed_one_by_none(app: Flask, clock: Clock) -> None:
    token = ask(clock, "plain@org.example")
    with read_transaction():
        assert sign_in.whom(token, clock()) == "plain@org.example"
        assert sign_in.whom("guessed", clock()) == ""
