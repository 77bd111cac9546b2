"""A comment goes out by mail, and the answer that comes back stands below it."""

import subprocess
from email.message import EmailMessage
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import COMMAND, Cast, Visit
from tests.waiting import wait_until

pytestmark = pytest.mark.browser


def wait_for(console: Path, words: str) -> str:
    """Return the console's output once it contains these words."""
    wait_until(lambda: words in console.read_text())
    return console.read_text()


@pytest.mark.slow
def test_a_comment_goes_out_by_mail_and_the_reply_stands_in_the_thread(
    visit: Visit, cast: Cast, console: Path, environment: dict[str, str]
) -> None:
    number = cast.numbers["experts"]
    page = visit(f"/requests/{number}", "Robin")
    page.fill("#comment", "Zoos in `Perth` use the names.")
    page.locator("summary", has_text="On one section").click()
    page.get_by_role("radio", name="Purpose").check()
    page.get_by_role("button", name="Post comment").click()
    expect(page.locator("article.msg").last).to_contain_text("on Purpose")
    expect(page.locator("article.msg code").last).to_have_text("Perth")
    printed = wait_for(console, "Zoos in `Perth` use the names.")
    assert f"mail to expert@demo.example: Comment: quokka-experts [urn {number}]" in printed
    reply = EmailMessage()
    reply["Authentication-Results"] = "mx.example; dmarc=pass header.from=demo.example"
    reply["From"], reply["To"] = "Ellis <expert@demo.example>", "reply@registry.example"
    reply["Subject"], reply["Message-ID"] = f"Re: [urn {number}] quokka", "<1@home.example>"
    reply.set_content("And in Sydney?\n\nRobin wrote:\n> Zoos in Perth use the names.\n")
    done = subprocess.run(
        [*COMMAND, "mail", "ingest"],
        input=reply.as_bytes(),
        env=environment | {"URN_REGISTRY_AUTHSERV_ID": "mx.example", "URN_REGISTRY_DEMO": "yes"},
        capture_output=True,
        check=True,
    )
    assert done.stderr.decode().startswith(f"comment {number}")
    page.reload()
    answer = page.locator("article.msg").last
    expect(answer).to_contain_text("An expert, by e-mail, verified by mx.example (DMARC)")
    expect(answer).to_contain_text("And in Sydney?")
    answer.locator("summary", has_text="Quoted text").click()
    expect(answer).to_contain_text("> Zoos in Perth use the names.")
