"""Somebody at a browser: keeps cookies, fills in forms, is led on, at any of several hosts."""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from random import Random
from typing import Any
from urllib.parse import urlencode, urlsplit

import lxml.html
from lxml.html import HtmlElement

_LINK = re.compile(r"/sign-in/([\w.~-]+)")
_PATIENCE = 60  # seconds: a kill limit


class Refused(Exception):
    """An answer that nobody wanted: a status, and what was asked."""


def _filled(form: HtmlElement) -> Iterator[tuple[str, str]]:
    """The names and values that a form is drawn with."""
    for control in form.xpath(".//input[@name] | .//textarea[@name]"):
        chosen = control.get("type") not in ("radio", "checkbox")
        if chosen or control.get("checked") is not None:
            yield control.get("name"), control.get("value") or (control.text or "").strip()


@dataclass
class Answer:
    """What came back, and how a form in it would be filled in."""

    status: int
    location: str
    body: bytes
    path: str = ""

    def form(self, action: str) -> dict[str, str]:
        """What the form that goes to an address would send as it is."""
        root: Any = lxml.html.document_fromstring(self.body)
        for form in root.xpath("//form"):
            if (urlsplit(form.get("action") or "").path or self.path) == action:
                return dict(_filled(form))
        raise Refused(f"no form for {action}")


@dataclass
class Person:
    """Somebody with cookies of their own, whose requests go to hosts at random."""

    ports: Sequence[int]
    chance: Random
    cookies: dict[str, str] = field(default_factory=dict)

    def twin(self, chance: Random) -> "Person":
        """The same person at another window."""
        return Person(self.ports, chance, dict(self.cookies))

    def get(self, path: str, **headers: str) -> Answer:
        """Read a page; Refused for anything but one."""
        return self._checked(self.ask("GET", path, None, headers), (200, 304), path)

    def send(self, page: str, action: str = "", **typed: str) -> Answer:
        """Open a page, fill its form in, send it, and read the page that it leads to."""
        action = action or page
        return self.post(action, self.get(page).form(action) | typed)

    def post(self, action: str, fields: Mapping[str, str]) -> Answer:
        """Send a form, and read the page that it leads to; its address is in the answer."""
        done = self._checked(self.ask("POST", action, fields, {}), (303,), action)
        there = urlsplit(done.location).path
        shown = self.get(there)
        return Answer(shown.status, there, shown.body, there)

    def ask(
        self, method: str, path: str, fields: Mapping[str, str] | None, headers: Mapping[str, str]
    ) -> Answer:
        """Ask one of the hosts."""
        connection = HTTPConnection("127.0.0.1", self.chance.choice(self.ports), timeout=_PATIENCE)
        try:
            body = None if fields is None else urlencode(fields)
            connection.request(method, path, body, self._headers(body) | dict(headers))
            answer = connection.getresponse()
            for cookie in answer.headers.get_all("Set-Cookie", []):
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            location = answer.headers.get("Location", "")
            return Answer(answer.status, location, answer.read(), urlsplit(path).path)
        finally:
            connection.close()

    def _headers(self, body: str | None) -> dict[str, str]:
        headers = {"Accept": "text/html,*/*;q=0.8", "Sec-Fetch-Site": "same-origin"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={text}" for name, text in self.cookies.items())
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        return headers

    @staticmethod
    def _checked(answer: Answer, wanted: tuple[int, ...], path: str) -> Answer:
        if answer.status not in wanted:
            raise Refused(f"{answer.status} for {re.sub('[0-9]+', 'N', path)}")
        return answer


@dataclass
class Letters:
    """The links that were mailed, by address."""

    found: dict[str, list[str]] = field(default_factory=dict)

    def keep(self, address: str, text: str) -> None:
        """Keep the link of a letter, if it has one."""
        self.found.setdefault(address.lower(), []).extend(_LINK.findall(text)[:1])

    def take(self, address: str) -> str:
        """The newest link that came to an address, waiting until there is one."""
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            if self.found.get(address):
                return self.found[address].pop()
            time.sleep(0.05)
        raise Refused("no link came")


def ask_for_link(person: Person, address: str) -> None:
    """Ask for a link by the form."""
    form = person.get("/sign-in").form("/sign-in")
    answer = person.ask("POST", "/sign-in", form | {"email": address}, {})
    if answer.status != 200:
        raise Refused(f"{answer.status} for a link")


def use_link(person: Person, token: str) -> None:
    """Open the page of a link, and press its button."""
    person.send(f"/sign-in/{token}")
