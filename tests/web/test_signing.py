"""Signing in by a link that works once, and out again."""

import logging

import pytest
from flask import Flask

from app.services.accounts import sign_in
from app.store.database import db, read_transaction
from app.store.tables import SignIn, UserSession
from app.web.middleware.site_paths import safe_path
from tests import factories
from tests.conftest import START, MakeApp
from tests.web.conftest import EMAILS, World, newest_link
from tests.web.visitor import Visitor
from tests.web.wellmade import faults

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)


def ask(visitor: Visitor, email: str, next_: str = "/") -> str:
    """Ask for a link; gives its path."""
    page = visitor.send("/sign-in", {"email": email, "next": next_})
    assert page.status == 200, page.words
    return "/sign-in/" + newest_link(visitor.app, email)


def test_a_link_signs_in_once_by_its_button_and_leads_back(fresh: World) -> None:
    visitor = fresh.visitor()
    link = ask(visitor, "newcomer@other.example", "/requests/new")
    for _ in range(2):  # as a mail scanner does
        assert visitor.get(link).status == 200
        assert visitor.open("HEAD", link).status == 200
    page = visitor.send(link)
    assert (page.status, page.location) == (303, "/requests/new")
    assert "You’re signed in as newcomer@other.example." in visitor.get(page.location).words
    other = fresh.visitor()
    assert other.get(link).status == 410
    page = other.post(link)
    assert page.status == 410
    assert faults(page) == []
    assert other.get("/account").status == 303


@ONE_DATABASE
def test_a_link_lasts_fifteen_minutes(fresh: World) -> None:
    visitor = fresh.visitor()
    link = ask(visitor, "new@org.example")
    clock = fresh.app.extensions["now"]
    clock.on(minutes=15)
    assert visitor.get(link).status == 200
    clock.on(seconds=1)
    assert visitor.get(link).status == 410
    assert visitor.post(link).status == 410


@ONE_DATABASE
def test_an_account_is_told_from_none_by_nothing(fresh: World) -> None:
    known, unknown = (
        fresh.visitor().send("/sign-in", {"email": email})
        for email in ("ellis@experts.example", "nobody@experts.example")
    )
    assert known.status == unknown.status == 200
    assert known.words.replace("ellis", "") == unknown.words.replace("nobody", "")
    assert set(known.headers.keys()) == set(unknown.headers.keys())


@pytest.mark.postgresql
def test_the_sixth_link_in_a_quarter_of_an_hour_waits(fresh: World) -> None:
    for _ in range(5):
        ask(fresh.visitor(), "eager@org.example")
    page = fresh.visitor().send("/sign-in", {"email": "Eager@ORG.example"})
    assert page.status == 429
    assert page.headers["Retry-After"] == "900"
    assert faults(page) == []
    assert "in 15 minutes." in page.text("//*[@id='email_error_1']")
    fresh.app.extensions["now"].on(minutes=16)
    assert ask(fresh.visitor(), "eager@org.example")


@pytest.mark.parametrize(
    "email",
    [
        *("", " ", "a", "a@", "@b", "a@b@c.example", "a\r\nBcc: x@y.example", "a\0@b.example"),
        "a" * 321,
        "<script>@b.example",
        "a@b.example\n",
        "a@b.example, c@d.example",
        "a@[127.0.0.1]",
    ],
)
@pytest.mark.usefixtures("fleeting")
@ONE_DATABASE
def test_what_is_no_address_is_refused_at_its_field(world: World, email: str) -> None:
    page = world.visitor().send("/sign-in", {"email": email})
    if email == "a@b.example\n":
        assert page.status == 200  # a browser would have taken the line end away
        return
    assert page.status == 422
    assert faults(page) == []
    assert page.each("//a[@class='problem'][@href='#email']")
    assert page.each("//input[@name='email'][@aria-invalid='true']")


@ONE_DATABASE
def test_the_cookie_changes_on_the_way_in_and_ends_the_session_before(fresh: World) -> None:
    visitor = fresh.visitor("registrant")
    before = visitor.client.get_cookie("session")
    visitor.send(ask(visitor, EMAILS["rival"]))
    after = visitor.client.get_cookie("session")
    assert before and after and before.value != after.value
    assert after.http_only
    assert after.same_site == "Lax"
    assert (after.path, after.domain) == ("/", "localhost")
    with fresh.app.app_context(), read_transaction():
        ended = db.session.get(UserSession, sign_in_hash(fresh.tokens["registrant"]))
        assert ended is not None
        assert ended.ended == START


def sign_in_hash(token: str) -> str:
    """Under what a session's token is stored."""
    from hashlib import sha256

    return sha256(token.encode()).hexdigest()


def test_signing_out_ends_the_session_for_whoever_holds_the_cookie(fresh: World) -> None:
    visitor, thief = fresh.visitor("operator"), fresh.visitor("operator")
    assert thief.get("/desk/").status == 200
    page = visitor.send("/account", action="/sign-out")
    assert (page.status, page.location) == (303, "/")
    assert "You’re signed out." in visitor.get("/").words
    for browser in (visitor, thief):
        assert browser.get("/desk/").status == 303


@ONE_DATABASE
def test_a_session_ends_after_fourteen_days(fresh: World) -> None:
    visitor = fresh.visitor("operator")
    fresh.app.extensions["now"].on(days=13)
    assert visitor.get("/desk/").status == 200
    fresh.app.extensions["now"].on(days=1, seconds=1)
    assert visitor.get("/desk/").status == 303


@pytest.mark.parametrize("token", ["", "x" * 5000, "\0", "a b", "é", "\ud800", "' OR 1=1 --"])
def test_a_cookie_with_a_guessed_token_is_nobody(world: World, token: str) -> None:
    visitor = Visitor(world.app, token)
    page = visitor.get("/account")
    assert (page.status, page.location) == (303, "/sign-in?next=/account")


@ONE_DATABASE
def test_a_cookie_that_somebody_signed_differently_is_nobody(world: World) -> None:
    for cookie in ("x", "", "a.b.c", "=", "\xff\xfe", '{"token":"x"}', "." * 4000, "eyJ0.YQ.YQ"):
        client = world.app.test_client(use_cookies=False)
        response = client.get("/account", headers={"Cookie": f"session={cookie}; a=b; ; =; x"})
        assert response.status_code in {303, 401}, cookie


OWN = ["/", "/requests/", "/requests/1?x=%2F", "/a//b", "/a;b@c:d"]
AWAY = [
    *("", "//evil.example", "///evil.example", "/\\evil.example", "\\/evil.example"),
    "https://evil.example/",
    "https:/evil.example",
    "javascript:alert(1)",
    " //evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\nSet-Cookie: a=b",
    "/a b",
    "//[",
    "http://[",
    "/é",
    "/\u2028",
    "/\0",
    "@evil.example",
    "requests/",
    "/" + "a" * 2000,
]


@pytest.mark.parametrize("path", OWN)
def test_a_path_of_this_site_is_kept(path: str) -> None:
    assert safe_path(path) == path


@pytest.mark.parametrize("path", AWAY)
def test_what_leads_elsewhere_leads_home(path: str) -> None:
    assert safe_path(path) == "/"


@pytest.mark.usefixtures("fleeting")
@ONE_DATABASE
def test_nobody_is_led_away_after_signing_in(world: World) -> None:
    for path in AWAY:
        page = world.visitor().get("/sign-in", query_string={"next": path})
        if "\0" in path:  # refused before it leads anywhere
            assert page.status == 400
        else:
            assert page.form("/sign-in")["next"] == "/"
        assert world.visitor().post("/demo/sign-in/0", {"next": path}).location == "/"


def test_over_tls_cookies_are_bound_to_this_host_and_links_need_no_referrer(
    make_app: MakeApp,
) -> None:
    app = make_app(base_url="https://registry.example")
    visitor, secure = Visitor(app), {"base_url": "https://registry.example"}
    form = visitor.get("/sign-in", **secure).form("/sign-in")
    visitor.post("/sign-in", form | {"email": "a@b.example"}, **secure)
    link = "/sign-in/" + newest_link(app, "a@b.example")
    page = visitor.get(link, **secure)
    assert page.headers["Referrer-Policy"] == "no-referrer"
    form = page.form(link)
    page = visitor.post(link, form, headers={"Origin": "null", "Sec-Fetch-Site": ""}, **secure)
    assert page.status == 303
    (cookie,) = page.headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-session=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert "Domain" not in cookie


@ONE_DATABASE
def test_no_log_holds_the_token_of_a_link(
    world: World, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **_named: object) -> None:
        raise RuntimeError("nobody expected this")

    monkeypatch.setattr(sign_in, "whom", broken)
    monkeypatch.setattr(sign_in, "use_link", broken)
    with caplog.at_level(logging.DEBUG):
        for method in ("GET", "POST", "PUT"):
            fields = {"csrf_token": world.visitor().proof} if method == "POST" else None
            world.visitor().open(method, "/sign-in/a-secret-token", data=fields)
    assert "nobody expected this" in caplog.text
    assert "a-secret-token" not in caplog.text


@ONE_DATABASE
def test_tokens_are_stored_as_hashes_alone(fresh: World) -> None:
    visitor = fresh.visitor()
    link = ask(visitor, "kept@org.example").removeprefix("/sign-in/")
    stored = everything(fresh.app)
    assert link not in stored
    assert all(token not in stored for token in fresh.tokens.values())
    assert SignIn.__tablename__ in stored


def everything(app: Flask) -> str:
    """All that the database holds, as text."""
    with app.app_context(), db.engine.connect() as connection:
        return "".join(
            f"{table.name}{connection.execute(table.select()).all()}"
            for table in db.metadata.sorted_tables
        )


@ONE_DATABASE
def test_whoever_mail_does_not_reach_is_told_what_to_do_and_the_operator_sees_it(
    fresh: World,
) -> None:
    owner, operator = fresh.visitor("registrant"), fresh.visitor("operator")
    assert "E-mail to you is returned." not in owner.get("/account").words
    with fresh.app.app_context():
        ident = factories.marked_address(START, EMAILS["registrant"])
    page = owner.get("/account")
    assert "on 1 September 2026: 550 5.1.1" in page.words
    assert '<a href="/sign-in?next=/account">sign in with a new link</a>' in page.html
    assert faults(page) == []
    desk = operator.get("/desk/mail/")
    assert EMAILS["registrant"] in desk.words
    assert faults(desk) == []
    operator.send("/desk/mail/", action=f"/desk/mail/addresses/{ident}/clear")
    assert "E-mail to you is returned." not in owner.get("/account").words


def test_after_one_signed_in_reading_sets_no_session(world: World) -> None:
    """An answer that comes late would else put an older session back over a newer one."""
    visitor = world.visitor()
    assert "Set-Cookie" in visitor.post("/demo/sign-in/0", {"next": "/requests/"}).headers
    visitor.get("/requests/")  # shows once that one is signed in
    for path in ("/requests/", "/requests/new", "/static/ui.css"):
        assert "Set-Cookie" not in visitor.get(path).headers, path


@ONE_DATABASE
def test_who_is_refused_a_page_is_told_as_whom_and_can_sign_in_as_somebody_else(
    fresh: World,
) -> None:
    operator, rival = fresh.visitor("operator"), fresh.visitor("rival")
    page = rival.get("/desk/claims/?a=b&c=d")
    assert (page.status, faults(page)) == (403, [])
    assert "signed in as " + rival.get("/").text("//span[@class='who']") in page.words
    (way,) = page.each("//main//a[starts-with(@href, '/sign-in?next=')]/@href")
    asked = fresh.visitor().get(str(way)).form("/sign-in")
    assert asked["next"] == "/desk/claims/?a=b&c=d"
    for other in (rival.post("/desk/mail/"), operator.get("/nowhere"), fresh.visitor().get("/x")):
        assert "signed in as" not in other.words


def test_people_choose_the_name_under_which_they_are_shown(fresh: World) -> None:
    visitor = fresh.visitor("rival")
    page = visitor.get("/account")
    assert (
        visitor.send("/account", {"name": "  Riva   Lombard "}, action="/account/name").status
        == 303
    )
    assert visitor.get("/account").values("value").count("Riva Lombard") == 1
    said = fresh.path("/requests/{new}")
    visitor.send(said, {"comment": "A thought.", "signed": "y"}, action=f"{said}/comments")
    assert "A reader, Riva Lombard" in fresh.visitor().get(said).words
    for name in ("Riva <root@registry.example>", "R\u202eiva", "R\x07iva", "R" * 101):
        refused = visitor.send("/account", {"name": name}, action="/account/name")
        assert (refused.status, faults(refused)) == (422, []), name
        assert refused.title.startswith("Error: ")
    assert visitor.get("/account").values("value").count("Riva Lombard") == 1
    buttons = {button.text_content(): button.get("class") for button in page.each("//main//button")}
    assert (buttons["Save name"], buttons["Sign out"]) == ("btn", "btn quiet"), buttons
