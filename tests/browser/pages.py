"""Every page of the site, and whose it is: the rows that the tests of pages loop over."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page

from tests.browser.people import Person
from tests.waiting import wait_until

Do = Callable[[Page], object]


def press(name: str) -> Do:
    """Press a button that leads to a page, and wait for it: a click may be over before."""
    return lambda page: _follow(page, page.get_by_role("button", name=name, exact=True))


def _follow(page: Page, way: Locator) -> None:
    with page.expect_navigation():
        way.click()


def open_up(name: str) -> Do:
    """Open what is folded away."""
    return lambda page: page.locator("summary", has_text=name).first.click()


def write(**texts: str) -> Do:
    """Fill in fields."""

    def fill(page: Page) -> None:
        for name, text in texts.items():
            page.fill(f"#{name}", text)

    return fill


def save_elsewhere(page: Page) -> None:
    """Save the page's section in another window."""
    Person(page.context).send(urlsplit(page.url).path, assignment="Written in another window.")


def sign_out(page: Page) -> None:
    """Let the session run out, unnoticed."""
    page.wait_for_load_state("networkidle")
    page.context.clear_cookies()


def sign_in_again(page: Page) -> None:
    """Come back as the registrant."""
    _follow(page, page.get_by_role("button", name="Robin"))


@dataclass(frozen=True)
class Seen:
    """A page as somebody sees it, after they did something there or nothing.

    ``alone``: in a browser of its own, since it signs out.
    """

    path: str
    who: str = ""
    do: tuple[Do, ...] = field(default=(), repr=False)
    why: str = ""
    alone: bool = False

    @property
    def name(self) -> str:
        """What the test of it is called."""
        return " ".join(part for part in (self.who or "Anybody", self.path, self.why) if part)

    @property
    def writes_draft(self) -> bool:
        """Whether somebody writes in a form that saves itself, which keeps the text in its tab."""
        return bool(self.do) and self.path.startswith("/requests/{") and self.path.count("/") > 2


def _study(page: Page) -> None:
    """Study the grammar that the page gives as an example, and look at its pictures."""
    _follow(page, page.get_by_role("link", name="Try this example"))
    for summary in page.locator("details:has(figure) > summary").all():
        summary.click()


def _check(page: Page) -> None:
    """Check a grammar that has something wrong with it."""
    write(syntax='name ::= "urn:wombat:" 1*(ALPHA / " ")')(page)
    press("Check grammar")(page)


_SECTIONS = ("registrant", "syntax", "assignment", "safety-and-use", "documents")
_STATES = ("new", "checking", "experts", "returned", "assignable", "registered", "declined")
_NAME = "/requests/{empty}/edit/name-and-purpose"
_WRONG = write(namespace_identifier="un-wmo", purpose="")
_TO_BOTH = (save_elsewhere, write(assignment="Written here."), press("Save and continue"))
_MISSPELT = (write(name="isbns", date="2001-01", reason="It was misspelt."),)
_TEMPLATE = 'Dear all,\n\nNamespace ID: "dev" requested\n\nPurpose: to try it.\n\nSyntax:\n\n  any'
_TO_SIGN_IN = (sign_out, press("Save and continue"))

PAGES = (
    Seen("/"),
    Seen("/namespaces/isbn"),
    Seen("/namespaces/isbm"),
    Seen("/namespaces/uk-mail"),
    Seen("/namespaces/urn-99"),
    Seen("/namespaces/quokka-registered/requests"),
    Seen("/namespaces/quokka-registered/diff?from=1&to=1"),
    Seen("/namespaces/isbn/versions/1"),
    Seen("/requests/{again}/diff"),
    Seen("/requests/{again}/diff?view=sides"),
    Seen("/assignments/urn-namespaces/?q=wi&sort=date", do=(open_up("Year"),), why="narrowed"),
    Seen("/assignments/urn-namespaces/?kind=informal&year=none&q=nothing"),
    Seen("/namespaces/quokka-registered", "Robin"),
    Seen("/?q=urn:not_this:x"),
    Seen("/?q=book+numbers"),
    Seen("/?q=xyzzyq"),
    Seen("/?q=ark:/12345/x54xz321"),
    Seen("/assignments/urn-formal/isbn"),
    Seen("/tools/"),
    Seen("/tools/urn"),
    Seen("/tools/urn?q=urn:isbn:1%0AURN:ISBN:1?%2Br?=q%23f%0Aurn:numbat:1%0Aurn:isbn:a%20b"),
    Seen("/tools/nid"),
    Seen("/tools/nid?q=numbat+isbn+uk-mail+d0i+ad-id"),
    Seen("/tools/nid", do=(write(q="See urn:isbn:1."), press("Find URNs")), why="in a text"),
    Seen("/tools/ark"),
    Seen(
        "/tools/ark?q=ark:12345/x5-4xz321%0AARK:/12345/x54xz321?info%0Aark:/99999/%D9%83"
        "%0Aark:/12148/btv1b8449691v/f29%0Aark:99166/w6qx54%0Aark:12184/x%0Aark:83025/x",
        why="asked",
    ),
    Seen("/tools/syntax"),
    Seen("/tools/syntax", do=(_study,), why="studied"),
    Seen(
        "/tools/syntax", do=(write(syntax="Words."), press("Check syntax")), why="without a grammar"
    ),
    Seen("/tools/syntax?nid=a_b&q=a", why="mistaken"),
    Seen("/tools/template"),
    Seen("/tools/template", do=(press("Check template"),), why="empty"),
    Seen("/tools/template", do=(write(text=_TEMPLATE), press("Check template")), why="read"),
    Seen("/editions/"),
    Seen("/editions/1/"),
    Seen("/editions/2/", "Robin"),
    Seen("/editions/compare?from=1&to=2"),
    Seen("/editions/compare?from=one&to=2", why="mistaken"),
    Seen("/appointments/"),
    Seen("/resolvers/"),
    Seen("/namespaces/isbn/resolvers"),
    Seen("/help/"),
    Seen("/help/registering"),
    Seen("/help/try"),
    Seen("/help/glossary"),
    Seen("/help/minting"),
    Seen("/help/checking"),
    Seen("/help/reviewing"),
    Seen("/help/downloading"),
    Seen("/help/ark"),
    Seen("/help/which"),
    Seen("/help/which?answers=nn"),
    Seen("/help/which?answers=nny"),
    Seen("/help/procedures"),
    Seen("/help/procedures", "Robin", (open_up("as a table"),), "as a table"),
    Seen("/nothing/here"),
    Seen("/sign-in"),
    Seen("/sign-in", do=(write(email="nobody"), press("Send sign-in link")), why="mistaken"),
    Seen("/sign-in", do=(write(email="a@b.example"), press("Send sign-in link")), why="sent"),
    Seen("/sign-in/no-such-link"),
    Seen("/account", "Odell"),
    Seen("/requests/"),
    Seen("/requests/pending"),
    Seen("/requests/decided"),
    Seen("/requests/yours", "Robin"),
    Seen("/requests/", "Robin"),
    Seen("/requests/new"),
    Seen("/requests/new", "Robin"),
    *(Seen(f"/requests/{{{state}}}") for state in (*_STATES, "withdrawn", "again", "informal")),
    Seen("/requests/{again}/iterations/1"),
    Seen(_NAME, "Robin"),
    Seen(_NAME, "Robin", (_WRONG, press("Save and continue")), "mistaken"),
    Seen("/requests/{empty}/edit/safety-and-use", "Robin", (press("Save and continue"),), "empty"),
    Seen("/requests/{draft}/edit/name-and-purpose", "Robin"),
    *(Seen(f"/requests/{{draft}}/edit/{section}", "Robin") for section in _SECTIONS),
    Seen("/requests/{draft}/edit/assignment", "Robin", _TO_BOTH, "saved elsewhere"),
    Seen("/requests/{returned}/edit/syntax", "Robin", (press("Preview"),), "previewed"),
    Seen("/requests/{draft}/edit/syntax", "Robin", (_check,), "checked"),
    Seen("/requests/{draft}/edit/syntax", "Robin", _TO_SIGN_IN, "signed out", alone=True),
    Seen(
        *("/requests/{draft}/edit/registrant", "Robin", (*_TO_SIGN_IN, sign_in_again)),
        *("signed in again", True),
    ),
    Seen("/requests/{draft}/check", "Robin", (open_up("Delete draft"),)),
    Seen("/requests/{returned}/check", "Robin"),
    Seen("/requests/{returned}/check", "Robin", (press("Submit again"),), "unchanged"),
    Seen("/requests/{returned}", "Robin", (open_up("Withdraw"),)),
    Seen("/requests/{again}", "Emery"),
    Seen("/requests/{new}", "Odell"),
    Seen(
        "/requests/{checking}",
        "Odell",
        (open_up("Request changes"), press("Request changes")),
        "mistaken",
    ),
    Seen("/requests/{assignable}", "Odell", (open_up("Reopen"),)),
    Seen("/requests/{experts}", "Ellis", (open_up("Recuse"), press("Recuse yourself")), "mistaken"),
    Seen("/requests/{checking}", "Odell", (open_up("Add a note"),)),
    Seen("/requests/{experts}", "Odell"),
    Seen("/requests/{declined}", "Robin", (open_up("Appeal to the governing body"),)),
    Seen("/requests/{returned}", "Robin", (open_up("Ask for a different procedure"),), "another"),
    Seen("/review/you", "Ellis"),
    Seen("/review/you", "Ellis", (press("Add absence"),), "mistaken"),
    Seen("/desk/experts", "Odell"),
    Seen("/desk/experts", "Odell", (press("Appoint expert"),), "mistaken"),
    Seen("/desk/organizations/", "Odell"),
    Seen("/desk/organizations/", "Odell", (press("Add organization"),), "mistaken"),
    Seen("/desk/mail/", "Odell"),
    Seen("/desk/status/", "Odell"),
    Seen("/requests/{experts}", "Emery", (press("Post comment"),), "says nothing"),
    Seen("/requests/{experts}", "Robin", (open_up("On one section"),), "discussed"),
    Seen("/desk/replies", "Odell"),
    Seen("/desk/replies", "Odell", (press("Add reply text"),), "mistaken"),
    Seen("/review/", "Ellis"),
    Seen("/review/{experts}", "Ellis"),
    Seen("/review/{experts}", "Ellis", (open_up("questions"), press("Send review")), "mistaken"),
    Seen("/review/{again}", "Ellis"),
    Seen("/review/{again}", "Emery", (open_up("questions"),)),
    Seen("/desk/", "Odell"),
    Seen("/desk/{assignable}/register", "Odell"),
    Seen(
        *("/desk/{assignable}/register", "Odell"),
        *((write(reference="nowhere"), press("Register formal namespace")), "mistaken"),
    ),
    Seen("/namespaces/quokka-registered/revise", "Robin"),
    Seen("/requests/{revision}/revision", "Robin"),
    Seen("/requests/{revision}/edit/documents", "Robin"),
    Seen("/requests/{revision}/check", "Robin"),
    Seen("/namespaces/quokka-registered/people", "Robin", (open_up("Leave"),)),
    Seen(
        *("/namespaces/quokka-registered/people", "Robin"),
        *((write(address="nobody"), press("Send invitation")), "mistaken"),
    ),
    Seen("/requests/{revision}/people", "Robin"),
    Seen("/requests/{draft}/people", "Robin", (open_up("Leave"), press("Leave")), "mistaken"),
    Seen("/namespaces/isbn/claim"),
    Seen("/namespaces/isbn/claim", "Robin"),
    Seen("/namespaces/quokka-registered/claim", "Ellis", (press("Send claim"),), "mistaken"),
    Seen("/namespaces/quokka-registered/transfer", "Robin"),
    Seen(
        *("/namespaces/quokka-registered/transfer", "Robin"),
        *((press("Request transfer"),), "mistaken"),
    ),
    Seen("/namespaces/doi/transfer", "Emery", (press("Stop transfer"),), "mistaken"),
    Seen("/namespaces/doi/people", "Odell"),
    Seen("/links/no-such-link"),
    Seen("/desk/claims/", "Odell"),
    Seen("/desk/claims/{claim}", "Odell"),
    Seen("/desk/claims/{claim}", "Odell", (press("Save decision"),), "mistaken"),
    Seen("/desk/claims/{transfer}", "Odell"),
    Seen("/desk/names/isbn", "Odell"),
    Seen("/desk/names/isbn", "Odell", (press("Record dispute or appeal"),), "nothing noted"),
    Seen("/desk/names/isbn", "Odell", (*_MISSPELT, press("Preview changes")), "looked at"),
    Seen("/desk/names/urn-1", "Odell", (write(date="soon"), press("Preview changes")), "mistaken"),
    Seen("/desk/registry", "Odell"),
    Seen("/desk/people/", "Odell"),
    Seen("/desk/people/", "Odell", (press("Preview changes"),), "mistaken"),
    Seen("/desk/people/Juha_Hakala", "Odell"),
    Seen("/requests/", "Odell", (lambda page: page.goto("/review/"),), "not theirs"),
)


def mailed_link(console: Path, address: str) -> str:
    """Return the newest one-time link that the site printed for an address."""
    wanted = re.compile(rf"mail to {re.escape(address)}:[^<]*?://[^/\s]+(/(?:sign-in|links)/\S+)")
    return str(wait_until(lambda: wanted.findall(console.read_text()))[-1])
