"""The tools in a browser: with script and without, with a mouse and with keys alone."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

Use = Callable[[Page, str, str, str], None]


@pytest.fixture(scope="module", params=[True, False], ids=["with script", "without script"])
def page(browser: Browser, site: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A stranger's browser, in which each test begins with an address: nothing is kept in it."""
    context = browser.new_context(base_url=site, java_script_enabled=request.param)
    yield context.new_page()
    context.close()


def by_mouse(page: Page, label: str, text: str, button: str) -> None:
    """Click into the field, then on the button."""
    page.get_by_label(label, exact=True).click()
    page.get_by_label(label, exact=True).fill(text)
    page.get_by_role("button", name=button, exact=True).click()


def by_keys(page: Page, label: str, text: str, button: str) -> None:
    """Go round with the tab key as far as the field, and on to the button."""
    _go_to(page, page.get_by_label(label, exact=True).element_handle())
    page.keyboard.insert_text(text)
    _go_to(page, page.get_by_role("button", name=button, exact=True).element_handle())
    page.keyboard.press("Enter")


def _go_to(page: Page, wanted: object) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("one => one === document.activeElement", wanted):
            return
    raise AssertionError("The tab key does not lead there.")


@pytest.mark.parametrize("use", [by_mouse, by_keys])
def test_one_asks_for_names_and_sees_how_each_stands(page: Page, use: Use) -> None:
    page.goto("/tools/")
    page.get_by_role("link", name="Check a NID").click()
    use(page, "NIDs", "unheard-of uk-mail", "Check NID")
    rows = page.get_by_role("list", name="NIDs").get_by_role("listitem")
    expect(rows.nth(0)).to_contain_text("Free")
    expect(rows.nth(1)).to_contain_text("for country codes")
    rows.nth(1).get_by_role("link", name="ukmail").click()
    expect(page.get_by_role("list", name="NIDs")).to_contain_text("urn:ukmail:")


@pytest.mark.parametrize("use", [by_mouse, by_keys])
def test_one_pastes_a_list_of_urns(page: Page, use: Use) -> None:
    page.goto("/tools/urn")
    use(page, "URNs", "urn:isbn:0451450523\nURN:ISBN:0451450523\nurn:isbn:a b", "Check URNs")
    expect(page.get_by_text("Not well-formed", exact=True)).to_be_visible()
    page.get_by_role("link", name="URN 1", exact=True).click()
    expect(page).to_have_url(re.compile("#urn_1$"))
    page.get_by_text("Download results").click()
    with page.expect_download() as waited:
        page.get_by_role("button", name="JSON Lines").click()
    lines = Path(waited.value.path()).read_text().splitlines()
    assert [json.loads(line)["urn"] for line in lines] == [True, True, False]


def test_one_looks_for_urns_in_a_file(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "specification.txt"
    file.write_text("A book (urn:isbn:0451450523), and urn:unheard-of:1.\n", encoding="utf-8")
    page.goto("/tools/nid")
    page.get_by_label("Or a file").set_input_files(file)
    page.get_by_role("button", name="Find URNs").click()
    rows = page.get_by_role("list", name="Namespaces in the text").get_by_role("listitem")
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Check these URNs").click()
    expect(page.get_by_text("2 lines: 1 valid, 1 only well-formed.")).to_be_visible()


def test_a_few_questions_lead_to_the_request(page: Page) -> None:
    page.goto("/help/")
    page.get_by_role("link", name="Answer a few questions").click()
    page.get_by_role("link", name="No", exact=True).click()
    page.get_by_role("link", name="No", exact=True).click()
    page.get_by_role("link", name="Yes", exact=True).click()
    page.get_by_role("link", name="Start request").click()
    informal = page.get_by_role("button", name="Request an informal namespace")
    expect(informal).not_to_have_class(re.compile("quiet"))
