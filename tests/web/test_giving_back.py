"""No word that somebody typed is lost, and nobody can put words into somebody's mouth."""

import json

import pytest
from sqlalchemy.exc import OperationalError

from app.registration.submissions.submission_rules import LONGEST_TEXT
from app.services.accounts import sign_in
from app.services.requests import drafts
from app.web.accounts.typed_fields import TypedFields, keep, read_kept
from tests.conftest import START
from tests.web.conftest import EMAILS, World, newest_link
from tests.web.test_sections import content
from tests.web.visitor import HTML, Page, Visitor
from tests.web.wellmade import faults

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
TEXT = 'Names of "quokkas" & <others>,\r\nwritten in many lines, some\u200f from right to left.'
SAVED = TEXT.replace("\r\n", "\n")


def end_session(world: World, who: str) -> None:
    """Let a session run out, while the browser keeps its cookie."""
    with world.app.app_context():
        sign_in.leave(world.tokens[who], START)


def typed_too_late(world: World, **given: object) -> tuple[Visitor, str, Page]:
    """A section that was filled in while the session ran out, and the answer to it."""
    visitor, path = world.visitor("registrant"), world.path("/requests/{draft}/edit/syntax")
    form = visitor.get(path).form(path) | {"syntax": TEXT}
    end_session(world, "registrant")
    return visitor, path, visitor.post(path, form, **given)


def test_after_the_session_ran_out_the_text_comes_back_by_one_click(fresh: World) -> None:
    visitor, path, page = typed_too_late(fresh)
    assert page.status == 401
    assert "Cookie" in page.headers["WWW-Authenticate"]
    assert faults(page) == []
    assert "You were signed out. Sign in; your text comes back." in page.words
    assert SAVED in [
        area.text.strip("\n").replace("\r\n", "\n") for area in page.each("//textarea")
    ]
    back = visitor.post("/demo/sign-in/0", page.form("/demo/sign-in/0"))
    assert back.status == 200
    assert faults(back) == []
    assert "here is your text" in back.title
    assert back.form(path)["syntax"].replace("\r\n", "\n") == SAVED


def test_signed_in_again_the_text_is_saved_as_it_was_typed(fresh: World) -> None:
    visitor, path, page = typed_too_late(fresh)
    sent = visitor.post("/sign-in", page.form("/sign-in") | {"email": EMAILS["registrant"]})
    assert sent.status == 200
    link = "/sign-in/" + newest_link(fresh.app, EMAILS["registrant"])
    back = visitor.send(link)  # in another tab of the same browser
    assert back.status == 200
    assert faults(back) == []
    form = back.form(path)
    proof = {"csrf_token": form.pop("csrf_token")}
    assert visitor.post(path, form | proof).status == 303
    assert content(fresh)["fields"]["syntax"] == SAVED  # type: ignore[index]  # JSON


def test_in_another_browser_the_text_can_only_be_copied(fresh: World) -> None:
    visitor, path, page = typed_too_late(fresh)
    visitor.post("/sign-in", page.form("/sign-in") | {"email": EMAILS["operator"]})
    link = "/sign-in/" + newest_link(fresh.app, EMAILS["operator"])
    back = fresh.visitor().send(link)
    assert back.status == 200
    assert faults(back) == []
    assert "from another browser" in back.words
    assert TEXT.partition("\r")[0] in back.words
    assert not back.each(f"//form[@action='{path}']")
    assert not back.each("//textarea[@name]")


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "", "Origin": ""},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "", "Origin": "null"},
    ],
)
@ONE_DATABASE
def test_a_form_that_may_come_from_elsewhere_is_not_given_back(
    fresh: World, headers: dict[str, str]
) -> None:
    _, _, page = typed_too_late(fresh, headers=headers)
    assert page.status == 401
    assert "quokkas" not in page.html
    assert page.form("/sign-in")["kept"] == ""


@ONE_DATABASE
def test_the_sites_own_address_is_proof_enough(fresh: World) -> None:
    headers = {"Sec-Fetch-Site": "", "Origin": "http://127.0.0.1:8000"}
    _, _, page = typed_too_late(fresh, headers=headers)
    assert "quokkas" in page.html


@ONE_DATABASE
def test_programs_are_told_to_sign_in(fresh: World) -> None:
    _, _, page = typed_too_late(fresh, headers={"Accept": "application/json"})
    assert (page.status, json.loads(page.html)["title"]) == (401, "Nobody is signed in")
    answer = fresh.visitor().get("/account", headers={"Accept": "*/*"})
    assert (answer.status, json.loads(answer.html)["status"]) == (401, 401)


@ONE_DATABASE
def test_three_long_texts_full_of_quotes_travel_along(fresh: World) -> None:
    path = fresh.path("/requests/{draft}/edit/safety-and-use")
    visitor, text = fresh.visitor("registrant"), '"' * LONGEST_TEXT
    names = ("security_and_privacy", "interoperability", "resolution")
    form = visitor.get(path).form(path) | dict.fromkeys(names, text)
    end_session(fresh, "registrant")
    page = visitor.post(path, form)
    action = "/demo/sign-in/0"
    back = visitor.post(action, page.form(action), content_type="multipart/form-data")
    assert [back.form(path)[name] for name in names] == [text] * 3
    assert page.each("//form[@enctype='multipart/form-data'][@action='/sign-in']")


@ONE_DATABASE
def test_after_reading_one_returns_to_the_same_page_with_its_query(world: World) -> None:
    asked = "/desk/7/register?reference=RFC+8141&label=a%26b%3Fc"
    page = world.visitor().get(asked)
    assert page.status == 303
    form = world.visitor().get(page.location).form("/sign-in")
    assert form["next"] == asked


@ONE_DATABASE
def test_where_only_a_form_can_be_sent_nobody_returns_without_one(world: World) -> None:
    path = world.path("/requests/{new}/take")
    foreign = {"Sec-Fetch-Site": "none"}
    page = world.visitor().post(path, {"reason": "Words."}, headers=foreign)
    assert page.form("/sign-in")["next"] == "/"
    page = world.visitor().post(path, {"reason": "Words."})
    assert page.form("/sign-in")["next"] == path


@ONE_DATABASE
def test_a_form_from_before_signing_in_is_given_back_to_be_sent_again(world: World) -> None:
    path = world.path("/requests/{draft}/edit/syntax")
    visitor = world.visitor("registrant")
    page = visitor.post(path, {"syntax": TEXT, "csrf_token": "of another session"})
    assert page.status == 400
    assert faults(page) == []
    assert page.form(path)["syntax"].replace("\r\n", "\n") == SAVED
    headers = {"Sec-Fetch-Site": "none"}
    page = visitor.post(path, {"syntax": TEXT, "csrf_token": "x"}, headers=headers)
    assert page.status == 400
    assert "quokkas" not in page.html


@ONE_DATABASE
def test_a_sign_in_form_that_was_open_for_long_keeps_address_and_text(world: World) -> None:
    kept = keep([("syntax", TEXT)]).text
    form = {"email": "a@b.example", "kept": kept, "next": "/requests/new", "csrf_token": "old"}
    page = world.visitor().post("/sign-in", form)
    assert page.status == 400
    again = page.form("/sign-in")
    assert (again["email"], again["next"]) == ("a@b.example", "/requests/new")
    assert read_kept(again["kept"]) == TypedFields((("syntax", TEXT),))


def test_a_text_for_what_was_sent_meanwhile_can_be_copied(fresh: World) -> None:
    visitor, path = fresh.visitor("registrant"), fresh.path("/requests/{draft}/edit/syntax")
    form = visitor.get(path).form(path) | {"syntax": TEXT}
    assert visitor.send(fresh.path("/requests/{draft}/check")).status == 303
    page = visitor.post(path, form)
    assert page.status == 403
    assert faults(page) == []
    assert "This request is not with you now" in page.words
    assert "quokkas" in page.text("//textarea")
    assert not page.each("//textarea[@name]")


@ONE_DATABASE
def test_when_the_database_is_away_the_text_waits_in_the_page(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor, path = world.visitor("registrant"), world.path("/requests/{draft}/edit/syntax")
    form = visitor.get(path).form(path) | {"syntax": TEXT}

    def away(*_: object) -> None:
        raise OperationalError("SELECT", {}, OSError("no such host"))

    monkeypatch.setattr(sign_in, "who", away)
    monkeypatch.setattr(drafts, "save", away)
    page = visitor.post(path, form)
    assert page.status == 503
    assert page.headers["Retry-After"] == "60"
    assert faults(page) == []
    monkeypatch.undo()
    assert page.form(path)["syntax"].replace("\r\n", "\n") == SAVED
    assert page.form(path)["key"] == form["key"]


JUNK = (
    "",
    "null",
    "5",
    "[" * 100_000,
    '[["syntax"]]',
    '[["syntax", "a", "b"]]',
    '{"syntax": "a"}',
    '[["syntax", "\\ud800"]]',
    '[["sy<n>tax", "a"], ["Syntax", "a"], ["", "a"]]',
    '[["csrf_token", "a"]]',
    "\ud800",
    '[["syntax", NaN',
)


@pytest.mark.parametrize("junk", JUNK)
def test_what_is_no_kept_form_is_nothing(junk: str) -> None:
    assert read_kept(junk) == TypedFields()


def test_a_kept_form_is_read_as_it_was_written() -> None:
    kept = keep([("syntax", TEXT), ("key", "\0"), ("syntax", "twice"), ("csrf_token", "secret")])
    assert read_kept(kept.text) == kept
    assert kept.shown == (("syntax", TEXT), ("syntax", "twice"))
    assert kept.unshown == (("key", "\0"),)
    assert "secret" not in kept.text


def test_more_than_can_travel_is_not_carried() -> None:
    kept = keep([("syntax", "é" * 450_000)])
    assert kept.text == ""
    assert kept.is_written


@ONE_DATABASE
def test_junk_instead_of_a_kept_form_is_harmless(world: World) -> None:
    for junk in JUNK:
        text = junk.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        page = world.visitor().post("/sign-in", {"email": "", "kept": text, "next": text})
        assert page.status == 422
        form = page.form("/sign-in")
        assert (form["kept"], form["next"]) == ("", "/")
    headers = {"Accept": HTML}
    assert world.visitor().get("/sign-in?next=%00", headers=headers).status == 200


@ONE_DATABASE
def test_who_only_pressed_start_signs_in_and_goes_on_without_reading_a_form(world: World) -> None:
    stranger = world.visitor()
    page = stranger.send("/requests/new?kind=urn-namespaces-2", action="/requests/new")
    assert page.status == 401
    assert "Sign in to go on." in page.words
    assert "your text" not in page.words
    back = stranger.post("/demo/sign-in/0", page.form("/demo/sign-in/0"))
    assert "Go on with what you began." in back.words
    assert "urn-namespaces" not in back.words
    assert not back.each("//main//textarea")
    begun = stranger.post("/requests/new", back.form("/requests/new"))
    assert (begun.status, begun.location[-21:]) == (303, "edit/name-and-purpose")
