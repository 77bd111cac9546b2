"""What the form says while one writes: as each field is left, and with script alone."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.browser.people import Person
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

SAVED = re.compile(r"Saved at \d\d:\d\d UTC")
NAME = "#namespace_identifier"


@pytest.fixture
def robin(browser: Browser, site: str) -> Iterator[Person]:
    """A registrant at a browser of their own."""
    context = browser.new_context(base_url=site)
    yield Person(context, "Robin")
    context.close()


def opened(robin: Person, section: str) -> Page:
    page = robin.context.new_page()
    page.goto(f"/requests/{robin.start()}/edit/{section}")
    return page


def test_a_name_is_judged_as_its_field_is_left(robin: Person) -> None:
    page = opened(robin, "name-and-purpose")
    name = page.locator(NAME)
    name.fill("uk-mail")
    page.keyboard.press("Tab")
    refusal = page.get_by_text("start with two letters and a hyphen are for country codes")
    expect(refusal).to_be_visible()
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_have_attribute("aria-describedby", re.compile("error_1"))
    expect(page.get_by_text("Enter the purpose.")).to_have_count(0)  # nobody was there yet
    name.fill("d0i")
    page.keyboard.press("Tab")
    expect(page.get_by_text("looks like the registered")).to_be_visible()
    expect(refusal).to_have_count(0)
    name.fill("live-and-kicking")
    page.keyboard.press("Tab")
    expect(page.get_by_text("is available")).to_be_visible()
    expect(name).not_to_have_attribute("aria-invalid", "true")


def test_what_is_mended_is_held_against_nobody_while_the_next_field_is_written(
    robin: Person,
) -> None:
    page = opened(robin, "name-and-purpose")
    page.locator(NAME).fill("uk-mail")
    page.get_by_role("button", name="Save and continue").click()
    summary, steps = page.locator("#page_problems"), page.locator("ol.steps [aria-current]")
    expect(summary).to_contain_text("for country codes")
    expect(summary).to_contain_text("part of a standard")
    expect(steps).to_contain_text("1 problem")
    page.locator(NAME).fill("live-and-mended")
    page.locator("#purpose").press_sequentially("To try it, and then ")  # and is not left
    expect(page.locator("[data-told=namespace_identifier]")).to_contain_text("is available")
    expect(page.locator("[data-told=purpose] .error")).to_have_count(0)
    expect(summary).not_to_contain_text("for country codes")
    expect(steps).not_to_contain_text("problem")
    page.get_by_label("No", exact=True).first.check()
    expect(page.locator("[data-told=standard]")).to_have_text("")
    page.locator("#title").fill("Names on Trial")
    page.keyboard.press("Tab")
    expect(summary).to_have_count(0)
    expect(steps).not_to_contain_text("missing")
    expect(page).not_to_have_title(re.compile("^Error"))


def test_the_words_that_speak_of_each_point_are_quoted_beside_the_field(robin: Person) -> None:
    page = opened(robin, "assignment")
    guide = page.get_by_role("complementary", name="Assignment: guidance")
    expect(guide.get_by_role("checkbox")).to_have_count(0)
    expect(guide.get_by_text("Nothing found yet")).to_have_count(4)
    page.locator("#assignment").fill("The secretariat assigns names from a counter.")
    page.keyboard.press("Tab")
    expect(guide.locator("q").first).to_have_text("The secretariat assigns names from a counter.")
    expect(guide.get_by_text("Nothing found yet")).to_have_count(2)
    steps = page.get_by_role("navigation", name="Sections of this request")
    expect(steps.get_by_role("link", name=re.compile("^Assignment")).first).to_contain_text(
        "Filled in; 2 of 4 points not addressed"
    )


def test_text_that_was_not_saved_is_back_after_the_page_was_left(robin: Person) -> None:
    page = opened(robin, "assignment")
    address = page.url
    page.context.set_offline(True)
    page.locator("#assignment").fill("Written in a tunnel.")
    page.get_by_role("heading", level=1).click()
    expect(page.get_by_text("Not saved: no connection. Kept in this tab.")).to_be_visible()
    page.context.set_offline(False)
    page.goto("/help/")
    page.goto(address)
    expect(page.locator("#assignment")).to_have_value("Written in a tunnel.")
    expect(page.locator("[data-saved]")).to_have_text(SAVED)
    page.reload()
    expect(page.locator("#assignment")).to_have_value("Written in a tunnel.")


def saved_elsewhere(robin: Person, address: str) -> Page:
    """Open the section in another tab, once the text that this tab sent on leaving has arrived."""
    other = robin.context.new_page()

    def has_text() -> bool:
        other.goto(address)
        return bool(other.locator("#assignment").input_value())

    wait_until(has_text)
    return other


def test_a_tab_that_is_left_in_the_middle_of_a_word_saves_it(robin: Person) -> None:
    page = opened(robin, "assignment")
    address = page.url
    page.locator("#assignment").fill("In the middle of a wo")
    page.goto("/help/")
    other = saved_elsewhere(robin, address)
    expect(other.locator("#assignment")).to_have_value("In the middle of a wo")


def test_what_came_back_never_replaces_what_was_written_elsewhere(robin: Person) -> None:
    page = opened(robin, "assignment")
    address = page.url
    page.context.set_offline(True)
    page.locator("#assignment").fill("Written in a tunnel.")
    stored = page.evaluate("JSON.stringify({...sessionStorage})")
    page.goto("about:blank")  # or the tab saves its text as soon as it is online
    page.context.set_offline(False)
    other = robin.context.new_page()
    other.goto(address)
    other.locator("#assignment").fill("Written at a desk.")
    other.get_by_role("button", name="Save and continue").click()
    expect(other).to_have_url(re.compile("safety-and-use"))
    late = robin.context.new_page()
    late.goto("/help/")
    late.evaluate(
        "all => Object.entries(JSON.parse(all)).forEach(one => sessionStorage.setItem(...one))",
        stored,
    )
    late.goto(address)
    expect(late.locator("#assignment")).to_have_value("Written in a tunnel.")
    expect(
        late.get_by_text("Saved elsewhere after you opened this page. Continue to see both texts.")
    ).to_be_visible()
    late.get_by_role("button", name="Save and continue").click()
    boxes = late.get_by_role("textbox")
    expect(boxes.nth(0)).to_have_value("Written in a tunnel.")
    expect(boxes.nth(1)).to_have_value("Written at a desk.")


def test_text_that_was_sent_while_the_site_was_away_is_back_at_its_address(robin: Person) -> None:
    page = opened(robin, "assignment")
    address = page.url
    page.locator("#assignment").fill("Sent into a tunnel.")
    page.context.set_offline(True)
    page.get_by_role("button", name="Save and continue").click(no_wait_after=True)
    expect(page).to_have_url("chrome-error://chromewebdata/")
    page.context.set_offline(False)
    page.goto(address)
    expect(page.locator("#assignment")).to_have_value("Sent into a tunnel.")
    expect(page.locator("[data-saved]")).to_have_text(SAVED)


def test_text_that_was_refused_is_back_after_the_page_was_left(robin: Person) -> None:
    page = opened(robin, "assignment")
    address = page.url
    page.locator("#assignment").fill("In the order\a of their arrival.")
    page.get_by_role("button", name="Save and continue").click()
    expect(page.get_by_role("heading", name="There is a problem")).to_be_visible()
    page.goto("/help/")
    page.goto(address)
    expect(page.locator("#assignment")).to_have_value("In the order\a of their arrival.")


def test_two_tabs_at_different_pages_of_a_draft_both_save(robin: Person) -> None:
    one = opened(robin, "assignment")
    other = robin.context.new_page()
    other.goto(one.url.replace("assignment", "syntax"))
    for page, field in ((one, "#assignment"), (other, "#syntax"), (one, "#assignment")):
        page.locator(field).press_sequentially("A name is a number. ")
        page.keyboard.press("Tab")
        expect(page.locator("[data-saved]")).to_have_text(SAVED)
        page.reload()
        expect(page.locator(field)).to_have_value(re.compile("A name is a number. "))


def test_a_page_that_was_put_aside_and_taken_out_again_goes_on_where_it_was(robin: Person) -> None:
    page = opened(robin, "assignment")
    address = page.url
    page.locator("#assignment").fill("In the order")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    saved_elsewhere(robin, address)
    with page.expect_navigation():
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    page.locator("#assignment").press_sequentially(" of their arrival. ")
    with page.expect_request_finished(lambda request: request.method == "POST"):
        page.keyboard.press("Tab")  # it says that it is saved already
    expect(page.locator("[data-saved]")).to_have_text(SAVED)
    page.reload()
    expect(page.locator("#assignment")).to_have_value(re.compile("In the order"))
    expect(page.locator("#assignment")).to_have_value(re.compile("of their arrival"))


def test_a_tab_that_alone_has_a_text_asks_before_it_is_closed(robin: Person) -> None:
    page = opened(robin, "assignment")
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.context.set_offline(True)
    page.locator("#assignment").press_sequentially("Written in a tunnel.")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Not saved: no connection. Kept in this tab.")).to_be_visible()
    with page.expect_event("dialog"):
        page.close(run_before_unload=True)
    page.context.set_offline(False)
    page.keyboard.press("Shift+Tab")
    page.keyboard.type(" At last.")
    page.keyboard.press("Tab")
    expect(page.locator("[data-saved]")).to_have_text(SAVED)
    page.close(run_before_unload=True)
    assert asked == ["beforeunload"]
