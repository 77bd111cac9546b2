"""Files behind one button: what opens it, and what closes it again."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

PLACES = ("/", "/editions/1/", "/namespaces/isbn", "/tools/urn")


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    """A stranger's browser."""
    context = browser.new_context(base_url=site)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", PLACES)
def test_an_open_menu_is_closed_by_escape_and_by_a_click_elsewhere(page: Page, path: str) -> None:
    page.goto(path)
    button = page.locator("details.menu > summary").first
    files = page.locator("details.menu > ul").first
    button.click()
    expect(files).to_be_visible()
    page.keyboard.press("Escape")
    expect(files).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    page.locator("h1").click()
    expect(files).to_be_hidden()


def test_each_file_behind_the_button_says_what_it_is_for(page: Page) -> None:
    for path in PLACES:
        page.goto(path)
        for row in page.locator("details.menu > ul").first.locator("li").all():
            assert row.locator("span").count() == 1, (path, row.text_content())


@pytest.mark.parametrize("path", PLACES)
def test_no_menu_is_printed(page: Page, path: str) -> None:
    page.goto(path)
    page.emulate_media(media="print")
    for entry in page.locator("details.menu li").all():
        expect(entry).to_be_hidden()
    page.emulate_media(media="screen")


def test_without_script_a_menu_opens_and_closes_by_its_button(browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/editions/1/")
    button, files = page.locator("details.menu > summary"), page.locator("details.menu > ul")
    button.click()
    expect(files.get_by_role("link", name="JSON", exact=True)).to_be_visible()
    button.click()
    expect(files).to_be_hidden()
    context.close()
