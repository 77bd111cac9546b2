"""What the style sheet promises: guidance that folds, pills on the line, cards with room."""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.people import Person

pytestmark = pytest.mark.browser

PHONE = 844  # pixels of its height
BASELINES = """(row) => {
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT), bottoms = [];
  while (texts.nextNode()) {
    if (!texts.currentNode.data.trim()) continue;
    const mark = document.createElement("span");
    mark.style.cssText = "display: inline-block; width: 0; height: 0";
    texts.currentNode.after(mark);
    bottoms.push(mark.getBoundingClientRect().bottom);
    mark.remove();
  }
  return bottoms;
}"""

# as for somebody for whom much waits: an entry for each word, in place of one, with its number
WAITING = """(entry, words) => {
  for (const [word, count] of words.map(one => one.split(/ (?=[0-9])/))) {
    const more = entry.cloneNode(true), link = more.querySelector("a");
    link.textContent = word;
    if (count) link.insertAdjacentHTML("beforeend", ` <span class="count">${count}</span>`);
    entry.before(more);
  }
  entry.remove();
}"""
# whether a link is within the window, and at each of its ends nothing else is pressed
WITHIN = """link => {
  const box = link.getBoundingClientRect(), middle = (box.top + box.bottom) / 2;
  const ends = [box.left + 2, box.right - 2].map(x => document.elementFromPoint(x, middle));
  const nav = link.closest("nav");
  return [box.left >= 0 && box.right <= innerWidth && nav.scrollWidth <= nav.clientWidth,
          ends.every(one => link.contains(one))];
}"""


def _form(browser: Browser, site: str, *, scripts: bool, width: int) -> Page:
    """The first section of a new request."""
    context = browser.new_context(
        base_url=site,
        java_script_enabled=scripts,
        viewport={"width": width, "height": PHONE},
    )
    number = Person(context, "Robin").start()
    page = context.new_page()
    page.goto(f"/requests/{number}/edit/name-and-purpose")
    return page


def _points(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Purpose: guidance").locator("li").first


def test_guidance_is_folded_on_a_phone_and_opens_without_script(
    browser: Browser, site: str
) -> None:
    page = _form(browser, site, scripts=False, width=390)
    box = page.locator("#namespace_identifier").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= PHONE, "the first field is on the first screen"
    expect(_points(page)).to_be_hidden()
    page.get_by_text("Points that experts check").locator("visible=true").nth(1).click()
    expect(_points(page)).to_be_visible()
    page.context.close()


def test_guidance_stands_open_beside_its_field_where_there_is_room(
    browser: Browser, site: str
) -> None:
    page = _form(browser, site, scripts=True, width=1280)
    expect(_points(page)).to_be_visible()
    expect(page.locator(".guide summary").first).to_be_hidden()
    field, guide = page.locator("#purpose").bounding_box(), _points(page).bounding_box()
    assert field is not None
    assert guide is not None
    assert guide["x"] > field["x"] + field["width"]
    page.context.close()


def test_a_pill_stands_on_the_line_of_the_words_beside_it(browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto("/help/")
    page.evaluate("""() => {
      const pill = document.createElement("span");
      pill.className = "tag ok";
      pill.innerHTML = `<svg class="icon" width="18" height="18"></svg> Done`;
      const row = document.createElement("p");
      row.id = "row";
      row.append(pill, " beside it");
      document.querySelector("main").append(row);
    }""")
    pill, words = page.locator("#row").evaluate(BASELINES)
    assert abs(pill - words) < 1
    context.close()


def test_no_fact_in_the_card_beside_a_name_is_broken_within_a_word(
    browser: Browser, site: str
) -> None:
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    for name in ("isbn", "c2pa", "3gpp"):
        page.goto(f"/namespaces/{name}")
        for link in page.locator(".about .facts a").all():
            height = link.evaluate("one => one.getClientRects().length")
            assert height == 1, (name, link.text_content())
    context.close()


def test_on_a_phone_every_entry_of_the_header_is_seen_and_pressed_whole(
    browser: Browser, site: str
) -> None:
    context = browser.new_context(base_url=site, viewport={"width": 390, "height": PHONE})
    Person(context, "Odell")
    page = context.new_page()
    page.goto("/namespaces/isbn")
    entries = page.get_by_role("navigation", name="Main").get_by_role("listitem")
    entries.last.evaluate(WAITING, ["Your identifiers", "Review 12", "Desk 13"])
    for entry in entries.get_by_role("link").all():
        seen = entry.evaluate(WITHIN)
        assert seen == [True, True], (entry.text_content(), seen)
    begins = page.locator("h1").bounding_box()
    assert begins is not None
    assert begins["y"] <= 150
    context.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_what_was_just_done_stands_whole_above_the_title_of_the_first_page(
    browser: Browser, site: str, width: int
) -> None:
    context = browser.new_context(base_url=site, viewport={"width": width, "height": PHONE})
    page = context.new_page()
    page.goto("/sign-in")
    page.get_by_role("button", name="Odell").click()
    page.wait_for_url("/desk/")
    page.goto("/account")
    page.locator("form[action='/sign-out'] button").first.click()
    page.wait_for_url("/")
    told, title = (page.locator(one).bounding_box() for one in (".flash", "h1"))
    assert told and title
    assert told["y"] + told["height"] <= title["y"]
    context.close()
