"""People's texts as a page shows them."""

from collections.abc import Callable, Mapping

from markupsafe import Markup

from app.pages.text.markdown import markdown_html, render_words


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
