"""How else a text may have been meant that is no name: without what slips in by copying.

These are spellings alone; whether one of them is a name is for the judgement to say.
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from app.identifiers.uri_schemes import with_plain_scheme

LONGEST = 200  # characters of an NSS of which letters are tried in the other case
_LONGEST_COPIED = 1_000  # characters
_HYPHENS = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"  # that look like one
_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_TIDY = str.maketrans(dict.fromkeys(_HYPHENS, "-") | dict.fromkeys(_UNSEEN, ""))
_TRAILING = "/.,;:"
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2}|[^\x00-\x7f])+")


def meant_texts(text: str, position: int | None) -> Iterator[tuple[str, bool]]:
    """What a text without a URN's syntax may stand for, the likelier first.

    With it stands whether it is all of the text: ``urn:isbn:978 951`` without its space is, and
    what stands before the first fault is not. None of them needs to be a URN.
    """
    if "%" in text[:10]:  # `urn%3Aisbn%3A…`, as a program writes a value of a query
        yield _decoded(text), False
    if plain := with_plain_scheme(text, "urn") or with_plain_scheme(_decoded(text), "urn"):
        yield plain, False
    tidy = _tidied(text)
    if tidy != text:
        yield tidy, True
    if position:
        yield text[:position], False


def meant_names(nss: str) -> Iterator[str]:
    """An NSS itself, then without what slipped in: spaces, hyphens that are others, an end.

    ``978%20951`` gives ``978951``, and ``978951/`` does too.
    """
    yield nss
    tidy = _tidied(nss)
    others = dict.fromkeys((tidy, nss.rstrip(_TRAILING), tidy.rstrip(_TRAILING)))
    yield from (other for other in others if other != nss)


def other_cases(nss: str) -> Iterator[str]:
    """An NSS with its first segment, or all of it, in one case; nothing for one that is long."""
    if "%" in nss or len(nss) > LONGEST:
        return
    head, mark, rest = nss.partition(":")
    yield from dict.fromkeys(
        (f"{head.lower()}{mark}{rest}", f"{head.upper()}{mark}{rest}", nss.upper(), nss.lower())
    )


def _tidied(text: str) -> str:
    """A text without spaces, encoded or not, and with hyphens for what looks like one.

    What else is encoded stays so, where it is no part of an encoded hyphen. A text that is longer
    than what people copy stays as it is.
    """
    if len(text) > _LONGEST_COPIED:
        return text
    spelled = _ENCODED.sub(lambda run: _tidied_run(run[0]), text)
    return "".join(spelled.translate(_TIDY).split())


def _tidied_run(run: str) -> str:
    """A run of what is encoded or beyond ASCII: plain where only hyphens and spaces are in it."""
    plain = "".join(_decoded(run).translate(_TIDY).split())
    return run if plain.strip("-") else plain


def _decoded(text: str) -> str:
    """A text with percent-encodings taken out; octets that a server gave as characters too."""
    try:
        octets = unquote_to_bytes(text.encode("latin-1"))
    except UnicodeEncodeError:
        octets = unquote_to_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return octets.decode("latin-1")
