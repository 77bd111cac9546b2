"""Every page as the person who sees it: at two widths, in light and dark, with mistakes shown.

Rules that need a look by axe take nearly all of the time: each page is looked at in one width and
one scheme of colours, neighbours in another, and each in all of them by `make torture`.
"""

import gzip
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    expect,
)

from tests.browser.conftest import Cast
from tests.browser.pages import PAGES, Seen, mailed_link, press, write
from tests.browser.people import Person
from tests.torture.conftest import some

pytestmark = pytest.mark.browser

WIDTHS = (1280, 320)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LOOKS = tuple((width, scheme) for width in WIDTHS for scheme in SCHEMES)
RULES: dict[str, Any] = {"resultTypes": ["violations"]}
# the scheme changes colours and nothing else
COLOURS = RULES | {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
RUN_AXE = "rules => axe.run(rules).then(found => found.violations)"
TOO_WIDE = """[...document.querySelectorAll("main *")]
  .filter(one => one.getBoundingClientRect().right > innerWidth + 1)
  .slice(-3).map(one => one.outerHTML.slice(0, 200))"""
# the heading, unless what was just done, or what is wrong, is told above it
FIRST_SEEN = """() => document.querySelector("main :is(h1, .flash, #page_problems)")
  .getBoundingClientRect().top + scrollY"""
LARGEST_PAGE = 10_000  # octets as they travel
LARGEST_STYLE = 30_000  # as it is written, in all style sheets together
LARGEST_FONTS = 100_000  # all of them; a page fetches those whose letters it has
LARGEST_SCRIPTS = 5_700  # of one page, which loads no others
# By how much what stands where, but for less than a thousandth: a letter of another font, unseen.
SHIFTED = """() => new Promise(done => {
  const seen = [];
  new PerformanceObserver(list => {
    for (const shift of list.getEntries()) if (!shift.hadRecentInput && shift.value >= 0.0005)
      seen.push([shift.value, ...shift.sources.map(one => one.node?.outerHTML?.slice(0, 80))]);
  }).observe({type: "layout-shift", buffered: true});
  requestAnimationFrame(() => setTimeout(() => done(seen), 50));
})"""
STATIC = Path(__file__).resolve().parents[2] / "static"

Tabs = dict[BrowserContext, Page]


@pytest.fixture(scope="session")
def tabs() -> Tabs:
    """In which tab each browser looks at one page after another.

    A new tab is a process, and takes longer than to look at the page in it.
    """
    return {}


@contextmanager
def opened(
    context: BrowserContext, wrong: list[object], tabs: Tabs | None = None
) -> Iterator[Page]:
    """A page in a tab of its own, or the browser's; what it complains about is noted."""
    page = (tabs or {}).get(context) or context.new_page()
    if tabs is not None:
        tabs[context] = page

    def note(message: ConsoleMessage) -> None:
        # a page that is an error in itself is meant
        refused = message.text.startswith("Failed to load resource")
        if not (refused and message.location["url"].split("#")[0] == page.url.split("#")[0]):
            wrong.append((message.type, message.text))

    def note_request(request: Request) -> None:
        if urlsplit(request.url).hostname not in {"127.0.0.1", None}:
            wrong.append(f"loads {request.url}")

    def note_error(error: object) -> None:
        wrong.append(str(error))

    page.on("console", note)
    page.on("request", note_request)
    page.on("pageerror", note_error)
    try:
        yield page
    finally:
        page.remove_listener("console", note)
        page.remove_listener("request", note_request)
        page.remove_listener("pageerror", note_error)
        if tabs is None:
            page.close()


@contextmanager
def browser_of(seen: Seen, cast: Cast, browser: Browser, site: str) -> Iterator[BrowserContext]:
    """The browser of whoever sees a page."""
    if not seen.alone:
        yield cast.browsers[seen.who]
        return
    context = browser.new_context(base_url=site)
    Person(context, seen.who)
    yield context
    context.close()


def look_at(page: Page, name: str, shots: Path, place: int = 0) -> Iterator[object]:
    """What is wrong with a page at its widths and in its schemes: those of its place."""
    page.evaluate(Axe().axe_script)
    looked: set[int] = set()
    for width, scheme in some(LOOKS, len(LOOKS), place):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate(RUN_AXE, COLOURS if width in looked else RULES)
        looked.add(width)
        yield from ((width, scheme, one["id"], one["nodes"]) for one in found)
        if os.environ.get("SHOTS"):
            file = re.sub(r"[^A-Za-z0-9-]+", "-", name)
            page.screenshot(path=shots / f"{file}-{width}-{scheme}.png", full_page=True)
    page.set_viewport_size({"width": 390, "height": 844})
    if page.evaluate(FIRST_SEEN) > 150:
        yield ("begins too far down on a phone", page.evaluate(FIRST_SEEN))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            yield (width, "scrolls sideways", page.evaluate(TOO_WIDE))


def travels_light(page: Page, answer: Response) -> bool:
    """Whether a page is as small as promised: as it travelled, or as a server in front packs it."""
    if answer.header_value("content-encoding"):
        size = page.evaluate("performance.getEntriesByType('navigation')[0].encodedBodySize")
    else:
        size = len(gzip.compress(page.content().encode()))
    return bool(size <= LARGEST_PAGE)


def shape_of(page: Page) -> Iterator[object]:
    """What is wrong with a page at any width."""
    try:
        # A click doesn't wait for the page that it asks for: until then there is no heading.
        expect(page.locator("h1")).to_have_count(1)
    except AssertionError:
        yield "not exactly one h1"
    if not re.fullmatch(r".+ – URN Registry", page.title()):
        yield f"the title {page.title()!r}"
    here = urlsplit(page.url).path
    if page.locator(f".crumbs a[href='{here}']").count():
        yield "a breadcrumb that leads to the page itself"
    has_errors = page.locator("[aria-invalid=true], .field.bad, #page_problems").count() > 0
    if has_errors != page.title().startswith("Error: "):
        yield "a title that does not tell of the errors"


@pytest.mark.parametrize("seen", PAGES, ids=lambda seen: seen.name)
def test_a_page_is_sound_for_whoever_sees_it(
    seen: Seen, cast: Cast, browser: Browser, site: str, shots: Path, tabs: Tabs
) -> None:
    wrong: list[object] = []
    tab = None if seen.alone or seen.writes_draft else tabs
    with browser_of(seen, cast, browser, site) as context, opened(context, wrong, tab) as page:
        answer = page.goto(seen.path.format(**cast.numbers))
        shifted = page.evaluate(SHIFTED)
        wrong += [("shifts by", *shift) for shift in shifted]
        wrong += [] if answer is None or travels_light(page, answer) else ["larger than it may be"]
        for do in seen.do:
            do(page)
        page.wait_for_load_state()
        wrong += [*shape_of(page), *look_at(page, seen.name, shots, PAGES.index(seen))]
        if len(gzip.compress(page.content().encode())) > LARGEST_PAGE:
            wrong.append("larger than it may be")
    assert wrong == []


def test_what_is_published_travels_packed(browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site)
    page = context.new_page()
    for path in ("/", "/assignments/urn-namespaces/", "/namespaces/isbn", "/editions/1/"):
        answer = page.goto(path)
        assert answer is not None
        assert answer.header_value("content-encoding") in {"br", "gzip", "zstd"}, path
    context.close()


def test_style_and_scripts_travel_light() -> None:
    sizes = {file.name: len(gzip.compress(file.read_bytes())) for file in STATIC.iterdir()}
    assert sum(sheet.stat().st_size for sheet in STATIC.rglob("*.css")) <= LARGEST_STYLE
    assert sum(size for name, size in sizes.items() if name.endswith(".woff2")) <= LARGEST_FONTS
    for template in STATIC.parent.joinpath("templates").rglob("*.html"):
        scripts = re.findall(r"static\('([a-z]+\.js)'\)", template.read_text())
        assert bool(scripts) is (".js'" in template.read_text()), template
        assert sum(sizes[name] for name in scripts) <= LARGEST_SCRIPTS, template


def test_the_page_of_a_link_is_sound(
    browser: Browser, site: str, console: Path, shots: Path
) -> None:
    wrong: list[object] = []
    context = browser.new_context(base_url=site)
    with opened(context, wrong) as page:
        page.goto("/sign-in")
        write(email="somebody@example.org")(page)
        press("Send sign-in link")(page)
        page.goto(mailed_link(console, "somebody@example.org"))
        wrong += [*shape_of(page), *look_at(page, "link", shots)]
        press("Sign in as somebody@example.org")(page)
        expect(page.get_by_text("You’re signed in as somebody@example.org.")).to_be_visible()
    context.close()
    assert wrong == []


def test_the_page_of_an_invitation_is_sound(
    cast: Cast, browser: Browser, site: str, console: Path, shots: Path
) -> None:
    wrong: list[object] = []
    link = mailed_link(console, "guest@quokka.example")
    for place, who in enumerate(("", "Robin")):
        with opened(cast.browsers[who], wrong) as page:
            page.goto(link)
            wrong += [*shape_of(page), *look_at(page, f"invitation {who}", shots, place)]
    assert wrong == []
