"""A text line by line, each with an anchor to lead to, its addresses as links."""

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

from app.pages.text.markdown import ADDRESS, address_in, reveal_unseen

MOST_NUMBERED = 2_000  # lines of one field; whoever writes more is read without numbers
_ADDRESS = re.compile(ADDRESS)


def numbered(name: str, text: str) -> Markup:
    """The lines of a field as a list, as they were typed; ``syntax_6`` is the sixth of Syntax."""
    lines = text.replace("\r\n", "\n").split("\n")
    items = (_item(name, n, line) for n, line in enumerate(lines, 1))
    return Markup('<ol class="lines">{}</ol>').format(Markup("").join(items))


def is_numbered(text: str) -> bool:
    """Whether a text is short enough to be shown line by line."""
    return text.count("\n") < MOST_NUMBERED


def _item(name: str, n: int, line: str) -> Markup:
    words = Markup("").join(_linked(reveal_unseen(line)))
    return Markup('<li id="{}_{}">{}</li>').format(name, n, words)


def _linked(line: str) -> Iterator[Markup]:
    at = 0
    for url, start in addresses_in(line):
        yield escape(line[at:start])
        link = '<a href="{0}" rel="nofollow noopener">{0}</a>'
        yield Markup(link).format(url)  # noqa: S704  no word of anybody stands in the pattern
        at = start + len(url)
    yield escape(line[at:])


def addresses_in(text: str) -> Iterator[tuple[str, int]]:
    """The addresses of the web and of mail in a text, each with its place."""
    for found in _ADDRESS.finditer(text):
        url = address_in(found[0])
        if url:
            yield url, found.start()
