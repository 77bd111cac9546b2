"""No word that somebody typed is lost, and nobody can put words into somebody's mouth."""

import json

import pytest
from psycopg.errors import DataCorrupted, DiskFull, LockNotAvailable, ReadOnlySqlTransaction
from sqlalchemy.exc import InternalError, OperationalError

from app.registration.declarations.registries import FORMAL, INFORMAL
from app.registration.submissions.submission_rules import LONGEST_TEXT
from app.services.accounts import rate_limits, sign_in
from app.services.requests import drafts
from app.web.accounts.typed_fields import TypedFields, keep_fields, read_kept
from tests.attack.tables.places import FIELDS
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


def test_after_the_session_ran_out_the_text_comes_back_to_whoever_signs_in(
    fresh: World,
) -> None:
    visitor, _, page = typed_too_late(fresh)
    assert page.status == 401
    assert "Cookie" in page.headers["WWW-Authenticate"]
    assert faults(page) == []
    assert "You’ve been signed out. Sign in again; your text is kept." in page.words
    assert SAVED in [
        area.text.strip("\n").replace("\r\n", "\n") for area in page.each("//textarea")
    ]
    other = visitor.post("/demo/sign-in/0", page.form("/demo/sign-in/0"))
    assert (other.status, faults(other)) == (404, []), "it is somebody else's draft"
    assert "quokkas" in other.text("//textarea")
    assert not other.each("//textarea[@name]")


def test_the_button_of_the_link_saves_the_text_as_it_was_typed(fresh: World) -> None:
    visitor, path, page = typed_too_late(fresh)
    sent = visitor.post("/sign-in", page.form("/sign-in") | {"email": EMAILS["registrant"]})
    assert "Open the link in this browser" in sent.words
    link = "/sign-in/" + newest_link(fresh.app, EMAILS["registrant"])
    shown = visitor.get(link)  # in another tab of the same browser
    assert "continue where you left off" in shown.words
    back = visitor.post(link, shown.form(link))
    assert (back.status, back.location) == (303, path)
    assert content(fresh)["fields"]["syntax"] == SAVED
    assert "You’re signed in as " in visitor.get(path).words


def test_a_text_that_was_changed_meanwhile_is_given_back_to_be_looked_at(fresh: World) -> None:
    visitor, path = fresh.visitor("registrant"), fresh.path("/requests/{draft}/edit/syntax")
    form = visitor.get(path).form(path) | {"syntax": TEXT}
    visitor.send(path, {"syntax": "of another window"})
    end_session(fresh, "registrant")
    page = visitor.post(path, form)
    visitor.post("/sign-in", page.form("/sign-in") | {"email": EMAILS["registrant"]})
    back = visitor.send(f"/sign-in/{newest_link(fresh.app, EMAILS['registrant'])}")
    assert (back.status, faults(back)) == (200, [])
    assert back.form(path)["syntax"].replace("\r\n", "\n") == SAVED
    assert content(fresh)["fields"]["syntax"] == "of another window"


def test_in_another_browser_the_text_can_only_be_copied(fresh: World) -> None:
    visitor, path, page = typed_too_late(fresh)
    visitor.post("/sign-in", page.form("/sign-in") | {"email": EMAILS["operator"]})
    link = "/sign-in/" + newest_link(fresh.app, EMAILS["operator"])
    back = fresh.visitor().send(link)
    assert back.status == 200
    assert faults(back) == []
    assert "written in another browser" in back.words
    assert TEXT.partition("\r")[0] in back.words
    assert not back.each(f"//form[@action='{path}']")
    assert not back.each("//textarea[@name]")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "", "Origin": ""}, 401),
        ({"Sec-Fetch-Site": "none"}, 401),
        ({"Sec-Fetch-Site": "", "Origin": "null"}, 403),  # demo mode refuses it at the front
    ],
)
@ONE_DATABASE
def test_a_form_that_may_come_from_elsewhere_is_not_given_back(
    fresh: World, headers: dict[str, str], status: int
) -> None:
    _, _, page = typed_too_late(fresh, headers=headers)
    assert page.status == status
    assert "quokkas" not in page.html
    assert status == 403 or page.form("/sign-in")["kept"] == ""


@ONE_DATABASE
def test_the_sites_own_address_is_proof_enough(fresh: World) -> None:
    headers = {"Sec-Fetch-Site": "", "Origin": "http://127.0.0.1:8000"}
    _, _, page = typed_too_late(fresh, headers=headers)
    assert "quokkas" in page.html


@ONE_DATABASE
def test_programs_are_told_to_sign_in(fresh: World) -> None:
    _, _, page = typed_too_late(fresh, headers={"Accept": "application/json"})
    assert (page.status, json.loads(page.html)["title"]) == (401, "Sign-in required")
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
    given = page.form("/sign-in") | {"email": EMAILS["registrant"]}
    assert visitor.post("/sign-in", given, content_type="multipart/form-data").status == 200
    visitor.send(f"/sign-in/{newest_link(fresh.app, EMAILS['registrant'])}")
    saved = content(fresh)["fields"]
    assert [saved[name] for name in names] == [text] * 3
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
    kept = keep_fields([("syntax", TEXT)]).text
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
    assert "The request isn’t waiting for you" in page.words
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


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OperationalError("INSERT", {}, DiskFull("could not extend")), "database is full"),
        (InternalError("INSERT", {}, ReadOnlySqlTransaction("read-only")), "accepts no changes"),
        (OperationalError("INSERT", {}, LockNotAvailable("lock timeout")), "database is busy"),
    ],
)
@ONE_DATABASE
def test_a_page_says_why_the_database_saves_nothing_and_keeps_the_text(
    world: World, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    visitor, path = world.visitor("registrant"), world.path("/requests/{draft}/edit/syntax")
    form = visitor.get(path).form(path) | {"syntax": TEXT}

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(drafts, "save", fail)
    page = visitor.post(path, form)
    assert (page.status, page.headers["Retry-After"]) == (503, "60")
    assert faults(page) == []
    assert words in page.words
    assert "unavailable" not in page.words
    monkeypatch.undo()
    assert page.form(path)["syntax"].replace("\r\n", "\n") == SAVED


@ONE_DATABASE
def test_an_internal_error_of_the_database_is_no_outage(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise InternalError("INSERT", {}, DataCorrupted("invalid page in block 0"))

    visitor, path = world.visitor("registrant"), world.path("/requests/{draft}/edit/syntax")
    form = visitor.get(path).form(path)
    monkeypatch.setattr(drafts, "save", fail)
    assert visitor.post(path, form | {"syntax": TEXT}).status == 500
    assert "invalid page" in caplog.text
    caplog.clear()


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
    kept = keep_fields(
        [("syntax", TEXT), ("key", "\0"), ("syntax", "twice"), ("csrf_token", "secret")]
    )
    assert read_kept(kept.text) == kept
    assert kept.shown == (("syntax", TEXT), ("syntax", "twice"))
    assert kept.unshown == (("key", "\0"),)
    assert "secret" not in kept.text


def test_more_than_can_travel_is_not_carried() -> None:
    kept = keep_fields([("syntax", "é" * 450_000)])
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
    assert world.visitor().get("/sign-in?next=%00", headers=headers).status == 400


@ONE_DATABASE
def test_what_is_too_long_to_travel_is_said_to_be_and_shown(fresh: World) -> None:
    page = fresh.visitor().post("/requests/new/template", {"text": '"' * 500_000})
    assert page.status == 401
    assert "your text is kept" not in page.words
    assert "Your text is too long to keep." in page.words
    assert page.each("//textarea[@readonly]")


# ---- who begins a request signed out


TEMPLATE = "Namespace Identifier: quoll\n\nPurpose:\nNames of quolls.\n"
BEGUN = {
    "by its kind": ("/requests/new", {"registry": FORMAL.id}, {}),
    "with a template": (
        "/requests/new/template",
        {"registry": FORMAL.id, "text": TEMPLATE},
        {"purpose": "Names of quolls.", "namespace_identifier": "quoll"},
    ),
}


@pytest.mark.parametrize("how", BEGUN)
def test_who_begins_signed_out_arrives_in_the_draft_on_whichever_device_by_one_press(
    fresh: World, how: str
) -> None:
    path, typed, words = BEGUN[how]
    for where in ("here", "elsewhere"):
        email = f"{where}@org.example"
        laptop = fresh.visitor()
        asked = laptop.post(path, laptop.get("/requests/new").form("/requests/new") | typed)
        assert (asked.status, "Sign in to continue." in asked.words) == (401, not words)
        sent = laptop.post("/sign-in", asked.form("/sign-in") | {"email": email})
        assert "on this or another device" in sent.words
        link = "/sign-in/" + newest_link(fresh.app, email)
        for _ in range(2):  # as a mail scanner does
            assert fresh.visitor().get(link).status == 200
            assert fresh.visitor().open("HEAD", link).status == 200
        browser = laptop if where == "here" else fresh.visitor()
        shown = browser.get(link)
        assert faults(shown) == []
        assert ("started in another browser" in shown.words) is (where == "elsewhere")
        entered = browser.post(link, shown.form(link))
        assert (entered.status, "/edit/" in entered.location) == (303, True)
        editor = browser.get(entered.location)
        editor = browser.get(editor.location) if editor.status == 303 else editor
        assert ("If that wasn’t you, delete it." in editor.words) is (where == "elsewhere")
        form = editor.form(editor.path)
        assert {name: form[name] for name in words} == words


@ONE_DATABASE
@pytest.mark.parametrize(
    ("path", "typed"),
    [
        ("/requests/new", {"registry": "no-such-registry"}),
        ("/requests/new/template", {"registry": "no-such-registry", "text": TEMPLATE}),
        ("/requests/new/template", {"registry": FORMAL.id, "text": " "}),
        ("/requests/new/template", {"registry": FORMAL.id, "text": f"Purpose: {'long ' * 14_000}"}),
    ],
)
def test_no_draft_is_promised_of_what_can_be_none(
    fresh: World, path: str, typed: dict[str, str]
) -> None:
    laptop, email = fresh.visitor(), "nothing@org.example"
    kept = keep_fields([*typed.items(), ("key", "12345678")]).text
    sent = laptop.send("/sign-in", {"email": email, "next": path, "kept": kept})
    assert sent.status == 200
    assert "on this or another device" not in sent.words
    link = "/sign-in/" + newest_link(fresh.app, email)
    for browser in (laptop, fresh.visitor()):
        shown = browser.get(link)
        assert "continue where you left off" not in shown.words
        assert "the draft that was started" not in shown.words
    entered = laptop.post(link, laptop.get(link).form(link))
    assert (entered.status, faults(entered)) in [(200, []), (303, [])]


def test_a_link_that_was_asked_for_twice_begins_one_draft(fresh: World) -> None:
    laptop, email = fresh.visitor(), "twice@org.example"
    page = laptop.send("/requests/new", {"registry": FORMAL.id})
    sent = laptop.post("/sign-in", page.form("/sign-in") | {"email": email})
    links = [newest_link(fresh.app, email)]
    fresh.app.extensions["now"].on(seconds=1)
    assert laptop.post("/sign-in", sent.form("/sign-in")).status == 200
    links.append(newest_link(fresh.app, email))
    assert links[0] != links[1]
    there = [fresh.visitor().send(f"/sign-in/{link}").location for link in links]
    assert there[0] == there[1]


@pytest.mark.parametrize("path", ["/requests/{new}/comments", "/requests/{draft}/edit/syntax"])
def test_words_that_came_with_a_link_from_another_browser_are_put_into_nobodys_mouth(
    fresh: World, path: str
) -> None:
    """Whoever asks for a link to somebody else's address chooses the words."""
    attacker, path = fresh.visitor(), fresh.path(path)
    before = [fresh.visitor().get(fresh.path("/requests/{new}")).words, content(fresh)]
    kept = keep_fields(
        [("comment", TEXT), ("syntax", TEXT), ("lock_version", "1"), ("key", "k")]
    ).text
    asked = {"email": EMAILS["registrant"], "next": path, "kept": kept}
    sent = attacker.send("/sign-in", asked)
    assert "In another browser you can only copy it." in sent.words
    back = fresh.visitor().send(f"/sign-in/{newest_link(fresh.app, EMAILS['registrant'])}")
    assert (back.status, faults(back)) == (200, [])
    assert not back.each("//textarea[@name]")
    assert back.each("//main//a[.='Open the page of this form']")
    assert [fresh.visitor().get(fresh.path("/requests/{new}")).words, content(fresh)] == before


@ONE_DATABASE
def test_in_ones_own_browser_public_words_are_looked_at_before_they_are_sent(fresh: World) -> None:
    visitor, path = fresh.visitor(), fresh.path("/requests/{new}/comments")
    page = visitor.post(path, {"comment": TEXT, "key": "k"})
    visitor.post("/sign-in", page.form("/sign-in") | {"email": "reader@org.example"})
    back = visitor.send(f"/sign-in/{newest_link(fresh.app, 'reader@org.example')}")
    assert (back.status, "Submit your text" in back.title) == (200, True)
    assert back.form(path)["comment"].replace("\r\n", "\n") == SAVED
    assert "quokkas" not in fresh.visitor().get(fresh.path("/requests/{new}")).words


@ONE_DATABASE
def test_who_has_too_many_drafts_is_told_and_keeps_the_words(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "MOST_OPEN_DRAFTS", 0)
    path, typed, _ = BEGUN["with a template"]
    visitor = fresh.visitor()
    page = visitor.post(path, visitor.get("/requests/new").form("/requests/new") | typed)
    back = visitor.post("/demo/sign-in/0", page.form("/demo/sign-in/0"))
    assert back.status == 429
    assert "open drafts" in back.words and "Names of quolls." in back.words


@ONE_DATABASE
def test_who_only_pressed_start_signs_in_and_is_in_the_draft(fresh: World) -> None:
    stranger = fresh.visitor()
    page = stranger.send("/requests/new", {"registry": INFORMAL.id})
    assert page.status == 401
    assert "Sign in to continue." in page.words
    assert "your text" not in page.words
    begun = stranger.post("/demo/sign-in/0", page.form("/demo/sign-in/0"))
    assert (begun.status, begun.location[-21:]) == (303, "edit/name-and-purpose")


def test_whatever_a_field_is_called_it_goes_along() -> None:
    typed = {name: TEXT for names in FIELDS.values() for name in names}
    assert len(typed) > 100
    kept = keep_fields(typed.items())
    assert dict(kept.pairs) == typed
    assert dict(read_kept(kept.text).pairs) == typed
