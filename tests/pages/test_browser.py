"""The pages in a browser: nothing for axe to find, nothing too wide, nothing refused."""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from jinja2 import Environment, FileSystemLoader
from playwright.sync_api import Browser, Page, expect

from app.exports.content.static_paths import find_plain_path
from app.exports.manifests.bundle_files import CONTENT_SECURITY_POLICY
from app.pages.lists.list_query import ListSortKey
from app.pages.namespaces.timeline import VersionLink
from app.pages.site.chrome import Chrome, Flash, NavigationLink, configure_environment
from app.pages.site.published_site import Site
from app.registration.declarations.registries import FORMAL
from app.registration.records.registry_records import RegistrySnapshot
from tests.pages.answered import answered
from tests.pages.conftest import TEMPLATES
from tests.pages.snapshots import EMPTY, SMALL
from tests.pages.test_naan_pages import FILE, snapshot_of
from tests.torture.conftest import WHOLE

pytestmark = pytest.mark.browser

REGISTRY = "/assignments/urn-namespaces/"
NAANS = "/assignments/naans/"
RULES: dict[str, object] = {"resultTypes": ["violations"]}
# the scheme changes colours and nothing else
COLOURS = RULES | {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
_CHROME = Chrome(
    demo=True,
    notice="This registry is private.",
    nav=(NavigationLink("Registry", REGISTRY), NavigationLink("Review", "/review/", count=3)),
    account=NavigationLink("Your account", "/account"),
    actor="Ann Author",
    flashes=(Flash("ok", "Saved."), Flash("problem", "Not sent.")),
    new_request="/requests/new",
    name_check="/tools/nid",
    appointments="/appointments/",
)
_FORM = """
{% extends "base.html" %}
{% from "_field.html" import field, choice, line, text %}
{% from "_parts.html" import copy, error_summary, facts, say, status, tag %}
{% block title %}Error: a form{% endblock %}
{% block main %}
  {{ error_summary([("purpose", "Enter the purpose."), ("why", "Say why.")]) }}
  <h1>A form</h1>
  {% call status("wait", "Waiting.") %}For `alpha`.{% endcall %}
  <form method="post" class="stack" novalidate>
    {% for declaration in fields.values() %}
      {{ field(declaration, "1", ["`a` is taken."], ["Look."], {"x": "y"}) }}
    {% endfor %}
    {{ choice("why", "Why?", [("a", "A", "about a"), ("b", "B", "")], "a", "Hint", ["Say why."]) }}
    {{ line("mail", "Your address") }} {{ text("reason", "Reason") }}
    <button class="btn">Send</button> <button class="btn quiet">Not yet</button>
  </form>
  {% for kind in ("problem", "look", "ok", "wait", "open") %}
    <p>{{ tag(kind, kind) }}</p>{{ say(kind, "A sentence.", "RFC 8141") }}
  {% endfor %}
  {{ facts([("Name", "alpha")]) }} {{ copy("urn:alpha:") }}
{% endblock %}
"""


def _pages(snapshot: RegistrySnapshot) -> dict[str, Callable[[dict[str, str]], str]]:
    site = Site(TEMPLATES)
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True)
    configure_environment(environment)
    naans = snapshot_of(list(FILE.records)[:400])
    alpha, gamma = SMALL.registries[0].records[1], SMALL.registries[0].records[3]
    versions = (VersionLink(2, "/x", "2024-05-01", True), VersionLink(1, "/y", "2021-03-04"))
    return {
        "/": lambda _: site.home(snapshot, _CHROME),
        REGISTRY: lambda query: site.registry(snapshot, _CHROME, answered(snapshot, **query)),
        NAANS: lambda query: site.registry(naans, _CHROME, answered(naans, **query)),
        "/small": lambda _: site.registry(SMALL, _CHROME),
        "/empty": lambda _: site.registry(EMPTY, Chrome()),
        "/empty-home": lambda _: site.home(EMPTY, Chrome()),
        "/namespaces/alpha": lambda _: site.namespace(SMALL, alpha, _CHROME, versions),
        "/namespaces/gamma": lambda _: site.namespace(SMALL, gamma, _CHROME),
        "/form": lambda _: environment.from_string(_FORM).render(
            chrome=_CHROME, fields=FORMAL.named
        ),
    }


@pytest.fixture(scope="module")
def address(snapshot: RegistrySnapshot) -> Iterator[str]:
    """A site with the pages, the static files and the policy they are written for."""
    pages = _pages(snapshot)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            static = TEMPLATES.parent / (find_plain_path(parts.path) or parts.path)[1:]
            if static.suffix in _TYPES and static.is_file():
                self._send(_TYPES[static.suffix], static.read_bytes())
            else:
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                self._send("text/html; charset=utf-8", pages[parts.path](query).encode())

        def _send(self, media_type: str, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Stay silent."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (1280, "dark"), (320, "light"), (320, "dark")]
)
def test_axe_finds_nothing_and_nothing_is_too_wide_or_refused(
    browser: Browser, address: str, snapshot: RegistrySnapshot, width: int, scheme: Any
) -> None:
    found: list[object] = []
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, base_url=address
    )
    page = context.new_page()
    page.on("console", lambda message: found.append((page.url, message.text)))
    page.on("pageerror", lambda error: found.append((page.url, str(error))))
    is_first = WHOLE or (width, scheme) == (1280, "light")
    for path in (*_pages(snapshot), f"{REGISTRY}?q=nothing", f"{REGISTRY}?q=wi&sort=date"):
        page.goto(path)
        # a hundred rows alike take axe ten times as long as those that are found
        if is_first or path != REGISTRY:
            rules = COLOURS if scheme == "dark" else RULES
            violations = Axe().run(page, options=rules).response["violations"]
            found += [(path, v["id"], v["nodes"]) for v in violations]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append((path, "too wide"))
    context.close()
    assert found == []


@pytest.fixture
def registry(browser: Browser, address: str) -> Iterator[Page]:
    """The registry page, opened."""
    context = browser.new_context(
        base_url=address, permissions=["clipboard-read", "clipboard-write"]
    )
    page = context.new_page()
    page.goto(REGISTRY)
    yield page
    context.close()


def _ids(page: Page) -> list[str | None]:
    rows = page.locator(".registry tbody tr:not([hidden])")
    ids: list[str | None] = rows.evaluate_all("rows => rows.map((row) => row.id)")
    return ids


@pytest.mark.parametrize(
    "q", ["wi-fi", "RFC8141", "2025", "michael mealling", "urn:isbn:0451", "not recorded", "<b>"]
)
def test_the_script_finds_what_the_server_finds(registry: Page, q: str) -> None:
    registry.fill("#filter_q", q)
    count = registry.locator("#filter_count")
    expect(count).to_contain_text("match")
    told, found = (count.text_content() or "").strip(), _ids(registry)
    registry.goto(f"{REGISTRY}?q={q}")
    assert found == _ids(registry)
    assert (count.text_content() or "").strip() == told + " Show all"


def test_clearing_the_filter_brings_all_rows_back_and_none_says_so(registry: Page) -> None:
    everything = _ids(registry)
    registry.fill("#filter_q", "no such name")
    expect(registry.locator("#filter_none")).to_contain_text("No namespace matches no such name.")
    check = registry.locator("#filter_none_check").get_attribute("href") or ""
    assert check.endswith("/tools/nid?q=no+such+name")
    registry.fill("#filter_q", "")
    expect(registry.locator("#filter_none")).to_be_hidden()
    assert _ids(registry) == everything


def test_where_the_page_lacks_rows_the_answer_comes_while_one_types(registry: Page) -> None:
    registry.goto(f"{NAANS}?policy=op")
    registry.evaluate("window.isSame = true")
    field, count = registry.locator("#filter_q"), registry.locator("#filter_count")
    field.press_sequentially("National  Library")
    registry.wait_for_url(f"**{NAANS}?policy=op&q=National++Library")
    expect(field).to_be_focused()
    assert registry.evaluate("isSame"), "the page was not loaded anew"
    found, told = _ids(registry), count.text_content()
    assert found
    registry.reload()
    assert (_ids(registry), count.text_content()) == (found, told)
    expect(field).to_have_value("National Library")
    field.fill("no such holder")
    expect(registry.locator("#filter_none")).to_contain_text("No NAAN matches no such holder.")
    field.fill("")
    expect(registry.locator("#filter_none")).to_be_hidden()
    registry.wait_for_url(f"**{NAANS}?policy=op")
    assert len(_ids(registry)) > len(found)


def test_what_no_server_answers_leaves_the_list_and_its_button(registry: Page) -> None:
    registry.goto(f"{NAANS}?year=2001")
    found = _ids(registry)
    registry.route("**/*q=*", lambda route: route.abort())
    with registry.expect_event("requestfailed"):
        registry.locator("#filter_q").fill("library")
    registry.unroute("**/*q=*")
    assert _ids(registry) == found
    registry.get_by_role("button", name="Filter").click()
    expect(registry.locator("#filter_count")).to_contain_text("match")
    assert registry.url.endswith("q=library&year=2001#filter")


@pytest.mark.parametrize("column", list(ListSortKey))
def test_the_script_sorts_as_the_server_does(registry: Page, column: ListSortKey) -> None:
    for order in ("", "&order=desc"):
        heading = registry.locator(".registry thead th").nth(list(ListSortKey).index(column))
        heading.locator("a").click()
        way = "descending" if order else "ascending"
        expect(heading).to_have_attribute("aria-sort", way)
        assert registry.url.endswith(f"?sort={column}{order}")
        by_script = _ids(registry)
        registry.goto(f"{REGISTRY}?sort={column}{order}")
        assert by_script == _ids(registry)


def test_the_whole_name_can_be_copied(registry: Page) -> None:
    registry.goto("/namespaces/alpha")
    registry.get_by_role("button", name="Copy urn:alpha:").click()
    expect(registry.get_by_text("Copied.")).to_be_visible()
    assert registry.evaluate("navigator.clipboard.readText()") == "urn:alpha:"


def test_without_script_the_form_and_the_headings_ask_the_server(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=address)
    page = context.new_page()
    page.goto(REGISTRY)
    page.fill("#filter_q", "wi-fi")
    page.get_by_role("button", name="Filter").click()
    assert page.url.endswith("?q=wi-fi#filter")
    assert page.locator(".registry tbody tr").count() == 1
    context.close()
