"""Names are offered while one types; with keys alone, and without script the page answers."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visit, wait_for

pytestmark = pytest.mark.browser
REGISTRY = "/assignments/urn-namespaces/"
UNCOVERED = """option => {
  const box = option.getBoundingClientRect();
  return option.contains(document.elementFromPoint(box.left + box.width / 2, box.bottom - 4));
}"""


@pytest.fixture(autouse=True)
def laid_out(site: str) -> None:
    """The first edition is built, and its files with it."""
    wait_for(f"{site}{REGISTRY}urn-namespaces-suggestions.json")


@pytest.mark.parametrize("width", [1280, 390])
def test_one_types_part_of_a_title_and_chooses_with_keys(visit: Visit, width: int) -> None:
    page = visit("/", width=width)
    field = page.get_by_role("combobox", name="Search the registry")
    field.press_sequentially("serial publ")
    options = page.get_by_role("listbox", name="Names").get_by_role("option")
    expect(options.first).to_contain_text("urn:issn:")
    expect(field).to_have_attribute("aria-expanded", "true")
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    field.press("Escape")
    expect(options.first).to_be_hidden()
    expect(field).to_have_value("serial publ")
    field.press("ArrowDown")
    expect(options.first).to_be_visible()
    field.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    chosen = field.get_attribute("aria-activedescendant")
    assert chosen == options.first.get_attribute("id")
    field.press("Enter")
    page.wait_for_url("**/namespaces/issn")


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_covers_what_is_offered_or_cuts_it_off(visit: Visit, width: int) -> None:
    page = visit("/", width=width)
    page.get_by_role("combobox", name="Search the registry").press_sequentially("international")
    options = page.get_by_role("listbox", name="Names").get_by_role("option")
    expect(options).to_have_count(8)
    for option in options.all():
        option.scroll_into_view_if_needed()
        assert option.evaluate(UNCOVERED), option.text_content()


def test_one_types_words_of_what_is_said_of_a_namespace_and_finds_it(visit: Visit) -> None:
    page = visit("/")
    field = page.get_by_role("combobox", name="Search the registry")
    field.press_sequentially("mobile equip")
    options = page.get_by_role("listbox", name="Names").get_by_role("option")
    expect(options.filter(has_text="urn:gsma:")).to_be_visible()


def test_a_misspelt_name_is_offered_where_no_row_matches(visit: Visit) -> None:
    page = visit(REGISTRY)
    field = page.get_by_label("Filter by name")
    option = page.get_by_role("listbox", name="Names").get_by_role("option")
    field.press_sequentially("isbn")
    expect(page.locator("#filter_count")).to_contain_text("match")
    expect(option.first).to_be_hidden()  # the rows show it
    field.fill("books")  # which stands in no row
    expect(page.locator("#isbn")).to_be_visible()
    expect(page.locator("#filter_count")).to_contain_text("1 of")
    field.fill("isnb")
    expect(option.filter(has_text="urn:isbn:")).to_be_visible()
    field.press("Enter")  # nothing chosen: the page says what is like it
    page.wait_for_url("**/?q=isnb*")
    expect(page.get_by_role("heading", name="Did you mean")).to_be_visible()
    page.get_by_role("region", name="Did you mean").get_by_role("link", name="isbn").click()
    page.wait_for_url("**/namespaces/isbn")


@pytest.mark.parametrize(
    ("typed", "name", "told"),
    [
        ("urn:isbn:978-951-0-18435-6", "urn:isbn:978-951-0-18435-6", "redirects to http://urn.fi/"),
        ("978-951-0-18435-6", "urn:isbn:978-951-0-18435-6", "redirects to http://urn.fi/"),
        ("ISBN 978-951-0-18435-7", "urn:isbn:978-951-0-18435-6", "redirects to http://urn.fi/"),
        ("<urn:numbat:1?=x>", "urn:numbat:1", "No namespace numbat is registered."),
    ],
)
def test_a_whole_name_is_offered_with_what_its_page_says_of_it(
    visit: Visit, typed: str, name: str, told: str
) -> None:
    page = visit("/")
    field = page.get_by_role("combobox", name="Search the registry")
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/names/" in one.url else None)
    field.press_sequentially(typed, delay=10)
    options = page.get_by_role("listbox", name="Names").get_by_role("option")
    expect(options).to_have_count(1)
    expect(options.locator("bdi")).to_have_text(name)
    expect(options).to_contain_text(told)
    assert len(asked) < len(typed) / 3, "asked where one pauses, not with each key"
    options.click()
    page.wait_for_url("**/names/*")
    expect(page.get_by_role("main")).to_contain_text(name.rpartition(":")[2])


def test_a_name_with_a_wrong_check_character_is_offered_with_the_right_one_as_well(
    visit: Visit,
) -> None:
    page = visit("/")
    field = page.get_by_role("combobox", name="Search the registry")
    field.press_sequentially("URN:ISBN:9789510184357", delay=10)
    options = page.get_by_role("listbox", name="Names").get_by_role("option")
    expect(options.locator("bdi")).to_have_text(
        ["urn:isbn:9789510184357", "urn:isbn:9789510184356"]
    )
    expect(options.first).to_contain_text("check digit")
    expect(options.last).to_contain_text("redirects to http://urn.fi/")


def test_where_the_way_was_cut_names_are_asked_for_once_more_after_a_while(visit: Visit) -> None:
    page = visit("/")
    page.clock.install()
    page.context.set_offline(True)
    field = page.get_by_role("combobox", name="Search the registry")
    field.press_sequentially("isbn")
    expect(page.get_by_role("option")).to_have_count(0)
    page.context.set_offline(False)
    page.clock.run_for(2_000)
    field.press_sequentially(" ")
    expect(page.get_by_role("option")).to_have_count(0)
    page.clock.run_for(2_000)
    field.press("Backspace")
    expect(page.get_by_role("option").first).to_contain_text("urn:isbn:")


def test_an_unfinished_whole_name_is_offered_as_its_namespace(visit: Visit) -> None:
    page = visit("/")
    field = page.get_by_role("combobox", name="Search the registry")
    field.press_sequentially("urn:isb")
    options = page.get_by_role("listbox", name="Names").get_by_role("option")
    expect(options.first).to_contain_text("urn:isbn:")
    field.press_sequentially("n:978-951-0-18435-6")
    expect(options.first).to_contain_text("redirects to")
    field.press("Enter")  # nothing chosen: the field is sent
    page.wait_for_url("**/names/urn:isbn:978-951-0-18435-6")


def test_without_script_the_page_does_the_same(browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Search the registry").fill("isnb")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("main").get_by_role("link", name="urn:isbn:").first.click()
    page.wait_for_url("**/namespaces/isbn")
    context.close()
