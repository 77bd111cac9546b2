"""The demonstration as a newcomer sees it, with and without JavaScript."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from app.resolution.namespace_rules import edits_between
from tests.browser.conftest import served, settings_in, wait_for

pytestmark = pytest.mark.browser

# Words on the pages that `/help/try` links to.
SHOWN = {
    "/namespaces/isbn": "International ISBN Agency",
    "/requests/": "Request 12",
    "/namespaces/old-bridges": "The Bridge Society",
    "/names/urn:old-bridges:bridge:1": "https://old-bridges.example/bridge/1",
    "/names/urn:old-bridges:bridge:3": "The same bridge was entered twice.",
    "/editions/": "Edition 3",
    "/sign-in": "Ellis Expert",
}


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site as `make run` begins it, with its people's work of three months."""
    folder = tmp_path_factory.mktemp("demonstration")
    environment = settings_in(folder) | {"URN_REGISTRY_NAANS": "yes"}
    with served(environment, folder / "printed", "--demo") as address:
        yield address


@pytest.fixture(params=[(1280, True), (390, False)], ids=["wide", "phone without JavaScript"])
def page(request: pytest.FixtureRequest, browser: Browser, demonstration: str) -> Iterator[Page]:
    """A newcomer's browser, on the first page."""
    width, scripted = request.param
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        java_script_enabled=scripted,
        base_url=demonstration,
    )
    page = context.new_page()
    page.goto("/")
    yield page
    context.close()


def test_the_places_worth_seeing_show_what_they_promise(page: Page, demonstration: str) -> None:
    wait_for(f"{demonstration}/names/urn:old-bridges:bridge:1")
    page.get_by_role("link", name="Try it").click()
    links = page.get_by_role("main").get_by_role("listitem").get_by_role("link")
    paths = [link.get_attribute("href") for link in links.all()]
    assert set(SHOWN) <= set(paths)
    for path, words in SHOWN.items():
        page.goto(path)
        expect(page.get_by_role("main")).to_contain_text(words)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


TYPED = (
    ("12148", "ark:12148", "National Library of France (BNF)", "/naans/12148"),
    ("bibl nat france", "ark:12148", "National Library of France (BNF)", "/naans/12148"),
    ("ARK:/1214", "ark:12148", "National Library of France (BNF)", "/naans/12148"),
    (
        *("https://n2t.example/ark:/12148/btv1b-8449691v", "ark:12148/btv1b8449691v"),
        *("http://ark.bnf.fr/", "/names/ark:12148%2Fbtv1b8449691v"),
    ),
    ("urn:old-bridges:bridge:3", "urn:old-bridges:bridge:3", "withdrew", None),
)


def test_naans_and_whole_names_are_offered_on_the_first_page(
    browser: Browser, demonstration: str
) -> None:
    wait_for(f"{demonstration}/assignments/naans/naans-suggestions.json")
    context = browser.new_context(base_url=demonstration)
    page = context.new_page()
    for typed, name, told, leads in TYPED:
        page.goto("/")
        page.get_by_role("combobox", name="Search the registry").press_sequentially(typed)
        option = page.get_by_role("listbox", name="Names").get_by_role("option").first
        expect(option.locator("bdi")).to_have_text(name)
        expect(option).to_contain_text(told)
        option.click()
        page.wait_for_url(f"**{leads or '/names/' + name}")
    context.close()


def test_a_mistyped_naan_is_offered_those_that_one_edit_makes_of_it(
    browser: Browser, demonstration: str
) -> None:
    wait_for(f"{demonstration}/assignments/naans/naans-suggestions.json")
    context = browser.new_context(base_url=demonstration)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("combobox", name="Search the registry").press_sequentially(
        "12184"
    )  # 12148, swapped
    names = page.get_by_role("option").locator("bdi")
    expect(names.first).to_have_text("ark:12148")
    for name in names.all_text_contents():
        assert edits_between("12184", name.removeprefix("ark:")) == 1, name
    context.close()
