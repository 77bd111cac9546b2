"""The tour through the demonstration, walked as a newcomer does, with and without JavaScript."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from app.resolution.rule_books import edits_between
from app.services.operations.demo_tour import TOUR
from tests.browser.conftest import served, settings_in, wait_for

pytestmark = pytest.mark.browser

# What each page shows of what its sentence promises, in the order of the tour.
SHOWN = (
    ("A URN, taken apart", "Find a name"),
    ("Check a URN in this namespace", "International ISBN Agency"),
    ("Whose turn it is", "Due by"),
    ("The Birdsong Archive", "Two things before I can approve it"),
    ("Names of bridges", "A resolver is at work now."),
    ("The Lighthouse Library", "https://lighthouse.example/ark:"),
    ("Edition 1", "Edition 3"),
    ("Ellis Expert", "Hollis Holder"),
)


PHONE = 844  # pixels of its height
LINES = "line => line.clientHeight / parseFloat(getComputedStyle(line).lineHeight)"
# whether a bar is slim, and covers nothing of the end of the page
ROOM = """async bar => {
  scrollTo(0, document.documentElement.scrollHeight);
  await new Promise(done => requestAnimationFrame(done));
  const slim = bar.getBoundingClientRect().height <= 84;
  const last = document.querySelector("footer").getBoundingClientRect().bottom;
  return [slim, last <= bar.getBoundingClientRect().top + 1];
}"""


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


def unfold(tour: Locator) -> None:
    """Open the bar where it is one line."""
    line = tour.locator("summary")
    if line.is_visible():
        line.click()


def test_each_step_shows_what_its_sentence_says_and_leads_to_the_next(page: Page) -> None:
    tour = page.get_by_role("navigation", name="Tour")
    expect(tour).to_have_count(0)
    page.get_by_role("link", name="Take the tour of this demonstration").click()
    for number, (stop, shown) in enumerate(zip(TOUR, SHOWN, strict=True), 1):
        expect(tour).to_contain_text(f"Tour, {number} of {len(TOUR)}. {stop.sentence}")
        again = page.request.get(page.url)
        assert again.status == 200
        for words in shown:
            assert words in (page.get_by_role("main").text_content() or ""), (page.url, words)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if number < len(TOUR):
            tour.get_by_role("link", name="Next").click()
    unfold(tour)
    tour.get_by_role("link", name="Back").click()
    expect(tour).to_contain_text(f"Tour, {len(TOUR) - 1} of {len(TOUR)}.")
    unfold(tour)
    tour.get_by_role("link", name="Leave").click()
    expect(tour).to_have_count(0)
    assert "tour" not in page.url
    page.goto("/help/")
    expect(tour).to_have_count(0)


def test_names_beside_a_step_lead_to_their_pages(page: Page) -> None:
    page.goto("/namespaces/old-bridges?tour=5")
    tour = page.get_by_role("navigation", name="Tour")
    unfold(tour)
    tour.get_by_role("link", name="urn:old-bridges:bridge:3").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("is withdrawn")
    expect(page.get_by_role("main")).to_contain_text("It is the same bridge, entered twice.")


TYPED = (
    ("12148", "ark:12148", "National Library of France (BNF)", "/naans/12148"),
    ("bibl nat france", "ark:12148", "National Library of France (BNF)", "/naans/12148"),
    ("ARK:/1214", "ark:12148", "National Library of France (BNF)", "/naans/12148"),
    (
        *("https://n2t.example/ark:/12148/btv1b-8449691v", "ark:12148/btv1b8449691v"),
        *("leads to http://ark.bnf.fr/", "/names/ark:12148%2Fbtv1b8449691v"),
    ),
    ("urn:old-bridges:bridge:3", "urn:old-bridges:bridge:3", "withdrawn", None),
)


def test_naans_and_whole_names_are_offered_where_the_first_step_says_to_type(
    browser: Browser, demonstration: str
) -> None:
    wait_for(f"{demonstration}/assignments/naans/naans-suggestions.json")
    context = browser.new_context(base_url=demonstration)
    page = context.new_page()
    for typed, name, told, leads in TYPED:
        page.goto("/?tour=1")
        page.get_by_role("combobox", name="Find a name").press_sequentially(typed)
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
    page.get_by_role("combobox", name="Find a name").press_sequentially("12184")  # 12148, swapped
    names = page.get_by_role("option").locator("bdi")
    expect(names.first).to_have_text("ark:12148")
    for name in names.all_text_contents():
        assert edits_between("12184", name.removeprefix("ark:")) == 1, name
    context.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_who_looks_aside_is_led_back_to_the_step_and_can_leave_there_too(
    browser: Browser, demonstration: str, width: int
) -> None:
    context = browser.new_context(
        base_url=demonstration, viewport={"width": width, "height": PHONE}
    )
    page = context.new_page()
    page.goto("/namespaces/old-bridges?tour=5")
    tour = page.get_by_role("navigation", name="Tour")
    assert tour.evaluate(ROOM) == [True, True]
    if width == 390:  # as much of the sentence as there is room for, unopened
        assert round(tour.locator("summary").evaluate(LINES), 1) == 2
    unfold(tour)
    tour.get_by_role("link", name="urn:old-bridges:bridge:3").click()
    page.wait_for_url("**/names/urn:old-bridges:bridge:3")  # which the published plane makes
    expect(tour).to_contain_text("Tour, 5 of 8.")
    assert tour.evaluate(ROOM) == [True, True]
    assert Axe().run(page).response["violations"] == []
    page.goto("/help/")
    tour.get_by_role("link", name="Back to the tour").click()
    page.wait_for_url("**/namespaces/old-bridges?tour=5")
    page.goto("/help/")
    tour.get_by_role("button", name="Leave").click()
    expect(tour).to_have_count(0)
    page.reload()
    expect(tour).to_have_count(0)
    page.goto("/sign-in?tour=8")
    expect(tour).to_contain_text("Tour, 8 of 8.")
    page.goto("/help/")
    expect(tour).to_have_count(0)  # who saw the last step is through
    context.close()
