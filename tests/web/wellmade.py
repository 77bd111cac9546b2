"""What every page keeps to, whoever made it and for whom."""

import re
from collections import Counter
from collections.abc import Iterator
from http import HTTPStatus
from urllib.parse import urlsplit

from app.exports.manifests.bundle_files import CONTENT_SECURITY_POLICY, FOR_EVER
from tests.web.visitor import Page

BASE_URL = "http://127.0.0.1:8000"
_NAMING = ("for", "aria-describedby", "aria-labelledby", "aria-controls")


def faults(page: Page) -> list[str]:
    """Everything that is wrong with an answer, in words."""
    found = list(_headers(page))
    if page.headers.get("Content-Type", "").startswith("text/html") and page.html:
        found += [*_names(page), *_scripts(page), *_links(page), *_shape(page)]
    return [f"{page.path} ({page.status}): {fault}" for fault in found]


def _headers(page: Page) -> Iterator[str]:
    expected = {
        "Content-Security-Policy": CONTENT_SECURITY_POLICY,
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Opener-Policy": "same-origin",
    }
    if ".." in page.path and page.status == HTTPStatus.OK:  # two editions never change
        expected["Cache-Control"] = FOR_EVER
    elif page.path == "/requests/" and "public" in page.headers["Cache-Control"]:
        expected |= {"Cache-Control": "public, max-age=60", "Vary": "Cookie"}
    elif not page.path.startswith("/static/"):
        expected["Cache-Control"] = _caching(page.path)
    one_time = page.path.startswith(("/sign-in/", "/links/"))
    expected["Referrer-Policy"] = "no-referrer" if one_time else "same-origin"
    for name, value in expected.items():
        if page.headers.get(name) != value:
            yield f"{name} is {page.headers.get(name)}"
    for cookie in page.headers.getlist("Set-Cookie"):
        if not {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; ")):
            yield f"a cookie without its guards: {cookie}"
    if "Location" in page.headers and not re.match(r"/(?![/\\])", page.location):
        yield f"leads away, to {page.location}"


def _caching(path: str) -> str:
    if path == "/opensearch.xml":
        return "public, max-age=86400"
    if path.startswith(("/names/", "/urn:")):  # of an edition, the same for every reader
        return "no-cache"
    is_copys = path.startswith(
        "/copy/"
    )  # refused by the published plane, the same for every reader
    return "no-store" if is_copys else "private, no-store"


def _names(page: Page) -> Iterator[str]:
    ids = Counter(page.values("id"))
    yield from (f"id {name} is there {count} times" for name, count in ids.items() if count > 1)
    for attribute in _NAMING:
        for names in page.values(attribute):
            yield from (f"{attribute} names no {name}" for name in names.split() if name not in ids)
    landmarks = Counter(
        page.each("//section/@aria-label | //nav/@aria-label | //aside/@aria-label")
    )
    yield from (
        f"{count} parts are called {name}" for name, count in landmarks.items() if count > 1
    )
    for link in page.values("href", "a"):
        if link.startswith("#") and link[1:] not in ids:
            yield f"a link to {link}, which is not there"


def _scripts(page: Page) -> Iterator[str]:
    if page.each("//*[@style] | //style"):
        yield "a style of its own"
    if page.each("//script[not(@src) or normalize-space(.)][not(@type='application/ld+json')]"):
        yield "a script of its own"
    for attribute in page.each("//@*"):
        if attribute.attrname.startswith("on"):
            yield f"a handler: {attribute.attrname}"


def _links(page: Page) -> Iterator[str]:
    registered = page.path.startswith(
        ("/assignments/", "/namespaces/", "/naans/", "/desk/", "/tools/ark")
    )
    for attribute in ("href", "src", "action", "formaction"):
        for link in page.values(attribute):
            parts = urlsplit(link)
            is_ours = link.startswith(f"{BASE_URL}/") or not (parts.scheme or parts.netloc)
            # what was registered long ago is linked to as it was registered
            if not is_ours and parts.scheme != "https" and not registered:
                yield f"a link to {link}"


def _shape(page: Page) -> Iterator[str]:
    if len(page.each("//h1")) != 1:
        yield "not one heading of the first rank"
    if not page.title or page.root.get("lang") != "en":
        yield "no title or language"
    if not page.each("//a[@href='/']"):
        yield "no way on"
    for form in page.each("//form[@method='post']"):
        if not form.xpath(".//input[@name='csrf_token'][@value!='']"):
            yield f"a form without its proof: {form.get('action')}"
