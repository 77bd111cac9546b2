"""Texts as HTML: made once, when they are sent in, and kept by their content."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from app.pages.text.markdown import RENDERING, render
from app.registration.declarations.registries import FIELDS
from app.store.requests.text_renderings import keep_renderings, renderings

_cached = lru_cache(maxsize=128)(render)  # of drafts, which are rendered again before they go


def _source(text: str) -> str:
    return f"{RENDERING}\n{text}"


def keep_rendered(fields: Mapping[str, str]) -> None:
    """Render the long fields of a text that becomes public, in the transaction that sends it."""
    keep_renderings({_source(text): _cached(text) for text in _long(fields).values()})


def keep_words(text: str) -> None:
    """Render what somebody says, in the transaction that files it."""
    keep_renderings({_source(text): _cached(text)})


def words_rendered(texts: Sequence[str]) -> list[str]:
    """What people said as safe HTML; what was kept of it is read at once."""
    kept = renderings({_source(text) for text in texts})
    return [kept.get(_source(text)) or _cached(text) for text in texts]


def rendered(fields: Mapping[str, str]) -> dict[str, str]:
    """The long fields as safe HTML, by name; a draft's are made for the asker alone."""
    return rendered_all([fields])[0]


def rendered_all(texts: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """The long fields of several texts as safe HTML; what was kept of them is read at once."""
    longs = [_long(fields) for fields in texts]
    kept = renderings({_source(text) for long in longs for text in long.values()})
    return [
        {name: kept.get(_source(text)) or _cached(text) for name, text in long.items()}
        for long in longs
    ]


def _long(fields: Mapping[str, str]) -> dict[str, str]:
    return {
        name: text
        for name, text in fields.items()
        if text and name in FIELDS and FIELDS[name].is_long
    }
