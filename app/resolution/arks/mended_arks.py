"""What a text without an ARK's syntax may have been meant for."""

import re
from collections.abc import Iterator

from app.identifiers.ark import parse_ark
from app.identifiers.corrections import (
    CorrectionKind,
    IdentifierCorrection,
    corrections,
    has_stray_marks,
    unwrap_identifier,
)
from app.identifiers.errors import InvalidARK
from app.resolution.arks.ark_outcomes import ArkOutcome, BadArkSyntax
from app.resolution.arks.ark_requests import read_ark_request
from app.resolution.arks.ark_rule_books import ArkRuleBook

_NAAN = re.compile("((?:[Aa][Rr][Kk]):/?)([^/?#]{1,32})(?=/)")
_LOOK_ALIKES = str.maketrans("oOlIi", "00111")
_OF_MARKS = (CorrectionKind.UNWRAPPED, CorrectionKind.TRAILING, CorrectionKind.HYPHENS)
_DIGITS = "Letters in the NAAN were replaced by the digits they look like."


def find_mended_ark(text: str, book: ArkRuleBook) -> IdentifierCorrection | None:
    """Find an ARK of a registered NAAN that a text may be meant for, without a query.
    ``ark%3A%2F12345%2Fx`` gives what it encodes, ``ark:l2345/x`` the digit that it looks like."""
    for one in _mended(text):
        if form := _form_of(one.identifier, book):
            return one._replace(identifier=form)
    return None


def correct_ark(outcome: ArkOutcome, book: ArkRuleBook) -> IdentifierCorrection | None:
    """Return the ARK that a request was probably meant for, or None.

    A request that has the syntax of an ARK is corrected only if it has stray marks at the end, or
    characters that look like hyphens: ``ark:12345/x%20y`` may be an ARK.
    """
    if isinstance(outcome, BadArkSyntax):
        return outcome.correction
    form = outcome.request.normal_form  # spellings of one ARK get one answer
    if not (outcome.request.is_handed_on or has_stray_marks(form)):
        return None
    found = find_mended_ark(form or outcome.request.text, book)
    return found if found and found.kind in _OF_MARKS else None


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
