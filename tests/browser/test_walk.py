"""The main job, walked through in a browser from the first click to the registry."""

import json
import re
from http import HTTPStatus

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

ANSWERS = {
    "registrant": {
        "organization": "Quokka Society",
        "registrant": "Quokka Society, names@q.example",
    },
    "syntax": {"syntax": 'quokka-urn = "urn:quokka:" 1*DIGIT\n\nurn:quokka:7'},
    "assignment": {"assignment": "The society numbers them and never gives a number twice."},
    "safety-and-use": {
        "security_and_privacy": "None known.",
        "interoperability": "None known.",
        "resolution": "Not intended.",
    },
    "documents": {"documentation": "https://q.example/spec"},
}


def fill_in(page: Page, answers: dict[str, str]) -> None:
    for name, text in answers.items():
        page.locator(f"#{name}").fill(text)
    page.get_by_role("button", name="Save and continue").click()


def review(page: Page, number: str, outcome: str, words: str) -> None:
    page.goto(f"/review/{number}")
    page.get_by_label(outcome, exact=True).check()
    page.get_by_label("Message to the registrant").fill(words)
    page.get_by_role("button", name="Send review").click()
    expect(
        page.get_by_text(re.compile("You (approved this|requested|voted)")).first
    ).to_be_visible()


def act(page: Page, number: str, *buttons: str) -> None:
    page.goto(f"/requests/{number}")
    for button in buttons:
        page.get_by_role("button", name=button, exact=True).click()
        expect(page.get_by_text("Done.")).to_be_visible()


def send_request(page: Page, name: str, wrong: str) -> str:
    """Fill the form in with one mistake, see it named, mend it, send; gives the number."""
    page.get_by_role("button", name="Request a formal namespace").click()
    page.get_by_label("No", exact=True).check()
    first = {"namespace_identifier": wrong, "purpose": "Names for quokkas.", "title": "Quokkas"}
    fill_in(page, first)
    expect(page).to_have_title(re.compile(r"^Error: Name and purpose – Request \d+ – URN Reg"))
    summary = page.get_by_role("region", name="There is a problem")
    expect(summary).to_contain_text("start with two letters and a hyphen")
    summary.get_by_role("link").click()
    expect(page.locator("#namespace_identifier")).to_be_focused()
    fill_in(page, {"namespace_identifier": name})
    for section, answers in ANSWERS.items():
        expect(page).to_have_url(re.compile(f"/edit/{section}(#|$)"))
        fill_in(page, answers)
    expect(page.get_by_text("1*DIGIT").first).to_be_visible()
    page.get_by_role("button", name="Submit request").click()
    expect(page.get_by_text("was submitted. The operator checks it")).to_be_visible()
    return page.url.partition("#")[0].rsplit("/", 1)[1]


def test_a_namespace_is_asked_for_reviewed_registered_and_found(visit: Visit) -> None:
    registrant = visit("/requests/new", "Robin")
    number = send_request(registrant, "quokka", wrong="qu-okka")

    operator = visit(f"/requests/{number}", "Odell")
    act(operator, number, "Start the check", "Pass to the experts")

    expert = visit("/review/", "Ellis")
    review(expert, number, "Request changes", "Say who uses the names.")
    registrant.goto(f"/requests/{number}")
    expect(registrant.get_by_text("Say who uses the names.")).to_be_visible()
    registrant.get_by_role("link", name="Edit text").click()
    fill_in(registrant, {"purpose": "Names for quokkas, used by zoos on the Internet."})
    registrant.goto(f"/requests/{number}/check")
    registrant.get_by_role("button", name="Submit again").click()
    problem = registrant.get_by_role("link", name="has no answer")
    expect(problem).to_be_visible()
    registrant.get_by_label("I changed the text").check()
    registrant.get_by_label("Explanation").fill("The purpose says it now.")
    registrant.get_by_role("button", name="Submit again").click()
    expect(registrant.get_by_text("was submitted. Two experts must agree")).to_be_visible()

    look_at_answers(expert, number)
    review(expert, number, "Approve", "Now it is clear.")
    review(visit("/review/", "Emery"), number, "Approve", "I agree.")

    operator.goto(f"/desk/{number}/register")
    expect(operator.get_by_text("This cannot be undone.")).to_be_visible()
    operator.get_by_role("button", name="Register formal namespace").click()
    expect(operator.get_by_text("Registered. The next edition")).to_be_visible()

    find_it(visit("/"))


def look_at_answers(expert: Page, number: str) -> None:
    """What was asked, the answer and the change, on a phone too."""
    size = expert.viewport_size
    assert size
    expert.set_viewport_size({"width": 390, "height": 844})
    expert.goto(f"/review/{number}")
    expect(expert.get_by_text("The purpose says it now.")).to_be_visible()
    expect(expert.locator("#since ins").first).to_be_visible()
    expect(expert.get_by_text("Two experts must agree")).to_be_visible()
    widths = [expert.locator(f".review {part}").first for part in (".tpl", ".lines", ".decide")]
    assert all((one.bounding_box() or {"width": 0})["width"] > 340 for one in widths)
    expert.set_viewport_size(size)


def text_that_holds(page: Page, path: str, wanted: str) -> str:
    """Return the text at a path, once the site has read the edition that contains ``wanted``."""

    def text() -> str:
        answer = page.request.get(path)
        assert answer.status == HTTPStatus.OK
        return answer.text() if wanted in answer.text() else ""

    return wait_until(text)


def find_it(page: Page) -> None:
    """A visitor finds the new name everywhere, once the worker has published the edition."""
    registry = "/assignments/urn-namespaces/"

    def is_listed() -> bool:
        page.goto(registry)
        return page.locator("#quokka").count() > 0

    wait_until(is_listed)
    expect(page.locator("#quokka")).to_contain_text("Quokka Society")
    for file in ("urn-namespaces.xml", "urn-namespaces-1.csv", "urn-namespaces.txt"):
        assert "quokka" in text_that_holds(page, registry + file, "quokka"), file
    document = json.loads(text_that_holds(page, registry + "urn-namespaces.json", '"quokka"'))
    names = [record["name"] for table in document["tables"] for record in table["records"]]
    assert "quokka" in names
    template, line = "/assignments/urn-formal/quokka", "Namespace Identifier: quokka"
    assert line in text_that_holds(page, template, line)
    page.goto("/")
    page.get_by_label("Search the registry").fill("urn:QUOKKA:7")
    page.get_by_role("button", name="Search").click()
    expect(page).to_have_url(re.compile("/names/urn:quokka:7$"))
    page.goto("/urn:QUOKKA:7")
    expect(page).to_have_url(re.compile("/names/urn:quokka:7$"))  # it is not meant to be resolved
    page.locator("#page_main").get_by_role("link", name="urn:quokka:", exact=True).click()
    expect(page).to_have_url(re.compile("/namespaces/quokka$"))
    expect(page.get_by_text("used by zoos")).to_be_visible()
