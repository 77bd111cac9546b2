"""Lists of URIs as they are sent: for programs, for people, and in the form of RFC 2169."""

from html import escape
from typing import NamedTuple

from app.published.http.accept_headers import find_best
from app.published.http.http_exchange import HttpAnswer, HttpRequest
from app.published.names.name_answers import (
    HTML,
    JSON,
    LIST,
    PLAIN,
    answer_unless_known,
    json_document,
)
from app.resolution.name_paths import name_path
from app.resolution.outcome_wording import shorten_text

_LONGEST_TITLE = 200


class UriList(NamedTuple):
    """What is known of one URI, and in words what the list is."""

    title: str
    of: str
    uris: tuple[str, ...]
    links: tuple[tuple[str, str], ...] = ()
    is_negotiated: bool = False

    @property
    def lines(self) -> str:
        """Source: RFC 2169 appendix A; RFC 2483 section 5."""
        return "".join(f"{line}\r\n" for line in (f"# {self.of}", *self.uris))


def answer_list(listed: UriList, edition: int, shell: str, request: HttpRequest) -> HttpAnswer:
    """A list in the form that the asker likes best, unless that is known there.

    Source: RFC 2169 sections 3.2, 3.6 to 3.8; RFC 9110 section 13.
    """
    forms = (LIST, listed.lines), (HTML, ""), (PLAIN, listed.lines), (JSON, _document(listed))
    types = tuple(media_type for media_type, _ in forms)
    media_type, text = forms[find_best(request.headers.get("accept", ""), types) or 0]
    if media_type == HTML:
        text = _page(listed, shell)
    made = f"{edition} {request.path} {listed.of} {media_type} {text}"
    fields = [("Vary", _vary(listed)), *listed.links]
    return answer_unless_known(made, media_type, text, fields, request)


def _vary(listed: UriList) -> str:
    return "Accept, Accept-Language" if listed.is_negotiated else "Accept"


def _document(listed: UriList) -> str:
    return json_document({"of": listed.of, "uris": list(listed.uris)})


def _page(listed: UriList, shell: str) -> str:
    # not before a page is made: what is published needs no templates for anything else
    from app.pages.site.name_pages import fill_shell

    title = shorten_text(f"{listed.title} {listed.of}", _LONGEST_TITLE)
    items = "".join(f"<li>{_item(uri)}\n" for uri in listed.uris)
    found = f"<ul>\n{items}</ul>" if items else "<p>None found.</p>"
    main = f"<h1>{escape(title)}</h1>\n{found}\n"
    return fill_shell(shell, escape(title), "", main)


def _item(uri: str) -> str:
    link = f'<a href="{escape(uri)}">{escape(uri)}</a>'
    if not uri.startswith("urn:"):
        return link
    return f'{link} (<a href="{escape(name_path(uri))}">about it</a>)'
