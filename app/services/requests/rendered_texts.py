"""Texts as HTML: made once, when they are sent in, and kept by their content."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from app.pages.text.markdown import RENDERING, render
from app.pages.text.rendered_texts import RenderedTexts
from app.registration.declarations.registries import find_field
from app.store.requests.text_renderings import keep_renderings, renderings

_cached = lru_cache(maxsize=128)(render)  # of drafts, which are rendered again before they go


def _source(text: str) -> str:
    return f"{RENDERING}\n{text}"


def keep_rendered(fields: Mapping[str, str]) -> None:
    """Render the long fields of a text that becomes public, in the transaction that sends it."""
    keep_renderings({_source(text): _cached(text) for text in long_fields(fields).values()})


def keep_words(text: str) -> None:
    """Render what somebody says, in the transaction that files it."""
    keep_renderings({_source(text): _cached(text)})


def rendered_texts(texts: Iterable[str]) -> RenderedTexts:
    """What a page makes HTML of these texts from; what was kept of them is read at once."""
    sources = {text: _source(text) for text in texts}
    kept = renderings(set(sources.values()))
    known = {text: kept[source] for text, source in sources.items() if source in kept}
    return RenderedTexts(known, _cached)


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
