"""From the request for a NAAN to an ARK that leads on, walked through in a browser."""

import re
from http import HTTPStatus

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

TARGET = "https://wombat.example/ark:${content}"


def go_on(page: Page, **answers: str) -> None:
    for name, text in answers.items():
        page.locator(f"#{name}").fill(text)
    page.get_by_role("button", name="Save and continue").click()


def send_request(page: Page) -> str:
    """Fill the form in with one mistake, see it named, mend it, send; gives the number."""
    page.get_by_role("button", name="Request a NAAN").click()
    expect(page.get_by_text("valid only on this site")).to_be_visible()
    page.get_by_label("Not for profit", exact=True).check()
    go_on(page, organization="Wombat Library", web_address="wombat.example", **CONTACT)
    summary = page.get_by_role("region", name="There is a problem")
    expect(summary).to_contain_text("Web address: ")
    summary.get_by_role("link").click()
    expect(page.locator("#web_address")).to_be_focused()
    expect(page.get_by_label("Not for profit", exact=True)).to_be_checked()
    go_on(page, web_address="https://wombat.example/")
    expect(page).to_have_url(re.compile("/edit/assignment(#|$)"))
    page.get_by_label("Never given again (NR)").check()
    page.get_by_label("Opaque (OP)").check()
    go_on(page, tenure="2026")
    expect(page).to_have_url(re.compile("/edit/safety-and-use(#|$)"))
    go_on(page, target=TARGET)
    page.get_by_role("button", name="Submit request").click()
    expect(page.get_by_text("was submitted. The operator checks it")).to_be_visible()
    return page.url.partition("#")[0].rsplit("/", 1)[1]


CONTACT = {"naan_contact": "Robin Registrant", "naan_address": "robin@wombat.example"}


def redirect_of(page: Page, path: str) -> str:
    """Return the redirect target of an ARK, once the worker has published the edition."""

    def location() -> str | None:
        answer = page.request.get(path, max_redirects=0)
        return answer.headers["location"] if answer.status == HTTPStatus.FOUND else None

    return wait_until(location)


def test_a_naan_is_asked_for_registered_and_leads_on(visit: Visit) -> None:
    number = send_request(visit("/requests/new?kind=naans-1", "Robin"))
    operator = visit(f"/requests/{number}", "Odell")
    operator.get_by_role("button", name="Start the check", exact=True).click()
    expect(operator.get_by_text("Done.")).to_be_visible()
    operator.get_by_role("link", name="Register", exact=True).click()
    expect(operator.get_by_text("This cannot be undone.")).to_be_visible()
    operator.get_by_role("button", name="Register NAAN", exact=True).click()
    expect(operator.get_by_text("Registered. The next edition")).to_be_visible()
    found = re.search(r"ark:(x\w{4})", operator.get_by_role("heading", level=1).inner_text())
    assert found is not None
    where = redirect_of(operator, f"/ark:/{found[1].upper()}/a-b")
    assert where == f"https://wombat.example/ark:{found[1]}/ab"
