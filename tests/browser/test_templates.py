"""A template that is ready, from the text to a draft: with script, without, and by keys."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.pages import press, sign_in_again
from tests.browser.people import Person

pytestmark = pytest.mark.browser

TEXT = """Namespace ID: "wombat" requested

Purpose:

  Names of wombats.

Resolution:

  None.

Persistence of names:

  For ever.
"""


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def page(browser: Browser, site: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page about templates, in the browser of a registrant."""
    context = browser.new_context(base_url=site, java_script_enabled=request.param)
    Person(context, "Robin")
    page = context.new_page()
    page.goto("/tools/template")
    yield page
    context.close()


def places(page: Page) -> Locator:
    """The fields of the parts, in order."""
    return page.locator("input[name=to]")


def move_last(page: Page) -> None:
    """Choose another field for the last part."""
    page.locator("summary", has_text="Move text").click()
    page.get_by_label("Text", exact=True).select_option(str(places(page).count() - 1))
    page.get_by_label("Field", exact=True).select_option("assignment")


def expect_draft(page: Page) -> None:
    """The draft holds the texts where they were put."""
    expect(page).to_have_url(re.compile("/edit/name-and-purpose$"))
    expect(page.locator("#namespace_identifier")).to_have_value("wombat")
    expect(page.locator("#purpose")).to_have_value("Names of wombats.")
    page.goto(page.url.replace("name-and-purpose", "assignment"))
    expect(page.locator("#assignment")).to_have_value("Persistence of names:\n\n  For ever.")


def test_a_template_is_pasted_moved_and_made_a_draft(page: Page) -> None:
    page.fill("#text", TEXT)
    press("Check template")(page)
    expect(places(page).last).to_have_value("resolution")
    move_last(page)
    press("Move text")(page)
    expect(places(page).last).to_have_value("assignment")
    press("Create draft")(page)
    expect_draft(page)


def test_a_file_is_read(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "template.txt"
    file.write_bytes(b"Purpose: names in \xd6sterreich\r\n")
    page.set_input_files("#file", file)
    press("Check template")(page)
    expect(page.locator("#text")).to_have_value("Purpose: names in Österreich\n")
    expect(places(page)).to_have_value("purpose")


def test_the_keyboard_alone_is_enough(page: Page) -> None:
    page.locator("#text").focus()
    page.keyboard.insert_text(TEXT)
    for key in ("Tab", "Tab", "Enter"):
        page.keyboard.press(key)
    page.locator("summary", has_text="Move text").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Text", exact=True).focus()
    page.keyboard.press("End")
    page.get_by_label("Field", exact=True).focus()
    page.keyboard.type("Assignment")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(places(page).last).to_have_value("assignment")
    page.get_by_role("button", name="Create draft").focus()
    page.keyboard.press("Enter")
    expect_draft(page)


def test_a_stranger_s_template_waits_for_them_while_they_sign_in(
    browser: Browser, site: str
) -> None:
    context = browser.new_context(base_url=site)
    page = context.new_page()
    page.goto("/tools/template")
    page.fill("#text", TEXT)
    press("Check template")(page)
    move_last(page)
    press("Create draft")(page)
    sign_in_again(page)
    expect_draft(page)
    context.close()
