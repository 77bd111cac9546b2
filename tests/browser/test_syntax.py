"""The way from a wrong grammar to a right one."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Cast, Visit

pytestmark = pytest.mark.browser

WRONG = """\
Names are made so:

  quoll-urn ::= "urn:quoll:" year [ "/" words ]
  year = 4DIGIT
  words = 1*( ALPHA / " " )

Such as urn:quoll:2030/brush-tailed.
"""


def test_a_wrong_grammar_is_made_right(visit: Visit) -> None:
    page = visit("/tools/")
    page.get_by_role("link", name="Syntax workbench").click()
    page.fill("#syntax", WRONG)
    page.get_by_role("button", name="Check syntax", exact=True).click()
    found = page.get_by_role("region", name="Findings")
    expect(found).to_contain_text("3 rules, 3 problems")
    expect(found).to_contain_text("words allows a space")
    found.get_by_role("link", name="Line 5").click()
    expect(page.locator("#line_5 mark")).to_have_text('" "')
    page.fill("#syntax", WRONG.replace("::=", "=").replace('" "', '"-"'))
    page.get_by_role("button", name="Check syntax", exact=True).click()
    expect(found).to_contain_text("3 rules, 0 problems")
    expect(page.get_by_role("region", name="Examples in the text")).to_contain_text("Matches")


def test_what_was_taken_is_corrected_and_studied(visit: Visit) -> None:
    page = visit("/tools/syntax")
    page.fill("#syntax", WRONG)
    page.get_by_role("button", name="Check syntax", exact=True).click()
    taken = page.get_by_label("Rules", exact=True)
    expect(taken).to_have_value(
        'quoll-urn = "urn:quoll:" year [ "/" words ]\nyear = 4DIGIT\nwords = 1*(ALPHA / " ")\n'
    )
    taken.fill('quoll-urn = "urn:quoll:" 4DIGIT')
    page.get_by_role("button", name="Check this grammar").click()
    expect(page.get_by_text("No errors found in these rules.")).to_be_visible()
    page.locator("summary", has_text="quoll-urn").click()
    expect(
        page.get_by_role("img", name='quoll-urn is "urn:quoll:", then DIGIT 4 times.')
    ).to_be_visible()


def test_an_expert_quotes_a_finding_into_the_review(cast: Cast) -> None:
    page = cast.browsers["Emery"].new_page()
    page.goto(f"/review/{cast.numbers['again']}")
    words = page.get_by_label("Message to the registrant")
    words.fill("Please look at this.")
    page.get_by_role("button", name="Quote line").first.click()
    expect(words).to_be_focused()
    expect(words).to_have_value(
        re.compile(r"Please look at this\.\n\n> Syntax, line \d+: .+\n\n.+\(RFC .+\)")
    )
    page.close()


@pytest.mark.parametrize("width", [390, 1280, 1440, 1920])
def test_a_wide_page_begins_where_every_page_does(visit: Visit, width: int) -> None:
    page = visit("/tools/syntax")
    page.set_viewport_size({"width": width, "height": 800})
    begins = [
        page.locator(part).first.bounding_box() for part in (".brand", "h1", ".site-foot span")
    ]
    assert len({round(box["x"]) for box in begins if box}) == 1
    room = page.evaluate("[document.body.scrollWidth, document.documentElement.clientWidth]")
    assert room[0] <= room[1]
    main = page.locator("body > .wrap-wide").bounding_box()
    assert main
    assert main["x"] + main["width"] <= width
