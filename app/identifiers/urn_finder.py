"""URNs in a text: where they stand among other words, and where each one ends."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from app.identifiers.urn_grammar import ALPHANUM, NAMESTRING

# What could come before: nothing that would make `urn` the end of another word or scheme.
_URN = re.compile(rf"(?<![{ALPHANUM}+.\-])(?:{NAMESTRING})", re.ASCII)
_whole = re.compile(NAMESTRING, re.ASCII).match
_PUNCTUATION = ".,;:!?'*_~&"


class UrnOccurrence(NamedTuple):
    """A URN in a text: as it is written, and where; code points count from 0."""

    text: str
    position: int
    nid: str


def find_urns(text: str) -> Iterator[UrnOccurrence]:
    """Yield the URNs that stand in a text, from its beginning.

    Each is the longest namestring that begins where it does, without the punctuation at its
    end that belongs to the sentence: full stops, commas, quotes, and a bracket that closes
    what was opened before the URN. Nothing is found inside another word: ``saturn:a:b``.
    Asks of no NID whether it is registered. Takes time in proportion to the text.

    Source: RFC 8141 section 2; RFC 3986 appendix C.
    """
    for match in _URN.finditer(text):
        found = _trimmed(match[0])
        if found is not None:
            yield UrnOccurrence(found[0], match.start(), found["nid"])


def _trimmed(longest: str) -> re.Match[str] | None:
    """The URN without what ends the sentence, or None where nothing of a name is left."""
    ended = _without_punctuation(longest)
    match = _whole(ended)
    while match is not None and match.end() < len(ended):  # a mark lost what came after it
        ended = _without_punctuation(match[0])
        match = _whole(ended)
    return match


def _without_punctuation(text: str) -> str:
    """Without the punctuation at its end, and the brackets there that close nothing in it."""
    unclosed = text.count(")") - text.count("(")
    if unclosed <= 0:
        return text.rstrip(_PUNCTUATION)
    begin = len(text.rstrip(_PUNCTUATION + ")"))
    left = text[begin:].rsplit(")", unclosed)[0] if text.count(")", begin) > unclosed else ""
    return text[:begin] + left.rstrip(_PUNCTUATION)
