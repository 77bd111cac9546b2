"""What a text without an ARK's syntax may have been meant for."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from app.identifiers.ark import find_embedded_ark
from app.identifiers.ark_grammar import INVISIBLE
from app.identifiers.uri_schemes import with_plain_scheme
from app.resolution.arks.ark_requests import read_ark_request
from app.resolution.arks.ark_rule_books import ArkRuleBook

_UNSEEN = re.compile(rf"[{INVISIBLE}\s]")
_NAAN = re.compile("((?:[Aa][Rr][Kk]):/?)([^/?#]{1,32})(?=/)")
_LOOK_ALIKES = str.maketrans("oOlIi", "00111")


def find_mended_ark(text: str, book: ArkRuleBook) -> str:
    """An ARK of a registered NAAN that a text may have been meant for, in normal form and without a
    query; empty where none is.

    ``ark%3A%2F12345%2Fx`` gives what it encodes, ``ark:l2345/x`` the digit that it looks like.
    """
    for candidate in _mended(text):
        ark = find_embedded_ark(candidate)
        form = ark.arkspec_form if ark else ""
        path = read_ark_request(form).path if form else ""  # what is refused is not meant either
        if path and book.longest(path) is not None:
            return form
    return ""


def _mended(text: str) -> Iterator[str]:
    yield text  # maybe an address with an ARK in it
    if "%" in text[:16]:  # as a program writes a value of a query
        yield unquote(text)
    yield with_plain_scheme(unquote(text), "ark")
    yield _UNSEEN.sub("", text)
    yield _NAAN.sub(lambda found: found[1] + found[2].translate(_LOOK_ALIKES), text, count=1)
