"""Corrections of a pasted text: the URN or ARK in it, and a sentence on what was changed."""

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

from app.identifiers.uri_schemes import with_plain_scheme
from app.identifiers.urn import QUERY

LONGEST_CORRECTED = 2 * 1024  # characters; longer texts get no correction

_SCHEMES = ("urn:", "ark:")
_HYPHENS = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_UNSEEN = "\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
_IS_UNSEEN = re.compile(f"[{_UNSEEN}]")
_STRAY = frozenset(".,;!)]}>\"'`")
_STRAY_ENCODED = re.compile("%(?:C2%AD|E2%80%[89]|E2%88%92)|%[0-9A-F]{2}\\Z", re.IGNORECASE)
_LOOK_ALIKE = re.compile(f"[\u00ad{_HYPHENS}]")
PLAIN_HYPHENS = str.maketrans(dict.fromkeys(_HYPHENS, "-"))
_PAIRS = {
    "<": ">", "(": ")", "[": "]", "{": "}", '"': '"', "'": "'", "`": "`", "\u201c": "\u201d",
    "\u201e": "\u201c", "\u2018": "\u2019", "\u00ab": "\u00bb", "\u2039": "\u203a",
}  # fmt: skip
_OPENING = "".join(_PAIRS)
_TRAILING = ".,;:!/\u3001\u3002\uff09\uff0c\uff0e\u2026" + "".join(_PAIRS.values())
_MOST_WRAPPERS = 4
_IN_PATH = re.compile("(?<=/)(?:urn|ark)(?::|%3a)", re.IGNORECASE | re.ASCII)
# `https://n2t.net/...`, `n2t.net/...` or a path; `https://ark:12345/x` has a host named ark.
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:/{1,2}[^/\s]|[^/\s:]+\.[^/\s]|/)", re.IGNORECASE)
_URI_RES = re.compile(r"/uri-res/[A-Z0-9]+\?(?=urn:)", re.IGNORECASE | re.ASCII)
_LABEL = re.compile(r"(?:ur[iln]|ark)[:=]?\s*(?=(?:urn|ark):)", re.IGNORECASE | re.ASCII)
_DOUBLED_ARK = re.compile("ark:/*(?=ark:)", re.IGNORECASE | re.ASCII)
_DOUBLED_NID = re.compile(r"urn:([a-z0-9-]{1,32}):(?=urn:\1:)", re.IGNORECASE | re.ASCII)
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2}|[^\x00-\x7f])+")
_ENCODED_END = re.compile(r"(?:%[0-9A-Fa-f]{2})+\Z")
_NOT_OF_URI = re.compile(f"[^{QUERY}#%]")
_HTTP_QUERY = re.compile(r"\?[A-Za-z0-9_.-]+=")  # `?fbclid=x`: no component of a URN begins so
_CUT = re.compile(r"[\s?]")


class CorrectionKind(StrEnum):
    """The change that a correction makes. ``HYPHENS``, ``SPACES`` and ``CUT`` are guesses."""

    UNWRAPPED = "unwrapped"
    TRAILING = "trailing marks"
    HYPHENS = "hyphens"
    ENCODED = "encoded"
    SPACES = "spaces"
    CUT = "cut"
    RULES = "rules of the namespace"

    @property
    def is_guess(self) -> bool:
        return self in (CorrectionKind.HYPHENS, CorrectionKind.SPACES, CorrectionKind.CUT)


_WHY = {
    CorrectionKind.UNWRAPPED: "Text around the identifier was removed.",
    CorrectionKind.TRAILING: "Punctuation after the identifier was removed.",
    CorrectionKind.HYPHENS: (
        "Characters that look like hyphens were replaced by `-`, and invisible characters "
        "were removed."
    ),
    CorrectionKind.ENCODED: (
        "Characters that aren't allowed in an identifier were percent-encoded."
    ),
    CorrectionKind.SPACES: "Spaces within the identifier were removed.",
    CorrectionKind.CUT: "The identifier was cut at the first space or question mark.",
}


_DECODED = "The identifier was decoded, and its scheme was written in ASCII."


class IdentifierCorrection(NamedTuple):
    """An identifier that a text may stand for, and a sentence on what was changed."""

    identifier: str
    kind: CorrectionKind
    why: str


def unwrap_identifier(text: str) -> str:
    """Remove what people paste around a URN or an ARK; return other text without outer spaces.

    ``"urn:isbn:X"``, ``(urn:isbn:X)``, ``https://nbn-resolving.org/urn:nbn:X``, ``URN: urn:isbn:X``
    and ``urn:nbn:urn:nbn:X`` have what is removed; ``urn%3Aisbn%3AX`` is decoded.

    Source: RFC 3986 appendix C.
    """
    for _ in range(_MOST_WRAPPERS):
        before, text = text, _without_one_wrapper(_trimmed(text))
        if text == before:
            break
    return _trimmed(text)


def corrections(text: str) -> Iterator[IdentifierCorrection]:
    """Yield what a text may be meant for, the most faithful first. Texts longer than
    ``LONGEST_CORRECTED`` yield nothing."""
    if len(text) > LONGEST_CORRECTED:
        return
    seen = {text}
    for kind, identifier in _candidates(text):
        if identifier not in seen:
            seen.add(identifier)
            is_decoded = kind is CorrectionKind.UNWRAPPED and identifier not in text
            yield IdentifierCorrection(identifier, kind, _DECODED if is_decoded else _WHY[kind])


def without_trailing_marks(text: str) -> str:
    """Remove marks and invisible characters from the end, percent-encoded ones too."""
    while True:
        shorter = _trimmed_end(text).rstrip(_TRAILING)
        if found := _ENCODED_END.search(shorter):
            read = decode_octets(found[0])
            kept = _trimmed_end(read).rstrip(_TRAILING)
            if kept != read:
                shorter = shorter[: found.start()] + quote(kept, safe="")
        if shorter == text:
            return text
        text = shorter


def has_stray_marks(text: str) -> bool:
    """Return whether an identifier as sent may have stray marks or look-alike hyphens. A resolver
    asks this of every name, so it looks at little; ``corrections`` has the answer."""
    if text[-1:] in _STRAY or not text.isascii():
        return True
    return "%" in text and _STRAY_ENCODED.search(text) is not None


def with_plain_hyphens(text: str) -> str:
    return _ENCODED.sub(lambda run: _plain_run(run[0], _plain_hyphens(run[0])), text)


def find_look_alike_hyphen(text: str) -> str:
    found = _LOOK_ALIKE.search(decode_octets(text))
    return found[0] if found else ""


def without_spaces(text: str) -> str:
    """Remove spaces, percent-encoded ones too, and write plain hyphens."""
    plain = _ENCODED.sub(
        lambda run: _plain_run(run[0], "".join(_plain_hyphens(run[0]).split())), text
    )
    return "".join(plain.split())


def decode_octets(text: str) -> str:
    """Decode percent-encoding as UTF-8, else as Latin-1, also of octets that a server passed on."""
    try:
        octets = unquote_to_bytes(text.encode("latin-1"))
    except UnicodeEncodeError:
        octets = unquote_to_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return octets.decode("latin-1")


def _candidates(text: str) -> Iterator[tuple[CorrectionKind, str]]:
    inner = unwrap_identifier(text)
    inner = _with_plain_scheme(inner) or inner
    if inner[:4].lower() not in _SCHEMES:
        return
    yield CorrectionKind.UNWRAPPED, inner
    if inner[:4].lower() == "urn:":
        yield CorrectionKind.UNWRAPPED, _HTTP_QUERY.split(inner, maxsplit=1)[0]
    yield CorrectionKind.TRAILING, without_trailing_marks(inner)
    yield CorrectionKind.HYPHENS, with_plain_hyphens(inner)
    yield CorrectionKind.ENCODED, _encoded(inner)
    yield CorrectionKind.SPACES, without_spaces(inner)
    yield CorrectionKind.CUT, _CUT.split(inner, maxsplit=1)[0]


def _without_one_wrapper(text: str) -> str:
    if len(text) > 1 and _PAIRS.get(text[0]) == text[-1]:
        return text[1:-1]
    if text[:6].lower() in ("urn%3a", "ark%3a"):
        return decode_octets(text)
    for before in (_LABEL, _DOUBLED_ARK, _DOUBLED_NID):
        if found := before.match(text):
            return text[found.end() :]
    if text[:4].lower() == "urn:":  # its name may hold `/urn:` or `/ark:`
        return text
    opened = text.lstrip(_OPENING)
    if opened != text and opened[:4].lower() in _SCHEMES:
        return opened
    return _after_address(text)


def _with_plain_scheme(text: str) -> str:
    if text[:4].lower() in _SCHEMES:
        return ""
    readings = dict.fromkeys((text, decode_octets(text)))
    plain = (with_plain_scheme(read, one) for read in readings for one in ("urn", "ark"))
    return next(filter(None, plain), "")


def _after_address(text: str) -> str:
    is_ark = text[:4].lower() == "ark:"
    if not is_ark and _ADDRESS.match(text) is None:
        return text
    path = len(re.split("[?#]", text, maxsplit=1)[0])
    starts = [
        found
        for found in _IN_PATH.finditer(text, 0, path)
        if not text.endswith("://", 0, found.start())
    ]
    if starts and not re.search(r"\s", text[: starts[0].start()]):
        first = starts[0]
        is_urn = first[0][:3].lower() == "urn"
        return text[(first if is_urn else starts[-1]).start() :]
    if not is_ark and (asked := _URI_RES.search(text)):
        return text[asked.end() :]
    return text


def _encoded(text: str) -> str:
    head, mark, fragment = text.partition("#")
    whole = head + mark + fragment.replace("#", "%23")
    if not all(character.isprintable() for character in whole):
        return ""
    return _NOT_OF_URI.sub(lambda one: quote(one[0], safe="", errors="replace"), whole)


def _trimmed(text: str) -> str:
    begin, end = 0, len(_trimmed_end(text))
    while begin < end and _is_blank(text[begin]):
        begin += 1
    return text[begin:end]


def _trimmed_end(text: str) -> str:
    end = len(text)
    while end and _is_blank(text[end - 1]):
        end -= 1
    return text[:end]


def _is_blank(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) == "Cf"


def _plain_hyphens(run: str) -> str:
    return _IS_UNSEEN.sub("", decode_octets(run).translate(PLAIN_HYPHENS))


def _plain_run(run: str, plain: str) -> str:
    return run if plain.strip("-") else plain
