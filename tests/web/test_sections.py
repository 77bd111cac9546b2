"""The registrant's form: a page for each section, which loses no word and takes no wrong one."""

import json
from typing import Any
from urllib.parse import quote

import pytest

from app.registration.declarations.registries import FORMAL, Field, FormSection, Widget
from app.registration.submissions.submission_rules import LONGEST_TEXT
from app.services.requests import drafts
from app.store.database import read_transaction
from app.store.requests import draft_rows, request_rows
from app.web.forms.request_forms import ORGANIZATION, asked_fields
from tests.web.conftest import World
from tests.web.visitor import Page
from tests.web.wellmade import faults

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
EACH = pytest.mark.parametrize("section", list(FormSection))


def fields_of(section: FormSection) -> list[Field]:
    """Everything that is asked for on one page."""
    extra = [ORGANIZATION] if section is FormSection.REGISTRANT else []
    return [*extra, *asked_fields(section, FORMAL)]


def content(world: World, name: str = "draft") -> dict[str, Any]:
    """What a draft holds, and what is kept apart from it."""
    with world.app.app_context(), read_transaction():
        number = world.numbers[name]
        held: dict[str, Any] = json.loads(draft_rows.get_draft(number).fields)
        held.pop(drafts.CHANGED, None)  # when it was written, not what
        return held | {"private": draft_rows.private_values(number)}


def path_of(world: World, section: FormSection, name: str = "draft") -> str:
    """Where a page of a draft's form is."""
    return f"/requests/{world.numbers[name]}/edit/{section}"


def refused(world: World, section: FormSection, fields: dict[str, str]) -> Page:
    """A page of the draft's form that was sent and came back, with nothing saved."""
    before = content(world)
    page = world.visitor("registrant").send(path_of(world, section), fields)
    assert page.status == 422
    assert page.title.startswith("Error: ")
    assert faults(page) == []
    assert content(world) == before
    return page


def error_at(page: Page, name: str) -> str:
    """What is said at a field, which its control and the summary lead to."""
    (control,) = page.each(f"//*[@name='{name}'][@aria-invalid='true']")
    assert page.each(f"//a[@class='problem'][@href='#{control.get('id')}']")
    return page.text(f"//*[@id='{control.get('aria-describedby').split()[0]}']")


@EACH
@ONE_DATABASE
def test_a_text_over_64_kb_comes_back_with_its_field_named(
    world: World, section: FormSection
) -> None:
    text = "é" * (LONGEST_TEXT // 2) + "!"
    long = [field for field in fields_of(section) if field.is_long]
    page = refused(world, section, {field.name: text for field in long})
    for field in long:
        assert f"{field.label} is longer than 64 KB. Shorten it." in error_at(page, field.name)
        assert page.form(page.path)[field.name] == text


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n", "\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize("section", [FormSection.NAME_AND_PURPOSE, FormSection.REGISTRANT])
@ONE_DATABASE
def test_a_line_takes_no_line_break(world: World, section: FormSection, end: str) -> None:
    lines = [field for field in fields_of(section) if not field.is_long]
    page = refused(world, section, {field.name: f"a{end}b" for field in lines})
    for field in lines:
        assert field.label in error_at(page, field.name)


@pytest.mark.parametrize("character", ["\0", "\x1b", "\x7f", "\ufffe"])
@EACH
@ONE_DATABASE
def test_what_cannot_be_shown_is_named_with_its_place(
    world: World, section: FormSection, character: str
) -> None:
    fields = fields_of(section)
    page = refused(world, section, {field.name: f"ab{character}c" for field in fields})
    for field in fields:
        told = f"Character 3 of {field.label} is U+{ord(character):04X}"
        assert told in error_at(page, field.name)


def test_what_is_not_asked_for_has_no_effect(fresh: World) -> None:
    forbidden = {
        "state": "assigned",
        "registrant_id": "1",
        "number": "77",
        "procedure": "fast track",
        "asked_name": "stolen",
        "assigned_name": "stolen",
        "version": "9",
        "date": "1999-01-01",
        "revision_information": "None.",
        "base_version": "3",
        "organization": "Elsewhere",  # asked for, but on another page
        "contact_name": "Somebody",
        "edition": "1",
    }
    before, row = content(fresh), row_of(fresh)
    path = path_of(fresh, FormSection.SYNTAX)
    page = fresh.visitor("registrant").send(path, forbidden | {"syntax": "Changed."})
    assert page.status == 303
    after = content(fresh)
    assert dict(after["fields"]) == dict(before["fields"]) | {"syntax": "Changed."}
    assert {name: after[name] for name in after if name != "fields"} == {
        name: before[name] for name in before if name != "fields"
    }
    assert row_of(fresh) == row


def row_of(world: World) -> dict[str, object]:
    """A draft's request, but for the count of its changes."""
    with world.app.app_context(), read_transaction():
        request = request_rows.find_request(world.numbers["draft"])
        assert request is not None
        columns = {column.name for column in type(request).__table__.columns} - {"lock_version"}
        return {name: getattr(request, name) for name in columns}


def test_of_two_who_save_the_second_sees_both_texts_and_can_go_on(fresh: World) -> None:
    path, visitor = path_of(fresh, FormSection.SYNTAX), fresh.visitor("registrant")
    opened = visitor.get(path).form(path)
    assert visitor.post(path, opened | {"syntax": "The first."}).status == 303
    page = visitor.post(path, opened | {"syntax": "The second."})
    assert page.status == 409
    assert faults(page) == []
    assert (
        "Someone else saved this section after you opened it. Both versions are below."
        in page.words
    )
    assert page.form(path)["syntax"] == "The second."
    assert page.text("//textarea[@id='saved_syntax']") == "The first."
    assert content(fresh)["fields"]["syntax"] == "The first."
    assert visitor.post(path, page.form(path)).status == 303
    assert content(fresh)["fields"]["syntax"] == "The second."


ELSEWHERE = [
    ("draft", FormSection.NAME_AND_PURPOSE, {"standard": "yes"}, {"standard": "no"}, ["yes"]),
    (
        "revision",
        FormSection.DOCUMENTS,
        {"status": "stays"},
        {"status": "ends"},
        ["Keep in use"],
    ),
    (
        "revision",
        FormSection.DOCUMENTS,
        {"status": "succeeded", "successor": "isbn"},
        {"status": "succeeded", "successor": "issn"},
        ["Deprecate it, with a successor: isbn"],
    ),
    (
        "draft",
        FormSection.SYNTAX,
        {"case": "ignored", "dropped": "-", "clause": "Section 3"},
        {"case": "matters", "dropped": "~"},
        ["Not case-sensitive", "-", "Section 3"],
    ),
    (
        "draft",
        FormSection.SYNTAX,
        {"case": "matters", "dropped": ""},
        {"case": "ignored", "dropped": "-"},
        ["Case-sensitive (default in RFC 8141)", "nothing"],
    ),
]


@pytest.mark.parametrize(("name", "section", "first", "second", "told"), ELSEWHERE)
def test_what_somebody_else_chose_meanwhile_stands_beside_it_in_words(
    fresh: World,
    name: str,
    section: FormSection,
    first: dict[str, str],
    second: dict[str, str],
    told: list[str],
) -> None:
    path, visitor = path_of(fresh, section, name), fresh.visitor("registrant")
    opened = visitor.get(path).form(path)
    text = {FormSection.SYNTAX: "syntax", FormSection.DOCUMENTS: "revision_information"}.get(
        section, "x"
    )
    visitor.post(path, opened | {text: "Theirs."} | first)
    page = visitor.post(path, opened | {text: "Mine."} | second)
    assert page.status == 409
    assert faults(page) == []
    shown = [box.text_content() for box in page.each("//p[@class='field box']")]
    assert shown == [f"Saved by someone else: {words}" for words in told]


def test_a_page_that_is_sent_twice_is_saved_once_and_no_conflict(fresh: World) -> None:
    path, visitor = path_of(fresh, FormSection.REGISTRANT), fresh.visitor("registrant")
    form = visitor.get(path).form(path) | {"registrant": "Two\r\nlines", "contact_name": " Jo "}
    first, second = visitor.post(path, form), visitor.post(path, form)
    assert (first.status, first.location) == (second.status, second.location)
    assert first.location.endswith("/edit/syntax")


BROKEN: tuple[dict[str, str], ...] = (
    {},
    {"lock_version": "x", "key": "short"},
    {"lock_version": "-1", "key": "k" * 65},
    {"lock_version": "\N{ARABIC-INDIC DIGIT THREE}", "key": "\0" * 16},
    {"lock_version": "9" * 30, "key": "é" * 16},
    {"lock_version": "\0", "key": "k" * 15 + "\n"},
)


def test_a_form_that_was_broken_on_the_way_can_be_sent_again(fresh: World) -> None:
    path, visitor = path_of(fresh, FormSection.SYNTAX), fresh.visitor("registrant")
    for count, broken in enumerate(BROKEN):
        page = visitor.post(path, broken | {"syntax": f"Words {count}."})
        assert page.status == (422 if broken else 409), broken
        assert faults(page) == []
        if broken:
            page = visitor.post(path, page.form(path))
            assert page.status == 409, broken  # nobody knows what its writer had seen
        assert visitor.post(path, page.form(path)).status == 303
        assert content(fresh)["fields"]["syntax"] == f"Words {count}."


def test_the_question_that_is_no_field_is_asked_for_after_saving(fresh: World) -> None:
    visitor = fresh.visitor("rival")
    path = visitor.send("/requests/new", {"registry": FORMAL.id}).location
    page = visitor.send(path, {"namespace_identifier": "kultarr", "purpose": "Names."})
    assert page.status == 422
    assert faults(page) == []
    assert page.each("//a[@class='problem'][@href='#standard']")
    assert "part of a standard" in page.words
    assert visitor.get(path).form(path)["purpose"] == "Names."
    assert visitor.post(path, page.form(path) | {"standard": "maybe"}).status == 422
    answered = visitor.post(path, page.form(path) | {"standard": "no", "title": "Names"})
    assert answered.status == 303, answered.words


def test_an_informal_request_is_asked_for_neither_name_nor_standard(fresh: World) -> None:
    path, visitor = (
        path_of(fresh, FormSection.NAME_AND_PURPOSE, "informal"),
        fresh.visitor("registrant"),
    )
    form = visitor.get(path).form(path)
    assert "namespace_identifier" not in form
    assert "standard" not in form
    posted = form | {"namespace_identifier": "stolen", "standard": "yes", "purpose": "Numbers."}
    assert visitor.post(path, posted).status == 303
    held = content(fresh, "informal")["fields"]
    assert "stolen" not in held.values()
    assert held["purpose"] == "Numbers."


def test_a_preview_saves_and_shows_the_text_as_others_will_read_it(fresh: World) -> None:
    path, visitor = path_of(fresh, FormSection.SYNTAX), fresh.visitor("registrant")
    text = 'A name is:\n\n    name = 1*DIGIT "<b>"\n\n- one\n- two'
    page = visitor.send(path, {"syntax": text, "then": "preview"})
    assert page.status == 303
    page = visitor.get(page.location)
    assert page.status == 200
    assert faults(page) == []
    assert page.form(path)["syntax"] == text.replace("\n", "\r\n")
    assert [item.text_content().strip() for item in page.each("//*[@class='text']//li")] == [
        "one",
        "two",
    ]
    assert 'name = 1*DIGIT "<b>"' in page.text("//*[@class='text']")
    assert not visitor.get(path).each("//*[@class='text']")


@pytest.mark.parametrize("name", ["draft", "returned"])
def test_one_can_close_the_form_and_come_back(fresh: World, name: str) -> None:
    path, visitor = path_of(fresh, FormSection.SYNTAX, name), fresh.visitor("registrant")
    page = visitor.send(path, {"syntax": "Later.", "then": "close"})
    assert (page.status, page.location) == (303, "/requests/")
    assert "Saved." in visitor.get(page.location).words
    assert visitor.get(path).form(path)["syntax"] == "Later."


@ONE_DATABASE
def test_an_unknown_kind_of_namespace_is_refused_at_its_field(world: World) -> None:
    page = world.visitor("registrant").send("/requests/new", {"registry": "naans"})
    assert page.status == 422
    assert faults(page) == []
    assert "Choose a kind of namespace." in page.words


@ONE_DATABASE
def test_programs_are_told_what_is_wrong_field_by_field(world: World) -> None:
    path = path_of(world, FormSection.NAME_AND_PURPOSE)
    form = {"namespace_identifier": "a\nb", "key": "k" * 16, "lock_version": "2"}
    headers = {"Accept": "application/json"}
    answer = world.visitor("registrant").post(path, form, headers=headers)
    problem = json.loads(answer.html)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.status, problem["status"]) == (422, 422)
    (error,) = problem["errors"]
    assert error["field"] == "namespace_identifier"
    assert "Remove the line break" in error["message"]


@ONE_DATABASE
def test_a_text_with_problems_is_kept_and_says_so(world: World) -> None:
    assert Widget.NID  # the one field whose rules are of RFC 8141 itself
    visitor = world.visitor("registrant")
    path = path_of(world, FormSection.NAME_AND_PURPOSE)
    page = visitor.get(path)
    assert page.status == 200


@ONE_DATABASE
@pytest.mark.parametrize("typed", ["urn:acme-tools:", "URN:acme-tools", " acme-tools "])
def test_a_name_that_was_pasted_as_names_begin_is_taken_as_the_name(
    fresh: World, typed: str
) -> None:
    path = path_of(fresh, FormSection.NAME_AND_PURPOSE)
    assert fresh.visitor("registrant").send(path, {"namespace_identifier": typed}).status == 303
    fields = content(fresh)["fields"]
    assert isinstance(fields, dict)
    assert fields["namespace_identifier"] == "acme-tools"
    changed = fresh.visitor("registrant").get(f"/requests/revise?name={quote(typed)}")
    assert changed.location == "/namespaces/acme-tools/revise"
    studied = fresh.visitor().get(f"/tools/syntax?q=nss=ALPHA&nid={quote(typed)}")
    assert "acme-tools" in studied.values("value")


@ONE_DATABASE
def test_who_opens_a_page_is_not_told_what_is_empty_before_it_is_sent(fresh: World) -> None:
    registrant = fresh.visitor("registrant")
    path = path_of(fresh, FormSection.SAFETY_AND_USE)
    emptied = {"security_and_privacy": "", "interoperability": ""}
    assert registrant.send(path, {**emptied, "then": "close"}).status == 303
    opened = registrant.get(path)
    assert not opened.title.startswith("Error")
    assert not opened.each("//*[@id='page_problems'] | //*[@aria-invalid='true']")
    assert "2 missing answers" in opened.words
    assert registrant.send(path, emptied).title.startswith("Error: ")
    asked_for = registrant.get(f"{path}?found=yes")
    assert len(asked_for.each("//*[@id='page_problems']//a")) == 2
