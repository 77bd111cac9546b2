"""A browser without a browser: it follows links, fills in forms and reads pages."""

from collections.abc import Iterator
from contextvars import copy_context
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import lxml.html
from flask import Flask
from itsdangerous import URLSafeTimedSerializer
from lxml.html import HtmlElement
from werkzeug.test import TestResponse

HTML = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
_CSRF = "secret of a session"


class Page:
    """An answer, as somebody reads it."""

    def __init__(self, response: TestResponse) -> None:
        self.status = response.status_code
        self.headers = response.headers
        self.html = response.get_data(as_text=True)
        self.path = response.request.path
        self._root: HtmlElement | None = None

    @property
    def root(self) -> HtmlElement:
        """The page, read."""
        if self._root is None:
            self._root = lxml.html.document_fromstring(self.html or "<html></html>")
        return self._root

    @property
    def words(self) -> str:
        """What is shown, white space folded."""
        return " ".join(self.root.text_content().split())

    @property
    def title(self) -> str:
        """What the tab says."""
        return " ".join((self.root.findtext(".//title") or "").split())

    @property
    def location(self) -> str:
        """Target."""
        return self.headers.get("Location", "")

    def each(self, selector: str) -> list[HtmlElement]:
        """Every element that a CSS selector finds; only tag, #id, .class and [attribute]."""
        found: list[HtmlElement] = self.root.xpath(selector)
        return found

    def values(self, attribute: str, tag: str = "*") -> list[str]:
        """What an attribute holds, wherever it stands."""
        return [str(value) for value in self.each(f"//{tag}/@{attribute}")]

    def text(self, xpath: str) -> str:
        """The words of the first element that is found."""
        return " ".join(self.each(xpath)[0].text_content().split())

    def form(self, action: str) -> dict[str, str]:
        """What a form would send if nothing were typed; ``action`` is where it goes."""
        found = find_form(self.root, self.path, action)
        assert found is not None, f"no form for {action} on {self.path}: {self.words[:500]}"
        return found


def answering(form: dict[str, str]) -> dict[str, str]:
    """A form with which a text is sent again, everything that was asked said to be changed."""
    asked = (name.removesuffix("_words") for name in form if name.endswith("_words"))
    return form | dict.fromkeys(asked, "changed")


def find_form(root: HtmlElement, path: str, action: str) -> dict[str, str] | None:
    """What a form of the page at a path would send if nothing were typed."""
    for form in root.xpath("//form"):
        if _action(form, path) == action:
            return dict(_filled(form))
    return None


def _action(form: HtmlElement, path: str) -> str:
    return urlsplit(form.get("action") or path).path


def _filled(form: HtmlElement) -> Iterator[tuple[str, str]]:
    for element in form.xpath(".//input[@name] | .//textarea[@name]"):
        kind = element.get("type", "text")
        if kind in {"radio", "checkbox"} and element.get("checked") is None:
            continue
        yield element.get("name"), _typed(element)
    for element in form.xpath(".//select[@name]"):
        chosen = element.xpath(".//option[@selected]") or element.xpath(".//option")
        yield element.get("name"), str(chosen[0].get("value", ""))


def _typed(element: HtmlElement) -> str:
    """What a control holds; in a textarea browsers write line ends as CR LF."""
    if element.tag == "textarea":
        return (element.text or "").removeprefix("\n").replace("\n", "\r\n")
    return str(element.get("value", ""))


class Visitor:
    """Somebody with a browser, signed in or not."""

    def __init__(self, app: Flask, token: str = "") -> None:
        self.app = app
        self.client = app.test_client()
        with self.client.session_transaction() as session:
            session["csrf_token"] = _CSRF
            if token:
                session["token"] = token

    @property
    def proof(self) -> str:
        """A token that lets a form of this browser in."""
        signer = URLSafeTimedSerializer(self.app.config["SECRET_KEY"], salt="wtf-csrf-token")
        return str(signer.dumps(_CSRF))

    def get(self, path: str, **given: Any) -> Page:
        """Read a page."""
        return self.open("GET", path, **given)

    def open(self, method: str, path: str, **given: Any) -> Page:
        """Ask in any way."""
        headers = {"Accept": HTML} | given.pop("headers", {})
        asked = partial(self.client.open, path, method=method, headers=headers, **given)
        response = copy_context().run(asked)  # as a server does, so that nothing is left set
        page = Page(response)
        response.close()
        return page

    def post(self, path: str, fields: dict[str, Any] | None = None, **given: Any) -> Page:
        """Send a form as a page of this site does, and no more than these fields."""
        headers = {"Sec-Fetch-Site": "same-origin"} | given.pop("headers", {})
        data = {"csrf_token": self.proof} | (fields or {})
        return self.open("POST", path, data=data, headers=headers, **given)

    def send(self, page: str, fields: dict[str, Any] | None = None, *, action: str = "") -> Page:
        """Open a page, fill its form in and send it."""
        shown = self.get(page)
        assert shown.status == 200, (page, shown.status, shown.words[:300])
        target = action or urlsplit(page).path
        return self.post(target, shown.form(target) | (fields or {}))

    def send_again(self, number: int) -> Page:
        """Send a text that was returned, and say of all that was asked that it was changed."""
        path = f"/requests/{number}/check"
        return self.post(path, answering(self.get(path).form(path)))
