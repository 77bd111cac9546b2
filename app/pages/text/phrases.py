"""Dates, numbers and sentences as the pages say them."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from html import unescape
from typing import NamedTuple

from markupsafe import Markup, escape

from app.identifiers.ark import ARK
from app.pages.text.markdown import markdown_html, render_words, reveal_unseen

_ID = re.compile(r"`([^`\n]+)`")

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def day_phrase(day: str | date) -> str:
    """A day as ``10 February 2025``, a month as ``February 2025``; any other text as it is."""
    parts = str(day)[:10].split("-")
    if not all(part.isdecimal() for part in parts) or not 2 <= len(parts) <= 3:
        return str(day)
    year, month, *of_month = (int(part) for part in parts)
    if not 1 <= month <= len(_MONTHS):
        return str(day)
    return " ".join(map(str, (*of_month, _MONTHS[month - 1], year)))


def count_phrase(number: int, one: str, many: str = "") -> str:
    """A number and its noun: ``1 name``, ``2 names``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


_UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))


def duration_phrase(time: timedelta) -> str:
    """How long something lasts, in its largest unit: ``3 minutes``, ``1 second``."""
    seconds = max(0, int(time.total_seconds()))
    for unit, size in _UNITS:
        if seconds >= size:
            return count_phrase(seconds // size, unit)
    return count_phrase(seconds, "second")


def sentence_html(sentence: str) -> Markup:
    """A sentence as HTML: what stands in backticks is an identifier, the rest is escaped.

    Markup is given back as it is.
    """
    if isinstance(sentence, Markup):
        return sentence
    pieces = _ID.split(reveal_unseen(sentence))
    tagged = Markup('<bdi class="id" translate="no">{}</bdi>')
    return Markup("").join(
        tagged.format(piece) if place % 2 else escape(piece) for place, piece in enumerate(pieces)
    )


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


class RenderedTexts:
    """Gives texts as safe HTML: from what ``markdown_html`` made of them before, or made now.

    Views of requests and discussions carry texts, and a page asks here for their HTML.
    """

    def __init__(
        self,
        kept: Mapping[str, str],
        make: Callable[[str], str] = markdown_html,
        words: Mapping[str, str] | None = None,
        make_words: Callable[[str], str] = render_words,
    ) -> None:
        self._kept, self._make = kept, make
        self._words, self._make_words = words or {}, make_words

    def html_of(self, text: str) -> Markup:
        """A text of Markdown as HTML that holds nothing but what ``markdown_html`` lets through."""
        return Markup(self._kept.get(text) or self._make(text))  # noqa: S704  render made both

    def words_of(self, text: str) -> Markup:
        """What somebody said, with quotes, as HTML that is as safe."""
        return Markup(self._words.get(text) or self._make_words(text))  # noqa: S704  as above


class IdentifierPart(NamedTuple):
    """A run of characters, and what they are: ``scheme``, ``nid``, ``r`` and so on, or a mark."""

    kind: str
    text: str


ARK_LABELS = {
    "naan": "NAAN",
    "name": "Name",
    "component": "Component",
    "variant": "Variant",
    "inflection": "Inflection",
    "query": "Query",
    "f": "Fragment",
}
_INFLECTIONS = frozenset({"", "?", "info"})  # a query that says what is asked of the ARK itself


def pieces_of_ark(ark: ARK) -> tuple[IdentifierPart, ...]:
    """An ARK as it was given, cut into its parts, the marks between them included.

    Joined they are the text. Source: The ARK URI scheme section 4.
    """
    return tuple(piece for piece in _pieces(ark) if piece.text)


def _pieces(ark: ARK) -> Iterator[IdentifierPart]:
    text = str(ark)
    yield IdentifierPart("scheme", text[: 5 if text[4] == "/" else 4])
    yield IdentifierPart("naan", ark.naan)
    yield from _marked("/", "name", ark.name)
    for component in ark.components:
        yield from _marked("/", "component", component)
    for variant in ark.variants:
        yield from _marked(".", "variant", variant)
    if ark.query is not None:
        kind = "inflection" if ark.query in _INFLECTIONS else "query"
        yield from _marked("?", kind, ark.query)
    if ark.fragment is not None:
        yield from _marked("#", "f", ark.fragment)


def _marked(mark: str, kind: str, text: str) -> Iterator[IdentifierPart]:
    yield IdentifierPart("mark", mark)
    yield IdentifierPart(kind, text)
