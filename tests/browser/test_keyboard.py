"""The pages without a mouse."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Cast
from tests.browser.pages import open_up, press, write

pytestmark = pytest.mark.browser

# What can be reached: of a group of radio buttons one, of what is folded away nothing.
CONTROLS = """() => {
  const all = "a[href], button, input, textarea, select, summary, [tabindex='0']";
  const groups = new Set();
  window.unreached = new Set();
  for (const one of document.querySelectorAll(all)) {
    if (one.disabled || one.type === "hidden" || !one.checkVisibility()) continue;
    if (one.type === "radio") {
      if (groups.has(one.name)) continue;
      groups.add(one.name);
    }
    window.unreached.add(one.type === "radio" ? one.name : one);
  }
  document.addEventListener("focusin", ({ target }) => {
    window.unreached.delete(target.type === "radio" ? target.name : target);
  });
  return window.unreached.size;
}"""
LEFT = "() => [...window.unreached].map((one) => one.outerHTML ?? one)"

REACHED = (
    ("Robin", "/requests/{draft}/edit/name-and-purpose", ""),
    ("Robin", "/requests/{returned}", "Withdraw"),
    ("Odell", "/requests/{checking}", "Request changes"),
    ("Emery", "/review/{again}", "questions"),
    ("Odell", "/desk/{assignable}/register", ""),
    ("", "/requests/", ""),
)


def opened(cast: Cast, who: str, path: str) -> Page:
    page = cast.browsers[who].new_page()
    page.goto(path.format(**cast.numbers))
    return page


@pytest.mark.parametrize(("who", "path", "folded"), REACHED)
def test_every_control_is_reached_with_the_tab_key(
    cast: Cast, who: str, path: str, folded: str
) -> None:
    page = opened(cast, who, path)
    if folded:
        open_up(folded)(page)
    number = page.evaluate(CONTROLS)
    for _ in range(number + 5):  # round the page, from wherever the focus was
        page.keyboard.press("Tab")
    assert page.evaluate(LEFT) == []
    page.close()


def test_the_first_key_offers_to_skip_what_every_page_begins_with(cast: Cast) -> None:
    page = opened(cast, "Emery", "/review/{again}")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.close()


def test_a_refused_form_leads_to_its_summary_and_from_there_to_each_field(cast: Cast) -> None:
    page = opened(cast, "Robin", "/requests/{empty}/edit/name-and-purpose")
    write(namespace_identifier="x-ray", purpose="")(page)
    press("Save and continue")(page)
    summary = page.get_by_role("region", name="There are 4 problems")
    expect(summary).to_be_focused()
    for name in ("namespace_identifier", "purpose", "standard"):
        summary.locator(f"[href='#{name}']").press("Enter")
        expect(page.locator(f"#{name}")).to_be_focused()
    described = page.locator("#purpose").get_attribute("aria-describedby") or ""
    expect(page.locator(f"#{described.split()[0]}")).to_contain_text("Error: Enter the purpose.")
    page.close()


def test_a_review_without_an_outcome_leads_to_the_outcomes(cast: Cast) -> None:
    page = opened(cast, "Ellis", "/review/{experts}")
    press("Send review")(page)
    page.get_by_role("link", name="Choose an outcome.").press("Enter")
    expect(page.get_by_label("Approve", exact=True)).to_be_focused()
    page.close()


def test_the_form_of_a_review_is_seen_at_once(cast: Cast) -> None:
    page = opened(cast, "Emery", "/review/{again}")
    page.set_viewport_size({"width": 1280, "height": 800})
    for part in (page.get_by_role("button", name="Send review"), page.locator("#template")):
        expect(part).to_be_in_viewport(ratio=1)
    page.close()


def go_to(page: Page, role: Any, name: str) -> None:
    """Press the tab key as far as a control."""
    wanted = page.get_by_role(role, name=name).element_handle()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("one => one === document.activeElement", wanted):
            return
    raise AssertionError(f"The tab key does not lead to {name}.")


def test_a_comparison_is_turned_side_by_side_with_keys(cast: Cast) -> None:
    page = opened(cast, "", "/requests/{again}/diff")
    go_to(page, "link", "Side by side")
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="Text 2").first).to_be_visible()
    go_to(page, "link", "As text")
    page.keyboard.press("Enter")
    expect(page.get_by_text("+++ request-")).to_be_visible()
    page.close()


def test_the_last_look_shows_what_will_be_published_with_keys(cast: Cast) -> None:
    page = opened(cast, "Robin", "/requests/{draft}/check")
    summary = page.locator("summary", has_text="Template as plain text")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Namespace Identifier:", exact=False).last).to_be_visible()
    page.close()
