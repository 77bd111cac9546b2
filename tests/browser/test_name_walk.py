"""From a prefix to a name that leads on, and its end, walked through in a browser."""

import re
from http import HTTPStatus
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.test_pages import look_at, shape_of
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

TARGET = "https://wombat.example/boats/1"


def await_answer(page: Page, name: str, status: int) -> str:
    """Return the redirect target of a name, once the worker has copied the change."""

    def location() -> tuple[str] | None:
        answer = page.request.get(f"/{name}", max_redirects=0)
        return (answer.headers.get("location", ""),) if answer.status == status else None

    return wait_until(location)[0]


def stands_beside(page: Page, one: str, other: str) -> bool:
    """Whether a part of a page stands right of another where there is room, and begins above it."""
    page.set_viewport_size({"width": 1280, "height": 800})
    boxes = [
        page.get_by_role("heading", name=part, exact=True).bounding_box() for part in (one, other)
    ]
    (right, above), (left, below) = ((box["x"], box["y"]) for box in boxes if box)
    return right > left + 600 and above < below


def test_a_name_is_given_leads_on_and_is_withdrawn(visit: Visit, shots: Path) -> None:
    page = visit("/prefixes/?prefix=urn:example:boats:", "Odell")
    expect(page.get_by_label("Prefix", exact=True)).to_have_value("urn:example:boats:")
    page.get_by_label("Mask").fill("sequence4")
    page.get_by_role("button", name="Show examples").click()
    expect(page.get_by_role("status")).to_contain_text("urn:example:boats:0003")
    page.get_by_label("Mask").fill("sequence6")
    page.get_by_role("button", name="Add prefix").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("urn:example:boats:")
    page.get_by_label("How many").fill("2")
    page.get_by_role("button", name="Mint identifiers").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("2 identifiers minted")
    page.get_by_role("link", name=re.compile("^urn:example:boats:")).last.click()
    page.get_by_label("Target", exact=True).fill("boats")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("region", name="There is a problem")).to_contain_text("full address")
    page.get_by_label("Target", exact=True).fill(TARGET)
    page.get_by_label("What", exact=True).fill("A boat")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("Version 2")).to_be_visible()
    name = page.get_by_role("heading", level=1).inner_text()
    assert await_answer(page, name, HTTPStatus.FOUND) == TARGET
    page.get_by_text("Withdraw this identifier").click()
    page.get_by_label("Reason").fill("It sank.")
    page.get_by_role("button", name="Withdraw identifier").click()
    expect(page.locator(".status")).to_contain_text("Withdrawn on")
    await_answer(page, name, HTTPStatus.GONE)
    assert [*shape_of(page), *look_at(page, "a name of a holder", shots)] == []
    page.get_by_role("link", name="urn:example:boats:", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("urn:example:boats:")
    assert [*shape_of(page), *look_at(page, "a prefix", shots)] == []
    assert stands_beside(page, "Settings", "All identifiers")
    page.get_by_role("link", name=name).click()
    page.get_by_role("link", name="Public page").click()
    expect(page.get_by_role("main")).to_contain_text("It sank.")
    page.get_by_role("link", name="Other identifiers under urn:example:boats:").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Identifiers under urn:example:boats:"
    )
    row = page.get_by_role("row", name=name)
    expect(row).to_contain_text("Withdrawn")
    expect(row).to_contain_text("A boat")
    assert [*shape_of(page), *look_at(page, "a list of names", shots)] == []


def test_a_prefix_ends_only_once_it_was_shown_what_that_means_and_everybody_reads_it(
    visit: Visit, shots: Path
) -> None:
    page = visit("/prefixes/?prefix=urn:example:ships:", "Odell")
    page.get_by_text("More settings").click()
    page.get_by_label("Owner’s name").fill("Baltic Port Authority")
    page.get_by_role("button", name="Add prefix").click()
    page.get_by_role("link", name="Change settings and people").click()
    page.get_by_label("Reason").fill("The harbour is closed.")
    page.get_by_role("button", name="Review and close").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Close urn:example:ships:?")
    expect(page.get_by_role("main")).to_contain_text("can’t undo")
    page.get_by_role("link", name="Cancel").click()
    page.get_by_label("Reason").fill("The harbour is closed.")
    page.get_by_role("button", name="Review and close").click()
    page.get_by_role("button", name="Close prefix").click()
    expect(page.get_by_text("Prefix closed.", exact=True)).to_be_visible()
    expect(page.get_by_label("Reason")).to_have_count(0)
    row = page.get_by_role("row", name="urn:example:ships:")

    def is_listed_as_ended() -> bool:
        page.goto("/names/under/urn:example:")
        return bool(row.count()) and "Closed" in row.inner_text()

    wait_until(is_listed_as_ended)
    expect(row).to_contain_text("Baltic Port Authority")
    assert [*shape_of(page), *look_at(page, "a list of prefixes", shots)] == []
