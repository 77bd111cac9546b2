"""People's texts as a page shows them."""

from collections.abc import Callable, Mapping

from markupsafe import Markup

from app.pages.text.markdown import render


class RenderedTexts:
    """Gives texts as safe HTML: from what ``render`` made of them before, or made now.

    Views of requests and discussions carry texts, and a page asks here for their HTML.
    """

    def __init__(self, kept: Mapping[str, str], make: Callable[[str], str] = render) -> None:
        self._kept, self._make = kept, make

    def html_of(self, text: str) -> Markup:
        """A text of Markdown as HTML that holds nothing but what ``render`` lets through."""
        return Markup(self._kept.get(text) or self._make(text))  # noqa: S704  render made both
