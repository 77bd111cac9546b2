"""Texts as HTML: made once, when they are sent in, and kept by their content."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from app.pages.text.markdown import RENDERING, markdown_html, render_words
from app.pages.text.rendered_texts import RenderedTexts
from app.registration.declarations.registries import find_field
from app.store.requests.text_renderings import keep_renderings, renderings

_cached = lru_cache(maxsize=128)(
    markdown_html
)  # of drafts, which are rendered again before they go
_cached_words = lru_cache(maxsize=128)(render_words)


def _source(text: str) -> str:
    return f"{RENDERING}\n{text}"


def _source_of_words(text: str) -> str:
    return f"{RENDERING} words\n{text}"


def keep_rendered(fields: Mapping[str, str]) -> None:
    """Render the long fields of a text that becomes public, in the transaction that sends it."""
    keep_renderings({_source(text): _cached(text) for text in long_fields(fields).values()})


def keep_words(text: str) -> None:
    """Render what somebody says, in the transaction that files it."""
    if text:
        keep_renderings({_source_of_words(text): _cached_words(text)})


def rendered_texts(texts: Iterable[str], words: Iterable[str] = ()) -> RenderedTexts:
    """What a page makes HTML of these from; what was kept of them is read at once.

    ``words`` are what people said of a text, where quotes are read.
    """
    sources = {text: _source(text) for text in texts}
    said = {text: _source_of_words(text) for text in words}
    kept = renderings({*sources.values(), *said.values()})
    return RenderedTexts(
        {text: kept[source] for text, source in sources.items() if source in kept},
        _cached,
        {text: kept[source] for text, source in said.items() if source in kept},
        _cached_words,
    )


def rendered_fields(fields: Mapping[str, str]) -> RenderedTexts:
    """What a page makes HTML of the long fields of a text from."""
    return rendered_texts(long_fields(fields).values())


def long_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields of a text that are Markdown, and not empty, by name."""
    return {
        name: text
        for name, text in fields.items()
        if text and (field := find_field(name)) and field.is_long
    }
