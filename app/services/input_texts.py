"""Texts that come in from anywhere: none is taken that a database or a file cannot hold."""

from collections.abc import Iterator, Mapping
from typing import Any

from app.problems import use_case_codes
from app.registration.submissions.submission_rules import find_unfit, unfit_sentence
from app.services.refusals import InvalidInput


def require_storable(given: Mapping[str, Any]) -> None:
    """Refuse a character that nothing can keep or show, such as NUL, wherever it stands.

    ``given`` holds texts by the names of their fields, and lists and mappings of such. Raises
    InvalidInput with the innermost field that is named, and the place in it.
    """
    for name, text in _texts(given, ""):
        at = find_unfit(text)
        if at is not None:
            label = f"“{name.replace('_', ' ')}”" if name else "the input"
            raise InvalidInput(use_case_codes.TEXT_UNFIT, unfit_sentence(label, text, at), name, at)


def _texts(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, member in value.items():
            yield name, key
            yield from _texts(member, key)
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member, name)
