"""Writing a request: nothing that was typed is lost, with script and without."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import Cast
from tests.browser.pages import press, save_elsewhere, write
from tests.browser.people import ANSWERS, Person

pytestmark = pytest.mark.browser

SAVED = re.compile(r"Saved at \d\d:\d\d UTC")


@pytest.fixture
def robin(browser: Browser, site: str) -> Iterator[Person]:
    """A registrant at a browser of their own."""
    context = browser.new_context(base_url=site)
    yield Person(context, "Robin")
    context.close()


@pytest.fixture
def without_script(browser: Browser, site: str) -> Iterator[BrowserContext]:
    """A browser that runs no script."""
    context = browser.new_context(base_url=site, java_script_enabled=False)
    yield context
    context.close()


def section(robin: Person, name: str) -> Page:
    page = robin.context.new_page()
    page.goto(f"/requests/{robin.start()}/edit/{name}")
    return page


def test_what_is_typed_is_saved_by_itself_and_goes_on_from_there(robin: Person) -> None:
    page = section(robin, "documents")
    expect(page.locator("[data-saved]")).to_have_text("")
    write(documentation="https://example.org/one")(page)
    expect(page.locator("[data-saved]")).to_have_text(SAVED)
    page.locator("#documentation").press_sequentially(" and two")
    press("Save and continue")(page)
    expect(page).to_have_url(re.compile("/check$"))
    page.go_back()
    expect(page.locator("#documentation")).to_have_value("https://example.org/one and two")


def test_what_is_found_is_counted_when_it_is_said_beside_the_field(robin: Person) -> None:
    page = section(robin, "syntax")
    counted, told = page.locator("ol.steps [aria-current]"), page.locator("[data-told=syntax]")
    write(syntax='A name is built so:\n\n    name = "urn:quokka:" 1*DIGT')(page)
    expect(page.locator("[data-saved]")).to_have_text(SAVED)
    expect(counted).to_contain_text("Not started")
    page.locator("#syntax").blur()
    expect(told).to_contain_text("DIGT is used but not defined.")
    expect(counted).to_contain_text("1 warning")


def test_a_lost_network_is_told_and_the_text_stays(robin: Person) -> None:
    page = section(robin, "assignment")
    robin.context.set_offline(True)
    write(assignment="By the society.")(page)
    expect(page.get_by_text("Not saved: no connection. Kept in this tab.")).to_be_visible()
    robin.context.set_offline(False)
    press("Save and continue")(page)
    expect(page).to_have_url(re.compile("/safety-and-use$"))


def test_two_windows_lose_no_text(robin: Person) -> None:
    page = section(robin, "assignment")
    save_elsewhere(page)
    write(assignment="Written here.")(page)
    expect(page.get_by_text("Saved elsewhere after you opened this page.")).to_be_visible()
    press("Save and continue")(page)
    both = page.get_by_role("textbox")
    expect(both).to_have_count(2)
    expect(both.nth(0)).to_have_value("Written here.")
    expect(both.nth(1)).to_have_value("Written in another window.")
    page.wait_for_timeout(2500)  # nothing is saved over the other text unasked
    expect(page.get_by_role("heading", name="There is a problem")).to_be_visible()
    press("Save and continue")(page)
    expect(page).to_have_url(re.compile("/safety-and-use$"))


def test_a_request_is_written_and_sent_without_script(without_script: BrowserContext) -> None:
    robin, page = Person(without_script, "Robin"), without_script.new_page()
    page.goto("/requests/new")
    press("Request a formal namespace")(page)
    number = int(page.url.split("/")[4])
    write(namespace_identifier="un-scripted", title="Names", purpose="Names.")(page)
    page.get_by_label("No", exact=True).check()
    press("Save and continue")(page)
    expect(page.get_by_role("heading", name="There is a problem")).to_be_visible()
    robin.write(number, "unscripted", pages=len(ANSWERS) - 1)
    page.goto(f"/requests/{number}/edit/documents")
    write(documentation="https://example.org/names")(page)
    press("Preview")(page)
    expect(page.get_by_role("heading", name="Preview")).to_be_visible()
    press("Save and continue")(page)
    press("Submit request")(page)
    expect(page.get_by_text("was submitted. The operator checks it")).to_be_visible()
    page.locator("summary", has_text="Withdraw").click()
    page.get_by_label("Reason (optional)").fill("It was a trial.")
    press("Withdraw request")(page)
    expect(page.get_by_text("It was a trial.")).to_be_visible()
    expect(page.locator(".status")).to_contain_text("Withdrawn on")


def test_nothing_is_offered_that_needs_script(without_script: BrowserContext) -> None:
    page = without_script.new_page()
    page.goto("/namespaces/isbn")
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)


def test_the_row_is_shown_with_what_is_typed_before_it_is_registered(cast: Cast) -> None:
    page, number = cast.browsers["Odell"].new_page(), cast.numbers["assignable"]
    page.goto(f"/desk/{number}/register")
    write(reference="RFC 8141")(page)
    press("Update preview")(page)
    row = page.get_by_role("row", name="urn:quokka-assignable:")
    expect(row.get_by_role("link", name="[RFC8141]")).to_be_visible()
    expect(page.locator("#reference")).to_have_value("RFC 8141")
    assert "csrf_token" not in page.url
    page.goto(f"/requests/{number}")
    expect(page.get_by_text("Your turn. Approved")).to_be_visible()
    page.close()
