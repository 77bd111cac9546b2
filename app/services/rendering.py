"""Texts as HTML: made once, when they are sent in, and kept by their content."""

from collections.abc import Mapping
from functools import lru_cache

from app.pages.markdown import RENDERING, render
from app.registration.declarations import FIELDS
from app.store import requests

_cached = lru_cache(maxsize=512)(render)


def _source(text: str) -> str:
    return f"{RENDERING}\n{text}"


def keep_rendered(fields: Mapping[str, str]) -> None:
    """Render the long fields of a text that becomes public, in the transaction that sends it."""
    for text in _long(fields).values():
        requests.keep_rendering(_source(text), render(text))


def rendered(fields: Mapping[str, str]) -> dict[str, str]:
    """The long fields as safe HTML, by name; a draft's are made for the asker alone."""
    return {
        name: requests.rendering(_source(text)) or _cached(text)
        for name, text in _long(fields).items()
    }


def _long(fields: Mapping[str, str]) -> dict[str, str]:
    return {
        name: text
        for name, text in fields.items()
        if text and name in FIELDS and FIELDS[name].is_long
    }
