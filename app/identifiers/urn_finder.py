"""URNs in a text: where they stand among other words, and where each one ends."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from app.identifiers.urn_grammar import ALPHANUM, NAMESTRING

# What could come before: nothing that would make `urn` the end of another word or scheme.
_URN = re.compile(rf"(?<![{ALPHANUM}+.\-])(?:{NAMESTRING})", re.ASCII)
_whole = re.compile(NAMESTRING, re.ASCII).match
# A letter of a Latin script, or a broken percent-encoding, and the rest of the word. Text in other
# scripts follows a URN without a space: `urn:isbn:9789510184356は`.
_REST = re.compile("(?:[\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff]|%)[\\w%-]*(?:[^\\s\\w]+\\w+)*")
_PUNCTUATION = ".,;:!?'*_~&"


class UrnOccurrence(NamedTuple):
    """A URN in a text: as it is written, and where; code points count from 0.

    ``rest`` is what follows it in the same word and no URN has, as ``é`` in ``urn:foo:café`` or
    ``%2`` in ``urn:foo:bar%2``: the writer meant another name. It is mostly empty.
    """

    text: str
    position: int
    nid: str
    rest: str = ""


def find_urns(text: str) -> Iterator[UrnOccurrence]:
    """Yield the URNs that stand in a text, from its beginning. Nothing is found inside another
    word: ``saturn:a:b``.

    Source: RFC 8141 section 2; RFC 3986 appendix C.
    """
    for match in _URN.finditer(text):
        found = _trimmed(match[0])
        if found is not None:
            more = _REST.match(text, match.end())
            rest = match[0][len(found[0]) :] + more[0] if more else ""
            yield UrnOccurrence(found[0], match.start(), found["nid"], rest)


def _trimmed(longest: str) -> re.Match[str] | None:
    ended = _without_punctuation(longest)
    match = _whole(ended)
    while match is not None and match.end() < len(ended):  # a mark lost what came after it
        ended = _without_punctuation(match[0])
        match = _whole(ended)
    return match


def _without_punctuation(text: str) -> str:
    unclosed = text.count(")") - text.count("(")
    if unclosed <= 0:
        return text.rstrip(_PUNCTUATION)
    begin = len(text.rstrip(_PUNCTUATION + ")"))
    left = text[begin:].rsplit(")", unclosed)[0] if text.count(")", begin) > unclosed else ""
    return text[:begin] + left.rstrip(_PUNCTUATION)
