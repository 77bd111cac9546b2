"""A template that is ready, from its text to a draft."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from app.registration.declarations.registries import FORMAL, INFORMAL, TEMPLATE_FIELDS
from app.registration.templates.template_writer import format_template
from app.store.database import read_transaction
from app.store.requests import draft_rows, request_rows
from app.web.requests.template_upload import LONGEST, MOST_LINES
from tests import factories
from tests.web.conftest import World
from tests.web.visitor import Page, Visitor
from tests.web.wellmade import faults

TEXT = """Dear all,

Namespace ID: "wombat" requested

Purpose:

  Names of wombats.

Resolution:

  None.

Persistence of names:

  For ever.
"""


def read(visitor: Visitor, text: str | bytes, **given: Any) -> Page:
    """Send a text to the page that reads it."""
    return visitor.post("/tools/template", {"text": text, **given})


def chosen(page: Page) -> list[str]:
    """The field of each part, in order."""
    return [hidden.get("value") for hidden in page.each("//input[@name='to']")]


def made(world: World, page: Page) -> tuple[str, dict[str, str]]:
    """The procedure and the fields of the draft that an answer leads to."""
    assert page.status == 303, page.words[:500]
    number = int(page.location.split("/")[2])
    with world.app.app_context(), read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        return request.procedure, json.loads(draft_rows.get_draft(number).fields)["fields"]


@pytest.mark.parametrize("who", ["stranger", "registrant"])
def test_a_page_shows_what_goes_where(world: World, who: str) -> None:
    page = read(world.visitor(who), TEXT)
    assert page.status == 200
    assert faults(page) == []
    assert chosen(page) == ["", "namespace_identifier", "purpose", "resolution", "resolution"]
    assert "was read as the NID" in page.words
    assert "Line 1: This line belongs to no field." in page.words


def test_a_part_is_moved(world: World) -> None:
    to = ["", "namespace_identifier", "purpose", "resolution", "assignment"]
    page = read(world.visitor(), TEXT, to=to)
    assert chosen(page) == to
    again = read(world.visitor(), TEXT, to=[*to[:4], "resolution"], part="4", into="assignment")
    assert chosen(again) == to
    assert "For ever." in page.text("//h3[.='Assignment']/following-sibling::div[1]")


@pytest.mark.parametrize("to", [["purpose"], ["purpose"] * 4, ["colour"] * 5, ["contact_name"] * 5])
def test_choices_that_do_not_fit_are_passed_over(world: World, to: list[str]) -> None:
    assert chosen(read(world.visitor(), TEXT, to=to)) == chosen(read(world.visitor(), TEXT))


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "cp1252", "latin-1"])
def test_a_file_is_read_in_its_encoding(world: World, codec: str) -> None:
    file = (BytesIO("Purpose: Österreich\r\n".encode(codec)), "template.txt")
    page = world.visitor().post("/tools/template", {"text": "Syntax: other", "file": file})
    assert page.status == 200
    assert "Österreich" in page.words
    assert chosen(page) == ["purpose"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "Paste a template, or choose a file."),
        (b" \r\n ", "Paste a template, or choose a file."),
        (b"%PDF-1.7", "This is a PDF file, not plain text."),
        ("Purpose: x".encode("utf-16"), "UTF-16."),
        (b"Purpose: a\0", "byte 11 is 0"),
    ],
)
@pytest.mark.parametrize("path", ["/tools/template", "/requests/new/template"])
def test_what_is_no_text_is_refused_at_the_field(
    world: World, data: bytes, why: str, path: str
) -> None:
    page = world.visitor("registrant").post(path, {"file": (BytesIO(data), "t.txt")})
    assert page.status == 422
    assert faults(page) == []
    assert why in page.text("//*[@id='text_error_1']")


def test_a_text_that_is_too_long_is_refused(world: World) -> None:
    page = read(world.visitor(), "a" * (LONGEST + 1))
    assert (page.status, "The text is larger than 768 KB." in page.words) == (422, True)
    assert read(world.visitor(), "a " * (LONGEST // 2)).status == 200


def test_a_text_of_very_many_lines_is_refused(world: World) -> None:
    page = world.visitor().post("/tools/template", {"text": "x\n" * MOST_LINES})
    assert (page.status, "The text has 5,001 lines" in page.words) == (
        422,
        True,
    )


def test_what_is_echoed_is_visible_and_no_markup(world: World) -> None:
    page = read(world.visitor(), "Purpose: \x1b[2J\u202eabc <script>alert(1)</script>\n")
    assert page.status == 200
    assert "[U+001B][2J[U+202E]abc" in page.words
    assert "<script>alert" not in page.html


def test_a_text_of_many_parts_is_shown_without_moving(world: World) -> None:
    page = read(world.visitor(), "\n\n".join(f"Security considerations: {n}" for n in range(300)))
    assert page.status == 200
    assert chosen(page) == []
    assert "too many to move here" in page.words


@pytest.mark.parametrize(
    ("registry", "procedure"),
    [
        (FORMAL.id, "community"),
        (INFORMAL.id, "informal"),
        ("fast-track", "fast track"),
    ],
)
def test_a_draft_is_made_with_the_fields_as_they_were_placed(
    fresh: World, registry: str, procedure: str
) -> None:
    to = ["additional_information", "namespace_identifier", "purpose", "resolution", "assignment"]
    visitor, key = fresh.visitor("registrant"), factories.key()
    given = {"text": TEXT, "to": to, "registry": registry, "key": key}
    page = visitor.post("/requests/new/template", given)
    assert made(fresh, page) == (
        procedure,
        {
            "namespace_identifier": "wombat",
            "purpose": "Names of wombats.",
            "resolution": "None.",
            "assignment": "Persistence of names:\n\n  For ever.",
            "additional_information": "Dear all,",
        },
    )
    assert visitor.post("/requests/new/template", given).location == page.location


@pytest.mark.parametrize("text", ["Purpose: a\x1bb", "Purpose: " + "x" * 65_537])
def test_a_text_that_no_field_takes_makes_no_draft(world: World, text: str) -> None:
    given = {"text": text, "registry": FORMAL.id, "key": factories.key()}
    page = world.visitor("registrant").post("/requests/new/template", given)
    assert page.status == 422
    assert faults(page) == []
    assert "Purpose" in page.text("//*[@id='page_problems']")


def test_a_kind_must_be_chosen_for_a_draft(world: World) -> None:
    given = {"text": TEXT, "registry": "other", "key": factories.key()}
    page = world.visitor("registrant").post("/requests/new/template", given)
    assert (page.status, "Choose a kind of namespace." in page.words) == (422, True)


def test_a_stranger_s_text_comes_back_with_the_form_to_sign_in(world: World) -> None:
    given = {"text": TEXT, "registry": FORMAL.id, "key": factories.key(), "to": ["purpose"] * 5}
    page = world.visitor().post("/requests/new/template", given)
    assert page.status == 401
    assert "Names of wombats." in page.html


def test_the_ways_to_a_request_lead_to_the_page(world: World) -> None:
    assert "/tools/template" in world.visitor().get("/requests/new").html


@pytest.mark.slow
def test_every_registered_template_is_shown_and_becomes_a_draft(fresh: World, shared: Path) -> None:
    visitor = fresh.visitor("registrant")
    for file in sorted((shared / "data/iana/templates").glob("*/*")):
        page = visitor.post("/tools/template", {"file": (BytesIO(file.read_bytes()), file.name)})
        assert (page.status, faults(page)) == (200, []), file.name
        text = page.each("//textarea[@hidden]")[0].text.removeprefix("\n")
        given = {"text": text, "registry": FORMAL.id, "key": factories.key()}
        to = chosen(page)
        _, fields = made(fresh, visitor.post("/requests/new/template", {**given, "to": to}))
        assert fields["namespace_identifier"].lower() == file.name


def test_a_title_is_shown_as_the_title_and_not_as_lost(world: World) -> None:
    page = read(world.visitor(), "Namespace Registration for Wombats\n\nPurpose:\n\nNone.\n")
    assert chosen(page)[0] == ""
    assert "Line 1 (title)" in page.words
    assert "belongs to no field" not in page.words


def test_the_page_names_every_field(world: World) -> None:
    page = read(world.visitor(), format_template(factories.template(date="2026-09-01")))
    options = {option.get("value") for option in page.each("//select[@name='into']/option")}
    assert options == {field.name for field in TEMPLATE_FIELDS} | {""}


def test_a_text_on_a_page_that_grew_too_old_comes_back_to_be_sent_again(world: World) -> None:
    visitor = world.visitor()
    headers = {"Sec-Fetch-Site": "same-origin"}
    page = visitor.open("POST", "/tools/template", data={"text": TEXT}, headers=headers)
    assert page.status == 400
    assert page.form("/tools/template")["text"].replace("\r\n", "\n") == TEXT
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    page = visitor.open("POST", "/tools/template", data={"text": TEXT}, headers=elsewhere)
    assert (page.status, "wombat" in page.html) == (403, False)
