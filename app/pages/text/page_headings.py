"""The headings of a page, from which its list of contents is made."""

import re
from html import unescape
from typing import NamedTuple

_HEADING = re.compile(r'<h2 id="([a-z][a-z_-]{0,40})">([^<]{1,200})</h2>')


class PageHeading(NamedTuple):
    """Where a part of a page begins, and what it is called."""

    id: str
    text: str


def page_headings(html: str) -> list[PageHeading]:
    """The headings of parts that can be led to, as they stand in the HTML of a page.

    Those without an ``id``, those that are not seen, and those of which words have a look of their
    own are left out.
    """
    return [
        PageHeading(at, " ".join(unescape(text).split())) for at, text in _HEADING.findall(html)
    ]
