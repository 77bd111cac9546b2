"""What a text without an ARK's syntax may have been meant for."""

import re
from collections.abc import Iterator

from app.identifiers.ark import parse_ark
from app.identifiers.corrections import (
    CorrectionKind,
    IdentifierCorrection,
    corrections,
    find_look_alike_hyphen,
    unwrap_identifier,
)
from app.identifiers.errors import InvalidARK
from app.resolution.arks.ark_requests import read_ark_request
from app.resolution.arks.ark_rule_books import ArkRuleBook

_NAAN = re.compile("((?:[Aa][Rr][Kk]):/?)([^/?#]{1,32})(?=/)")
_LOOK_ALIKES = str.maketrans("oOlIi", "00111")
_DIGITS = "Letters in the NAAN were replaced by the digits they look like."


def find_mended_ark(text: str, book: ArkRuleBook) -> IdentifierCorrection | None:
    """Find an ARK of a registered NAAN that a text may be meant for, without a query.

    ``ark%3A%2F12345%2Fx`` gives what it encodes, ``ark:l2345/x`` the digit that it looks like. The
    ARK is in normal form. None where nothing fits.
    """
    for one in _mended(text):
        if form := _form_of(one.identifier, book):
            return one._replace(identifier=form)
    return None


def correct_ark(text: str, book: ArkRuleBook) -> IdentifierCorrection | None:
    """Correct a text that is no ARK, or that has characters which only look like hyphens.

    None for other ARKs, and where nothing fits.
    """
    try:
        if not find_look_alike_hyphen(parse_ark(text).basic_ark):
            return None
    except InvalidARK:
        pass
    return find_mended_ark(text, book)


def _form_of(text: str, book: ArkRuleBook) -> str:
    try:
        form = parse_ark(text).arkspec_form
    except InvalidARK:
        return ""
    path = read_ark_request(form).path  # what is refused is not meant either
    return form if path and book.longest(path) is not None else ""


def _mended(text: str) -> Iterator[IdentifierCorrection]:
    yield from corrections(text)
    inner = unwrap_identifier(text)
    plain = _NAAN.sub(lambda found: found[1] + found[2].translate(_LOOK_ALIKES), inner, count=1)
    if plain != inner:
        yield IdentifierCorrection(plain, CorrectionKind.RULES, _DIGITS)
