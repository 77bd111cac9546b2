"""What a person should look at before a formal NID is registered. Nothing here forbids it."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from app.identifiers.contested_words import AUTHORITY_WORDS, COMMON_WORDS
from app.identifiers.uri_schemes import URI_SCHEMES

from .countries import COUNTRIES
from .findings import Finding
from .nid_index import NidIndex, fold_nid
from .spelling import spell_list, spell_text

_SOURCE = "RFC 8141 section 5.1"


class _ContestedNames(NamedTuple):
    code: str
    names: Collection[str]
    message: str


_LISTS = (
    _ContestedNames(
        "country_code",
        COUNTRIES,
        (
            "{nid} is a country code ({country}). You can continue; explain in Assignment "
            "who authorized you to use it."
        ),
    ),
    _ContestedNames(
        "uri_scheme",
        URI_SCHEMES,
        (
            "{nid} is a registered URI scheme. You can continue; explain how the namespace "
            "and the scheme are related."
        ),
    ),
    _ContestedNames(
        "common_word",
        COMMON_WORDS,
        (
            "{nid} is a very common word. You can continue; explain why this namespace "
            "should have it."
        ),
    ),
    _ContestedNames(
        "authority_word",
        AUTHORITY_WORDS,
        (
            "{nid} suggests broad authority. You can continue; explain in Assignment who "
            "authorized you to use it."
        ),
    ),
)


def find_advisories(text: str, index: NidIndex) -> Iterator[Finding]:
    """Yield what experts would ask about a NID that breaks no rule.

    Source: RFC 8141 section 5.1, on the semantic implications of a NID.
    """
    folded = fold_nid(text)
    for row in _LISTS:
        if folded in row.names:
            message = row.message.format(nid=spell_text(text), country=COUNTRIES.get(folded))
            yield Finding(row.code, message, _SOURCE)
    yield from _resemblances(text, index)


def _resemblances(text: str, index: NidIndex) -> Iterator[Finding]:
    alike = index.find_look_alikes(text)
    near = [name for name in index.find_one_edit_away(text) if name not in alike]
    if alike:
        yield _resemblance("look_alike", text, "looks like", alike)
    if near:
        yield _resemblance("one_edit_away", text, "differs by one character from", near)


def _resemblance(code: str, text: str, relation: str, names: list[str]) -> Finding:
    listed = spell_list([spell_text(name) for name in names])
    message = f"{spell_text(text)} {relation} the registered NID {listed}."
    return Finding(
        code, f"{message} You can continue; expect the experts to ask about it.", _SOURCE
    )
